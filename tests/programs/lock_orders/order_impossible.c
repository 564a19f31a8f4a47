/* SPDX-License-Identifier: MIT */
/*
 * The second thread takes the locks the other way round only once the first one has said that it is
 * through.  Locks alone do not show that, so it is predicted, and then not confirmed.
 *
 * RUN plait test --detect lock-order -s random -n 1 --seed 30 --drive 200
 * EXPECT lock-order confirmed=no tries=200 threads=2
 * RUN plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int through;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    through = 1;
    return unused;
}

static void *two(void *unused)
{
    if (!through)
        return unused;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
