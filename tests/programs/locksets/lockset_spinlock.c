/* SPDX-License-Identifier: MIT */
/*
 * Spinlocks are locks; two of them are not one.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DTWO plait test -s dfs --detect +lockset
 * EXPECT lockset accesses~holding spin lock locks.*; .* holding spin lock locks
 */
#include <pthread.h>

static pthread_spinlock_t locks[2];
static int shared;

static void *work(void *arg)
{
    pthread_spinlock_t *lock = arg;

    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(lock);
        shared++;
        pthread_spin_unlock(lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t, u;
    int second = 0;

#ifdef TWO
    second = 1;
#endif
    pthread_spin_init(&locks[0], PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&locks[1], PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, work, (void *)&locks[0]);
    pthread_create(&u, NULL, work, (void *)&locks[second]);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
