/* SPDX-License-Identifier: MIT */
/*
 * An object is freed while another thread may still use it.  With -DFIXED=1 the
 * last of the two to let go frees it.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT use-after-free exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

struct job {
    atomic_int users;
    volatile int progress;
};

static void release(struct job *job)
{
    if (atomic_fetch_sub(&job->users, 1) == 1)
        free(job);
}

static void *worker(void *arg)
{
    struct job *job = arg;

    job->progress = 100; /* @bug */
    if (FIXED)
        release(job);
    return NULL;
}

int main(void)
{
    struct job *job = malloc(sizeof(*job));
    pthread_t t;

    atomic_init(&job->users, 2);
    pthread_create(&t, NULL, worker, job);
    if (FIXED)
        release(job);
    else
        free(job);
    pthread_join(t, NULL);
    return 0;
}
