/* SPDX-License-Identifier: MIT */
/*
 * How long one waits, where none of the program's threads can go on, for what the world outside may
 * do about that.  It is not controlled, so nothing but real time tells that it does nothing.
 */
#ifndef PL_RUNTIME_SYSTEM_OUTSIDE_H
#define PL_RUNTIME_SYSTEM_OUTSIDE_H

enum { PL_OUTSIDE_TIMES = 10 }; /* after so many pauses nothing will come */

/*
 * How long a pause is, in milliseconds.  The world that has never done anything, also when one
 * waited for long, is not waited for as long again.
 */
int pl_outside_pause(void);

/* A thread has got what it waited for, in a pause; or has not, in all of them. */
void pl_outside_answered(void);
void pl_outside_silent(void);

#endif /* PL_RUNTIME_SYSTEM_OUTSIDE_H */
