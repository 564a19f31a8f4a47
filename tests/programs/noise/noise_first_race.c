/* SPDX-License-Identifier: MIT */
/*
 * The first experiment: more than one winner.
 *
 * RUN    plait test -s random
 * EXPECT assertion exit=1 message~winners
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 message~winners
 *
 * Once detectors have looked at the first recording, only the places of the race are disturbed.
 *
 * RUN    plait test -k -n 120 --detect +race --drive 0 --no-minimize --noise sleep,at=predicted
 * EXPECT any exit=1 failures=6-120
 */
#include "../../../examples/first_race.c"
