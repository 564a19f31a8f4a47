/* SPDX-License-Identifier: MIT */
/*
 * What a thread does depends on the processor's own clock, which nobody controls: the search says
 * so, with the operation that it had seen, the one that is there now, and whose they are.
 *
 * RUN    plait test -s dpor --checkpoints off -n 100
 * EXPECT clean incomplete
 * ended~did\snot\srepeat\sanother:.*expected\s\S+.*thread.*found\s\S+.*thread\s0\.\d\sat\sdoes_not_repeat.c:\d+
 * exit=0
 */
#include <pthread.h>
#include <stdint.h>
#include <x86intrin.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int shared;

static void *varies(void *arg)
{
    uint64_t bits = __rdtsc() * UINT64_C(0x9e3779b97f4a7c15) >> 40;

    for (int i = 0; i < 16; i++) {
        int which = bits >> i & 1;

        pthread_mutex_lock(&lock[which]);
        shared++;
        pthread_mutex_unlock(&lock[which]);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[2];

    pthread_create(&thread[0], NULL, varies, NULL);
    pthread_create(&thread[1], NULL, varies, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
