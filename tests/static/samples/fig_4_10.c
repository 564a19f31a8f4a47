/* SPDX-License-Identifier: MIT */
/*
 * Chen, Figs. 4.10 and 4.12: a call through a pointer may go to either function, and a lock that
 * may be one of two keeps nobody apart.
 *
 * PAIRS 4 pairs: 2 RW, 2 MM
 * PAIR RW x
 * PAIR RW y
 */
#include <pthread.h>

static pthread_mutex_t o1 = PTHREAD_MUTEX_INITIALIZER, o2 = PTHREAD_MUTEX_INITIALIZER;
int x, y;
volatile int which;

static void set_x(void)
{
    x = 1;
}

static void set_y(void)
{
    y = 1;
}

static void *t1(void *arg)
{
    void (*f)(void) = which ? set_x : set_y;
    pthread_mutex_t *o = which ? &o1 : &o2;

    pthread_mutex_lock(o);
    f();
    pthread_mutex_unlock(o);
    return arg;
}

static void *t2(void *arg)
{
    pthread_mutex_lock(&o1);
    x = 2;
    pthread_mutex_unlock(&o1);
    pthread_mutex_lock(&o2);
    y = 2;
    pthread_mutex_unlock(&o2);
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
