/* SPDX-License-Identifier: MIT */
/*
 * See interrupt.h.  No SA_RESTART, so that a signal ends the wait that the tool
 * is in.  What was ignored when we started (nohup) stays ignored.
 */
#include "engine/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t count;

static void on_signal(int number)
{
    count++;
}

void pl_interrupt_install(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old, new = {.sa_handler = on_signal};

    sigemptyset(&new.sa_mask);
    for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &new, NULL);
    }
}

unsigned pl_interrupt_count(void)
{
    return (unsigned)count;
}
