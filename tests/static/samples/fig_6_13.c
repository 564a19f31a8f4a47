/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 6.13: a withdrawal through a pointer, chosen by what the other thread changes; one of
 * the two does nothing.
 *
 * PAIRS 5 pairs: 5 RW
 * PAIR RW x
 */
#include <pthread.h>

static volatile int x = 5;

static void withdraw(void)
{
    x -= 10;
}

static void refuse(void)
{
}

static void *t1(void *arg)
{
    void (*f)(void) = x > 0 ? withdraw : refuse;

    f();
    f = x > 0 ? withdraw : refuse;
    f();
    return arg;
}

static void *t2(void *arg)
{
    x += 10;
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
