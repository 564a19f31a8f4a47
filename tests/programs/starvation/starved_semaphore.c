/* SPDX-License-Identifier: MIT */
/*
 * A semaphore made of a mutex and a condition: whoever posts may take again before the thread that
 * was woken has looked.  With -DFIXED=1 everybody draws a number and is served in turn; with
 * -DNATIVE=1 it is that of POSIX, whose waiters are served as long as the scheduler is fair.
 *
 * RUN    plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DFIXED=1 plait test -s random -n 500 --detect +starvation
 * EXPECT clean
 *
 * RUN    -DNATIVE=1 plait test -s random -n 500 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>
#include <semaphore.h>

#ifndef FIXED
#define FIXED 0
#endif
#ifndef NATIVE
#define NATIVE 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count = 1;
static unsigned next, serving;
static sem_t native;

static void take(void)
{
    if (NATIVE) {
        sem_wait(&native);
        return;
    }
    pthread_mutex_lock(&m);
    unsigned mine = next++;

    while (count == 0 || (FIXED && serving != mine)) /* @wanted */
        pthread_cond_wait(&changed, &m);             /* @wanted */
    count--;
    serving++;
    if (FIXED)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

static void give(void)
{
    if (NATIVE) {
        sem_post(&native);
        return;
    }
    pthread_mutex_lock(&m);
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

static void *user(void *arg)
{
    for (int i = 0; i < 60; i++) {
        take();
        give();
    }
    return arg;
}

int main(void)
{
    pthread_t t[2];

    sem_init(&native, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
