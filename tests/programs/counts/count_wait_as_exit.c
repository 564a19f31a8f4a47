/* SPDX-License-Identifier: MIT */
/*
 * A critical section that is left by waiting.  The waiter tests a flag, so nothing is lost: it is
 * first and waits, or second and does not, 2 classes.  With one thread more that only enters and
 * leaves
 * (-DENTRANT): that one comes at one of four places when there is a wait (before it, before the
 * signal, before the re-acquisition, after), at one of three when there is none, 7 classes.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    [dpor] plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    -DENTRANT plait test -s dfs
 * EXPECT clean complete classes=7
 *
 * RUN    [dpor] -DENTRANT plait test -s dpor --points all
 * EXPECT clean complete executions=7 classes=7
 */
#include "../../../bench/scoreboard/threads.h"

#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool flag;

static void *waiter(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *signaller(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    flag = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

#ifdef ENTRANT
static void *entrant(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
#endif

int main(void)
{
    thread_start(waiter, 0);
    thread_start(signaller, 0);
#ifdef ENTRANT
    thread_start(entrant, 0);
#endif
    threads_join();
    return 0;
}
