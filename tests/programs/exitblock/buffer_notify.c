/* SPDX-License-Identifier: MIT */
/*
 * The example.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT any exit=1 complete paths=3272 aborts=0 reports=168 stuck=168
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT any exit=1 complete paths=3272 aborts=0 reports=168
 *
 * RUN    [exitblock] plait test -s exitblock
 * EXPECT deadlock
 *
 * RUN    -DORDINARY plait test -s dpor -k
 * EXPECT any exit=1 complete
 */
#include "begin.h"

#include "../../../examples/buffer_notify.c"
