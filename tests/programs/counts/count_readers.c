/* SPDX-License-Identifier: MIT */
/*
 * One writer, N readers: 2^N classes, because only the place of each read before or after the
 * write matters (bench/scoreboard/readers.c).
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DN=3 plait test -s dfs
 * EXPECT clean complete classes=8
 *
 * RUN    -DN=4 plait test -s dfs
 * EXPECT clean complete classes=16
 *
 * RUN    [dpor] -DN=2 plait test -s dpor --points all
 * EXPECT clean complete executions=4 classes=4
 *
 * RUN    [dpor] -DN=3 plait test -s dpor --points all
 * EXPECT clean complete executions=8 classes=8
 *
 * RUN    [dpor] -DN=8 plait test -s dpor --points all
 * EXPECT clean complete executions=256 classes=256
 *
 * RUN    [dpor] -DN=13 plait test -s dpor --points all
 * EXPECT clean complete executions=8192 classes=8192
 */
#include "../../../bench/scoreboard/readers.c"
