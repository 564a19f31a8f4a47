/* SPDX-License-Identifier: MIT */
/* Ends badly in a second thread, in the way that the argument says. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;

__attribute__((noinline)) static void fall(int *volatile nowhere)
{
    if (strcmp(how, "crash") == 0)
        *nowhere = 1;
    assert(strcmp(how, "assertion") != 0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "exit") == 0)
        exit(3);
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
}

static void *thread(void *arg)
{
    fall(NULL);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;

    how = argc > 1 ? argv[1] : "";
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
