/* SPDX-License-Identifier: MIT */
/*
 * The second experiment: the sum is wrong during a transfer, also when transfers are the smaller
 * part. A search of all classes needs a smaller bank.
 *
 * RUN    plait test -s random
 * EXPECT assertion exit=1 message~sum
 *
 * RUN    plait test -s random -- 2000
 * EXPECT assertion exit=1 message~sum
 *
 * RUN    -DCLERKS=2 -DTRANSFERS=1 plait test -s dpor
 * EXPECT assertion exit=1 message~sum
 */
#include "../../../examples/move_money.c"
