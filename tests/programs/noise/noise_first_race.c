/* SPDX-License-Identifier: MIT */
/*
 * The first experiment: more than one winner.
 *
 * RUN    plait test -s random
 * EXPECT assertion exit=1 message~winners
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 message~winners
 */
#include "../../../examples/first_race.c"
