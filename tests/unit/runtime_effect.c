/* SPDX-License-Identifier: MIT */
/*
 * What an operation does to its object in the state it finds, and whether it can go on, as the
 * descriptors of the runtime say: with objects of pthreads whose state is written by hand, and
 * against the machine, which says the same of programs that it executes.
 *
 * All of the runtime is in this test.  Nothing is modelled in it, since no tool has started it.
 */
#include "unit.h"

#include "machine.h"
#include "runtime/core/ways.h"
#include "runtime_stage.h"
#include "strategy/shared/table.h"

#include <semaphore.h>

enum { THREADS = 3, PROGRAMS = 60, EXECUTIONS = 20 };

static _Alignas(64) struct {
    uint64_t cells[3];
    pthread_mutex_t mutexes[2];
    pthread_rwlock_t rwlock;
    pthread_cond_t cond;
    sem_t sem;
} objects;

static uint64_t at(const void *object)
{
    return (uint64_t)object;
}

/* Thread 1 is about to perform it; what it does. */
static struct pl_operation settle(enum pl_op_kind kind, uint64_t addr, enum pl_way way)
{
    struct pl_thread *t = stage_thread(1);

    t->op = machine_operation(kind, 1, addr);
    t->op.way = (uint8_t)way;
    t->op.effect = PL_EFFECT_NONE;
    t->op.other = addr + 512;
    t->atomic.addr = addr;
    pl_descriptor_settle(t);
    CHECK(t->op.other_effect != PL_EFFECT_NONE || t->op.other == 0);
    return t->op;
}

static enum pl_effect effect_of(enum pl_op_kind kind, const void *object)
{
    return (enum pl_effect)settle(kind, at(object), PL_WAY_NORMAL).effect;
}

static void begin(void)
{
    stage_set(THREADS);
    memset(&objects, 0, sizeof(objects));
}

/* ---- memory ---- */

static void an_exchange_that_fails_only_reads(void)
{
    uint64_t wanted = 7;

    begin();
    stage_thread(1)->atomic.wanted = &wanted;
    CHECK(effect_of(PL_OP_ATOMIC_CAS, &objects.cells[0]) == PL_EFFECT_READ);
    objects.cells[0] = 7;
    CHECK(effect_of(PL_OP_ATOMIC_CAS, &objects.cells[0]) == PL_EFFECT_WRITE);
    CHECK(settle(PL_OP_ATOMIC_CAS, at(&objects.cells[0]), PL_WAY_SPURIOUS).effect ==
          PL_EFFECT_READ); /* for no reason */
    stage_thread(1)->atomic.wanted = NULL;
    CHECK(effect_of(PL_OP_ATOMIC_CAS, &objects.cells[0]) == PL_EFFECT_WRITE);
}

/* A weak exchange has a choice only where it would have stored. */
static void a_weak_exchange_may_fail(void)
{
    uint64_t wanted = 7;
    struct pl_thread *t;

    begin();
    t = stage_thread(1);
    t->atomic.wanted = &wanted;
    t->atomic.weak = true;
    pl_board->settings.weak_cas = true;
    settle(PL_OP_ATOMIC_CAS, at(&objects.cells[0]), PL_WAY_NORMAL);
    CHECK(!pl_descriptor_of(t)->may_fail(t));
    objects.cells[0] = 7;
    CHECK(pl_descriptor_of(t)->may_fail(t));
    t->atomic.weak = false;
    CHECK(!pl_descriptor_of(t)->may_fail(t));
}

static void an_addition_whose_result_nobody_uses_commutes(void)
{
    begin();
    CHECK(effect_of(PL_OP_ATOMIC_RMW, &objects.cells[0]) == PL_EFFECT_WRITE);
    stage_thread(1)->atomic.adds = true;
    CHECK(effect_of(PL_OP_ATOMIC_RMW, &objects.cells[0]) == PL_EFFECT_ADD);
}

static void private_memory_is_not_touched(void)
{
    begin();
    stage_thread(1)->op = machine_operation(PL_OP_WRITE, 1, at(&objects.cells[0]));
    stage_thread(1)->op.private = true;
    pl_descriptor_settle(stage_thread(1));
    CHECK(stage_thread(1)->op.effect == PL_EFFECT_NONE);
}

/* ---- locks ---- */

static void own(pthread_mutex_t *m, int owner, unsigned depth)
{
    m->__data.__lock = m->__data.__owner = owner;
    m->__data.__count = depth;
}

static void a_mutex_that_is_taken_is_only_looked_at(void)
{
    pthread_mutex_t *m = &objects.mutexes[0];

    begin();
    CHECK(effect_of(PL_OP_MUTEX_TRYLOCK, m) == PL_EFFECT_WRITE);
    own(m, 3, 1); /* by thread 2 */
    CHECK(effect_of(PL_OP_MUTEX_TRYLOCK, m) == PL_EFFECT_READ);
    CHECK(settle(PL_OP_MUTEX_TIMEDLOCK, at(m), PL_WAY_TIMEOUT).effect == PL_EFFECT_READ);
    own(m, 0, 0);
    CHECK(effect_of(PL_OP_MUTEX_LOCK, m) == PL_EFFECT_WRITE);
    CHECK(settle(PL_OP_MUTEX_TIMEDLOCK, at(m), PL_WAY_TIMEOUT).effect == PL_EFFECT_READ);
}

/* Going deeper and coming up again touches nothing, but for the last unlock. */
static void nested_locks_change_nothing(void)
{
    pthread_mutex_t *m = &objects.mutexes[0];
    struct pl_operation op;

    begin();
    m->__data.__kind = PTHREAD_MUTEX_RECURSIVE;
    own(m, 2, 1);
    op = settle(PL_OP_MUTEX_LOCK, at(m), PL_WAY_NORMAL);
    CHECK(op.nested && op.effect == PL_EFFECT_READ);
    own(m, 2, 2);
    op = settle(PL_OP_MUTEX_UNLOCK, at(m), PL_WAY_NORMAL);
    CHECK(op.nested && op.effect == PL_EFFECT_READ);
    own(m, 2, 1);
    op = settle(PL_OP_MUTEX_UNLOCK, at(m), PL_WAY_NORMAL);
    CHECK(!op.nested && op.effect == PL_EFFECT_WRITE);
}

static void readers_add(void)
{
    pthread_rwlock_t *l = &objects.rwlock;

    begin();
    CHECK(effect_of(PL_OP_RWLOCK_READ, l) == PL_EFFECT_ADD);
    CHECK(effect_of(PL_OP_RWLOCK_TRYREAD, l) == PL_EFFECT_ADD);
    CHECK(effect_of(PL_OP_RWLOCK_TRYWRITE, l) == PL_EFFECT_WRITE);
    l->__data.__readers = 2;
    CHECK(effect_of(PL_OP_RWLOCK_TRYREAD, l) == PL_EFFECT_ADD);
    CHECK(effect_of(PL_OP_RWLOCK_TRYWRITE, l) == PL_EFFECT_READ);
    CHECK(effect_of(PL_OP_RWLOCK_UNLOCK, l) == PL_EFFECT_ADD);
    CHECK(settle(PL_OP_RWLOCK_TIMEDREAD, at(l), PL_WAY_TIMEOUT).effect == PL_EFFECT_READ);
    l->__data.__readers = 0;
    l->__data.__writers = 3;
    CHECK(effect_of(PL_OP_RWLOCK_TRYREAD, l) == PL_EFFECT_READ);
    CHECK(effect_of(PL_OP_RWLOCK_TRYWRITE, l) == PL_EFFECT_READ);
    CHECK(effect_of(PL_OP_RWLOCK_UNLOCK, l) == PL_EFFECT_WRITE);
    l->__data.__writers = 2; /* itself: it is told that it has it already */
    CHECK(effect_of(PL_OP_RWLOCK_TRYREAD, l) == PL_EFFECT_READ);
}

static void spin_locks_are_tried(void)
{
    pthread_spinlock_t lock = 1; /* free */

    begin();
    CHECK(settle(PL_OP_SPIN_TRYLOCK, at((void *)&lock), PL_WAY_NORMAL).effect == PL_EFFECT_WRITE);
    lock = 0;
    CHECK(settle(PL_OP_SPIN_TRYLOCK, at((void *)&lock), PL_WAY_NORMAL).effect == PL_EFFECT_READ);
}

/* ---- others ---- */

static void a_signal_without_waiter_only_looks(void)
{
    pthread_cond_t *c = &objects.cond;

    begin();
    CHECK(effect_of(PL_OP_COND_SIGNAL, c) == PL_EFFECT_READ);
    CHECK(effect_of(PL_OP_COND_BROADCAST, c) == PL_EFFECT_READ);
    stage_thread(2)->wait = at(c);
    CHECK(effect_of(PL_OP_COND_SIGNAL, c) == PL_EFFECT_WRITE);
    CHECK(effect_of(PL_OP_COND_BROADCAST, c) == PL_EFFECT_WRITE);
    stage_thread(2)->woken = true;
    CHECK(effect_of(PL_OP_COND_SIGNAL, c) == PL_EFFECT_READ);
    stage_thread(2)->woken = false;
    stage_thread(2)->wait++; /* at another one */
    CHECK(effect_of(PL_OP_COND_SIGNAL, c) == PL_EFFECT_READ);
}

/* A wait gives the mutex up, and whoever is woken takes it; whose time runs out does not.  One that
 * is locked twice stays with its owner. */
static void waits_have_two_objects(void)
{
    struct pl_operation op;

    begin();
    stage_thread(1)->mutex = at(&objects.mutexes[0]);
    own(&objects.mutexes[0], 2, 2);
    op = settle(PL_OP_COND_WAIT, at(&objects.cond), PL_WAY_NORMAL);
    CHECK(op.effect == PL_EFFECT_ADD && op.other_effect == PL_EFFECT_READ);
    own(&objects.mutexes[0], 2, 1);
    op = settle(PL_OP_COND_WAKE, at(&objects.cond), PL_WAY_NORMAL);
    CHECK(op.effect == PL_EFFECT_NONE && op.other_effect == PL_EFFECT_READ);
    op = settle(PL_OP_COND_WAIT, at(&objects.cond), PL_WAY_NORMAL);
    CHECK(op.effect == PL_EFFECT_ADD && op.other_effect == PL_EFFECT_WRITE && op.other != 0);
    own(&objects.mutexes[0], 0, 0);
    op = settle(PL_OP_COND_WAKE, at(&objects.cond), PL_WAY_NORMAL);
    CHECK(op.effect == PL_EFFECT_NONE && op.other_effect == PL_EFFECT_WRITE);
    op = settle(PL_OP_COND_WAKE, at(&objects.cond), PL_WAY_TIMEOUT);
    CHECK(op.effect == PL_EFFECT_ADD && op.other_effect == PL_EFFECT_NONE && op.other == 0);
}

/* Whoever was woken, but could have gone on without. */
static void who_could_leave_is_told(void)
{
    struct pl_thread *t;

    for (unsigned way = 0; way < 4; way++) { /* with a time limit, or for no reason */
        begin();
        t = stage_thread(1);
        t->timed = way == 1;
        t->mutex = at(&objects.mutexes[0]);
        pl_board->settings.spurious = way == 2;
        t->op = machine_operation(PL_OP_COND_WAKE, 1, at(&objects.cond));
        t->op.waker = way == 3 ? PL_TID_NONE : 2;
        pl_descriptor_settle(t);
        CHECK(t->op.leaves == (way == 1 || way == 2));
    }
}

static void semaphores_are_looked_at_when_empty(void)
{
    uint32_t *value = (uint32_t *)&objects.sem;

    begin();
    CHECK(effect_of(PL_OP_SEM_TRYWAIT, value) == PL_EFFECT_READ);
    *value = 3;
    struct pl_operation op = settle(PL_OP_SEM_TRYWAIT, at(value), PL_WAY_NORMAL);

    CHECK(op.effect == PL_EFFECT_WRITE && op.aux == 3);
    CHECK(settle(PL_OP_SEM_TIMEDWAIT, at(value), PL_WAY_TIMEOUT).effect == PL_EFFECT_READ);
    CHECK(effect_of(PL_OP_SEM_WAIT, value) == PL_EFFECT_WRITE);
    CHECK(effect_of(PL_OP_SEM_POST, value) == PL_EFFECT_ADD);
}

static void initialisations_that_are_done_are_looked_at(void)
{
    int once = 0;

    begin();
    CHECK(effect_of(PL_OP_ONCE, &once) == PL_EFFECT_WRITE);
    once = 2;
    CHECK(effect_of(PL_OP_ONCE, &once) == PL_EFFECT_READ);
    stage_thread(1)->op = machine_operation(PL_OP_ONCE, 1, at(&once));
    stage_thread(1)->op.noted = true; /* it is what has made it so */
    pl_descriptor_settle(stage_thread(1));
    CHECK(stage_thread(1)->op.effect == PL_EFFECT_WRITE);
}

static void barriers(void)
{
    uint32_t barrier[16] = {0};

    begin();
    CHECK(effect_of(PL_OP_BARRIER_WAIT, barrier) == PL_EFFECT_ADD);
    pl_board->arrivals_matter = true;
    CHECK(effect_of(PL_OP_BARRIER_WAIT, barrier) == PL_EFFECT_WRITE);
    CHECK(effect_of(PL_OP_BARRIER_LEAVE, barrier) == PL_EFFECT_NONE); /* nobody wants to know */
}

static void what_nobody_sees_has_no_effect(void)
{
    struct pl_thread *t;

    begin();
    t = stage_thread(1);
    CHECK(settle(PL_OP_THREAD_EXIT, 0, PL_WAY_NORMAL).effect == PL_EFFECT_WRITE);
    t->op.noted = true;
    pl_descriptor_settle(t);
    CHECK(t->op.effect == PL_EFFECT_NONE);
    CHECK(settle(PL_OP_FUTEX_WAIT, at(&objects.cells[0]), PL_WAY_NORMAL).effect == PL_EFFECT_NONE);
    CHECK(settle(PL_OP_FUTEX_WAIT, at(&objects.cells[0]), PL_WAY_TIMEOUT).effect ==
          PL_EFFECT_WRITE);
}

/* Every kind has a descriptor; what none says is as in the table of operations. */
static void every_kind_is_described(void)
{
    begin();
    for (unsigned kind = 0; kind < PL_OP_KINDS; kind++) {
        CHECK(pl_descriptors[kind] != NULL);
        if (pl_descriptors[kind]->effect == NULL)
            CHECK(effect_of((enum pl_op_kind)kind, &objects) == pl_operation_effect(kind));
    }
}

/* ---- the machine ---- */

static struct machine machine;
static unsigned compared;

/* The objects of pthreads as those of the machine are. */
static void mirror_objects(void)
{
    memset(&objects, 0, sizeof(objects));
    for (unsigned i = 0; i < machine.n_objects; i++) {
        const struct machine_object *o = &machine.objects[i];
        int owner = o->owner == PL_TID_NONE ? 0 : o->owner + 1;

        for (unsigned k = 0; k < 3; k++) {
            if (o->addr == at(&objects.cells[k]))
                objects.cells[k] = o->value;
        }
        for (unsigned k = 0; k < 2; k++) {
            if (o->addr == at(&objects.mutexes[k]))
                own(&objects.mutexes[k], owner, owner != 0);
        }
        if (o->addr == at(&objects.rwlock)) {
            objects.rwlock.__data.__writers = (unsigned)owner;
            objects.rwlock.__data.__readers = o->readers;
        }
        if (o->addr == at(&objects.sem))
            *(uint32_t *)&objects.sem = (uint32_t)o->value;
    }
}

static const struct machine_step *step_at(pl_tid tid)
{
    const struct machine_place *p = &machine.at[tid];

    return &machine.program->threads[tid].steps[p->waits ? p->step - 1 : p->step];
}

/* A thread has announced what the machine says. */
static struct pl_thread *mirror_thread(const struct pl_operation *op)
{
    struct pl_thread *t = stage_thread(op->tid);
    const struct machine_step *s = step_at(op->tid);

    t->op = *op;
    t->announced = true;
    t->timed = pl_operation_is(s->kind, PL_ROLE_TIMED) && !machine.at[op->tid].late &&
               op->kind != PL_OP_COND_TIMEDWAIT; /* that one begins to wait at once */
    t->mutex = op->other;
    t->wait = machine.at[op->tid].waits ? op->addr : 0;
    t->woken = machine.at[op->tid].woken;
    t->atomic.wanted = op->kind == PL_OP_ATOMIC_CAS ? &s->other : NULL;
    t->atomic.addr = op->addr;
    t->atomic.adds = s->adds;
    return t;
}

/* Before the machine performs it. */
static void compare(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_operation before = *op;

    mirror_objects();
    for (unsigned i = 0; i < machine.n_next; i++)
        CHECK(pl_ways_of(mirror_thread(machine.next[i])) == machine.next[i]->way);
    for (unsigned i = 0; i < machine.n_blocked; i++)
        CHECK(pl_ways_of(mirror_thread(machine.blocked[i])) == PL_WAY_BLOCKED);
    before.effect = before.other_effect = PL_EFFECT_NONE;
    before.other = machine.here.other; /* which the machine has left out if it is not touched */
    pl_descriptor_settle(mirror_thread(&before));
    CHECK(stage_thread(op->tid)->op.effect == op->effect);
    CHECK(stage_thread(op->tid)->op.other_effect == op->other_effect);
    CHECK(stage_thread(op->tid)->op.other == op->other);
    CHECK(stage_thread(op->tid)->op.aux == op->aux);
    compared++;
}

static void execute(const struct machine_program *p)
{
    struct pl_strategy strategy = pl_random;

    strategy.observe = compare;
    for (unsigned n = 1; n <= EXECUTIONS; n++) {
        struct pl_strategy_context c = machine_context("", 4096);

        begin();
        given.settings.seed = n;
        machine_execute(&machine, p, &strategy, &c, n, MACHINE_ALL);
    }
}

/* Programs are drawn with small numbers for objects. */
static uint64_t real_object(uint64_t number)
{
    switch (number) {
    case 0x1000:
        return at(&objects.cells[0]);
    case 0x1008:
        return at(&objects.cells[1]);
    case 0x1004:
        return at(&objects.cells[2]); /* the machine does not know what parts are worth */
    case 0x2000:
        return at(&objects.mutexes[0]);
    case 0x2040:
        return at(&objects.mutexes[1]);
    case 0x3000:
        return at(&objects.sem);
    default:
        return at(&objects.rwlock);
    }
}

static void drawn_programs_do_the_same(enum machine_palette palette)
{
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct machine_program p = machine_draw(THREADS, palette, seed);

        for (unsigned t = 0; t < p.n; t++) {
            for (struct machine_step *s = p.threads[t].steps; s->kind != PL_OP_NONE; s++)
                s->addr = real_object(s->addr);
        }
        execute(&p);
    }
}

/* Waits with and without a time limit, signals that come too early or too late. */
static void conditions_do_the_same(void)
{
    static const enum pl_op_kind waits[] = {PL_OP_COND_WAIT, PL_OP_COND_TIMEDWAIT};
    static const enum pl_op_kind wakes[] = {PL_OP_COND_SIGNAL, PL_OP_COND_BROADCAST};
    uint64_t mutex = at(&objects.mutexes[0]);

    for (unsigned i = 0; i < 4; i++) {
        struct machine_program p = {.n = THREADS};

        for (unsigned t = 0; t < 2; t++) {
            machine_add(&p, t, PL_OP_MUTEX_LOCK, mutex);
            machine_add(&p, t, waits[i % 2], at(&objects.cond))->other = mutex;
            machine_add(&p, t, PL_OP_MUTEX_UNLOCK, mutex);
        }
        machine_add(&p, 2, wakes[i / 2], at(&objects.cond));
        machine_add(&p, 2, PL_OP_MUTEX_LOCK, mutex);
        machine_add(&p, 2, wakes[i / 2], at(&objects.cond));
        machine_add(&p, 2, PL_OP_MUTEX_UNLOCK, mutex);
        execute(&p);
    }
}

/* Locks that are tried, and that are waited for no longer than a while. */
static void tried_locks_do_the_same(void)
{
    static const struct {
        enum pl_op_kind kind;
        void *object;
    } tries[] = {
        {PL_OP_MUTEX_TRYLOCK, &objects.mutexes[0]}, {PL_OP_MUTEX_TIMEDLOCK, &objects.mutexes[0]},
        {PL_OP_RWLOCK_TRYREAD, &objects.rwlock},    {PL_OP_RWLOCK_TRYWRITE, &objects.rwlock},
        {PL_OP_RWLOCK_TIMEDREAD, &objects.rwlock},  {PL_OP_RWLOCK_TIMEDWRITE, &objects.rwlock},
        {PL_OP_SEM_TIMEDWAIT, &objects.sem},
    };

    for (unsigned i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        struct machine_program p = {.n = THREADS};
        bool mutex = tries[i].object == &objects.mutexes[0];

        machine_add(&p, 0, mutex ? PL_OP_MUTEX_LOCK : PL_OP_RWLOCK_WRITE, at(tries[i].object));
        machine_add(&p, 0, mutex ? PL_OP_MUTEX_UNLOCK : PL_OP_RWLOCK_UNLOCK, at(tries[i].object));
        machine_add(&p, 1, tries[i].kind, at(tries[i].object));
        machine_add(&p, 2, tries[i].kind, at(tries[i].object));
        if (tries[i].object == &objects.sem)
            p.threads[0].steps[0] = p.threads[0].steps[1] =
                (struct machine_step){.kind = PL_OP_SEM_POST, .addr = at(&objects.sem)};
        execute(&p);
    }
}

int main(void)
{
    an_exchange_that_fails_only_reads();
    a_weak_exchange_may_fail();
    an_addition_whose_result_nobody_uses_commutes();
    private_memory_is_not_touched();
    a_mutex_that_is_taken_is_only_looked_at();
    nested_locks_change_nothing();
    readers_add();
    spin_locks_are_tried();
    a_signal_without_waiter_only_looks();
    waits_have_two_objects();
    who_could_leave_is_told();
    semaphores_are_looked_at_when_empty();
    initialisations_that_are_done_are_looked_at();
    barriers();
    what_nobody_sees_has_no_effect();
    every_kind_is_described();
    drawn_programs_do_the_same(MACHINE_MEMORY);
    drawn_programs_do_the_same(MACHINE_SYNC);
    conditions_do_the_same();
    tried_locks_do_the_same();
    CHECK(compared > 10000);
    return unit_result();
}
