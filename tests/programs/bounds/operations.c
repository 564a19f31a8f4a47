/* SPDX-License-Identifier: MIT */
/*
 * Threads that never end by themselves: each takes the lock again and again.
 * With a limit of operations the search comes to its end and says how far it
 * went; who waits for a lock of a thread that was held back is not deadlocked.
 * -DBUG=1 fails after three rounds in which the lock changed hands, -DBUG=2
 * deadlocks.
 *
 * RUN    plait test -s dfs --max-operations 5
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor --max-operations 5
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor --max-operations 5 --require-complete
 * EXPECT clean incomplete exit=4
 *
 * RUN    plait test -s random -n 50 --max-operations 40
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test --max-operations 6 -n 2000
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s pcb:1 --max-operations 12
 * EXPECT clean incomplete exit=0
 *
 * RUN    -DBUG=1 plait test -s dpor --max-operations 24
 * EXPECT assertion incomplete exit=1
 *
 * RUN    -DBUG=1 plait test -s dpor --max-operations 4
 * EXPECT clean incomplete exit=0
 *
 * RUN    -DBUG=2 plait test -s dfs --max-operations 4
 * EXPECT deadlock incomplete exit=1 threads=2
 *
 * RUN    -DBUG=2 plait test -s dpor --max-operations 4
 * EXPECT deadlock incomplete exit=1 threads=2
 */
#include <assert.h>
#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static long last, changes;

static void *loop(void *arg)
{
    for (;;) {
        pthread_mutex_lock(arg == NULL || BUG != 2 ? &lock : &other);
        if (BUG == 2)
            pthread_mutex_lock(arg == NULL ? &other : &lock);
        changes += last != (long)arg;
        last = (long)arg;
        assert(BUG != 1 || changes < 3);
        pthread_mutex_unlock(&lock);
        if (BUG == 2)
            pthread_mutex_unlock(&other);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, loop, (void *)1);
    loop(NULL);
    return pthread_join(t, NULL);
}
