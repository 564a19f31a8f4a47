/* SPDX-License-Identifier: MIT */
/*
 * Three threads and three locks: any two threads have one in common, all three have
 * none.  Races can occur nowhere, but no lock protects the variable, which is what
 * Eraser asks for.
 *
 * RUN    plait test -s random -n 200 -k --detect lockset
 * EXPECT lockset
 */
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static int shared;

static void *work(void *arg)
{
    int without = (int)(long)arg;

    for (int times = 0; times < 2; times++) {
        for (int i = 0; i < 3; i++) {
            if (i != without)
                pthread_mutex_lock(&locks[i]);
        }
        shared++;
        for (int i = 0; i < 3; i++) {
            if (i != without)
                pthread_mutex_unlock(&locks[i]);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
