/* SPDX-License-Identifier: MIT */
/*
 * See order.h.  Whenever an entry says that a thread had passed an event, that
 * thread is let run up to there; everything else it did can wait until a later
 * entry asks for it.  That is an order of all operations in which any two that
 * conflict come as they did: if a happened before b and they conflict, an entry
 * between them says that a's thread had passed a, and all entries that let b's
 * thread pass b are later ones.
 */
#include "model/order.h"

#include "base/assert.h"
#include "base/memory.h"

struct state {
    const struct pl_order_end *end;
    struct pl_order_list *out;
    pl_tid running;
    uint32_t at[PL_THREADS_MAX]; /* events that each thread has had */
};

static void put(struct state *s, const struct pl_choice *c)
{
    /* Where a signal came between two accesses is a choice with one option. */
    PL_ASSERT(c->options >= (c->kind == PL_CHOICE_WAY ? 1 : 2) && c->kind < PL_CHOICE_KINDS);
    if (s->out->n < s->out->room)
        s->out->choices[s->out->n] = *c;
    s->out->n++;
}

/* From where the running thread is, `to` goes on. */
static void switch_to(struct state *s, pl_tid to)
{
    pl_tid from = s->running;

    PL_ASSERT(from < PL_THREADS_MAX && to < PL_THREADS_MAX);
    if (from == to)
        return;
    put(s, &(struct pl_choice){
               .kind = PL_CHOICE_THREAD,
               .tid = from,
               .ordinal = s->at[from],
               .target = to,
               .options = 2,
           });
    s->running = to;
}

static void pass(struct state *s, pl_tid tid, uint32_t ordinal)
{
    if (s->at[tid] >= ordinal)
        return;
    switch_to(s, tid);
    s->at[tid] = ordinal;
}

static void choose(struct state *s, const struct pl_order_entry *e)
{
    switch_to(s, e->tid);
    put(s, &(struct pl_choice){
               .kind = e->choice,
               .tid = e->tid,
               .ordinal = e->ordinal,
               .target = e->other,
               .taken = e->taken,
               .options = e->options,
           });
    if (s->at[e->tid] <= e->ordinal)
        s->at[e->tid] = e->ordinal + 1;
}

static void finish(struct state *s)
{
    const struct pl_order_end *end = s->end;

    for (pl_tid i = 0; end->all && i < end->n_threads; i++) {
        if (end->waits[i])
            pass(s, i, end->at[i]);
    }
    if (!end->all && end->last < end->n_threads)
        switch_to(s, end->last);
}

void pl_order_linearize(const struct pl_order_entry *entries, uint64_t n,
                        const struct pl_order_end *end, struct pl_order_list *out)
{
    static struct state s; /* too large for a stack that may be small */

    PL_ASSERT(end->n_threads <= PL_THREADS_MAX);
    PL_ASSERT(!end->all || (end->waits != 0 && end->at != 0));
    pl_memory_fill(&s, 0, sizeof(s));
    s.end = end;
    s.out = out;
    for (uint64_t i = 0; i < n; i++) {
        const struct pl_order_entry *e = &entries[i];

        if (e->tid >= PL_THREADS_MAX)
            continue;
        switch ((uint8_t)e->kind) {
        case PL_ORDER_PASSED:
            pass(&s, e->tid, e->ordinal);
            break;
        case PL_ORDER_CHOICE:
            choose(&s, e);
            break;
        default:
            break;
        }
    }
    finish(&s);
}
