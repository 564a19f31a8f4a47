/* SPDX-License-Identifier: MIT */
/* After a time-out the reply's memory is freed.  EXPECT use-after-free|assertion */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;
static void *srv(void *p)
{
    usleep(1000);
    *(int *)p = 5;
    pthread_mutex_lock(&m);
    done = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t;
    int *r = malloc(sizeof *r);
    pthread_create(&t, 0, srv, r);
    struct timespec e;
    clock_gettime(CLOCK_REALTIME, &e);
    e.tv_sec += 5;
    pthread_mutex_lock(&m);
    int rc = 0;
    while (!done && !rc)
        rc = pthread_cond_timedwait(&c, &m, &e);
    pthread_mutex_unlock(&m);
    free(r);
    pthread_join(t, 0);
    return 0;
}
