/* SPDX-License-Identifier: MIT */
/*
 * Three mutexes are tried in turn, each thread beginning with another one: it gives back what it
 * has and begins anew, but waits for the last one.  Nobody else can hold two then, so that ends.  A
 * search lets each go round for nothing three times, where somebody is left to go on without being
 * asked, too.
 *
 * RUN    plait test -s dpor -k -n 2000
 * EXPECT clean
 *
 * RUN    plait test -n 100
 * EXPECT clean
 *
 * Of two that are tried the third is waited for by whoever has them.  A plan that was made where
 * somebody was withheld may rely on a try that fails, and the try does not: such a plan is dropped,
 * the search goes on.
 *
 * RUN    -DTRIED=2 plait test -n 12000
 * EXPECT clean ended~at.most.three.times
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

#ifndef TRIED
#define TRIED N
#endif

enum { N = 3 };

static pthread_mutex_t m[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static int n;

static void take_all(int first)
{
    for (;;) {
        int got = 0;

        while (got < TRIED && pthread_mutex_trylock(&m[(first + got) % N]) == 0)
            got++;
        if (got == N)
            return;
        if (got == N - 1) {
            pthread_mutex_lock(&m[(first + got) % N]);
            return;
        }
        while (got > 0)
            pthread_mutex_unlock(&m[(first + --got) % N]);
        sched_yield();
    }
}

static void *work(void *a)
{
    take_all((int)(intptr_t)a);
    n++;
    for (int i = 0; i < N; i++)
        pthread_mutex_unlock(&m[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t i = 0; i < N; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    assert(n == N);
    return 0;
}
