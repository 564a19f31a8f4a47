/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for a signal while it holds another lock, which the signalling thread needs first:
 * one waits, the other is blocked, for ever.  If the signal comes before the wait, it is lost.
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER; /* with b */

static void *waits(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_cond_wait(&changed, &b); /* and still has a */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *signals(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, waits, NULL);
    pthread_create(&t2, NULL, signals, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
