/* SPDX-License-Identifier: MIT */
/*
 * A limit that an execution has changed stays so until its end, wherever it goes on from.
 *
 * RUN    plait test -s dfs --checkpoints always --outputs
 * EXPECT clean complete outputs=90,80
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

static struct rlimit wanted;

static void *change(void *arg)
{
    wanted.rlim_cur = 80;
    return arg;
}

int main(void)
{
    struct rlimit now;
    pthread_t t;

    assert(getrlimit(RLIMIT_NOFILE, &wanted) == 0);
    wanted.rlim_cur = 90;
    pthread_create(&t, NULL, change, NULL);
    assert(setrlimit(RLIMIT_NOFILE, &wanted) == 0);
    assert(getrlimit(RLIMIT_NOFILE, &now) == 0);
    pthread_join(t, NULL);
    printf("%d\n", (int)now.rlim_cur);
    return 0;
}
