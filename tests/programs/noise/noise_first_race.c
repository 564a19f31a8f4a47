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
 * RUN    plait test -k -n 400 --detect +race --drive 0 --no-minimize --noise sleep,at=predicted
 * EXPECT any exit=1 failures=20-400
 */
#include "../../../examples/first_race.c"
