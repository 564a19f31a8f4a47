/* SPDX-License-Identifier: MIT */
/*
 * The compressor that frees its queue early.
 *
 * RUN    plait test -s random -n 5000
 * EXPECT misuse|use-after-free exit=1
 *
 * RUN    plait test -s dpor -n 500
 * EXPECT misuse|use-after-free exit=1
 *
 * RUN    plait test -s hapset -n 50
 * EXPECT misuse|use-after-free exit=1
 *
 * RUN    plait test -s pcb:bound=0
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pcb:bound=1 -n 8000
 * EXPECT misuse|use-after-free exit=1
 *
 * RUN    -DFIXED plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED native
 * EXPECT exit=0
 */
#include "../../../bench/guided/compress_queue.c"
