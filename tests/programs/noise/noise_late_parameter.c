/* SPDX-License-Identifier: MIT */
/*
 * The fourth experiment: a thread is faster than its creator.
 *
 * RUN    plait test -s random
 * EXPECT exit exit=1
 *
 * RUN    -DTHREADS=3 plait test -s dpor
 * EXPECT exit exit=1
 */
#include "../../../examples/late_parameter.c"
