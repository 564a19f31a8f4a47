/* SPDX-License-Identifier: MIT */
/*
 * More memory than Eraser has room for: it says so instead of calling the search
 * complete, and still finds what it has room for.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DWRITE plait test -s dfs --detect lockset --no-minimize
 * EXPECT lockset location~@write replay=1
 */
#include <pthread.h>
#include <string.h>

static char memory[20 << 20];

static void *work(void *arg)
{
#ifdef WRITE
    memory[4] = 1; /* @write */
#else
    (void)memory;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    void *(*volatile fill)(void *, int, size_t) = memset;

    fill(memory, 1, sizeof(memory));
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
