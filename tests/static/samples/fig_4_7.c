/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 4.7: one pair each of RW, MM, WM and WN.
 *
 * PAIRS 4 pairs: 1 RW, 1 WN, 1 WM, 1 MM
 * PAIR RW val
 * PAIR WN changed
 * PAIR WM lock
 * PAIR MM lock
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int val, local;

static void *t1(void *arg)
{
    val = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *t2(void *arg)
{
    local = val;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
