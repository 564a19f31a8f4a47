/* SPDX-License-Identifier: MIT */
/*
 * Two threads take from an event counter that two others fill, with read() and with
 * eventfd_read(), which is libc's own way to the system call.  Whoever finds nothing waits alone.
 * With -DIMPATIENT the counter does not keep anybody waiting, and one may be told so.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DIMPATIENT=1 plait test -s dpor
 * EXPECT assertion location~@early
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifndef IMPATIENT
#define IMPATIENT 0
#endif

static int counter;

static void *give(void *arg)
{
    uint64_t one = 1;

    assert(write(counter, &one, sizeof(one)) == sizeof(one));
    return arg;
}

static void *take(void *arg)
{
    eventfd_t got = 0;

    assert(eventfd_read(counter, &got) == 0); /* @early */
    assert(got == 1);
    return arg;
}

int main(void)
{
    pthread_t giver, taker;
    uint64_t got;

    counter = eventfd(0, EFD_SEMAPHORE | (IMPATIENT ? EFD_NONBLOCK : 0));
    assert(counter >= 0);
    pthread_create(&taker, NULL, take, NULL);
    pthread_create(&giver, NULL, give, NULL);
    give(NULL);
    pthread_join(giver, NULL);
    pthread_join(taker, NULL);
    assert(read(counter, &got, sizeof(got)) == sizeof(got) && got == 1);
    close(counter);
    return 0;
}
