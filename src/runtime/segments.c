/* SPDX-License-Identifier: MIT */
/*
 * The path of the current execution, while paths are listed; see model/segments.h.
 * It is on the board, where it outlives a runner that dies.
 */
#include "runtime/rt.h"

static struct pl_segment_end end_of(const struct pl_operation *op)
{
    struct pl_segment_end e = {.op = op->kind};

    switch (op->kind) {
    case PL_OP_THREAD_CREATE:
    case PL_OP_THREAD_JOIN:
    case PL_OP_THREAD_TIMEDJOIN:
        e.object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)op->aux};
        break;
    case PL_OP_THREAD_START:
    case PL_OP_THREAD_EXIT:
        break; /* of the thread itself */
    default:
        e.object = pl_place_of(op->kind == PL_OP_COND_WAKE ? op->other : op->addr,
                               pl_operation_object(op->kind));
    }
    return e;
}

void pl_segments_begin(void)
{
    pl_board->listing = pl_board->settings.listing && pl_common->listing != 0;
    pl_board->path.n = 0;
}

void pl_segments_add(const struct pl_thread *t)
{
    struct pl_segments *p = &pl_board->path;
    struct pl_segment *s = p->n > 0 ? &p->list[pl_segments_index(p->n - 1)] : NULL;

    if (t->fresh)
        return; /* on its way to its first operation it runs aside */
    if (s == NULL || s->tid != t->id) {
        s = &p->list[pl_segments_index(p->n++)];
        *s = (struct pl_segment){.tid = t->id, .first = end_of(&t->op)};
        s->last = s->first;
    } else {
        s->last = end_of(&t->op);
    }
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

void pl_segments_publish(enum pl_outcome outcome)
{
    struct pl_segments_ring *ring = &pl_board->paths;
    struct pl_segments *from = &pl_board->path, *to;

    await_room(ring);
    to = &ring->paths[ring->head % PL_SEGMENTS_RING];
    to->execution = pl_board->execution;
    to->section = pl_board->section;
    to->outcome = (uint8_t)outcome;
    to->finding = outcome == PL_OUTCOME_FINDING ? pl_board->finding.kind
                  : pl_board->n_noted > 0       ? pl_board->noted[0].kind
                                                : PL_FINDING_NONE;
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
