/* SPDX-License-Identifier: MIT */
/*
 * What a thread reads from the clock depends on who slept before: a second may have passed since
 * its first look, or not.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@here exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *nap(void *arg)
{
    sleep(1);
    return arg;
}

int main(void)
{
    pthread_t t;

    time_t begun = time(NULL);

    pthread_create(&t, NULL, nap, NULL);
    assert(time(NULL) == begun); /* @here */
    pthread_join(t, NULL);
    return 0;
}
