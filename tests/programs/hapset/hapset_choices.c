/* SPDX-License-Identifier: MIT */
/*
 * What plait has beside races is tried once per statement: the ways of a choice, which of several
 * waiters is woken, timeouts, and what comes before the end of the program.  Each of these hides a
 * failure.
 *
 * RUN    -DCHOICE plait test -s hapset -k
 * EXPECT assertion incomplete message~chosen ended~no uncovered order left
 *
 * RUN    -DTIMEOUT plait test -s hapset -k
 * EXPECT assertion incomplete message~timed ended~no uncovered order left
 *
 * RUN    -DEND plait test -s hapset -k
 * EXPECT assertion incomplete message~early ended~no uncovered order left
 *
 * RUN    -DEND plait test -s hapset:base=pcb -k
 * EXPECT assertion incomplete message~early ended~no uncovered order left
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *other(void *arg)
{
#ifdef CHOICE
    int chosen = (int)plait_choose(4);

    assert(chosen != 3);
#elif defined TIMEOUT
    const struct timespec later = {.tv_sec = 4000000000};
    int timed = 0;

    pthread_mutex_lock(&lock);
    while (!ready && timed == 0)
        timed = pthread_cond_timedwait(&changed, &lock, &later);
    assert(timed == 0);
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    bool early = !ready;

    assert(early || arg != NULL);
    assert(!early);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&lock);
#ifndef END
    ready = true;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#ifdef END
    exit(0); /* the other thread may not have come to its assertion */
#endif
    return pthread_join(t, NULL);
}
