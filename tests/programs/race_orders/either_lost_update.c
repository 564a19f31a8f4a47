/* SPDX-License-Identifier: MIT */
/*
 * Two updates that are a read and a write each: one is lost.  The read and the write of the other
 * race, and the two writes: that is one race of x, whose orders lead to a failure.
 *
 * RUN plait test --detect +race -s random -n 1 -k
 * EXPECT race confirmed=yes effect=failure
 */
#include <assert.h>
#include <pthread.h>

static int x;

static void *add(void *unused)
{
    x++;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, add, NULL);
    pthread_create(&u, NULL, add, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(x == 2);
    return 0;
}
