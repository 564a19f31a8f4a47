/* SPDX-License-Identifier: MIT */
/*
 * A program that does not want to hear of its children, and ends in a way that only its parent
 * gets to know.
 *
 * RUN    plait test -s random -n 40
 * EXPECT crash message~SIGKILL
 *
 * RUN    plait test -s random -n 40 --restart fork
 * EXPECT crash message~SIGKILL
 *
 * RUN    plait test -s random -n 40 -- lives
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *thread(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    (void)argv;
    assert(signal(SIGCHLD, SIG_IGN) == SIG_DFL);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    if (argc == 1)
        kill(getpid(), SIGKILL);
    return 0;
}
