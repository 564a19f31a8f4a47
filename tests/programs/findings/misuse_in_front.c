/* SPDX-License-Identifier: MIT */
/*
 * A mutex is unlocked by a thread that does not have it, in every execution; behind
 * that is a bug of a few.  The first must not hide the second.
 *
 * RUN    plait test
 * EXPECT misuse,assertion exit=1
 *
 * RUN    plait test -s dpor -k
 * EXPECT misuse,assertion exit=1
 *
 * What lies before a checkpoint is in every execution that begins there.
 *
 * RUN    plait test -s dpor -k --checkpoints always
 * EXPECT misuse,assertion exit=1 same=2 failures=6
 *
 * RUN    plait test -s random -n 200 -k
 * EXPECT misuse,assertion exit=1
 *
 * RUN    -DFIXED=1 plait test
 * EXPECT misuse exit=1 complete
 *
 * RUN    plait test -s random -n 200
 * EXPECT misuse exit=1 executions=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *other(void *arg)
{
    if (FIXED) {
        x++;
        return arg;
    }
    int n = x; /* not x++ */

    x = n + 1;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_unlock(&unlocked);
    other(NULL);
    pthread_join(t, NULL);
    assert(x == 2);
    return 0;
}
