/* SPDX-License-Identifier: MIT */
/*
 * Code that the user has marked.  The tool knows which functions, files and libraries
 * that is; it is asked at the root, where all of them are loaded, and leaves
 * addresses on the board.
 */
#include "runtime/observe/marks.h"

#include "base/assert.h"
#include "runtime/core/observer.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

static void learn(void)
{
    if (pl_board->settings.marks == 0)
        return;
    pl_place_modules();
    pl_board->marks_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_MARKS, &pl_board->marks_status);
}

/* pc is a return address: the call before it is what counts. */
bool pl_marks_at(enum pl_mark mark, uint64_t pc)
{
    PL_ASSERT(mark < PL_MARKS);
    const struct pl_marked *m = &pl_board->marked[mark];
    uint64_t low = 0, high = m->n;

    if (pl_stage->modules.image != 0)
        return false; /* they are of the first program */
    while (low < high) {
        uint64_t middle = (low + high) / 2;

        if (m->ranges[middle].end < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->n && m->ranges[low].start < pc;
}

bool pl_marks_cover(enum pl_mark mark, const struct pl_thread *t, uint64_t pc)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;

    if (pl_marks_at(mark, pc))
        return true;
    for (unsigned i = n; i > 0; i--) {
        if (pl_marks_at(mark, pl_thread_frame(t, i - 1)->pc))
            return true;
    }
    return false;
}

/* ---- trusted code ---- */

static bool wanted(bool rooted)
{
    return rooted && pl_board->marked[PL_MARK_TRUST].n > 0;
}

static void announced(struct pl_thread *t, struct pl_operation *op)
{
    op->trusted = pl_marks_cover(PL_MARK_TRUST, t, op->pc);
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    pl_board->trusted_operations += op->trusted;
}

const struct pl_observer pl_marks_observer = {
    .wanted = wanted, .root = learn, .announced = announced, .performed = performed};
