/* SPDX-License-Identifier: MIT */
/* A semaphore is waited for with a time-out, again and again.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
static sem_t s;
static int x;
static int tries;
static void *work(void *a)
{
    struct timespec t;
    do {
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec = (t.tv_nsec + 1000000) % 1000000000;
        tries++;
    } while (sem_timedwait(&s, &t));
    x++;
    sem_post(&s);
    return a;
}
int main(void)
{
    pthread_t t[2];
    sem_init(&s, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
