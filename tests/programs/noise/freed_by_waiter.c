/* SPDX-License-Identifier: MIT */
/*
 * Who waits for a job frees it, with the lock through which its end was told.
 * The thread that told it may still be on its way out of unlocking, its last use.
 *
 * RUN    plait test -s noise -n 100
 * EXPECT clean
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { JOBS = 20 };

struct job {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
};

static void *work(void *arg)
{
    struct job *job = arg;

    pthread_mutex_lock(&job->lock);
    job->done = true;
    pthread_cond_broadcast(&job->changed);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

static void one_job(void)
{
    struct job *job = calloc(1, sizeof(*job));
    pthread_t t;

    pthread_mutex_init(&job->lock, NULL);
    pthread_cond_init(&job->changed, NULL);
    pthread_create(&t, NULL, work, job);
    pthread_mutex_lock(&job->lock);
    while (!job->done)
        pthread_cond_wait(&job->changed, &job->lock);
    pthread_mutex_unlock(&job->lock);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->lock);
    free(job);
    pthread_join(t, NULL);
}

int main(void)
{
    for (int i = 0; i < JOBS; i++)
        one_job();
    return 0;
}
