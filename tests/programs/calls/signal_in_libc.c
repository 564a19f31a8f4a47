/* SPDX-License-Identifier: MIT */
/*
 * A handler comes of itself and calls a function of libc that its thread may be in: that has a lock
 * which the thread holds, or has left things half done.  No handler comes in the middle of one
 * here, so the search is complete but for that.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~on.a.stream,.in.a.handler.at.*signal_in_libc.c
 *
 * RUN    -DHEAP plait test -s dpor
 * EXPECT clean incomplete ended~that.allocates,.in.a.handler.at.*signal_in_libc.c
 *
 * Not so where it comes while the thread waits for it, or uses another stream.
 *
 * RUN    -DWAITS plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DWAITS -DHEAP plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DAPART plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef APART
#define HANDLERS stderr
#else
#define HANDLERS stdout
#endif

static volatile sig_atomic_t come;
static pthread_t main_thread;

static void use(FILE *f)
{
#ifdef HEAP
    void *volatile block = malloc(8);

    free(block);
    (void)f;
#else
    fputs("used\n", f);
#endif
}

static void handle(int signo)
{
    (void)signo;
    use(HANDLERS);
    come = 1;
}

static void *send(void *arg)
{
    pthread_kill(main_thread, SIGUSR1);
    return arg;
}

int main(void)
{
    sigset_t blocked, none;
    pthread_t t;

    main_thread = pthread_self();
    signal(SIGUSR1, handle);
    sigemptyset(&none);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
#ifdef WAITS
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
#endif
    pthread_create(&t, NULL, send, NULL);
    use(stdout);
#ifdef WAITS
    while (!come)
        sigsuspend(&none);
    use(stdout);
#endif
    pthread_join(t, NULL);
    return 0;
}
