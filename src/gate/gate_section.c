/* SPDX-License-Identifier: MIT */
/*
 * plait_begin(), plait_end() and plait_test().  This part of the archive is
 * linked only into programs that call one of them, so its constructor can tell
 * the runtime where executions will begin.
 */
#include "gate/gate.h"
#include "plait.h"

void plait_begin(void)
{
    if (pl_gate_now)
        pl_gate_now->begin();
}

void plait_end(void)
{
    if (pl_gate_now)
        pl_gate_now->end();
}

const char *plait_test(void (*function)(void *), void *arg)
{
    if (pl_gate_now)
        return pl_gate_now->test(function, arg);
    function(arg);
    return 0;
}

/* After the archive's own constructor, which finds the runtime. */
__attribute__((constructor(102))) static void mark(void)
{
    __tsan_init();
    if (pl_gate_now)
        pl_gate_now->marked();
}
