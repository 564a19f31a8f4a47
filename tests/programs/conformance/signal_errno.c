/* SPDX-License-Identifier: MIT */
/*
 * A handler that calls something which fails changes errno under its thread.  With -DRIGHT it puts
 * back what was there.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@changed
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@changed
 *
 * RUN    -DRIGHT plait test -s dpor
 * EXPECT clean complete
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_t first;

static void handle(int number)
{
    int before = errno;

    (void)number;
    close(-1);
#ifdef RIGHT
    errno = before;
#else
    (void)before;
#endif
}

static void *interrupt(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t a;

    first = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&a, NULL, interrupt, NULL);
    volatile int *error = &errno;

    *error = 0;
    int seen = *error;

    pthread_join(a, NULL);
    assert(seen == 0); /* @changed */
    return 0;
}
