/* SPDX-License-Identifier: MIT */
/*
 * See sites.h.  A campaign has many sessions (each finding is replayed, minimised and confirmed),
 * and in all of them the program has the same modules: what was found in them last is kept.
 */
#include "engine/worker/sites.h"

#include "base/assert.h"
#include "engine/machine/unhooked.h"
#include "engine/machine/unused.h"
#include "engine/symbols/code.h"

#include <string.h>

static struct pl_unhooked kept;
static uint64_t kept_of; /* hash of the modules */
static struct pl_unused *code;
static uint64_t code_of; /* the same */

void pl_sites_answer(struct pl_slot *slot)
{
    struct pl_board *board = slot->board;

    if (board->phase != PL_PHASE_SITES || board->sites_status != PL_ANSWER_PENDING)
        return;
    uint64_t modules = pl_code_modules(board);

    if (kept_of != modules) {
        pl_unhooked_free(&kept);
        pl_unhooked_find(&kept, board, slot->target->program.path);
        kept_of = modules;
    }
    size_t n = kept.n < PL_BOARD_SITES ? kept.n : PL_BOARD_SITES;

    if (n > 0)
        memcpy(board->sites, kept.sites, n * sizeof(*kept.sites));
    board->n_sites = (uint32_t)n;
    board->blind_pc = kept.blind_pc != 0 ? kept.blind_pc : n < kept.n ? kept.sites[n].pc : 0;
    board->stripped = kept.stripped;
    pl_slot_answer(&board->sites_status, PL_ANSWER_YES);
}

void pl_sites_answer_unused(struct pl_slot *slot)
{
    struct pl_board *board = slot->board;

    if (board->phase != PL_PHASE_UNUSED || board->unused_status != PL_ANSWER_PENDING)
        return;
    uint64_t modules = pl_code_modules(board);

    if (code_of != modules) {
        pl_unused_close(code);
        code = pl_unused_open(board, slot->target->program.path);
        code_of = modules;
    }
    bool unused = pl_unused_prove(code, board->unused_pc, board->unused_wide);

    pl_slot_answer(&board->unused_status, unused ? PL_ANSWER_YES : PL_ANSWER_NO);
}
