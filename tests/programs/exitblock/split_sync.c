/* SPDX-License-Identifier: MIT */
/*
 * The example.  All six orders of the four regions; with rw, those of the two first are one.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT assertion complete message~x location~split_sync paths=6 aborts=0 cut=0
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion complete paths=6 aborts=0 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT assertion complete paths=4 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT assertion complete paths=4 aborts=0 reports=0 returns=3
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock
 * EXPECT assertion
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete
 */
#include "begin.h"

#include "../../../examples/split_sync.c"
