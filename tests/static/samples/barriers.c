/* SPDX-License-Identifier: MIT */
/*
 * What lies before a barrier for all is not beside what lies behind it.  That does not hold if more
 * threads come than it is for, if it is made anew, or in which round it is is not known.
 *
 * OPT 0
 * NONE late
 * PAIR RW beside
 * PAIR RW more
 * PAIR RW anew
 * PAIR RW round
 * WHY 32 42 all threads meet at the barrier all in between
 * WHY 53 55 a pair
 * WHY 61 63 a pair
 */
#include <pthread.h>

static pthread_barrier_t all, few, twice, often;
static int apart, late, beside, more, anew, round;

static void meet(void)
{
    pthread_barrier_wait(&all);
}

/* One of two of its kind, beside the main thread: three come to `all`. */
static void *writes(void *arg)
{
    static int claimed;

    if (__atomic_fetch_add(&claimed, 1, __ATOMIC_SEQ_CST) == 0)
        apart = 1;
    meet();
    beside = 1;
    pthread_barrier_wait(&all);
    return arg;
}

static int reads(void)
{
    meet();
    int sum = apart + beside;

    pthread_barrier_wait(&all);
    late = 1;
    return sum;
}

/* Four of them for two at a time. */
static void *in_twos(void *arg)
{
    if (arg != NULL)
        more = 1;
    pthread_barrier_wait(&few);
    return more ? arg : NULL;
}

static void *made_anew(void *arg)
{
    if (arg != NULL)
        anew = 1;
    pthread_barrier_wait(&twice);
    return anew ? arg : NULL;
}

static void *rounds(void *arg)
{
    for (int i = 0; i < 2; i++) {
        if (arg != NULL)
            round = i;
        pthread_barrier_wait(&often);
        if (arg == NULL && round > 1)
            return arg;
    }
    return arg;
}

static void join(pthread_t *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

int main(int argc, char **argv)
{
    pthread_t t[4];

    pthread_barrier_init(&all, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, writes, NULL);
    int sum = reads();

    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_init(&few, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, in_twos, i % 2 ? t : NULL);
    join(t, 4);
    pthread_barrier_init(&twice, NULL, 2);
    if (argc > 1)
        pthread_barrier_init(&twice, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, made_anew, i % 2 ? t : NULL);
    join(t, 2);
    pthread_barrier_init(&often, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, rounds, i % 2 ? t : NULL);
    join(t, 2);
    return sum > 3;
}
