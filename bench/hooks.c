/* SPDX-License-Identifier: MIT */
/*
 * Many accesses to memory while two threads live, one of which waits.
 * usage: hooks private|shared ROUNDS
 * A round reads and writes one number.  Private ones belong to one thread and
 * make no points; shared ones do, with one thread that can go on.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { NUMBERS = 512 };

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static sem_t touched;
static atomic_int begun; /* without a choice one execution would be all there is */
static long own[NUMBERS], common[NUMBERS];

static void *wait_for_main(void *arg)
{
    begun++;
    for (int i = 0; i < NUMBERS; i++)
        common[i]++;
    sem_post(&touched);
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return arg;
}

static void count(long *numbers, long rounds)
{
    for (long i = 0; i < rounds; i++)
        numbers[i % NUMBERS]++;
}

int main(int argc, char **argv)
{
    pthread_t t;

    if (argc != 3)
        return 2;
    sem_init(&touched, 0, 0);
    pthread_mutex_lock(&held);
    pthread_create(&t, NULL, wait_for_main, NULL);
    begun++;
    sem_wait(&touched);
    count(argv[1][0] == 's' ? common : own, atol(argv[2]));
    pthread_mutex_unlock(&held);
    return pthread_join(t, NULL);
}
