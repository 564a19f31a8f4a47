/* SPDX-License-Identifier: MIT */
/*
 * Dining philosophers: 2^N - 1 classes, one of them the deadlock (bench/scoreboard/philosophers.c,
 * which also says why).  The deadlock ends the execution whatever main is about: were all accesses
 * points, how far it has come would make classes of their own.
 *
 * RUN    -DN=2 plait test -s dfs -k
 * EXPECT deadlock complete classes=3
 *
 * RUN    -DN=3 plait test -s dfs -k
 * EXPECT deadlock complete classes=7
 *
 * RUN    [dpor] -DN=2 plait test -s dpor -k
 * EXPECT deadlock complete failures=1 executions=3 classes=3
 *
 * RUN    [dpor] -DN=3 plait test -s dpor -k
 * EXPECT deadlock complete failures=1 executions=7 classes=7
 *
 * RUN    [dpor] -DN=4 plait test -s dpor -k
 * EXPECT deadlock complete failures=1 executions=15 classes=15
 *
 * RUN    [dpor] -DN=5 plait test -s dpor -k
 * EXPECT deadlock complete failures=1 executions=31 classes=31
 */
#include "../../../bench/scoreboard/philosophers.c"
