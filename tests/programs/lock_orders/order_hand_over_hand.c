/* SPDX-License-Identifier: MIT */
/*
 * Locks of a list, each taken before the one before is given up, by two threads in the same
 * direction.
 *
 * RUN plait test -s dpor --detect +lock-order
 * EXPECT clean complete
 * RUN -DBACK plait test -s pcb -n 1 --detect lock-order
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <pthread.h>

enum { N = 3 };

static pthread_mutex_t locks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *forth(void *unused)
{
    pthread_mutex_lock(&locks[0]);
    for (int i = 1; i < N; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i - 1]);
    }
    pthread_mutex_unlock(&locks[N - 1]);
    return unused;
}

#ifdef BACK
static void *back(void *unused)
{
    pthread_mutex_lock(&locks[N - 1]);
    pthread_mutex_lock(&locks[N - 2]);
    pthread_mutex_unlock(&locks[N - 1]);
    pthread_mutex_unlock(&locks[N - 2]);
    return unused;
}
#else
#define back forth
#endif

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, forth, NULL);
    pthread_create(&u, NULL, back, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
