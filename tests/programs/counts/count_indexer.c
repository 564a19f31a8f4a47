/* SPDX-License-Identifier: MIT */
/*
 * indexer(N): below 12 threads nobody meets anybody; from then on each further thread meets one
 * other in three entries of the table, 8 classes more for each (bench/scoreboard/indexer.c).
 *
 * RUN    -DN=11 plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    [dpor] -DN=11 plait test -s dpor --points all
 * EXPECT clean complete executions=1 classes=1
 *
 * RUN    [dpor] -DN=12 plait test -s dpor --points all
 * EXPECT clean complete executions=8 classes=8
 *
 * RUN    [dpor] -DN=13 plait test -s dpor --points all
 * EXPECT clean complete executions=64 classes=64
 *
 * RUN    [dpor] -DN=15 plait test -s dpor --points all
 * EXPECT clean complete executions=4096 classes=4096
 */
#include "../../../bench/scoreboard/indexer.c"
