/* SPDX-License-Identifier: MIT */
/*
 * Threads that wait for long, and are not starved: for the last of many jobs, for the end, for a
 * place in a queue, for a mutex that others have again and again.
 *
 * RUN    plait test -s random -n 300 --detect +starvation
 * EXPECT clean
 *
 * RUN    plait test -s pct -n 300 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>

enum { JOBS = 100, PLACES = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, less = PTHREAD_COND_INITIALIZER;
static int queued, done, stop;

static void *producer(void *arg)
{
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&m);
        while (queued == PLACES)
            pthread_cond_wait(&less, &m);
        queued++;
        pthread_cond_signal(&more);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *worker(void *arg)
{
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&m);
        while (queued == 0)
            pthread_cond_wait(&more, &m);
        queued--;
        pthread_cond_signal(&less);
        done++;
        pthread_cond_signal(&finished);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static void *last(void *arg)
{
    pthread_mutex_lock(&m);
    while (!stop)
        pthread_cond_wait(&ended, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    void *(*const functions[])(void *) = {producer, worker, last};
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, functions[i], NULL);
    pthread_mutex_lock(&m);
    while (done < JOBS)
        pthread_cond_wait(&finished, &m);
    stop = 1;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
