/* SPDX-License-Identifier: MIT */
/*
 * The example deadlock_wait.c: one path ends with one thread waiting and the other blocked, one
 * with a signal that came too early.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT any exit=1 complete paths=3 aborts=1 reports=2 stuck=2
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT any exit=1 complete paths=3 aborts=1 reports=2 stuck=2
 *
 * RUN    [exitblock] plait test -s exitblock
 * EXPECT deadlock
 *
 * RUN    -DORDINARY plait test -s dpor -k
 * EXPECT any exit=1 complete
 */
#include "begin.h"

#include "../../../examples/deadlock_wait.c"
