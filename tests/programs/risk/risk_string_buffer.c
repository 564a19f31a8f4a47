/* SPDX-License-Identifier: MIT */
/*
 * What comes first depends on what has been shown; what comes at all does not.  The text
 * becomes shorter between two looks at its length (bench/scoreboard/string_buffer.c): the order
 * that is new in the first execution is the bug.
 *
 * RUN    plait test -s dfs --risk on -n 2
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs --risk off -n 13
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs --risk on -k
 * EXPECT assertion complete classes=6
 *
 * RUN    plait test -s dfs --risk off -k
 * EXPECT assertion complete classes=6
 *
 * RUN    plait test -s dfs --risk on -k -j 2
 * EXPECT assertion complete classes=6
 *
 * RUN    plait test -s pcb --risk on -k
 * EXPECT assertion complete classes=6
 *
 * RUN    plait test -s delay --risk on -k
 * EXPECT assertion complete classes=6
 *
 * RUN    [dpor] plait test -s dpor --risk on -n 2
 * EXPECT assertion exit=1
 *
 * RUN    [dpor] plait test -s dpor --risk on -k
 * EXPECT assertion complete classes=6 executions=7
 *
 * RUN    [exitblock] plait test -s exitblock --risk on -n 2
 * EXPECT assertion exit=1
 *
 * RUN    [exitblock] plait test -s exitblock --risk on -k
 * EXPECT assertion complete classes=6
 */
#include "../../../bench/scoreboard/string_buffer.c"
