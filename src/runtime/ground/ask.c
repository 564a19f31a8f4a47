/* SPDX-License-Identifier: MIT */
/* Questions to the tool, which the worker cannot go on without. */
#include "runtime/ground/ask.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/config.h"

#include <linux/futex.h>

void pl_ask_ring(void)
{
    const uint64_t ring = 1;

    pl_sys(SYS_write, pl_fd(PL_FD_BELL), &ring, sizeof(ring));
}

void pl_ask_tool(enum pl_phase phase, _Atomic uint32_t *answer)
{
    uint32_t before = pl_board->phase;

    PL_ASSERT(phase != PL_PHASE_RUNNING && phase != PL_PHASE_FINISHED);
    pl_board->phase = phase;
    pl_ask_ring();
    while (*answer == 0)
        pl_sys(SYS_futex, answer, FUTEX_WAIT, 0, 0);
    pl_board->phase = before;
}
