/* SPDX-License-Identifier: MIT */
/*
 * One of three threads must be interrupted between its read and its write for
 * another to come between; what else they do gives random schedules many switches
 * that nobody needs.  The schedule that remains replays every time.
 *
 * RUN    plait test -n 2000
 * EXPECT assertion location~@bug preemptions=1 minimal=proven decides~@read<@write replay=20
 *
 * RUN    plait test -n 2000 --seed 7 --carrier thread
 * EXPECT assertion location~@bug preemptions=1 decides~@read<@write replay=1
 *
 * RUN    plait test -n 2000 --seed 8 --points all
 * EXPECT assertion location~@bug preemptions=1 decides~@read<@write replay=1
 *
 * RUN    plait test -n 2000 --seed 9 --budget 200000
 * EXPECT assertion location~@bug preemptions=1 minimal=proven decides~@read<@write replay=1
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100, noise;

static void make_noise(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        noise++;
        pthread_mutex_unlock(&lock);
    }
}

static void *withdraw(void *arg)
{
    make_noise();
    int seen = balance; /* @read */

    make_noise();
    balance = seen - 10; /* @write */
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, withdraw, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(balance == 70); /* @bug */
    return 0;
}
