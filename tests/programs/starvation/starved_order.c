/* SPDX-License-Identifier: MIT */
/*
 * Locks that differ in who comes next of those who wait: whoever is more important (PRIORITY),
 * whoever came last (NEWEST), whoever came first (QUEUE); and two threads of which one gives way to
 * the other for ever (POLITE), or until it is its turn (TURN).
 *
 * RUN    -DPRIORITY plait test -s random -n 500 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DNEWEST plait test -s random -n 500 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DQUEUE plait test -s random -n 100 --detect +starvation
 * EXPECT clean
 *
 * RUN    -DPOLITE plait test -s random -n 500 --detect +starvation
 * EXPECT starvation location~@polite
 *
 * RUN    -DTURN plait test -s random -n 100 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 60, USERS = 3 };

#if defined POLITE || defined TURN

enum { THREADS = 2 };
static atomic_int wants[2], turn;

static void enter(int me)
{
    int other = 1 - me;

    wants[me] = 1;
#ifdef TURN
    while (wants[other]) {
        if (turn == me)
            continue;
        wants[me] = 0;
        while (turn != me)
            sched_yield();
        wants[me] = 1;
    }
#else
    while (wants[other]) { /* @polite */
        if (me == 1)
            continue;
        wants[me] = 0;
        while (wants[other]) /* @polite */
            sched_yield();   /* @polite */
        wants[me] = 1;       /* @polite */
    }
#endif
}

static void leave(int me)
{
    turn = 1 - me;
    wants[me] = 0;
}

#else

enum { THREADS = USERS };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int held, n, waiting[USERS]; /* in the order in which they came */

/* Which of those who wait is next. */
static int next(void)
{
#if defined PRIORITY
    int best = waiting[0];

    for (int i = 1; i < n; i++)
        best = waiting[i] < best ? waiting[i] : best;
    return best;
#elif defined NEWEST
    return waiting[n - 1];
#else
    return waiting[0];
#endif
}

static void forget(int me)
{
    int k = 0;

    for (int i = 0; i < n; i++) {
        if (waiting[i] != me)
            waiting[k++] = waiting[i];
    }
    n = k;
}

static void enter(int me)
{
    pthread_mutex_lock(&m);
    waiting[n++] = me;
    while (held || next() != me)         /* @wanted */
        pthread_cond_wait(&changed, &m); /* @wanted */
    forget(me);
    held = 1;
    pthread_mutex_unlock(&m);
}

static void leave(int me)
{
    (void)me;
    pthread_mutex_lock(&m);
    held = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

#endif

static void *user(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        enter((int)(long)arg);
        leave((int)(long)arg);
    }
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];

    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, user, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
