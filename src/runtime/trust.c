/* SPDX-License-Identifier: MIT */
/*
 * Code that the user trusts.  The tool knows which functions, files and libraries
 * that is; it is asked at the root, where all of them are loaded, and leaves
 * addresses on the board.
 */
#include "runtime/rt.h"

void pl_trust_learn(void)
{
    if (!pl_board->settings.trusting)
        return;
    pl_place_modules();
    pl_board->trust_status = 0;
    pl_ask_tool(PL_PHASE_TRUST, &pl_board->trust_status);
}

/* pc is a return address: the call before it is what counts. */
static bool is_trusted(uint64_t pc)
{
    uint64_t low = 0, high = pl_board->n_trusted;

    while (low < high) {
        uint64_t middle = (low + high) / 2;

        if (pl_board->trusted[middle].end < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pl_board->n_trusted && pl_board->trusted[low].start < pc;
}

bool pl_trust_covers(const struct pl_thread *t, uint64_t pc)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;

    if (is_trusted(pc))
        return true;
    for (unsigned i = n; i > 0; i--) {
        if (is_trusted(pl_thread_frame(t, i - 1)->pc))
            return true;
    }
    return false;
}
