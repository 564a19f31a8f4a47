/* SPDX-License-Identifier: MIT */
/*
 * See interrupt.h.  No SA_RESTART, so that a signal ends the wait that the tool
 * is in.  What was ignored when we started (nohup) stays ignored.
 */
#include "engine/shared/interrupt.h"

#include "base/exit.h"

#include <stddef.h>

enum { SIGNALS = 4 };

static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
static volatile sig_atomic_t count, first;

/* Every line that nobody reads makes one more SIGPIPE, which asks for nothing new. */
static void on_signal(int number)
{
    if (count == 0)
        first = number;
    if (count == 0 || number != SIGPIPE)
        count++;
}

void pl_interrupt_install(void)
{
    struct sigaction old, new = {.sa_handler = on_signal};

    sigemptyset(&new.sa_mask);
    for (unsigned i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &new, NULL);
    }
}

unsigned pl_interrupt_count(void)
{
    return (unsigned)count;
}

int pl_interrupt_exit(int code)
{
    return count == 0 || code == PL_EXIT_FINDING || code == PL_EXIT_INTERNAL ? code : 128 + first;
}

void pl_interrupt_hold(sigset_t *before)
{
    sigset_t ours;

    sigemptyset(&ours);
    for (unsigned i = 0; i < SIGNALS; i++)
        sigaddset(&ours, signals[i]);
    sigprocmask(SIG_BLOCK, &ours, before);
}

void pl_interrupt_release(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

void pl_interrupt_forget(const sigset_t *before)
{
    struct sigaction now, none = {.sa_handler = SIG_DFL};

    for (unsigned i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler == on_signal)
            sigaction(signals[i], &none, NULL);
    }
    pl_interrupt_release(before);
}
