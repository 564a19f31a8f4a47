/* SPDX-License-Identifier: MIT */
/*
 * Two threads check and then act, and compute for long before and in between, in a loop without a
 * hook.  A replay is interrupted there by the clock, how often is a matter of the machine; that
 * must not move what was recorded to another place.
 *
 * RUN    plait test -s noise -n 500
 * EXPECT assertion replay=4
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1, sold;

static void compute(unsigned long n)
{
    __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static int left(void)
{
    pthread_mutex_lock(&m);
    int n = tickets;
    pthread_mutex_unlock(&m);
    return n;
}

static void *sell(void *arg)
{
    compute(40000000);
    for (int i = 0; i < 3; i++) {
        if (left() > 0) {
            compute(10000000);
            pthread_mutex_lock(&m);
            tickets--;
            sold++;
            pthread_mutex_unlock(&m);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, sell, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(sold == 1);
    return 0;
}
