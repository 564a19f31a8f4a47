/* SPDX-License-Identifier: MIT */
/*
 * filesystem(N): the lock of a block is all that two threads ever share, from thread 13 on, or
 * sooner with fewer blocks (bench/scoreboard/filesystem.c).
 *
 * RUN    -DN=2 plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    -DN=2 -DBLOCKS=2 plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    [dpor] -DN=13 plait test -s dpor --points all
 * EXPECT clean complete executions=1 classes=1
 *
 * RUN    [dpor] -DN=14 plait test -s dpor --points all
 * EXPECT clean complete executions=2 classes=2
 *
 * RUN    [dpor] -DN=16 plait test -s dpor --points all
 * EXPECT clean complete executions=8 classes=8
 *
 * RUN    [dpor] -DN=18 plait test -s dpor --points all
 * EXPECT clean complete executions=32 classes=32
 *
 * RUN    [dpor] -DN=19 plait test -s dpor --points all
 * EXPECT clean complete executions=64 classes=64
 */
#include "../../../bench/scoreboard/filesystem.c"
