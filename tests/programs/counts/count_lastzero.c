/* SPDX-License-Identifier: MIT */
/*
 * lastzero(N): what one thread reads depends on what it has read before
 * (bench/scoreboard/lastzero.c).
 *
 * RUN    -DN=1 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=5
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete classes=12
 *
 * RUN    [dpor] -DN=3 plait test -s dpor --points all
 * EXPECT clean complete executions=12 classes=12
 *
 * RUN    [dpor] -DN=4 plait test -s dpor --points all
 * EXPECT clean complete executions=28 classes=28
 *
 * RUN    [dpor] -DN=5 plait test -s dpor --points all
 * EXPECT clean complete executions=64 classes=64
 *
 * RUN    [dpor] -DN=10 plait test -s dpor --points all
 * EXPECT clean complete executions=3328 classes=3328
 */
#include "../../../bench/scoreboard/lastzero.c"
