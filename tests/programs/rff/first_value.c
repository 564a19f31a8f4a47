/* SPDX-License-Identifier: MIT */
/*
 * Many writers set one value and then, under another lock, a second.  A reader fails if it gets the
 * first value of one of them and the second of none.  By chance that hardly ever happens: all
 * writers would have to wait.  It takes one constraint, that the reader is the first
 * to have the second lock.
 *
 * RUN    plait test -s rff -n 60
 * EXPECT assertion exit=1 location~@checked replay=3
 *
 * RUN    plait test -s rff:constraints=1,context=0 --no-coverage -n 200
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s rff -k -n 30
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s rff --restart exec -k -n 30
 * EXPECT assertion exit=1 same=3
 *
 * RUN    plait test -s pos -n 60
 * EXPECT clean
 *
 * RUN    -DFIXED=1 plait test -s rff -n 200
 * EXPECT clean incomplete
 */
#include <assert.h>
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

enum { WRITERS = 12 };

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write_both(void *arg)
{
    pthread_mutex_lock(&first_lock);
    first = 1;
    if (!FIXED)
        pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = 1;
    pthread_mutex_unlock(&second_lock);
    if (FIXED)
        pthread_mutex_unlock(&first_lock);
    return arg;
}

static void *read_both(void *arg)
{
    pthread_mutex_lock(&first_lock);
    int one = first;

    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    int two = second;

    pthread_mutex_unlock(&second_lock);
    assert(one == 0 || two == 1); /* @checked */
    return arg;
}

int main(void)
{
    pthread_t threads[WRITERS + 1];

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_both, NULL);
    pthread_create(&threads[WRITERS], NULL, read_both, NULL);
    for (int i = 0; i <= WRITERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
