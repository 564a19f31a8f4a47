/* SPDX-License-Identifier: MIT */
/*
 * select() stores what is ready over whatever others have stored in the set meanwhile: a set that
 * was emptied while it waited has its descriptor again.  -DFIXED: it is emptied when that is over.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@emptied exit=1 replay=identical
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@emptied exit=1
 *
 * RUN    -DFIXED plait test -s dpor
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/select.h>
#include <unistd.h>

#ifdef FIXED
#define IS_FIXED true
#else
#define IS_FIXED false
#endif

static int ends[2];
static fd_set set;

static void *feed(void *arg)
{
    assert(write(ends[1], "x", 1) == 1);
    if (!IS_FIXED)
        FD_CLR(ends[0], &set);
    return arg;
}

int main(void)
{
    pthread_t thread;

    assert(pipe(ends) == 0);
    FD_SET(ends[0], &set);
    pthread_create(&thread, NULL, feed, NULL);
    struct timeval none = {0, 0};
    int n = select(ends[0] + 1, &set, NULL, NULL, IS_FIXED ? NULL : &none);

    pthread_join(thread, NULL);
    if (IS_FIXED)
        FD_CLR(ends[0], &set);
    assert(n == 0 || !FD_ISSET(ends[0], &set)); /* @emptied */
    return 0;
}
