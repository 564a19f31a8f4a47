/* SPDX-License-Identifier: MIT */
/*
 * A polling loop that counts its rounds and pauses longer and longer: no two
 * rounds are alike, yet the loop must end under every strategy.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 3 --hang-time 10m
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
static volatile unsigned long rounds;

static void *setter(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned pause = 1;

    pthread_create(&t, NULL, setter, NULL);
    while (!flag) {
        for (unsigned i = 0; i < pause; i++)
            __builtin_ia32_pause();
        if (pause < 1024)
            pause *= 2;
        else
            sched_yield();
        rounds++;
    }
    pthread_join(t, NULL);
    return 0;
}
