/* SPDX-License-Identifier: MIT */
/*
 * See starve.h.  Operations are compared with those one period before; the period is where the last
 * few operations have been seen before.  At the end of each repetition what threads have
 * read is compared as well, and a thread is accused when
 *
 * - everybody who could go on in the repetitions has: they are fair, strongly;
 * - the thread was blocked all along at a lock that others took meanwhile, or at a condition or
 *   futex after reading what others wrote meanwhile; or it looked at that again, for nothing;
 * - some other thread did more than look.
 *
 * How many repetitions it takes depends on what is the same in them.  If all who move read the
 * same, nothing in the program counts them, as far as is seen; if the thread that waits does,
 * nothing that it knows brings it nearer; else it takes many.
 */
#include "runtime/observe/starve.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/depend.h"
#include "runtime/core/fair.h"
#include "runtime/core/strategy.h"
#include "runtime/core/ways.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/pump.h"
#include "runtime/observe/report.h"
#include "runtime/observe/stacks.h"

enum {
    GRAM = 16,     /* operations by which a place in what was done is known again */
    ALL_SAME = 8,  /* repetitions after which a thread is starved: everybody reads the same, */
    OWN_SAME = 32, /* it does itself, */
    ANY = 1000,    /* or nobody; */
    LATE = 3,      /* rounds for nothing by which they may be fewer: they begin elsewhere */
    MARGIN = 3,    /* so many more where they are brought about, */
    FEW = 4,       /* and so many after which it is no use to go on with those that starve nobody */
};

#define FACTOR UINT64_C(0x9fb21c651e98df25) /* odd */

static uint64_t bit(pl_tid tid)
{
    return UINT64_C(1) << tid;
}

static struct pl_starving *starving(void)
{
    return &pl_stage->starving;
}

static const struct pl_starving_op *back(uint64_t n)
{
    const struct pl_starving *s = starving();

    PL_CHECK(n > 0 && n <= s->n && n <= PL_STARVING_RING);
    return &s->ring[(s->n - n) % PL_STARVING_RING];
}

bool pl_starve_could(const struct pl_thread *t)
{
    return t->state == PL_THREAD_ALIVE && t->announced && !t->spin.parked && !t->spin.idle &&
           pl_ways_now(t) != PL_WAY_BLOCKED;
}

/* At a lock of pthreads: who has it must give it back. */
static bool wants_lock(const struct pl_operation *op)
{
    unsigned object = pl_operation_object(op->kind);

    return (object == PL_OBJECT_MUTEX && !pl_operation_is(op->kind, PL_ROLE_REGAINS)) ||
           object == PL_OBJECT_RWLOCK || object == PL_OBJECT_SPIN || object == PL_OBJECT_SEM;
}

/* At what tells it that something has changed. */
static bool wants_news(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_REGAINS) || op->kind == PL_OP_FUTEX_WAIT;
}

bool pl_starve_waits(const struct pl_thread *t)
{
    return t->state == PL_THREAD_ALIVE && t->announced && !pl_starve_could(t) &&
           (t->spin.parked || t->spin.idle || wants_lock(&t->op) || wants_news(&t->op));
}

/* ---- what threads read ---- */

static void remember_read(struct pl_starving_reads *r, uint64_t addr)
{
    uint64_t granule = addr & ~UINT64_C(7);

    for (unsigned i = 0; i < r->n; i++) {
        if (r->at[i] == granule)
            return;
    }
    if (r->n < PL_STARVING_READS)
        r->at[r->n++] = granule;
}

static bool are_written(const struct pl_starving_reads *r, const struct pl_starving_op *o)
{
    uint64_t size = o->size != 0 ? o->size : 1; /* of a lock */

    for (unsigned i = 0; i < r->n; i++) {
        if (o->addr < r->at[i] + 8 && r->at[i] < o->addr + size)
            return true;
    }
    return false;
}

static bool changes(unsigned effect)
{
    return effect != PL_EFFECT_NONE && effect != PL_EFFECT_READ;
}

/* An attempt that failed has only looked at the lock. */
static bool looks_at_lock(unsigned kind, unsigned effect)
{
    return pl_operation_is(kind, PL_ROLE_TRIES) && effect == PL_EFFECT_READ &&
           pl_operation_object(kind) != PL_OBJECT_THREAD;
}

/* What it has read since it took a lock or changed something is why it waits. */
static void see_read(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_starving_thread *s = &starving()->threads[t->id];

    bool memory = pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC));

    if (looks_at_lock(op->kind, op->effect)) {
        remember_read(&s->reads, op->addr);
        return;
    }
    if (memory ? changes(op->effect) : pl_operation_is(op->kind, PL_ROLES(ACQUIRES, REGAINS))) {
        s->earlier = s->reads;
        s->reads.n = 0;
    }
    if (!memory || op->size == 0 || pl_operation_is(op->kind, PL_ROLE_OVERWRITES))
        return;
    remember_read(&s->reads, op->addr);
    s->values = pl_hash_add(s->values, pl_fair_value(op->addr, op->size));
}

/* A repetition is over: are the values those of the one before? */
static void compare_values(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_starving_thread *s = &starving()->threads[i];
        uint64_t now = s->values;

        for (unsigned k = 0; k < s->reads.n; k++)
            now = pl_hash_add(now, pl_fair_value(s->reads.at[k], 8));
        s->same = now == s->before ? s->same + 1 : 0;
        s->before = now;
        s->values = 0;
    }
}

/* ---- who is starved ---- */

/* The threads that moved in the last repetition, a bit each. */
static uint64_t last_movers(void)
{
    uint64_t moved = 0;

    for (uint64_t i = 1; i <= starving()->period; i++)
        moved |= bit(back(i)->tid);
    return moved;
}

/* Whether others took its lock in the last repetition. */
static bool is_overtaken(const struct pl_thread *t)
{
    for (uint64_t i = 1; i <= starving()->period; i++) {
        const struct pl_starving_op *o = back(i);

        if (o->tid != t->id && o->addr == t->op.addr &&
            (pl_operation_is(o->kind, PL_ROLES(ACQUIRES, TAKES)) ||
             o->kind == PL_OP_RWLOCK_ATTEMPT))
            return true;
    }
    return false;
}

/* Whether it changes memory, or who has a lock. */
static bool makes_news(const struct pl_starving_op *o)
{
    return changes(o->effect) &&
           pl_operation_is(o->kind, PL_ROLES(PLAIN, ATOMIC) | PL_ROLES(ACQUIRES, TAKES));
}

/* Whether others wrote in the last repetition what the thread has read to know that it must wait,
 * or took the lock that it has tried to get. */
static bool is_passed_by(const struct pl_thread *t)
{
    const struct pl_starving_thread *s = &starving()->threads[t->id];

    for (uint64_t i = 1; i <= starving()->period; i++) {
        const struct pl_starving_op *o = back(i);

        if (o->tid == t->id || !makes_news(o))
            continue;
        if (are_written(&s->reads, o) || are_written(&s->earlier, o))
            return true;
    }
    return false;
}

/* Whether all that the thread did in the repetitions was to look. */
static bool only_looks(pl_tid tid, uint64_t repetitions)
{
    const struct pl_starving_thread *s = &starving()->threads[tid];

    return s->rounds + LATE >= repetitions && s->since <= s->length;
}

static bool is_victim(const struct pl_thread *t, uint64_t moved, uint64_t repetitions)
{
    if (t->state != PL_THREAD_ALIVE || t->timed)
        return false;
    if ((moved & bit(t->id)) != 0)
        return only_looks(t->id, repetitions) && is_passed_by(t);
    if (!t->announced || pl_ways_now(t) != PL_WAY_BLOCKED)
        return false;
    return (wants_lock(&t->op) && is_overtaken(t)) || (wants_news(&t->op) && is_passed_by(t));
}

/* Whether everybody has been told the same for so many repetitions who moves in them. */
static bool is_same_for_all(uint64_t moved, uint32_t repetitions)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if ((moved & bit(i)) != 0 && starving()->threads[i].same < repetitions)
            return false;
    }
    return true;
}

/* ---- accusation ---- */

/* The thread waits; then the operations of others, once round. */
static void add_rows(struct pl_finding *f, const struct pl_thread *victim)
{
    const struct pl_starving *s = starving();

    pl_report_row(f, victim);
    if (f->rows[f->n_rows - 1].waits == PL_ROW_IS) /* for now it could go on: to look again */
        f->rows[f->n_rows - 1].waits =
            s->threads[victim->id].rounds > 1 ? PL_ROW_SPINS : PL_ROW_BLOCKED;
    for (uint64_t i = s->period; i > 0 && f->n_rows < PL_FINDING_ROWS; i--) {
        const struct pl_starving_op *o = back(i);
        struct pl_row *row = &f->rows[f->n_rows++];

        *row = (struct pl_row){.tid = o->tid,
                               .holder = PL_TID_NONE,
                               .op = o->kind,
                               .waits = PL_ROW_ROUND,
                               .pc = o->pc,
                               .object = pl_place_of(o->addr, pl_operation_object(o->kind))};
    }
}

static void accuse(const struct pl_thread *victim, const char *because)
{
    /* Of a loop the lowest place: where in it the thread is, is chance. */
    uint64_t pc = starving()->threads[victim->id].rounds > 1 ? victim->spin.pc : victim->op.pc;
    struct pl_finding *f = pl_report_start(
        PL_FINDING_STARVATION, pc,
        "a thread can be kept waiting for ever while others go on: their operations are the same "
        "again and again, %s; one round of them follows",
        because);

    f->tid = victim->id;
    add_rows(f, victim);
    pl_stacks_fill(f);
    f->signature = pl_hash_add(PL_FINDING_STARVATION, pl_place_relative(pc)) | 1;
    pl_report_end(f);
}

/* Whether the execution is to show what another one has shown. */
static bool is_told(void)
{
    return pl_strategy_is(pl_stage->strategy, PL_TRAIT_HIDDEN | PL_TRAIT_REPLAYS);
}

/* Repetitions beyond those that are needed: a replay, for which other accesses may be points, sees
 * their beginning elsewhere, and nobody leads it on. */
static uint32_t margin(void)
{
    return is_told() ? 0 : MARGIN;
}

static void judge_thread(const struct pl_thread *t, uint64_t moved, uint64_t repetitions)
{
    const struct pl_starving_thread *s = &starving()->threads[t->id];
    uint32_t more = margin();

    if (repetitions >= ALL_SAME + more && s->same + 2 >= ALL_SAME + more &&
        is_same_for_all(moved, ALL_SAME + more - 2))
        accuse(t, "and so is all that they read");
    if (s->same + 2 >= OWN_SAME + more)
        accuse(t, "and so is what it waits for");
    if (repetitions >= ANY + more)
        accuse(t, "a thousand times");
}

/* A repetition has ended, or a schedule that may end within one. */
static void judge(void)
{
    const struct pl_starving *s = starving();
    uint64_t repetitions = s->length / s->period + 1;
    bool progress = false, victim = false;

    if (repetitions < FEW || pl_stage->context.following)
        return; /* the finding is at the end of the schedule */
    uint64_t moved = last_movers();

    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        progress |= (moved & bit(i)) != 0 && !only_looks(i, repetitions);
    for (pl_tid i = 0; i < pl_stage->n_threads && progress && (s->could & ~moved) == 0; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (!is_victim(t, moved, repetitions))
            continue;
        victim = true;
        judge_thread(t, moved, repetitions);
    }
    if (!victim)
        pl_pump_stop();
}

/* ---- what comes again ---- */

static uint64_t power(uint64_t x, unsigned n)
{
    uint64_t p = 1;

    while (n-- > 0)
        p *= x;
    return p;
}

/* Where the last operations have been seen before: so long ago, or 0. */
static uint64_t seen_before(void)
{
    struct pl_starving *s = starving();
    uint64_t slot = pl_hash_mix(s->gram) % PL_STARVING_SEEN, at = s->seen[slot].at;
    bool known = s->seen[slot].gram == s->gram && at != 0;

    s->seen[slot].gram = s->gram;
    s->seen[slot].at = s->n;
    return known && s->n - at <= PL_STARVING_RING / ALL_SAME ? s->n - at : 0;
}

/* What the last operation says about the period. */
static void follow(void)
{
    struct pl_starving *s = starving();
    uint64_t again = seen_before();

    if (s->period != 0 && back(1)->hash == back(1 + s->period)->hash) {
        bool over = ++s->length % s->period == 0;

        if (over)
            compare_values();
        if (over || is_told())
            judge();
        return;
    }
    s->period = again;
    s->length = 0;
    s->could = 0;
}

static uint64_t hash_of(const struct pl_operation *op)
{
    uint64_t h = pl_hash_add(op->pc, (uint64_t)op->tid << 32 | (uint64_t)op->kind << 16 |
                                         (uint64_t)op->effect << 8 | op->way);

    return pl_operation_is(op->kind, PL_ROLE_PLAIN) ? h : pl_hash_add(h, op->addr);
}

static void remember(const struct pl_operation *op)
{
    struct pl_starving *s = starving();
    uint64_t gone = s->n >= GRAM ? back(GRAM)->hash : 0, hash = hash_of(op);

    s->gram = s->gram * FACTOR + hash - gone * power(FACTOR, GRAM);
    s->ring[s->n++ % PL_STARVING_RING] = (struct pl_starving_op){.hash = hash,
                                                                 .pc = op->pc,
                                                                 .addr = op->addr,
                                                                 .size = op->size,
                                                                 .tid = op->tid,
                                                                 .kind = op->kind,
                                                                 .effect = op->effect};
}

/* Who could have gone on instead, or is a candidate of the signal that is given. */
static uint64_t who_could(const struct pl_operation *op)
{
    uint64_t could = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);
        bool candidate = op->kind == PL_OP_COND_SIGNAL && t->state == PL_THREAD_ALIVE &&
                         t->wait == op->addr && pl_operation_is(t->op.kind, PL_ROLE_REGAINS);

        if (i != op->tid && (candidate || pl_starve_could(t)))
            could |= bit(i);
    }
    return could;
}

/* ---- the execution ---- */

static void begun(void)
{
    bool wanted = pl_detect_wants(PL_DETECT_STARVATION) && !pl_free;

    if (!wanted)
        return; /* and nothing of the stage is written: a page that is need not be put back */
    pl_stage->starving.on = true;
    pl_pump_begin(!pl_strategy_is(pl_stage->strategy, PL_TRAIT_HIDDEN | PL_TRAIT_REPLAYS) &&
                  pl_strategy_samples() && !pl_board->measuring && pl_stage->leads == NULL);
}

static void announced(struct pl_thread *t, struct pl_operation *op)
{
    pl_pump_announced();
}

static void chosen(const struct pl_thread *t, bool switched)
{
    pl_pump_chosen(t);
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_starving *s = starving();

    if (pl_stage->n_threads > PL_STARVING_THREADS) {
        s->on = false;
        return;
    }
    /* Its own stack concerns nobody else, and a replay does not know yet what is shared. */
    if (!s->on || (pl_operation_is(op->kind, PL_ROLE_PLAIN) && pl_thread_owns(t, op->addr)))
        return;
    s->threads[t->id].since++;
    see_read(t, op);
    s->could |= who_could(op);
    remember(op);
    follow();
}

/* The thread is where it was before its operation `from`. */
static void idle(struct pl_thread *t, uint32_t from)
{
    struct pl_starving_thread *s;

    if (t->id >= PL_STARVING_THREADS)
        return;
    s = &starving()->threads[t->id];
    bool again = s->idle_at == from;

    s->rounds = again ? s->rounds + 1 : 1;
    s->length = again && s->length > s->since ? s->length : s->since;
    s->since = 0;
    s->idle_at = t->op.ordinal;
}

static bool wanted(bool rooted)
{
    return rooted && pl_detect_wants(PL_DETECT_STARVATION) && !pl_free;
}

const struct pl_observer pl_starve_observer = {.wanted = wanted,
                                               .begun = begun,
                                               .announced = announced,
                                               .chosen = chosen,
                                               .performed = performed,
                                               .idle = idle};
