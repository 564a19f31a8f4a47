/* SPDX-License-Identifier: MIT */
/*
 * Two locks in two orders: the second thread takes its first lock before the
 * first thread comes to that one.  With -DALWAYS=1 a thread takes its lock twice,
 * and no order of anything helps.
 *
 * RUN    plait test -n 2000
 * EXPECT deadlock preemptions=1 minimal=proven
 * decides~@first_of_two|@second_of_one<@second_of_one|@first_of_two
 *
 * RUN    -DALWAYS=1 plait test -n 2000
 * EXPECT deadlock preemptions=0 minimal=proven decides~every interleaving
 */
#include <pthread.h>
#include <stddef.h>

#ifndef ALWAYS
#define ALWAYS 0
#endif

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int noise;

static void *other(void *arg)
{
    noise++;
    pthread_mutex_lock(&b); /* @first_of_two */
    pthread_mutex_lock(ALWAYS ? &b : &a);
    pthread_mutex_unlock(ALWAYS ? &b : &a);
    pthread_mutex_unlock(&b);
    noise++;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    noise++;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); /* @second_of_one */
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    return 0;
}
