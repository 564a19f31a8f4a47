/* SPDX-License-Identifier: MIT */
/*
 * A mutex in memory that was another mutex before: nothing is known there.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

#include <stdlib.h>

int data;

static void *work(void *arg)
{
    pthread_mutex_t *m = malloc(sizeof(*m));

    pthread_mutex_init(m, NULL);
    pthread_mutex_lock(m);
    data = 1; /* @here */
    pthread_mutex_unlock(m);
    pthread_mutex_destroy(m);
    free(m);
    return arg;
}

int main(void)
{
    return both(work, work);
}
