/* SPDX-License-Identifier: MIT */
/*
 * The example deadlock.c.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT deadlock complete threads=2 paths=4 aborts=2 reports=2 cut=2
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete paths=4 aborts=2 reports=2 returns=5
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT deadlock complete paths=4 aborts=2 reports=2
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT deadlock complete paths=4 aborts=2 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT deadlock complete paths=4 aborts=2 reports=0
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

#include "../../../examples/deadlock.c"
