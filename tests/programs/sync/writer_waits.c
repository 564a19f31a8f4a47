/* SPDX-License-Identifier: MIT */
/*
 * A lock that prefers writers: once a writer has begun to wait, readers let it go first.
 *
 * FACE 0: a reader takes the lock a second time, and the writer has come in between: deadlock.
 * FACE 1: it tries to, and is told that it cannot, which it claims not to be.
 * FACE 2: the writer waits for a while only; then the reader goes on.  It is told so or not.
 * With -DPLAIN the lock prefers nobody, and all is well.
 * With -DEARLY the reader had it before there were threads: the writer cannot come before the
 * second.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT deadlock threads=2
 *
 * RUN    -DFACE=0 plait test -s dfs
 * EXPECT deadlock threads=2
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=0 -DPLAIN plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 -DPLAIN plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 -DPLAIN -DEARLY plait test
 * EXPECT clean complete classes=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;

static void *writer(void *arg)
{
    static const struct timespec later = {.tv_sec = 4000000000};

    if (FACE != 2)
        pthread_rwlock_wrlock(&lock);
    else if (pthread_rwlock_timedwrlock(&lock, &later) != 0)
        return arg;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_rwlockattr_t kind;

    pthread_rwlockattr_init(&kind);
#ifndef PLAIN
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    pthread_rwlock_init(&lock, &kind);
#ifdef EARLY
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, writer, NULL);
#else
    pthread_create(&t, NULL, writer, NULL);
    pthread_rwlock_rdlock(&lock);
#endif
    if (FACE == 1)
        assert(pthread_rwlock_tryrdlock(&lock) == 0);
    else
        pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
