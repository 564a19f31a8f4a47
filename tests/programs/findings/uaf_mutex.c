/* SPDX-License-Identifier: MIT */
/*
 * A mutex inside a block is locked after the block was freed.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free|misuse exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free|misuse exit=1
 */
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t lock;
    int progress;
};

static void *worker(void *arg)
{
    struct job *job = arg;

    pthread_mutex_lock(&job->lock);
    pthread_mutex_unlock(&job->lock);
    return NULL;
}

int main(void)
{
    struct job *job = malloc(sizeof(*job));
    pthread_t t;

    pthread_mutex_init(&job->lock, NULL);
    pthread_create(&t, NULL, worker, job);
    pthread_mutex_lock(&job->lock);
    pthread_mutex_unlock(&job->lock);
    free(job);
    pthread_join(t, NULL);
    return 0;
}
