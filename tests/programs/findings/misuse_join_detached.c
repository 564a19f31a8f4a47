/* SPDX-License-Identifier: MIT */
/*
 * A thread detaches itself, although its creator joins it: which of the two
 * comes first decides.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>

static void *work(void *arg)
{
    pthread_detach(pthread_self());
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
