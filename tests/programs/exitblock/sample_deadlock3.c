/* SPDX-License-Identifier: MIT */
/*
 * The example deadlock3.c.  With main, cuts at each start from the second on and a lock exit at
 * each thread's end, 2505 paths do not end in an attempt that failed: the number of 1999.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT deadlock complete threads=3 paths=30 aborts=12 reports=3 cut=6
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete paths=21 aborts=12 reports=3 cut=15
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock:dd,cuts=java -k
 * EXPECT deadlock complete paths=2505 finished=2505 aborts=66 reports=8
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

#include "../../../examples/deadlock3.c"
