/* SPDX-License-Identifier: MIT */
/*
 * What a program under test may say to plait.  Nothing here is needed: plait
 * tests programs that have never heard of it.  Built without `plait cc`, or
 * started without `plait test`, every call has its natural meaning, so the
 * calls can stay in the code.
 */
#ifndef PLAIT_H
#define PLAIT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Return a number from 0 to n-1.  Under plait each value is a choice that the
 * strategy explores; natively it is 0.
 */
unsigned plait_choose(unsigned n);

/*
 * Say that executions in which the condition does not hold here are of no interest.  Under plait
 * the thread goes no further then, and nothing that follows from that is a finding: the others run
 * as far as they get, and the search does not multiply such executions.  A strategy that samples
 * ends the execution there and draws it again, from shortly before.  Natively it does nothing.
 */
void plait_assume(int condition);

/* Non-zero while the program runs under plait's control. */
int plait_active(void);

/*
 * Begin the executions here instead of at the first thread: what comes before is
 * done once.  plait_end() ends an execution, as if the program had exited with 0.
 * Natively both do nothing.
 */
void plait_begin(void);
void plait_end(void);

/*
 * Explore the interleavings of function(arg), and go on.  Returns NULL when
 * nothing was found, else a text that says what; it stays valid.  A program may
 * test any number of functions.  Natively the function is called once.
 */
const char *plait_test(void (*function)(void *), void *arg);

/* Report a failed assertion and end the execution; natively, print and abort. */
#if defined(__GNUC__)
__attribute__((noreturn, cold))
#endif
void plait_fail(const char *file, int line, const char *function, const char *text);

/* Like assert(), but not switched off by NDEBUG. */
#define plait_assert(condition) \
    ((condition) ? (void)0 : plait_fail(__FILE__, __LINE__, __func__, #condition))

#ifdef __cplusplus
}
#endif

#endif /* PLAIT_H */
