/* SPDX-License-Identifier: MIT */
/*
 * The example, where K threads with N locks each have (KN)! / (N!)^K orders, (N+1)^(K-1) of which
 * are paths with rw.  With main and a lock exit at each end there are ((N+2)^K - 1) / (N+1): the
 * numbers of 1999.  All of those are tried by tests/generated/check_performance.py.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -- 2 3
 * EXPECT clean complete paths=20 cut=0 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock:dd -- 3 2
 * EXPECT clean complete paths=90 cut=0 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock:plain -- 4 2
 * EXPECT clean complete paths=2520 cut=0 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock:rw -- 2 9
 * EXPECT clean complete paths=10 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock -- 4 2
 * EXPECT clean complete paths=27 finished=1 cut=26 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock -- 6 3
 * EXPECT clean complete paths=1024 aborts=0
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock:rwdd,cuts=java -- 2 1
 * EXPECT clean complete paths=4 aborts=0
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock:rwdd,cuts=java -- 3 3
 * EXPECT clean complete paths=31 aborts=0
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock:rwdd,cuts=java -- 4 10
 * EXPECT clean complete paths=1885 aborts=0
 *
 * RUN    [exitblock] -DORDINARY plait test -s exitblock:rwdd,cuts=java -- 5 2
 * EXPECT clean complete paths=341 aborts=0
 *
 * RUN    native 2 2
 * EXPECT exit=0
 */
#include "begin.h"

#include "../../../examples/performance.c"
