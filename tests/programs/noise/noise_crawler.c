/* SPDX-License-Identifier: MIT */
/*
 * The sixth experiment: a connection goes away between the question and its use.
 *
 * RUN    plait test -s random
 * EXPECT crash exit=1 message~SIGSEGV
 *
 * RUN    plait test -s dpor
 * EXPECT crash exit=1 message~SIGSEGV
 */
#include "../../../examples/crawler.c"
