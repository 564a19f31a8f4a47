/* SPDX-License-Identifier: MIT */
/*
 * N threads draw numbers; only executions in which they are drawn in order are of interest: one of
 * N!.  Others end where the assumption does not hold, and their ends do not multiply; nothing that
 * waits for such a thread is a deadlock.
 *
 * RUN    -DN=3 plait test -s dpor
 * EXPECT clean complete classes=1 ended~plait_assume
 *
 * RUN    -DN=4 plait test -s dpor
 * EXPECT clean complete classes=1
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    -DN=3 plait test -s pcb
 * EXPECT clean complete classes=1
 *
 * RUN    -DN=2 -DLOCKED plait test -s exitblock
 * EXPECT clean complete
 *
 * RUN    -DN=3 -DFAILS plait test -s dpor
 * EXPECT assertion
 *
 * Samples are drawn again from shortly before: three that count are enough, each of which would
 * have come there once in 720 times.
 *
 * RUN    -DN=6 -DFAILS plait test -s random -n 3
 * EXPECT assertion
 *
 * RUN    -DN=6 -DFAILS plait test -s pct -n 3
 * EXPECT assertion
 *
 * RUN    -DN=6 -DFAILS plait test -n 3
 * EXPECT assertion
 *
 * With noise such an execution ends at once.
 *
 * RUN    -DN=3 plait test -s noise -n 40
 * EXPECT clean
 *
 * RUN    -DN=3 native
 * EXPECT clean
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>

static int next, order[N];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *draw(void *arg)
{
    int *place = arg;

#ifdef LOCKED
    pthread_mutex_lock(&m);
    *place = next++;
    plait_assume(*place == place - order); /* with the lock: others wait for it */
    pthread_mutex_unlock(&m);
#else
    *place = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
    plait_assume(*place == place - order);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    (void)m;
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, draw, &order[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    if (plait_active()) {
        for (int i = 0; i < N; i++)
            assert(order[i] == i);
#ifdef FAILS
        assert(order[N - 1] != N - 1);
#endif
    }
    return 0;
}
