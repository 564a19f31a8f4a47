/* SPDX-License-Identifier: MIT */
/*
 * The path of the current execution, while paths are listed; see model/segments.h.
 * It is on the board, where it outlives a runner that dies.
 */
#include "runtime/observe/segments.h"

#include "base/assert.h"
#include "base/memory.h"
#include "model/common.h"
#include "model/depend.h"
#include "runtime/core/observer.h"
#include "runtime/core/ways.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

#include <errno.h>

static void add_frames(struct pl_segment_end *e, const struct pl_thread *t)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;

    for (; n > 0 && e->n_frames < PL_SEGMENTS_FRAMES; n--)
        e->frames[e->n_frames++] = pl_thread_frame(t, n - 1)->pc;
}

static struct pl_segment_end end_of(const struct pl_thread *t, const struct pl_operation *op)
{
    bool own = pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS)); /* of the thread itself */
    struct pl_segment_end e = {.op = op->kind, .pc = own && t->n_frames == 0 ? 0 : op->pc};

    if (pl_operation_is(op->kind, PL_ROLES(CREATES, JOINS)))
        e.object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)op->aux};
    else if (!own)
        e.object = pl_place_of(pl_operation_is(op->kind, PL_ROLE_REGAINS) && !pl_depend_leaves(op)
                                   ? op->other
                                   : op->addr,
                               pl_operation_object(op->kind));
    if (pl_board->settings.stacks)
        add_frames(&e, t);
    return e;
}

static void begin(void)
{
    pl_board->listing = pl_board->settings.listing && pl_common->listing != 0;
    pl_board->path.n = 0;
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_segments *p = &pl_board->path;
    struct pl_segment *s = p->n > 0 ? &p->list[pl_segments_index(p->n - 1)] : NULL;

    if (t->fresh)
        return; /* on its way to its first operation it runs aside */
    if (s == NULL || s->tid != t->id) {
        s = &p->list[pl_segments_index(p->n++)];
        *s = (struct pl_segment){.tid = t->id, .first = end_of(t, op)};
        s->last = s->first;
    } else {
        s->last = end_of(t, op);
    }
    PL_ASSERT(s->tid == t->id);
    s->operations++;
}

/* Wait until there is room; rather late than never, no path is left out. */
static void await_room(struct pl_segments_ring *ring)
{
    while (ring->head - ring->tail >= PL_SEGMENTS_RING) {
        ring->room = 0;
        pl_ask_tool(PL_PHASE_ASK, &ring->room);
    }
}

/* Whom the limit of operations has held back, if that is why the path ends here. */
static void note_late(struct pl_segments *to, enum pl_outcome outcome)
{
    to->late = PL_TID_NONE;
    for (pl_tid i = 0; i < pl_stage->n_threads && outcome == PL_OUTCOME_CUT; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && pl_ways_at_limit(t)) {
            to->late = i;
            to->late_pc = t->op.pc;
            return;
        }
    }
}

static void publish(enum pl_outcome outcome)
{
    struct pl_segments_ring *ring = &pl_board->paths;
    struct pl_segments *from = &pl_board->path, *to;

    await_room(ring);
    PL_ASSERT(ring->head - ring->tail < PL_SEGMENTS_RING);
    to = &ring->paths[ring->head % PL_SEGMENTS_RING];
    to->execution = pl_board->execution;
    to->section = pl_board->section;
    to->outcome = (uint8_t)outcome;
    to->finding = outcome == PL_OUTCOME_FINDING ? pl_board->finding.kind
                  : pl_board->n_noted > 0       ? pl_board->noted[0].kind
                                                : PL_FINDING_NONE;
    note_late(to, outcome);
    to->n = from->n;
    to->n_threads =
        pl_board->n_threads < PL_SEGMENTS_THREADS ? pl_board->n_threads : PL_SEGMENTS_THREADS;
    pl_memory_copy(to->threads, pl_board->threads, to->n_threads * sizeof(to->threads[0]));
    pl_memory_copy(to->list, from->list,
                   (from->n < PL_SEGMENTS_KEPT ? from->n : PL_SEGMENTS_KEPT) * sizeof(to->list[0]));
    PL_PUBLISH(ring->head, ring->head + 1);
    if (ring->head - ring->tail == PL_SEGMENTS_RING / 2)
        pl_ask_ring();
}

static void counted(enum pl_outcome outcome)
{
    if (pl_board->listing)
        publish(outcome);
}

static bool wanted(bool rooted)
{
    return rooted && pl_board->listing;
}

const struct pl_observer pl_segments_observer = {
    .wanted = wanted, .begin = begin, .performed = performed, .counted = counted};
