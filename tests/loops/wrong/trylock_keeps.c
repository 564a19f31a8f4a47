/* SPDX-License-Identifier: MIT */
/* Who does not get the second lock keeps the first one.  EXPECT livelock */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static pthread_mutex_t a_ = PTHREAD_MUTEX_INITIALIZER, b_ = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void both(pthread_mutex_t *p, pthread_mutex_t *q)
{
    pthread_mutex_lock(p);
    while (pthread_mutex_trylock(q))
        sched_yield();
    x++;
    pthread_mutex_unlock(q);
    pthread_mutex_unlock(p);
}
static void *work(void *a)
{
    if (a)
        both(&a_, &b_);
    else
        both(&b_, &a_);
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 2);
    return 0;
}
