/* SPDX-License-Identifier: MIT */
/*
 * Initialised by whoever comes first, then only read.  A counter of visits that is
 * kept outside of it (-DCOUNT) has no protection.
 *
 * RUN    plait test -s dfs --detect +lockset
 * EXPECT clean complete
 *
 * RUN    -DCOUNT plait test -s dfs --detect +lockset
 * EXPECT lockset location~@visit
 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int table, visits;

static void make(void)
{
    table = 7;
    visits = 0;
}

static void *work(void *arg)
{
    pthread_once(&once, make);
#ifdef COUNT
    visits = visits + 1; /* @visit */
#endif
    return table == 7 ? arg : NULL;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
