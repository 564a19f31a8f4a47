/* SPDX-License-Identifier: MIT */
/*
 * Ctrl-C, SIGTERM, SIGHUP, and SIGPIPE when nobody reads what is printed, counted: the first asks
 * to stop, the next to stop at once.
 */
#ifndef PL_ENGINE_SHARED_INTERRUPT_H
#define PL_ENGINE_SHARED_INTERRUPT_H

#include <signal.h>

void pl_interrupt_install(void);
unsigned pl_interrupt_count(void);

/*
 * The exit code of a command that would end with `code`: after an interrupt 128 and the signal's
 * number, as a shell says it, unless there was a finding, or a bug of plait.
 */
int pl_interrupt_exit(int code);

/*
 * Around fork() and exec(): a child has our handler until exec(), and would count a signal that is
 * meant to end it.  Signals wait from hold to release, which the parent calls; the child calls
 * forget instead, and is ended by those that have come meanwhile.
 */
void pl_interrupt_hold(sigset_t *before);
void pl_interrupt_release(const sigset_t *before);
void pl_interrupt_forget(const sigset_t *before);

#endif /* PL_ENGINE_SHARED_INTERRUPT_H */
