/* SPDX-License-Identifier: MIT */
/*
 * A deadlock: waiting for a thread that needs a lock.
 *
 * RUN    plait test -s random -n 5000
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s dpor -n 500
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s hapset -n 50
 * EXPECT deadlock exit=1
 *
 * RUN    plait test -s pcb:bound=0 -n 8000
 * EXPECT deadlock exit=1
 *
 * RUN    -DFIXED plait test -s dpor -n 5000
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED native
 * EXPECT exit=0
 */
#include "../../../bench/guided/open_stream.c"
