/* SPDX-License-Identifier: MIT */
/*
 * An order violation: bytes for nobody.
 *
 * RUN    plait test -s random -n 5000
 * EXPECT crash exit=1
 *
 * RUN    plait test -s dpor -n 500
 * EXPECT crash exit=1
 *
 * RUN    plait test -s hapset -n 50
 * EXPECT crash exit=1
 *
 * RUN    plait test -s pcb:bound=0
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pcb:bound=1 -n 8000
 * EXPECT crash exit=1
 *
 * RUN    -DFIXED plait test -s dpor -n 5000
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED native
 * EXPECT exit=0
 */
#include "../../../bench/guided/http_connect.c"
