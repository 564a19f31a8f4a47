/* SPDX-License-Identifier: MIT */
/*
 * A monitor as mutex and condition, after figure 4.7 and the wait rows of Chen's thesis: one pair
 * of each kind; a notification that comes too early is lost.  In C a signal needs no mutex.
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT any complete classes=4 pairs=RW:1,MM:1,WN:1,WM:1
 *
 * RUN    [clang] [whole] -DENTRANT --whole plait test -s values -k
 * EXPECT any complete classes=7
 *
 * RUN    [clang] [whole] -DWAITERS --whole plait test -s values -k
 * EXPECT any complete classes=10
 *
 * RUN    [clang] [whole] -DNOTIFIERS --whole plait test -s values -k
 * EXPECT any complete classes=8
 *
 * RUN    [clang] [whole] -DUNLOCKED --whole plait test -s values -k
 * EXPECT any complete classes=2
 *
 * RUN    -DWAITERS plait test -s dpor -k
 * EXPECT any complete classes=10
 */
#include <pthread.h>

static pthread_mutex_t o = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

#if defined(ENTRANT) || defined(WAITERS) || defined(NOTIFIERS) || defined(UNLOCKED)
#define WRITE
#define READ
#else
static int value, seen;
#define WRITE value = 1
#define READ seen = value
#endif

static void *wait(void *arg)
{
    WRITE;
    pthread_mutex_lock(&o);
    pthread_cond_wait(&c, &o);
    pthread_mutex_unlock(&o);
    return arg;
}

static void *notify(void *arg)
{
    READ;
#ifdef UNLOCKED
    pthread_cond_signal(&c);
#else
    pthread_mutex_lock(&o);
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&o);
#endif
    return arg;
}

#ifdef ENTRANT
static void *enter(void *arg)
{
    pthread_mutex_lock(&o);
    pthread_mutex_unlock(&o);
    return arg;
}
#define THIRD enter
#elif defined(WAITERS)
#define THIRD wait
#elif defined(NOTIFIERS)
#define THIRD notify
#endif

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, wait, NULL);
    pthread_create(&u, NULL, notify, NULL);
#ifdef THIRD
    pthread_t third;

    pthread_create(&third, NULL, THIRD, NULL);
    pthread_join(third, NULL);
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
