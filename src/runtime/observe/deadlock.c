/* SPDX-License-Identifier: MIT */
/*
 * Threads that cannot go on: circles of threads that wait for each other, executions in which
 * nobody can go on or that do not end.
 */
#include "runtime/observe/deadlock.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/pace.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/shadow.h"
#include "runtime/core/ways.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/report.h"
#include "runtime/observe/stacks.h"
#include "runtime/observe/standstill.h"

static void report(const struct pl_thread *const *members, unsigned n)
{
    PL_ASSERT(n > 0 && n <= PL_FINDING_ROWS);
    struct pl_finding *f = pl_report_start(
        PL_FINDING_DEADLOCK, members[0]->op.pc,
        n == 1 ? "a thread waits for itself" : "%u threads wait for each other in a circle", n);

    f->tid = members[0]->id;
    for (unsigned i = 0; i < n; i++) {
        pl_thread_by_id(members[i]->id)->op.circle = true;
        pl_report_row(f, members[i]);
    }
    pl_stacks_fill(f);
    pl_report_end(f);
}

/* Whether `other` must do something before t, which is blocked, can go on. */
static bool waits_for(const struct pl_thread *t, const struct pl_thread *other)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);
    uint64_t since;

    if (d->waits_for != NULL && !pl_native)
        return d->waits_for(t, other);
    return pl_report_holder(t, &since) == other->id;
}

/* A way along threads that wait for each other. */
struct chain {
    const struct pl_thread *members[PL_FINDING_ROWS];
    unsigned n;
    uint64_t seen[PL_THREADS_MAX / 64]; /* threads that lead nowhere, or are in it */
};

/* Go on from `at`; true when that leads back to the first member. */
static bool closes(struct chain *c, const struct pl_thread *at)
{
    if (c->n == PL_FINDING_ROWS || at->timed || at->state != PL_THREAD_ALIVE || at->spin.parked ||
        !at->announced || pl_ways_of(at) != PL_WAY_BLOCKED)
        return false;
    c->members[c->n++] = at;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *other = pl_thread_by_id(i);

        if (!waits_for(at, other))
            continue;
        if (other == c->members[0])
            return true;
        if ((c->seen[i / 64] >> (i % 64) & 1) != 0)
            continue;
        c->seen[i / 64] |= UINT64_C(1) << (i % 64);
        if (closes(c, other))
            return true;
    }
    PL_ASSERT(c->n > 0 && c->members[c->n - 1] == at);
    c->n--;
    return false;
}

static void blocked(const struct pl_thread *t)
{
    struct chain c;

    if (!pl_detect_wants(PL_DETECT_DEADLOCK))
        return;
    c.n = 0;
    pl_memory_fill(c.seen, 0, (pl_stage->n_threads + 63U) / 64 * sizeof(*c.seen));
    if (closes(&c, t))
        report(c.members, c.n);
}

/* Nobody is stuck who might be waiting for a thread that was only held back. */
static void end_at_limit(void)
{
    pl_stage->context.stuck = true;
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_LIMITED);
    pl_board->stopped = true;
    pl_ports.restart->end(PL_OUTCOME_CUT);
}

/* Nobody can go on.  `spinning`: some threads go round loops that nobody can end. */
static void stuck(bool spinning)
{
    struct pl_thread *first = NULL;
    unsigned n = 0;

    if (pl_stage->n_held_back > 0)
        end_at_limit();
    if (pl_stage->n_assumed > 0) { /* nor who might be waiting for one that stays there */
        pl_stage->context.stuck = true;
        pl_report_assumed();
    }
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        n++;
        if (first == NULL || (spinning && pl_report_goes_round(t) && !pl_report_goes_round(first)))
            first = t;
    }
    PL_ASSERT(first != NULL);
    pl_stage->context.stuck = true;
    if (!spinning && !pl_detect_wants(PL_DETECT_DEADLOCK))
        pl_ports.restart->end(PL_OUTCOME_DONE);
    struct pl_finding *f = spinning
                               ? pl_report_start(PL_FINDING_LIVELOCK, first->spin.pc,
                                                 "a thread goes round a loop that nobody can end")
                               : pl_report_start(PL_FINDING_DEADLOCK, first->op.pc,
                                                 n == 1   ? "the only thread left waits for ever"
                                                 : n == 2 ? "both threads wait, neither can go on"
                                                          : "all %u threads wait, none can go on",
                                                 n);

    f->tid = first->id;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_report_row(f, pl_thread_by_id(i));
    }
    pl_stacks_fill(f);
    pl_report_end(f);
}

/* Of native threads a deadlock shows only in that the execution does not end. */
static void look_for_deadlock(void)
{
    bool all = true;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (pl_ways_natively(t) == PL_WAY_BLOCKED)
            blocked(t);
        all = all && pl_ways_natively(t) == PL_WAY_BLOCKED && !t->timed &&
              !pl_operation_is(t->op.kind, PL_ROLE_OUTSIDE);
    }
    if (all && pl_detect_wants(PL_DETECT_DEADLOCK))
        stuck(false);
}

/* At `pc` the number of steps ran out; 0 when the time did. */
static void hang(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool steps = pc != 0;
    /* Where exactly the watch ran out is chance; what the thread called last is not. */
    uint64_t place = steps ? pc : t->call_pc;

    if (steps && pl_board->settings.max_steps == PL_PACE_STEPS && !pl_free)
        pl_ports.restart->end(PL_OUTCOME_SLOW);
    if (pl_native)
        look_for_deadlock();
    pl_stage->by_watch = !steps;
    struct pl_finding *f =
        pl_report_start(PL_FINDING_HANG, place,
                        steps ? "the execution has more than %lu operations and accesses"
                              : "nothing happens any more for %lu ms",
                        steps ? pl_board->settings.max_steps : pl_board->settings.hang_ms);

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_report_row(f, pl_thread_by_id(i));
    }
    pl_stacks_fill(f);
    pl_standstill_add(f);
    f->signature = pl_hash_add(PL_FINDING_HANG, pl_place_relative(place)) | 1;
    pl_report_end(f);
}

/* Fresh memory of the heap. */
static void fresh(uint64_t addr, uint64_t size)
{
    pl_feed_fresh(addr, size);
    pl_shadow_clear(addr, size);
}

const struct pl_findings_port pl_deadlock_port = {
    .blocked = blocked,
    .stuck = stuck,
    .standstill = pl_standstill_look,
    .hang = hang,
    .bad_free = pl_freed_badly,
    .freed = pl_freed_block,
    .fresh = fresh,
};
