/* SPDX-License-Identifier: MIT */
/*
 * The third experiment: the flag is set before what it stands for.
 *
 * RUN    plait test -s random
 * EXPECT crash exit=1 message~SIGSEGV
 *
 * RUN    -DOBSERVERS=2 plait test -s dpor
 * EXPECT crash exit=1 message~SIGSEGV
 */
#include "../../../examples/notified.c"
