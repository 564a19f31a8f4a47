/* SPDX-License-Identifier: MIT */
/*
 * Findings: filled in here, in the thread that is concerned, then the execution
 * ends.  Only numbers and the program's own texts; the tool adds the names.
 */
#include "runtime/rt.h"

bool pl_report_wants(enum pl_detector detector)
{
    return (pl_board->settings.detect >> detector & 1) != 0;
}

/* The callers of the current place, innermost first, from the entry hooks. */
void pl_report_frames(struct pl_finding *f, const struct pl_thread *t)
{
    unsigned n = t->n_frames < PL_FRAMES_MAX ? t->n_frames : PL_FRAMES_MAX;

    f->n_frames = 0;
    for (unsigned i = n; i > 0 && f->n_frames < PL_FINDING_FRAMES; i--)
        f->frames[f->n_frames++] = pl_thread_frame(t, i - 1)->pc;
}

struct pl_finding *pl_report_start(enum pl_finding_kind kind, uint64_t pc, const char *format, ...)
{
    struct pl_finding *f = &pl_board->finding;
    va_list args;

    if (pl_free)
        pl_free_stop();
    if (!pl_stage->rooted)
        pl_keeper_begin_here();
    *f = (struct pl_finding){.kind = (uint8_t)kind, .tid = pl_stage->current, .pc = pc};
    va_start(args, format);
    pl_text_vformat(f->text, sizeof(f->text), format, args);
    va_end(args);
    pl_report_frames(f, pl_thread_self());
    return f;
}

static uint64_t signature_of(const struct pl_finding *f)
{
    uint64_t h = pl_hash_add(f->kind, f->signal);
    uint64_t rows = 0;

    if (f->n_rows == 0 || f->kind == PL_FINDING_MISUSE)
        return pl_hash_add(pl_hash_add(h, pl_place_relative(f->pc)), pl_hash_text(f->text));
    for (unsigned i = 0; i < f->n_rows; i++) {
        /* Where in its loop a spinning thread was caught is chance. */
        if (f->rows[i].waits == 2)
            rows += pl_thread_by_id(f->rows[i].tid)->name;
        else if (f->rows[i].waits != 0)
            rows += pl_hash_add(f->rows[i].op, pl_place_relative(f->rows[i].pc));
    }
    return pl_hash_add(h, rows);
}

void pl_report_end(struct pl_finding *f)
{
    if (f->signature == 0)
        f->signature = signature_of(f) | 1;
    pl_keeper_end(PL_OUTCOME_FINDING);
}

/* Who holds what a blocked thread waits for, and since where. */
pl_tid pl_report_holder(const struct pl_thread *t, uint64_t *since)
{
    pl_tid holder = PL_TID_NONE;
    uint64_t addr = t->op.addr;

    *since = 0;
    if (pl_native)
        return pl_native_holder(t);
    switch (t->op.kind) {
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_TIMEDLOCK:
        holder = pl_mutex_owner(addr);
        break;
    case PL_OP_COND_WAKE:
        if (!t->woken)
            return PL_TID_NONE;
        addr = t->mutex;
        holder = pl_mutex_owner(addr);
        break;
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_TIMEDREAD:
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_RWLOCK_TIMEDWRITE:
        holder = pl_rwlock_holder(addr, t);
        break;
    case PL_OP_SPIN_LOCK:
    case PL_OP_ONCE:
    case PL_OP_GUARD:
        holder = pl_spinlock_owner(addr);
        break;
    case PL_OP_OUTPUT:
        return pl_stdio_owner(addr);
    case PL_OP_THREAD_JOIN:
    case PL_OP_THREAD_TIMEDJOIN:
        return (pl_tid)t->op.aux;
    default:
        return PL_TID_NONE;
    }
    if (holder != PL_TID_NONE) {
        struct pl_held *h = pl_held_find(pl_thread_by_id(holder), (void *)addr);

        *since = h != NULL ? h->pc : 0;
    }
    return holder;
}

void pl_report_row(struct pl_finding *f, const struct pl_thread *t)
{
    if (f->n_rows >= PL_FINDING_ROWS)
        return;
    struct pl_row *r = &f->rows[f->n_rows++];

    *r = (struct pl_row){.tid = t->id, .op = t->op.kind, .pc = t->op.pc, .holder = PL_TID_NONE};
    if (pl_board->settings.carrier != PL_CARRIER_FIBER && !t->announced) {
        r->op = PL_OP_NONE; /* it runs, and its stack says where: not where it was last */
        return;
    }
    r->holder = pl_report_holder(t, &r->since);
    if (t->spin.parked)
        r->pc = t->spin.pc;
    r->waits =
        t->spin.parked ? 2 : t->announced && pl_sched_way((struct pl_thread *)t) == PL_WAY_BLOCKED;
    if (t->op.kind == PL_OP_COND_WAKE && t->woken) /* it has its signal, and wants its mutex */
        r->object = pl_place_of(t->mutex, PL_OBJECT_MUTEX);
    else if (t->op.kind == PL_OP_THREAD_JOIN || t->op.kind == PL_OP_THREAD_TIMEDJOIN)
        r->object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)t->op.aux};
    else
        r->object = pl_place_of(t->op.addr, pl_operation_object(t->op.kind));
}

void pl_report_deadlock(const struct pl_thread *const *members, unsigned n)
{
    struct pl_finding *f = pl_report_start(
        PL_FINDING_DEADLOCK, members[0]->op.pc,
        n == 1 ? "a thread waits for itself" : "%u threads wait for each other in a circle", n);

    f->tid = members[0]->id;
    pl_report_frames(f, members[0]);
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
    uint64_t since;

    if (pl_native)
        return pl_native_holder(t) == other->id;
    switch (t->op.kind) {
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_WRITE: /* each reader keeps a writer out, not only the one that is named */
        return other->state == PL_THREAD_ALIVE &&
               pl_held_find((struct pl_thread *)other, (void *)t->op.addr) != NULL;
    default:
        return pl_report_holder(t, &since) == other->id;
    }
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
        !at->announced || pl_sched_way((struct pl_thread *)at) != PL_WAY_BLOCKED)
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
    c->n--;
    return false;
}

void pl_report_cycle(const struct pl_thread *t)
{
    struct chain c;

    if (!pl_report_wants(PL_DETECT_DEADLOCK))
        return;
    c.n = 0;
    pl_memory_fill(c.seen, 0, sizeof(c.seen));
    if (closes(&c, t))
        pl_report_deadlock(c.members, c.n);
}

/* Nobody is stuck who might be waiting for a thread that was only held back. */
static void end_at_limit(void)
{
    pl_stage->context.stuck = true;
    pl_board->limited = pl_board->stopped = true;
    pl_keeper_end(PL_OUTCOME_CUT);
}

/* Nobody can go on.  `spinning`: some threads go round loops that nobody can end. */
void pl_report_stuck(bool spinning)
{
    struct pl_thread *first = NULL;
    unsigned n = 0;

    if (pl_stage->n_held_back > 0)
        end_at_limit();
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        n++;
        if (first == NULL || (spinning && t->spin.parked && !first->spin.parked))
            first = t;
    }
    PL_ASSERT(first != NULL);
    pl_stage->context.stuck = true;
    if (!spinning && !pl_report_wants(PL_DETECT_DEADLOCK))
        pl_keeper_end(PL_OUTCOME_DONE);
    struct pl_finding *f = spinning
                               ? pl_report_start(PL_FINDING_LIVELOCK, first->spin.pc,
                                                 "a thread goes round a loop that nobody can end")
                               : pl_report_start(PL_FINDING_DEADLOCK, first->op.pc,
                                                 n == 1 ? "the only thread left waits for ever"
                                                        : "all %u threads wait, none can go on",
                                                 n);

    f->tid = first->id;
    pl_report_frames(f, first);
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
    bool stuck = true;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (pl_native_way(t) == PL_WAY_BLOCKED)
            pl_report_cycle(t);
        stuck = stuck && pl_native_way(t) == PL_WAY_BLOCKED && !t->timed &&
                t->op.kind != PL_OP_IO && t->op.kind != PL_OP_SIGNAL_WAIT;
    }
    if (stuck && pl_report_wants(PL_DETECT_DEADLOCK))
        pl_report_stuck(false);
}

/* At `pc` the number of steps ran out; 0 when the time did. */
void pl_report_hang(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool steps = pc != 0;
    /* Where exactly the watch ran out is chance; what the thread called last is not. */
    uint64_t place = steps ? pc : t->call_pc;

    if (pl_native)
        look_for_deadlock();
    struct pl_finding *f =
        pl_report_start(PL_FINDING_HANG, place,
                        steps ? "the execution has more than %lu operations and accesses"
                              : "the execution takes longer than %lu ms",
                        steps ? pl_board->settings.max_steps : pl_board->settings.hang_ms);

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_report_row(f, pl_thread_by_id(i));
    }
    pl_stacks_fill(f);
    f->signature = pl_hash_add(PL_FINDING_HANG, pl_place_relative(place)) | 1;
    pl_report_end(f);
}

void pl_report_misuse(uint64_t pc, const void *object, enum pl_object_kind kind, uint64_t other,
                      const char *format, ...)
{
    va_list args;

    if (!pl_active || !pl_report_wants(PL_DETECT_MISUSE))
        return;
    struct pl_finding *f = pl_report_start(PL_FINDING_MISUSE, pc, "%s", "");

    va_start(args, format);
    pl_text_vformat(f->text, sizeof(f->text), format, args);
    va_end(args);
    if (kind == PL_OBJECT_THREAD) {
        /* Joins of one thread by two are no steps of a search that reduces. */
        if (pl_stage->strategy != NULL && pl_stage->strategy->last != NULL)
            pl_board->divergence.happened = true;
        f->object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = (pl_tid)other};
    } else {
        f->object = pl_place_of((uint64_t)object, kind);
        f->other_pc = other;
    }
    pl_report_end(f);
}

static bool is_noted(enum pl_finding_kind kind, uint64_t signature)
{
    for (uint32_t i = 0; i < pl_board->n_noted; i++) {
        if (pl_board->noted[i].kind == kind && pl_board->noted[i].signature == signature)
            return true;
    }
    return false;
}

/*
 * What is noted before the root belongs to every execution: they all begin with
 * that.  So it stays at the beginning of the list.
 */
struct pl_finding *pl_report_note(enum pl_finding_kind kind, uint64_t signature)
{
    if (!pl_stage->rooted)
        pl_board->n_noted = pl_stage->n_noted; /* what the last section came to is known */
    if (is_noted(kind, signature | 1))
        return NULL;
    if (pl_board->n_noted == PL_BOARD_NOTED) {
        if (pl_common->found_lost == 0)
            pl_common->found_lost = 1;
        return NULL;
    }
    struct pl_finding *f = &pl_board->noted[pl_board->n_noted++];

    if (!pl_stage->rooted)
        pl_stage->n_noted = pl_board->n_noted;
    *f = (struct pl_finding){
        .kind = (uint8_t)kind, .tid = pl_stage->current, .signature = signature | 1};
    return f;
}

static struct pl_row predicted_row(const struct pl_cycle_member *m,
                                   const struct pl_cycle_member *next)
{
    struct pl_row row = {.tid = m->tid,
                         .holder = next->tid,
                         .op = m->op,
                         .waits = 3,
                         .pc = m->wants_pc,
                         .since = next->holds_pc};

    if (m->op == PL_OP_THREAD_JOIN)
        row.object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = next->tid};
    else
        row.object = pl_place_of(m->wants, pl_operation_object(m->op));
    return row;
}

void pl_report_predicted(const struct pl_cycle *c)
{
    uint64_t signature = PL_FINDING_LOCK_ORDER;

    /* Whoever comes first in the circle: the sum is the same. */
    for (unsigned i = 0; i < c->n; i++)
        signature += pl_hash_add(pl_hash_add(c->members[i].op, 3),
                                 pl_place_relative(c->members[i].wants_pc));
    struct pl_finding *f = pl_report_note(PL_FINDING_LOCK_ORDER, signature);

    if (f == NULL)
        return;
    f->tid = c->members[0].tid;
    f->pc = c->members[0].wants_pc;
    pl_text_format(f->text, sizeof(f->text), "%u threads take locks in orders that can deadlock",
                   c->n);
    for (unsigned i = 0; i < c->n; i++)
        f->rows[f->n_rows++] = predicted_row(&c->members[i], &c->members[(i + 1) % c->n]);
}
