/* SPDX-License-Identifier: MIT */
/*
 * See unused.h.  The compilers call the same function for an atomic addition whether its result is
 * used or not.  The tool is asked once for each place; where the table is full, or threads run
 * freely, nobody is asked, and the result counts as used, which is never wrong.
 */
#include "runtime/access/unused.h"

#include "base/claimed.h"
#include "base/hash.h"
#include "runtime/ground/ask.h"

bool pl_unused_result(uint64_t pc, bool wide)
{
    bool fresh;

    if (pl_free)
        return false;
    struct pl_claimed table = PL_CLAIMED_ALONE(pl_board->unused);

    table.probes = PL_CLAIMED_PROBES;
    struct pl_board_unused *known = pl_claimed_place(table, pl_hash_mix(pc), pc, &fresh);

    if (known == NULL || !fresh)
        return known != NULL && known->unused;
    pl_board->unused_pc = pc;
    pl_board->unused_wide = wide;
    pl_board->unused_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_UNUSED, &pl_board->unused_status);
    known->unused = pl_board->unused_status == PL_ANSWER_YES;
    return known->unused;
}
