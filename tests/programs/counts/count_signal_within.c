/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes while its handler runs already comes when that returns, as one that comes
 * then: no class of its own.  But it may also have been pending when the thread sent itself the
 * same.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits;
static pthread_t first;

static void hit(int number)
{
    (void)number;
    hits++;
}

__attribute__((no_sanitize("thread"))) static void *sender(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;

    sigaction(SIGUSR1, &action, NULL);
    first = pthread_self();
    pthread_create(&thread, NULL, sender, NULL);
    raise(SIGUSR1);
    pthread_join(thread, NULL);
    return hits == 0;
}
