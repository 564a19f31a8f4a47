/* SPDX-License-Identifier: MIT */
/*
 * The machine of machine.h: the state of objects and threads, what can go on, what an operation
 * does, and the loop that the runtime's scheduler is.
 *
 * What holds: an object has an owner or readers or neither; a thread that waits at a condition has
 * given its mutex up and announces that it wakes up.
 */
#include "machine.h"

#include "base/hash.h"
#include "model/depend.h"
#include "strategy/shared/table.h"

#include <string.h>
#include <sys/mman.h>

struct pl_operation machine_operation(enum pl_op_kind kind, pl_tid tid, uint64_t addr)
{
    return (struct pl_operation){.kind = (uint8_t)kind,
                                 .way = PL_WAY_NORMAL,
                                 .tid = tid,
                                 .size = MACHINE_SIZE,
                                 .addr = addr,
                                 .name = MACHINE_NAME + tid,
                                 .effect = (uint8_t)pl_operation_effect(kind),
                                 .waker = PL_TID_NONE};
}

bool machine_same(const struct machine_run *a, const struct machine_run *b)
{
    return a->n == b->n && memcmp(a->who, b->who, a->n) == 0;
}

/* ---- state ---- */

static struct machine_object *object_at(struct machine *m, uint64_t addr)
{
    unsigned i = 0;

    while (i < m->n_objects && m->objects[i].addr != addr)
        i++;
    PL_ASSERT(i < MACHINE_OBJECTS);
    if (i == m->n_objects)
        m->objects[m->n_objects++] = (struct machine_object){.addr = addr, .owner = PL_TID_NONE};
    return &m->objects[i];
}

uint64_t machine_value(const struct machine *m, uint64_t addr)
{
    for (unsigned i = 0; i < m->n_objects; i++) {
        if (m->objects[i].addr == addr)
            return m->objects[i].value;
    }
    return 0;
}

static bool is_about_thread(unsigned kind)
{
    return pl_operation_is(kind, PL_ROLES(CREATES, JOINS, OF_THREAD));
}

/* The step that the thread has come to; while it waits it is the wait. */
static const struct machine_step *step_of(const struct machine *m, unsigned t)
{
    const struct machine_place *at = &m->at[t];

    return &m->program->threads[t].steps[at->waits || at->late ? at->step - 1 : at->step];
}

static bool holds(const struct machine_step *s, uint64_t loaded)
{
    int64_t value = (int64_t)loaded, than = (int64_t)s->than;

    return (s->test == MACHINE_EQUAL && value == than) ||
           (s->test == MACHINE_LESS && value < than) ||
           (s->test == MACHINE_NOT_LESS && value >= than);
}

static uint64_t address_of(const struct machine *m, unsigned t)
{
    const struct machine_step *s = step_of(m, t);

    return s->elsewhere != 0 && holds(s, m->at[t].loaded) ? s->elsewhere : s->addr;
}

static bool has_ended(const struct machine *m, unsigned t)
{
    PL_ASSERT(t < m->program->n);
    return m->at[t].exists && !m->at[t].created && !m->at[t].waits && !m->at[t].late &&
           step_of(m, t)->kind == PL_OP_NONE;
}

static bool is_free_for(const struct machine_object *o, unsigned kind)
{
    return o->owner == PL_TID_NONE && (o->readers == 0 || pl_operation_is(kind, PL_ROLE_SHARES));
}

/* Whether what the operation waits for, if it does, has come. */
static bool is_enabled(struct machine *m, const struct pl_operation *op)
{
    struct machine_object *o = object_at(m, op->addr);

    if (pl_operation_is(op->kind, PL_ROLE_REGAINS))
        return m->at[op->tid].woken && is_free_for(object_at(m, op->other), op->kind);
    if (pl_operation_is(op->kind, PL_ROLE_JOINS))
        return has_ended(m, op->aux);
    if (pl_operation_is(op->kind, PL_ROLE_TRIES))
        return true;
    if (pl_operation_is(op->kind, PL_ROLE_ACQUIRES))
        return is_free_for(o, op->kind);
    return !pl_operation_is(op->kind, PL_ROLE_TAKES) || o->value > 0;
}

/* How the operation would go on now. */
static enum pl_way way_of(struct machine *m, const struct pl_operation *op)
{
    bool timed = pl_operation_is(step_of(m, op->tid)->kind, PL_ROLE_TIMED) && !m->at[op->tid].late;

    if (is_enabled(m, op))
        return PL_WAY_NORMAL;
    if (pl_operation_is(op->kind, PL_ROLE_REGAINS) && m->at[op->tid].woken)
        return PL_WAY_BLOCKED;
    return timed ? PL_WAY_TIMEOUT : PL_WAY_BLOCKED;
}

/* The operation that comes next, before it is known whether it can be performed. */
static struct pl_operation next_of(const struct machine *m, unsigned t)
{
    const struct machine_step *s = step_of(m, t);
    const struct machine_place *at = &m->at[t];
    struct pl_operation op = machine_operation(PL_OP_THREAD_START, (pl_tid)t, 0);

    if (at->created) {
        op.aux = at->creator;
        return op;
    }
    op.kind = (uint8_t)(at->waits ? PL_OP_COND_WAKE : s->kind);
    op.pc = s->pc;
    op.statement = (uint32_t)s->pc;
    if (at->late) { /* its time has run out, and it wants the mutex */
        op.kind = PL_OP_MUTEX_LOCK;
        op.addr = s->other;
        return op;
    }
    if (is_about_thread(s->kind))
        op.aux = (uint32_t)s->addr;
    else
        op.addr = address_of(m, t);
    if (pl_operation_is(s->kind, PL_ROLE_GIVES_UP))
        op.other = s->other;
    if (at->woken) {
        op.waker = at->waker;
        op.wake = at->wake;
    }
    return op;
}

/* What the thread is about to do; false if there is nothing. */
static bool announce(struct machine *m, unsigned t)
{
    struct pl_operation *op = &m->ops[t];

    if (!m->at[t].exists || has_ended(m, t))
        return false;
    *op = next_of(m, t);
    op->ordinal = m->at[t].ordinal;
    op->effect = PL_EFFECT_NONE; /* until it is performed */
    op->way = (uint8_t)way_of(m, op);
    return true;
}

/* Who can go on, and who cannot. */
static void collect(struct machine *m)
{
    m->n_next = m->n_blocked = 0;
    for (unsigned t = 0; t < m->program->n; t++) {
        if (!announce(m, t))
            continue;
        if (m->ops[t].way == PL_WAY_BLOCKED)
            m->blocked[m->n_blocked++] = &m->ops[t];
        else
            m->next[m->n_next++] = &m->ops[t];
    }
}

/* What all who have not come to their ends are about to do, in all[]. */
static unsigned unfinished(struct machine *m, const struct pl_operation *all[MACHINE_THREADS])
{
    unsigned n = 0;

    for (unsigned t = 0; t < m->program->n; t++) {
        if (!announce(m, t))
            continue;
        m->ops[t].parked = m->at[t].waits && !m->at[t].woken && m->ops[t].way == PL_WAY_BLOCKED;
        all[n++] = &m->ops[t];
    }
    return n;
}

/* The thread is at a point, or has come to its end. */
static void come_to(struct machine *m, unsigned t)
{
    m->here = (struct pl_operation){.kind = PL_OP_THREAD_EXIT,
                                    .tid = (pl_tid)t,
                                    .ordinal = m->at[t].ordinal,
                                    .name = MACHINE_NAME + t};
    if (announce(m, t))
        m->here = m->ops[t];
}

/* ---- what operations do ---- */

/* Those who wait at a condition and have not been woken, in waiting[]. */
static unsigned waiters_at(const struct machine *m, uint64_t addr,
                           const struct pl_operation *waiting[MACHINE_THREADS])
{
    unsigned n = 0;

    for (unsigned t = 0; t < m->program->n; t++) {
        if (m->at[t].waits && !m->at[t].woken && m->ops[t].addr == addr)
            waiting[n++] = &m->ops[t];
    }
    return n;
}

/* The same questions as in the runtime: what will it do to its object in this state? */
static enum pl_effect effect_of(struct machine *m, struct pl_operation *op)
{
    const struct pl_operation *waiting[MACHINE_THREADS];
    const struct machine_step *s = step_of(m, op->tid);
    const struct machine_object *o = object_at(m, op->addr);
    enum pl_effect most = pl_operation_effect(op->kind);

    if (pl_operation_is(op->kind, PL_ROLE_ACQUIRES))
        return op->way == PL_WAY_NORMAL && is_free_for(o, op->kind) ? most : PL_EFFECT_READ;
    if (pl_operation_is(op->kind, PL_ROLE_RELEASES))
        return o->readers > 0 ? PL_EFFECT_ADD : most;
    if (pl_operation_is(op->kind, PL_ROLE_TAKES)) {
        op->aux = (uint32_t)o->value;
        return op->way == PL_WAY_NORMAL && o->value > 0 ? most : PL_EFFECT_READ;
    }
    if (pl_operation_is(op->kind, PL_ROLE_WAKES))
        return waiters_at(m, op->addr, waiting) > 0 ? most : PL_EFFECT_READ;
    if (pl_depend_leaves(op))
        return most;
    if (pl_operation_is(op->kind, PL_ROLES(GIVES_UP, REGAINS))) {
        op->other_effect = PL_EFFECT_WRITE;
        return op->kind == PL_OP_COND_WAKE ? PL_EFFECT_NONE : most;
    }
    if (op->kind == PL_OP_ATOMIC_CAS)
        return o->value == s->other ? most : PL_EFFECT_READ;
    return op->kind == PL_OP_ATOMIC_RMW && s->adds ? PL_EFFECT_ADD : most;
}

static void wake(struct machine *m, pl_tid waiter, const struct pl_operation *by)
{
    m->at[waiter].woken = true;
    m->at[waiter].waker = by->tid;
    m->at[waiter].wake = by->ordinal;
}

/* Memory and semaphores. */
static void change_value(struct machine *m, const struct pl_operation *op)
{
    const struct machine_step *s = step_of(m, op->tid);
    struct machine_object *o = object_at(m, op->addr);

    if (op->kind == PL_OP_SEM_POST)
        o->value++;
    else if (pl_operation_is(op->kind, PL_ROLE_TAKES) && op->effect == PL_EFFECT_WRITE)
        o->value--;
    else if (pl_operation_is(op->kind, PL_ROLE_LOADS))
        m->failed |= s->value != 0 && o->value == s->value;
    else if (op->kind == PL_OP_ATOMIC_RMW)
        o->value += s->value;
    else if (pl_operation_object(op->kind) == PL_OBJECT_MEMORY && op->effect == PL_EFFECT_WRITE)
        o->value = s->value + (s->relative ? m->at[op->tid].loaded : 0);
    if (pl_operation_is(op->kind, PL_ROLE_LOADS))
        m->at[op->tid].loaded = o->value;
}

static void change_locks(struct machine *m, const struct pl_operation *op)
{
    struct machine_object *o = object_at(m, op->addr), *mutex = object_at(m, op->other);

    if (pl_depend_took_lock(op) && pl_operation_is(op->kind, PL_ROLE_SHARES))
        o->readers++;
    else if (pl_depend_took_lock(op))
        o->owner = op->tid;
    else if (pl_operation_is(op->kind, PL_ROLE_RELEASES) && o->readers > 0)
        o->readers--;
    else if (pl_operation_is(op->kind, PL_ROLE_RELEASES))
        o->owner = PL_TID_NONE;
    else if (pl_operation_is(op->kind, PL_ROLE_GIVES_UP))
        mutex->owner = PL_TID_NONE;
    else if (pl_operation_is(op->kind, PL_ROLE_REGAINS) && !pl_depend_leaves(op))
        mutex->owner = op->tid;
}

/* Perform it: `chosen` is woken if it wakes one of several. */
static void perform(struct machine *m, pl_tid tid, pl_tid chosen)
{
    const struct pl_operation *waiting[MACHINE_THREADS], *op = &m->ops[tid];
    struct machine_place *at = &m->at[tid];

    change_value(m, op);
    change_locks(m, op);
    if (op->kind == PL_OP_COND_BROADCAST) {
        for (unsigned n = waiters_at(m, op->addr, waiting); n > 0; n--)
            wake(m, waiting[n - 1]->tid, op);
    } else if (chosen != PL_TID_NONE) {
        wake(m, chosen, op);
    }
    if (pl_operation_is(op->kind, PL_ROLE_CREATES)) {
        m->at[op->aux].exists = m->at[op->aux].created = true;
        m->at[op->aux].creator = tid;
    }
    if (!at->waits && !at->late && !at->created) {
        const struct machine_step *s = step_of(m, tid);

        at->step += 1 + (holds(s, at->loaded) ? s->skip : 0);
    }
    at->created = false;
    at->late = pl_depend_leaves(op);
    at->waits = pl_operation_is(op->kind, PL_ROLE_GIVES_UP);
    at->woken = false;
    at->ordinal++;
}

/* ---- executions ---- */

void machine_begin(struct machine *m, const struct machine_program *p)
{
    PL_ASSERT(p->n > 0 && p->n <= MACHINE_THREADS);
    memset(m, 0, sizeof(*m));
    m->program = p;
    m->outcome = PL_OUTCOME_DONE;
    for (unsigned t = 0; t < p->n; t++)
        m->at[t].exists = true;
    for (unsigned t = 0; t < p->n; t++) {
        for (const struct machine_step *s = p->threads[t].steps; s->kind != PL_OP_NONE; s++) {
            if (pl_operation_is(s->kind, PL_ROLE_CREATES))
                m->at[s->addr].exists = false;
        }
    }
    come_to(m, 0);
}

static void record(struct machine *m, const struct pl_strategy_context *c,
                   const struct pl_view *view, unsigned taken)
{
    m->n_choices++;
    if (c->board == NULL)
        return;
    PL_ASSERT(c->board == given.board);
    given.board->choices[given.board->n_choices++] =
        (struct pl_choice){.kind = view->kind,
                           .op = view->at.kind,
                           .tid = view->at.tid,
                           .taken = (uint16_t)taken,
                           .options = (uint16_t)view->options,
                           .ordinal = view->at.ordinal,
                           .target = view->next[taken]->tid,
                           .is_default = view->running >= 0 && taken == (unsigned)view->running,
                           .digest = view->digest};
}

/* One of several operations, or an answer that is none of them. */
static unsigned ask(struct machine *m, const struct pl_strategy *s, struct pl_strategy_context *c,
                    enum pl_choice_kind kind, const struct pl_operation *const *next, unsigned n)
{
    struct pl_view view = {.depth = c->board != NULL ? c->board->n_choices : m->n_choices,
                           .kind = (uint8_t)kind,
                           .options = n,
                           .running = -1,
                           .at = m->here,
                           .next = next,
                           .blocked = m->blocked,
                           .n_blocked = kind == PL_CHOICE_THREAD ? m->n_blocked : 0,
                           .digest = m->digest};

    for (unsigned i = 0; i < n; i++) {
        if (kind == PL_CHOICE_THREAD && next[i]->tid == m->here.tid)
            view.running = (int)i;
    }
    if (n == 1 && !c->following && !pl_strategy_is(s, PL_TRAIT_ALWAYS))
        return 0;
    unsigned taken = s->choose(c, &view);

    if (taken == PL_CHOOSE_CUT || taken == PL_CHOOSE_ABORT)
        return taken;
    PL_ASSERT(taken < n);
    if (n > 1)
        record(m, c, &view, taken);
    m->run.preemptions += view.running >= 0 && taken != (unsigned)view.running &&
                          next[view.running]->way == PL_WAY_NORMAL;
    return taken;
}

static void note(struct machine *m, const struct pl_operation *op)
{
    PL_ASSERT(m->run.n < MACHINE_LONGEST);
    if (pl_operation_object(op->kind) != PL_OBJECT_MEMORY)
        m->digest = pl_hash_quick(m->digest, op->name ^ ((uint64_t)op->kind << 40) ^
                                                 ((uint64_t)op->way << 48) ^ op->ordinal);
    m->performed[m->run.n] = *op;
    m->run.who[m->run.n] = (uint8_t)op->tid;
    m->run.addr[m->run.n] = op->addr;
    m->run.saw[m->run.n] = object_at(m, op->addr)->value;
    m->run.n++;
}

bool machine_step(struct machine *m, const struct pl_strategy *s, struct pl_strategy_context *c)
{
    const struct pl_operation *waiting[MACHINE_THREADS];
    pl_tid chosen = PL_TID_NONE;

    collect(m);
    if (m->n_next == 0 || m->failed)
        return false;
    unsigned taken = ask(m, s, c, PL_CHOICE_THREAD, m->next, m->n_next);

    if (taken == PL_CHOOSE_CUT || taken == PL_CHOOSE_ABORT) {
        m->outcome = taken == PL_CHOOSE_CUT ? PL_OUTCOME_CUT : PL_OUTCOME_ABORTED;
        return false;
    }
    struct pl_operation *op = &m->ops[m->next[taken]->tid];

    m->here = *op;
    op->effect = (uint8_t)effect_of(m, op);
    if (op->other_effect == PL_EFFECT_NONE)
        op->other = 0;
    note(m, op);
    if (s->observe != NULL)
        s->observe(c, op);
    if (op->kind == PL_OP_COND_SIGNAL && op->effect == PL_EFFECT_WRITE)
        chosen =
            waiting[ask(m, s, c, PL_CHOICE_WAITER, waiting, waiters_at(m, op->addr, waiting))]->tid;
    perform(m, op->tid, chosen);
    come_to(m, op->tid);
    return true;
}

enum pl_outcome machine_execute(struct machine *m, const struct machine_program *p,
                                const struct pl_strategy *s, struct pl_strategy_context *c,
                                uint64_t n, unsigned most)
{
    const struct pl_operation *all[MACHINE_THREADS];

    machine_begin(m, p);
    if (c->board != NULL)
        given.board->n_choices = 0;
    c->stuck = false;
    s->begin(c, n);
    while (most > 0 && machine_step(m, s, c))
        most--;
    if (m->outcome != PL_OUTCOME_DONE)
        return m->outcome;
    collect(m);
    if (m->n_next > 0 && !m->failed)
        return m->outcome = PL_OUTCOME_LOST;
    c->stuck = m->n_next == 0 && (m->n_blocked > 0 || !p->quits);
    if (s->last != NULL)
        s->last(c, all, unfinished(m, all));
    m->outcome = m->n_blocked > 0 || m->failed ? PL_OUTCOME_FINDING : PL_OUTCOME_DONE;
    return m->outcome;
}

/* ---- classes ---- */

static bool touch_each_other(uint64_t a, unsigned a_effect, uint64_t a_size, uint64_t b,
                             unsigned b_effect, uint64_t b_size)
{
    if (a == 0 || b == 0 || a_effect == PL_EFFECT_NONE || b_effect == PL_EFFECT_NONE)
        return false;
    if (a_effect == b_effect && a_effect != PL_EFFECT_WRITE)
        return a_effect == PL_EFFECT_ADD && a != b && a < b + b_size && b < a + a_size;
    return a < b + b_size && b < a + a_size;
}

/* Whether two operations cannot be swapped, said in another way than in model/depend.c. */
static bool depends(const struct pl_operation *a, const struct pl_operation *b)
{
    uint64_t a_size = pl_operation_object(a->kind) == PL_OBJECT_MEMORY ? a->size : 1;
    uint64_t b_size = pl_operation_object(b->kind) == PL_OBJECT_MEMORY ? b->size : 1;

    return a->tid == b->tid || (b->waker == a->tid && b->wake == a->ordinal) ||
           (pl_operation_is(a->kind, PL_ROLE_CREATES) && a->aux == b->tid) ||
           (pl_operation_is(b->kind, PL_ROLE_JOINS) && b->aux == a->tid) ||
           touch_each_other(a->addr, a->effect, a_size, b->addr, b->effect, b_size) ||
           touch_each_other(a->addr, a->effect, a_size, b->other, b->other_effect, 1) ||
           touch_each_other(a->other, a->other_effect, 1, b->addr, b->effect, b_size) ||
           touch_each_other(a->other, a->other_effect, 1, b->other, b->other_effect, 1);
}

/* An operation is known by how many of each thread must come before it; a class is a set of them.
 */
uint64_t machine_class(const struct machine *m)
{
    static uint8_t clocks[MACHINE_LONGEST][MACHINE_THREADS];
    uint64_t class = 0;

    memset(clocks, 0, sizeof(clocks));
    for (unsigned i = 0; i < m->run.n; i++) {
        uint64_t hash = m->run.who[i];

        for (unsigned j = 0; j < i; j++) {
            for (unsigned t = 0; depends(&m->performed[j], &m->performed[i]) && t < MACHINE_THREADS;
                 t++)
                clocks[i][t] = clocks[j][t] > clocks[i][t] ? clocks[j][t] : clocks[i][t];
        }
        clocks[i][m->run.who[i]]++;
        for (unsigned t = 0; t < MACHINE_THREADS; t++)
            hash = pl_hash_add(hash, clocks[i][t]);
        class += hash;
    }
    return class;
}

bool machine_is_new(uint64_t *classes, unsigned *n, uint64_t class)
{
    unsigned low = 0, high = *n;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (classes[middle] < class)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < *n && classes[low] == class)
        return false;
    memmove(classes + low + 1, classes + low, (*n - low) * sizeof(class));
    classes[low] = class;
    ++*n;
    return true;
}

/* ---- what strategies are given ---- */

struct machine_given given;

static void *map(void *old, size_t size)
{
    void *memory = old;

    if (old == NULL)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    PL_ASSERT(memory != MAP_FAILED);
    if (old != NULL)
        PL_ASSERT(madvise(old, size, MADV_DONTNEED) == 0); /* zero again */
    return memory;
}

struct pl_strategy_context machine_context(const char *parameters, uint64_t size)
{
    static unsigned char *arena;

    PL_ASSERT(size <= MACHINE_ARENA && strlen(parameters) < sizeof(given.settings.parameters));
    arena = map(arena, MACHINE_ARENA);
    given.hapset = map(given.hapset, sizeof(*given.hapset));
    given.reads_from = map(given.reads_from, sizeof(*given.reads_from));
    given.settings = (struct pl_settings){0};
    given.divergence = (struct pl_divergence){0};
    given.coverage = (struct pl_coverage){0};
    strcpy(given.settings.parameters, parameters);
    return (struct pl_strategy_context){.settings = &given.settings,
                                        .arena = arena,
                                        .arena_size = size,
                                        .divergence = &given.divergence,
                                        .coverage = &given.coverage,
                                        .hapset = given.hapset,
                                        .reads_from = given.reads_from};
}

struct pl_strategy_context machine_board(void)
{
    given.board = map(given.board, sizeof(*given.board));
    return (struct pl_strategy_context){.settings = &given.board->settings,
                                        .arena = given.board->arena,
                                        .arena_size = sizeof(given.board->arena),
                                        .steps = given.board->steps,
                                        .divergence = &given.board->divergence,
                                        .board = given.board};
}

void machine_measure(const struct machine_program *p, struct pl_profile *profile)
{
    static struct machine machine;
    static struct pl_profile_draft draft;
    struct pl_strategy_context c = machine_context("", MACHINE_ARENA);

    given.settings.seed = 1;
    pl_profile_clear(&draft);
    machine_execute(&machine, p, &pl_random, &c, 1, MACHINE_ALL);
    for (unsigned i = 0; i < machine.run.n; i++)
        pl_profile_add(&draft, &machine.performed[i]);
    profile->n_threads = p->n;
    for (unsigned i = 0; i < p->n; i++)
        profile->threads[i] = (struct pl_profile_thread){MACHINE_NAME + i, i > 0 ? 0 : PL_TID_NONE};
    pl_profile_settle(profile, &draft);
}
