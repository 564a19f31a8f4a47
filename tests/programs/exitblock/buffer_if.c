/* SPDX-License-Identifier: MIT */
/*
 * The example.  Without the assertion the buffer looks empty when it has too much in it, and 480
 * paths end with threads that wait for ever; with it, an execution ends when it fails.
 *
 * RUN    [exitblock] -DNDEBUG plait test -s exitblock:dd -k
 * EXPECT any exit=1 complete paths=2304 aborts=0 reports=480 stuck=480
 *
 * RUN    [exitblock] -DNDEBUG plait test -s exitblock -k
 * EXPECT any exit=1 complete paths=2304 aborts=0 reports=480
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion complete paths=2232 aborts=0 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT assertion complete paths=2232 aborts=0 reports=0
 *
 * RUN    -DORDINARY plait test -s dpor -k
 * EXPECT any exit=1 complete
 */
#include "begin.h"

#include "../../../examples/buffer_if.c"
