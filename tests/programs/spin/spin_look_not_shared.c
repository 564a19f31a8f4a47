/* SPDX-License-Identifier: MIT */
/*
 * A round looks at two things, of which nobody has yet come to know that the second one is shared:
 * only a thread that has found the first one unset looks there.  It leaves the loop if the first
 * was unset and the second is set, so the round must not count as a single look that found nothing.
 *
 * RUN    [O2] plait test -s dpor -k --no-minimize --outputs
 * EXPECT livelock classes=2 outputs=left exit=1
 *
 * RUN    [O2] plait test -s dfs -k --no-minimize --outputs
 * EXPECT livelock classes=2 outputs=left exit=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int first, second;

static void *set(void *arg)
{
    atomic_fetch_add(&first, 1);
    atomic_store(&second, 2);
    return arg;
}

static void *wait(void *arg)
{
    while (atomic_load(&first) == 1 || atomic_load(&second) == 0)
        ;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, set, NULL);
    pthread_create(&t[1], NULL, wait, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    puts("left");
    return 0;
}
