/* SPDX-License-Identifier: MIT */
/*
 * Two handlers of one thread share memory that nobody else uses: the second may come while the
 * first is between two steps.  -DITSELF: one handler, which does not block its own signal.
 * -DBLOCKED: they keep each other out.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DITSELF plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DBLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DBLOCKED plait test -s dfs
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

#ifdef ITSELF
enum { SECOND = SIGUSR1, FLAGS = SA_NODEFER };
#else
enum { SECOND = SIGUSR2, FLAGS = 0 };
#endif

static volatile sig_atomic_t depth;
static pthread_t target;

static void handle(int number)
{
    (void)number;
    depth++;
    assert(depth == 1);
    depth--;
}

static void *send(void *arg)
{
    pthread_kill(target, SIGUSR1);
    pthread_kill(target, SECOND);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = FLAGS};
    pthread_t thread;

#ifdef BLOCKED
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaddset(&action.sa_mask, SECOND);
#endif
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SECOND, &action, NULL);
    target = pthread_self();
    pthread_create(&thread, NULL, send, NULL);
    pthread_join(thread, NULL);
    return 0;
}
