/* SPDX-License-Identifier: MIT */
/*
 * Waiting for a condition releases the mutex and gets it back: what is done before
 * and after it is protected, what the waker does without the mutex (-DBARE) is not.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DBARE plait test -s dfs -k --detect +lockset
 * EXPECT lockset,deadlock accesses~ready at @bare .waker. holding nothing
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    ready = 0;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *waker(void *arg)
{
#ifdef BARE
    ready = 1; /* @bare */
    pthread_cond_signal(&changed);
#else
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, waiter, NULL);
    pthread_create(&u, NULL, waker, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
