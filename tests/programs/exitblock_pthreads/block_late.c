/* SPDX-License-Identifier: MIT */
/*
 * A thread that has had all operations that it may perform, with a lock, makes no deadlock: the
 * path is one in which it ran too long.  And who does not ask for deadlocks is told of none.
 *
 * RUN    plait test -s exitblock -k --max-operations 3
 * EXPECT clean incomplete paths=2 stuck=0 reports=0 ended~2.in.which.a.thread.ran.too.long
 *
 * RUN    plait test -s exitblock:plain -k --max-operations 5
 * EXPECT clean incomplete stuck=0 reports=0 ended~ran.too.long
 *
 * RUN    -DCIRCLE plait test -s exitblock -k --detect -deadlock
 * EXPECT clean complete
 *
 * RUN    -DCIRCLE plait test -s exitblock -k
 * EXPECT deadlock complete ended~reports.of.a.deadlock
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *arg)
{
#ifdef CIRCLE
    pthread_mutex_t *first = arg, *second = first == &m ? &n : &m;

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    x++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
#else
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        x++;
        x++;
        pthread_mutex_unlock(&m);
    }
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, work, &m);
    pthread_create(&b, NULL, work, &n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x < 0;
}
