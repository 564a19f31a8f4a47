/* SPDX-License-Identifier: MIT */
/*
 * Mutexes are unlocked that nobody has locked, before the first thread and after the last: every
 * execution shows both, and neither hides what few show.
 *
 * RUN    plait test
 * EXPECT misuse,misuse,assertion exit=1
 *
 * RUN    plait test -s dpor -k
 * EXPECT misuse,misuse,assertion exit=1 complete
 *
 * RUN    -DFIXED=1 plait test --restart fork
 * EXPECT misuse,misuse exit=1 complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t early = PTHREAD_MUTEX_INITIALIZER, late = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *work(void *arg)
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
    pthread_t t[2];

    pthread_mutex_unlock(&early);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    pthread_mutex_unlock(&late);
    assert(x == 2);
    return 0;
}
