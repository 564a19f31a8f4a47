/* SPDX-License-Identifier: MIT */
/*
 * Of three mutexes two are tried, each thread beginning with another one, and the third is waited
 * for by whoever has them.  A plan that was made where somebody was withheld may rely on a try that
 * fails, and the try does not: such a plan is dropped, the search goes on.
 *
 * RUN    plait test -n 12000
 * EXPECT clean ended~at.most.three.times
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>

enum { N = 3 };

static pthread_mutex_t m[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static int n;

static void take_all(int first)
{
    for (;;) {
        int got = 0;

        while (got < N - 1 && pthread_mutex_trylock(&m[(first + got) % N]) == 0)
            got++;
        if (got == N - 1)
            break;
        while (got > 0)
            pthread_mutex_unlock(&m[(first + --got) % N]);
        sched_yield();
    }
    pthread_mutex_lock(&m[(first + N - 1) % N]);
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
