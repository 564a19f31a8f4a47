/* SPDX-License-Identifier: MIT */
/*
 * A loop is ended by a flag that plait does not see if it is told not to look, as one in a library
 * without hooks, but it reads something else as well.  Beside it a thread goes on until it is told
 * to stop: main gets rounds of its loop all the same, and nobody is accused before it has had one.
 *
 * RUN    plait test -s random -n 20 --hooks-only
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor -n 20 --hooks-only
 * EXPECT clean incomplete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int flag;
static volatile int interested = 1;
static atomic_int stop, ticks;

static int is_set(void)
{
    int value;

    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(flag) : "memory");
    return value;
}

static void *set(void *arg)
{
    usleep(3000);
    __asm__ volatile("movl $1, %0" : "=m"(flag) : : "memory");
    return arg;
}

static void *tick(void *arg)
{
    while (!atomic_load(&stop)) {
        usleep(1000);
        atomic_fetch_add(&ticks, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, tick, NULL);
    while (!interested || !is_set()) {
    }
    atomic_store(&stop, 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
