/* SPDX-License-Identifier: MIT */
/*
 * Three threads, each with four locks that nobody else takes: no block ends at their exits.  With
 * -DSHARED they take a common lock as well.
 *
 * RUN    plait test -s exitblock
 * EXPECT clean complete paths=1
 *
 * RUN    plait test -s exitblock:plain
 * EXPECT clean complete paths=1
 *
 * RUN    -DSHARED plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    -DLATE plait test -s exitblock -k
 * EXPECT assertion complete
 */
#include <assert.h>
#include <pthread.h>

#ifndef LATE
#define LATE 0
#endif

static pthread_mutex_t own[3][4], common = PTHREAD_MUTEX_INITIALIZER;
static int counts[3], sum;

static void *work(void *arg)
{
    int *count = arg;
    long number = count - counts;

    for (int i = 0; i < 4; i++) {
        pthread_mutex_t *lock = &own[number][LATE ? 3 : i];

        pthread_mutex_lock(lock);
        ++*count;
        pthread_mutex_unlock(lock);
    }
#ifdef SHARED
    pthread_mutex_lock(&common);
    sum += *count;
    pthread_mutex_unlock(&common);
#endif
#if LATE
    /* Another thread's lock is taken only if that one has been there: it is not its own. */
    if (number == 0) {
        pthread_mutex_lock(&common);
        sum = 1;
        pthread_mutex_unlock(&common);
    } else if (number == 1) {
        pthread_mutex_lock(&common);
        int early = sum;

        pthread_mutex_unlock(&common);
        if (early == 0) {
            pthread_mutex_lock(&own[0][3]);
            int before = counts[0];

            pthread_mutex_unlock(&own[0][3]);
            assert(before != 3);
        }
    }
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    (void)common;
    for (int i = 0; i < 12; i++)
        pthread_mutex_init(&own[i / 4][i % 4], NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, &counts[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return sum > 100;
}
