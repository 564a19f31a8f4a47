/* SPDX-License-Identifier: MIT */
/*
 * Writers set a, then b; a reader between the first a and the first b sees what
 * no writer meant.  With many writers a random walk hardly ever lets the reader
 * come that early: what is rare is that all but one of them wait.
 *
 * RUN    plait test -s pct -n 2000
 * EXPECT assertion exit=1 location~@checked
 *
 * RUN    plait test -s pct:depth=3 --restart fork -k -n 60
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s pct:3 -k -n 60
 * EXPECT assertion exit=1 same=2
 *
 * RUN    plait test -s pct:3 --restart exec -k -n 60
 * EXPECT assertion exit=1 same=2
 *
 * RUN    plait test -s pos -n 2000
 * EXPECT assertion exit=1 location~@checked
 *
 * RUN    plait test -s pos --restart fork -k -n 60
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s pos -k -n 60
 * EXPECT assertion exit=1 same=6
 *
 * RUN    plait test -s pos --restart exec -k -n 60
 * EXPECT assertion exit=1 same=6
 *
 * RUN    plait test -s surw -n 100
 * EXPECT assertion exit=1 location~@checked
 *
 * RUN    plait test -s surw --restart fork -k -n 60
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s surw -k -n 60
 * EXPECT assertion exit=1 same=10
 *
 * RUN    plait test -s surw --restart exec -k -n 60
 * EXPECT assertion exit=1 same=10
 *
 * RUN    -DWRITERS=10 plait test -s random -n 2000
 * EXPECT clean
 *
 * RUN    -DWRITERS=10 plait test -s surw -n 200
 * EXPECT assertion exit=1
 *
 * RUN    -DWRITERS=100 plait test -s surw -n 1000
 * EXPECT assertion exit=1 replay=1
 *
 * RUN    -DFIXED=1 plait test -s surw -n 500
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>

#ifndef WRITERS
#define WRITERS 3
#endif
#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *write_both(void *arg)
{
    if (FIXED)
        pthread_mutex_lock(&lock);
    a = 1;
    b = 1;
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}

static void *read_both(void *arg)
{
    if (FIXED)
        pthread_mutex_lock(&lock);
    int first = a, second = b;

    if (FIXED)
        pthread_mutex_unlock(&lock);
    assert(first == 0 || second == 1); /* @checked */
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
