/* SPDX-License-Identifier: MIT */
/*
 * Whoever has been signalled needs the condition no more: it may be destroyed and freed while that
 * thread waits for the mutex.  FACE 0: after a broadcast.  1: after a signal, without holding the
 * mutex. 2: it is freed without a signal, which is wrong if anybody waits there.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=0 plait test -s random -n 200
 * EXPECT clean
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT misuse|use-after-free
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *cond;
static int done;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_t *mine = cond;

    while (!done)
        pthread_cond_wait(mine, &mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;

    cond = malloc(sizeof(*cond));
    pthread_cond_init(cond, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_t *old = cond;

    done = 1;
    cond = NULL;
    if (FACE == 0)
        pthread_cond_broadcast(old);
    pthread_mutex_unlock(&mutex);
    if (FACE == 1)
        pthread_cond_signal(old);
    pthread_cond_destroy(old);
    free(old);
    pthread_join(t, NULL);
    return 0;
}
