/* SPDX-License-Identifier: MIT */
/*
 * A thread that has ended leaves nothing behind on its stack, nor, with -DLOCAL, of what is
 * thread-local.
 *
 * RUN    plait test -s dpor
 * EXPECT heap-bounds location~@use message~stack.of.a.thread.that.has.ended
 *
 * RUN    -DJOINED plait test -s dpor
 * EXPECT heap-bounds location~@use
 *
 * RUN    -DALONE plait test -s dpor
 * EXPECT heap-bounds location~@alone message~stack.of.a.thread.that.has.ended
 *
 * RUN    -DIN_TIME plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCAL plait test -s dpor
 * EXPECT heap-bounds location~@use message~thread-local.memory.of.a.thread.that.has.ended
 *
 * RUN    -DLOCAL -DALONE plait test -s dpor
 * EXPECT heap-bounds location~@alone message~thread-local.memory.of.a.thread.that.has.ended
 *
 * RUN    -DLOCAL -DIN_TIME plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <semaphore.h>

sem_t there, done;
static int *volatile given;
static volatile int seen;

static void *owner(void *arg)
{
#ifdef LOCAL
    static __thread int mine = 5;
#else
    int mine = 5;
#endif

    given = &mine;
    sem_post(&there);
#ifdef IN_TIME
    sem_wait(&done);
#endif
    return arg;
}

#ifdef ALONE
int main(void)
{
    pthread_t a;

    pthread_create(&a, NULL, owner, NULL);
    pthread_join(a, NULL);
    seen = *given; /* @alone */
    return 0;
}
#else
static void *user(void *arg)
{
    sem_wait(&there);
#ifdef JOINED
    pthread_join(*(pthread_t *)arg, NULL);
#endif
    seen = *given; /* @use */
    sem_post(&done);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&there, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, user, &a);
    pthread_join(b, NULL);
#ifndef JOINED
    pthread_join(a, NULL);
#endif
    return 0;
}
#endif
