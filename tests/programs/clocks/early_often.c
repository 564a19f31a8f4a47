/* SPDX-License-Identifier: MIT */
/*
 * Threads that sleep at the same time.  That each of five is over before the next one comes takes
 * four early time-outs: more than an execution may have, so that a search which lets them expire
 * at will notes it.  Of three it takes two, and is found.
 *
 * RUN    plait test -n 3000
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor --no-minimize -k -n 500
 * EXPECT clean incomplete exit=0
 *
 * RUN    -DSLEEPERS=4 plait test -s dpor
 * EXPECT clean incomplete exit=0 ended~some.fail.with.more.early
 *
 * RUN    plait test -s dpor --time-outs any -n 500
 * EXPECT assertion exit=1
 *
 * RUN    -DSLEEPERS=3 plait test -n 500
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#ifndef SLEEPERS
#define SLEEPERS 5
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int asleep, most;

static void *sleeper(void *arg)
{
    pthread_mutex_lock(&lock);
    if (++asleep > most)
        most = asleep;
    pthread_mutex_unlock(&lock);
    usleep(1000);
    pthread_mutex_lock(&lock);
    asleep--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[SLEEPERS];

    for (int i = 0; i < SLEEPERS; i++)
        pthread_create(&t[i], NULL, sleeper, NULL);
    for (int i = 0; i < SLEEPERS; i++)
        pthread_join(t[i], NULL);
    assert(most >= 2);
    return 0;
}
