/* SPDX-License-Identifier: MIT */
/*
 * A look at descriptors that a signal interrupts depends on what is written to them as one that is
 * not interrupted, also behind its handler.
 *
 * RUN    plait test -s dpor --expect-exit=0,1
 * EXPECT clean complete classes=12
 *
 * RUN    plait test -s dfs --expect-exit=0,1
 * EXPECT clean complete classes=12
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static pthread_t first;

static void hit(int number)
{
    (void)number;
}

__attribute__((no_sanitize("thread"))) static void *sender(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return write(ends[1], "a", 1) == 1 ? arg : &ends;
}

static int look(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};

    return poll(&p, 1, 0);
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;

    sigaction(SIGUSR1, &action, NULL);
    first = pthread_self();
    if (pipe(ends) != 0)
        return 2;
    pthread_create(&thread, NULL, sender, NULL);
    int before = look(), after = look();

    pthread_join(thread, NULL);
    return before < 0 && after > 0;
}
