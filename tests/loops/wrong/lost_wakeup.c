/* SPDX-License-Identifier: MIT */
/* The flag is looked at without the mutex of the condition.  EXPECT deadlock */
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c_ = PTHREAD_COND_INITIALIZER;
static atomic_int stop;
static void *work(void *a)
{
    while (!atomic_load(&stop)) {
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c_, &m);
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t t[1];
    for (int i = 0; i < 1; i++)
        pthread_create(&t[i], 0, work, (void *)(long)i);
    atomic_store(&stop, 1);
    pthread_mutex_lock(&m);
    pthread_cond_broadcast(&c_);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 1; i++)
        pthread_join(t[i], 0);
    return 0;
}
