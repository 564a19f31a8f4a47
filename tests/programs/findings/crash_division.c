/* SPDX-License-Identifier: MIT */
/*
 * A divisor is tested and then used, and may become 0 in between.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT crash exit=1 message~SIGFPE location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT crash exit=1
 */
#include <pthread.h>

static volatile int users = 1, share;

static void *leave(void *arg)
{
    users = 0;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, leave, NULL);
    if (users != 0)
        share = 100 / users; /* @bug */
    pthread_join(t, NULL);
    return 0;
}
