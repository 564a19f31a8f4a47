/* SPDX-License-Identifier: MIT */
/*
 * A function that ends in _unlocked() goes through the stream without asking who else does: two
 * threads may write the same place.  A search that has it as one step says so.  -DLOCKED: the
 * threads ask before.  Who looks only is in nobody's way.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~stdio.without.a.lock
 *
 * RUN    plait test -s dfs
 * EXPECT clean incomplete ended~stdio.without.a.lock
 *
 * RUN    -DSECOND='fputc(2, out)' plait test -s dpor
 * EXPECT clean incomplete ended~stdio.without.a.lock
 *
 * RUN    -DFIRST='fputc(1, out)' -DSECOND='fputs_unlocked("2", out)' plait test -s dpor
 * EXPECT clean incomplete ended~stdio.without.a.lock
 *
 * RUN    -DSECOND='putchar_unlocked(2)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFIRST='putchar_unlocked(1)' -DSECOND='puts("2")' plait test -s dpor
 * EXPECT clean incomplete ended~stdio.without.a.lock
 *
 * RUN    -DSECOND='ferror_unlocked(out)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED -DSECOND='fputc(2, out)' plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DMUTEX plait test -s dfs
 * EXPECT clean complete
 */
#define _GNU_SOURCE
#define __NO_INLINE__ 1 /* the functions, and not what the header makes of them */
#include <pthread.h>
#include <stdio.h>

#ifndef FIRST
#define FIRST putc_unlocked(1, out)
#endif
#ifndef SECOND
#define SECOND FIRST
#endif
#if defined(LOCKED)
#define ALONE(call) (flockfile(out), (void)(call), funlockfile(out))
#elif defined(MUTEX)
#define ALONE(call) (pthread_mutex_lock(&mutex), (void)(call), pthread_mutex_unlock(&mutex))
#else
#define ALONE(call) ((void)(call))
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;

static void *first(void *arg)
{
    ALONE(FIRST);
    return arg;
}

static void *second(void *arg)
{
    ALONE(SECOND);
    return arg;
}

int main(void)
{
    static char room[16];
    pthread_t thread;

    (void)mutex;
    out = fmemopen(room, sizeof(room), "w");
    pthread_create(&thread, NULL, first, NULL);
    second(NULL);
    pthread_join(thread, NULL);
    return 0;
}
