/* SPDX-License-Identifier: MIT */
/*
 * The fifth experiment: everybody has a left fork.  A search of all classes needs a smaller table,
 * and thoughts make no difference to a schedule, but each attempt to make it minimal has them all.
 *
 * RUN    -DTHOUGHTS=40 plait test -s random
 * EXPECT deadlock exit=1 threads=5
 *
 * RUN    -DPHILOSOPHERS=3 -DMEALS=1 -DMOST=1 plait test -s dpor
 * EXPECT deadlock exit=1 threads=3
 */
#include "../../../examples/philosophers.c"
