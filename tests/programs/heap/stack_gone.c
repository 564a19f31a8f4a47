/* SPDX-License-Identifier: MIT */
/*
 * What lies on the stack of a thread, or is thread-local, is there until that thread has ended: who
 * uses it has an order with its exit, also where nothing else depends on either.  -DKEPT: the
 * thread waits until it is no longer used.
 *
 * RUN    plait test -s dpor
 * EXPECT heap-bounds location~@used exit=1 replay=identical
 *
 * RUN    plait test -s dfs
 * EXPECT heap-bounds location~@used exit=1
 *
 * RUN    plait test -s exitblock
 * EXPECT heap-bounds location~@used exit=1
 *
 * RUN    -DLOCAL plait test -s dpor
 * EXPECT heap-bounds location~@used exit=1
 *
 * RUN    -DSIGNALS plait test -s dpor
 * EXPECT heap-bounds location~@signalled exit=1 replay=identical
 *
 * RUN    -DSIGNALS plait test -s dfs
 * EXPECT heap-bounds location~@signalled exit=1
 *
 * RUN    -DLOCKS plait test -s dpor
 * EXPECT heap-bounds location~@locked exit=1
 *
 * RUN    -DLOCKS plait test -s dfs
 * EXPECT heap-bounds location~@locked exit=1
 *
 * RUN    -DKEPT plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DKEPT plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DKEPT -DSIGNALS plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DKEPT -DLOCKS plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#ifdef KEPT
#define IS_KEPT true
#else
#define IS_KEPT false
#endif

struct request {
    pthread_mutex_t lock;
    pthread_cond_t done;
    volatile int value;
};

static sem_t there, go_on;
static struct request *volatile asked;
static volatile int *volatile where;

#if defined(SIGNALS)
static void *ask(void *arg)
{
    struct request r = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

    asked = &r;
    sem_post(&there);
    pthread_mutex_lock(&r.lock);
    while (r.value == 0)
        pthread_cond_wait(&r.done, &r.lock);
    pthread_mutex_unlock(&r.lock);
    return arg;
}

static void answer(void)
{
    struct request *r = asked;

    pthread_mutex_lock(&r->lock);
    r->value = 1;
    if (IS_KEPT)
        pthread_cond_signal(&r->done);
    pthread_mutex_unlock(&r->lock);
    if (!IS_KEPT)
        pthread_cond_signal(&r->done); /* @signalled */
}
#elif defined(LOCKS)
static void *ask(void *arg)
{
    struct request r = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};

    asked = &r;
    sem_post(&there);
    if (IS_KEPT)
        sem_wait(&go_on);
    return arg;
}

static void answer(void)
{
    pthread_mutex_lock(&asked->lock); /* @locked */
    if (IS_KEPT) {
        pthread_mutex_unlock(&asked->lock);
        sem_post(&go_on);
    }
}
#else
static __thread volatile int local;

static void *ask(void *arg)
{
    volatile int on_stack = 1;

#ifdef LOCAL
    where = &local;
    (void)on_stack;
#else
    where = &on_stack;
    (void)local;
#endif
    *where = 2;
    sem_post(&there);
    sem_wait(&go_on);
    return arg;
}

static void answer(void)
{
    int seen = IS_KEPT ? *where : 0;

    sem_post(&go_on);
    if (!IS_KEPT)
        seen = *where; /* @used */
    (void)seen;
}
#endif

int main(void)
{
    pthread_t thread;

    sem_init(&there, 0, 0);
    sem_init(&go_on, 0, 0);
    pthread_create(&thread, NULL, ask, NULL);
    sem_wait(&there);
    answer();
    pthread_join(thread, NULL);
    (void)asked;
    (void)where;
    return 0;
}
