/* SPDX-License-Identifier: MIT */
/*
 * A circle of three through a condition variable: the waiter has a, the signaller takes b before it
 * signals, and a third thread has b while it takes a.  In the execution that is made the other two
 * are through with b when the waiter comes.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=4
 * RUN plait test --detect lock-order -s random -n 1 --drive 0
 * EXPECT lock-order threads=3
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&ready, &m); /* @wait */
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *signaller(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&m);
    return unused;
}

static void *third(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t[3];

    pthread_create(&t[0], NULL, third, NULL);
    pthread_create(&t[1], NULL, signaller, NULL);
    pthread_create(&t[2], NULL, waiter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
