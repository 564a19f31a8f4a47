/* SPDX-License-Identifier: MIT */
/*
 * The example: the orders of blocks; what the detectors say of the missing lock is not asked here.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT any paths=3 aborts=0 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT any paths=3 aborts=0 reports=0
 *
 * RUN    plait test -s dpor -k
 * EXPECT any complete
 */
#include "begin.h"

#include "../../../examples/no_eraser.c"
