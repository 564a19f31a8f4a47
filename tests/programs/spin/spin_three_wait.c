/* SPDX-License-Identifier: MIT */
/*
 * Three threads wait for each other to be done, and look again after times of different length.
 * Each look moves the clock; one that waits elsewhere is to get its rounds all the same, or nobody
 * could say that all go round for nothing.  Behind the end of the schedule several wait for the
 * same moment, and go on in turn.
 *
 * RUN    plait test -n 1 --no-minimize
 * EXPECT livelock exit=1
 *
 * RUN    plait test -s random -n 1
 * EXPECT livelock replay=identical exit=1
 */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool done[3];

static void *work(void *arg)
{
    static const long milliseconds[] = {70, 100, 130};
    int me = (int)(long)arg;

    pthread_mutex_lock(&lock);
    while (!done[(me + 1) % 3]) {
        struct timespec t;

        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += milliseconds[me] * 1000000;
        if (t.tv_nsec >= 1000000000) {
            t.tv_nsec -= 1000000000;
            t.tv_sec++;
        }
        pthread_cond_timedwait(&changed, &lock, &t);
    }
    done[me] = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
