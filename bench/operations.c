/* SPDX-License-Identifier: MIT */
/* Four threads with fifty operations each: locks, an atomic and shared memory. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, ROUNDS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int rounds;
static int value;

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        value++; /* two operations: a read and a write */
        pthread_mutex_unlock(&lock);
        atomic_fetch_add(&rounds, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return value != THREADS * ROUNDS;
}
