/* SPDX-License-Identifier: MIT */
/*
 * In one order an assertion fails.  The campaign has not come to that.
 *
 * RUN plait test --detect +race -s pcb -n 1
 * EXPECT race confirmed=yes effect=failure
 * RUN plait test --detect +race -s pcb -n 1 --carrier thread
 * EXPECT race confirmed=yes effect=failure
 */
#include <assert.h>
#include <pthread.h>

static int x;

static void *one(void *unused)
{
    x = 1;
    return unused;
}

static void *two(void *unused)
{
    int v = x;

    assert(v == 0);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, two, NULL);
    pthread_create(&u, NULL, one, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
