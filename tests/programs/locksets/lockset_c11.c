/* SPDX-License-Identifier: MIT */
/*
 * The locks of <threads.h> are the same to Eraser.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DBARE plait test -s dfs --detect +lockset
 * EXPECT lockset
 */
#include <threads.h>

static mtx_t lock;
static int shared;

static int work(void *arg)
{
#ifndef BARE
    mtx_lock(&lock);
#endif
    shared++;
#ifndef BARE
    mtx_unlock(&lock);
#endif
    return arg != NULL;
}

int main(void)
{
    thrd_t t, u;

    mtx_init(&lock, mtx_plain);
    thrd_create(&t, work, NULL);
    thrd_create(&u, work, NULL);
    thrd_join(t, NULL);
    thrd_join(u, NULL);
    return 0;
}
