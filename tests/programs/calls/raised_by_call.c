/* SPDX-License-Identifier: MIT */
/*
 * Whether a write to a broken pipe is deadly depends on what another thread says is to be done
 * about SIGPIPE, which the kernel looks at within the call: the verdict names that.  APART: the
 * other one speaks of another signal.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~raising
 *
 * RUN    -DAPART plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifdef APART
enum { WHICH = SIGUSR1 };
#else
enum { WHICH = SIGPIPE };
#endif

static int ends[2];

static void *speak(void *arg)
{
    signal(WHICH, SIG_DFL);
    signal(WHICH, SIG_IGN);
    return arg;
}

int main(void)
{
    pthread_t t;

    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) != 0)
        return 2;
    close(ends[0]);
    pthread_create(&t, NULL, speak, NULL);
    long wrote = write(ends[1], "x", 1);

    pthread_join(t, NULL);
    return wrote == -1 ? 0 : 1;
}
