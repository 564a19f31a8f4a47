/* SPDX-License-Identifier: MIT */
/*
 * One pair of each fate, after figure 3.1 of Chen's thesis: unreachable, not the same object,
 * harmless, harmful.  What both touch with the lock is in no pair.
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT assertion complete classes=4 judged~RW @zero<@divide: failed; RW @kill<@see: impossible
 *
 * RUN    [clang] [whole] --whole --keep-hooks plait test -s values -k --points all
 * EXPECT assertion complete classes=4 \
 *        judged~RW @kill<@see: impossible: a branch led past it; \
 *        RW @other<@one: impossible: it came first, but to another object; \
 *        MM @second<@first: shown; RW @zero<@divide: failed
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete classes=4
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int v1, v2[4], v3, v4 = 1;
static int never, seen[2], divisor;

static void *use(void *arg)
{
    int *index = arg;

    seen[0] = v1;              /* @see */
    seen[1] = v2[*index];      /* @one */
    pthread_mutex_lock(&lock); /* @first */
    v3++;
    pthread_mutex_unlock(&lock);
    divisor = v4; /* @divide */
    return NULL;
}

static void *spoil(void *arg)
{
    int *index = arg;

    if (never)
        v1 = 1;                /* @kill */
    v2[*index] = 2;            /* @other */
    pthread_mutex_lock(&lock); /* @second */
    v3++;
    pthread_mutex_unlock(&lock);
    v4 *= 0; /* @zero */
    return NULL;
}

int main(void)
{
    static int one = 1, two = 2;
    pthread_t a, b;

    pthread_create(&a, NULL, use, &one);
    pthread_create(&b, NULL, spoil, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(divisor != 0);
    return 0;
}
