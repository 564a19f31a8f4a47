/* SPDX-License-Identifier: MIT */
/*
 * Initialised by main without a lock, then only read by everybody: no lock needed.
 * A write after that (-DWRITE) needs one.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT clean complete
 *
 * RUN    -DWRITE plait test -s dfs --detect lockset
 * EXPECT lockset location~@write|@read
 */
#include <pthread.h>

static volatile int table[2];
static volatile int last;

static void *look_up(void *arg)
{
    int sum = table[0] + table[1]; /* @read */

#ifdef WRITE
    table[0] = sum; /* @write */
#endif
    return sum == 3 ? arg : NULL;
}

int main(void)
{
    pthread_t t, u;

    table[0] = 1;
    table[1] = 2;
    last = 1;
    pthread_create(&t, NULL, look_up, NULL);
    pthread_create(&u, NULL, look_up, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
