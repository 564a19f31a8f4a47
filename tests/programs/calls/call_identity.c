/* SPDX-License-Identifier: MIT */
/*
 * A thread changes who the process is while others run, and after one has ended.  libc would ask
 * each of its threads to do the same, and wait.
 *
 * RUN    plait test
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s noise -n 50
 * EXPECT clean
 *
 * RUN    plait test --carrier thread -n 50
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <grp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int dropped;

static void *brief(void *a)
{
    return a;
}

static void *other(void *a)
{
    while (!dropped)
        usleep(1000);
    assert(getuid() == geteuid());
    return a;
}

int main(void)
{
    pthread_t t[2], first;

    pthread_create(&first, 0, brief, 0);
    pthread_join(first, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, other, 0);
    (void)!setgroups(0, NULL); /* only root may */
    (void)!initgroups("root", getgid());
    assert(setgid(getgid()) == 0 && setegid(getegid()) == 0);
    assert(setreuid(getuid(), getuid()) == 0 && setuid(getuid()) == 0);
    dropped = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
