/* SPDX-License-Identifier: MIT */
/*
 * Users and groups of the process.
 *
 * To the kernel they belong to each OS thread; setuid() and its kin are to change them for all, and
 * libc interrupts every thread for that.  Here one thread runs at a time: whoever changes them
 * notes what they are now, and OS threads that go on after that change theirs first; free ones when
 * they have come into the monitor.  Fibers have one OS thread together, and need nothing.
 */
#ifndef PL_RUNTIME_GROUND_USERS_H
#define PL_RUNTIME_GROUND_USERS_H

#include "runtime/ground/stage.h"

void pl_users_changed(void); /* by the running thread */
bool pl_users_are_followed(void);
void pl_users_follow(void); /* the running thread may not have gone along yet */

#endif /* PL_RUNTIME_GROUND_USERS_H */
