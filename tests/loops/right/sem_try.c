/* SPDX-License-Identifier: MIT */
/* A semaphore is tried again and again.  EXPECT clean */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *work(void *a)
{
    while (sem_trywait(&s))
        sched_yield();
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
