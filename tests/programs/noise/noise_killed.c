/* SPDX-License-Identifier: MIT */
/*
 * A signal that nobody handles ends the program while its threads run freely.  Nothing in it says
 * so any more, but how far they had come is recorded: the finding replays.  Here it comes before
 * its handler is set, or by a timer whose time nobody has slept.
 *
 * RUN    plait test -s noise -n 400
 * EXPECT crash exit=1
 *
 * RUN    -DTO_THREAD plait test -s noise -n 400
 * EXPECT crash exit=1
 *
 * RUN    -DTIMER plait test -s noise -n 40
 * EXPECT crash exit=1
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t first;

static void *work(void *arg)
{
#ifdef TIMER
    usleep(20000);
#elif defined(TO_THREAD)
    pthread_kill(first, SIGALRM);
#else
    kill(getpid(), SIGALRM);
#endif
    return arg;
}

#ifndef TIMER
static void handle(int signo)
{
    (void)signo;
}
#endif

int main(void)
{
    pthread_t t;

    first = pthread_self();
    pthread_create(&t, NULL, work, NULL);
#ifdef TIMER
    ualarm(10000, 0);
#else
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = handle}, NULL);
#endif
    pthread_join(t, NULL);
    return 0;
}
