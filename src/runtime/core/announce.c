/* SPDX-License-Identifier: MIT */
/* See announce.h. */
#include "runtime/core/announce.h"

#include "model/depend.h"
#include "runtime/core/middle.h"
#include "runtime/core/observer.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"

__attribute__((noinline)) static uint64_t second_object(const struct pl_thread *t,
                                                        enum pl_op_kind kind, uint64_t addr)
{
    if (pl_operation_is(kind, PL_ROLE_QUEUES))
        return pl_depend_queue(addr, !pl_board->queues_meet);
    if (pl_operation_is(kind, PL_ROLE_CALLS))
        return t->call.second;
    return pl_operation_is(kind, PL_ROLES(GIVES_UP, REGAINS)) ? t->mutex : 0;
}

/*
 * A signal that comes before a call that nobody notices could come behind it as well, unless its
 * handler does not return.  Searches are led there by those who send it; a timer does when time has
 * passed, which is not theirs to plan.  That there are timers is known of the program, whether or
 * not one is set at the moment: executions that differ in that only are of one class.
 */
static bool is_interrupted_by_threads(enum pl_op_kind kind)
{
    return pl_operation_is(kind, PL_ROLE_UNNOTICED) &&
           !pl_shadow_known((uint64_t)&pl_stage->signals.next_timer);
}

/*
 * A handler that has come by a timer may also come before a call that nobody notices, where no
 * search by classes has it; that is the same as behind it, unless the handler waits for what that
 * call begins, or does not return (which is said where it happens).
 */
__attribute__((noinline)) static void announce_in_handler(const struct pl_thread *t, uint64_t pc)
{
    enum pl_op_kind kind = (enum pl_op_kind)t->op.kind;
    bool waits = pl_operation_is(kind, PL_ROLE_CONTENDS)
                     ? pl_operation_is(kind, PL_ROLES(ACQUIRES, TAKES, OF_FILES)) ||
                           (pl_operation_is(kind, PL_ROLE_CALLS) && t->call.waits)
                     : pl_operation_is(kind, PL_ROLE_JOINS);

    if ((waits || pl_operation_is(kind, PL_ROLE_WOKEN) || pl_operation_is(kind, PL_ROLE_REGAINS)) &&
        pl_shadow_known((uint64_t)&pl_stage->signals.next_timer))
        pl_unmodelled("that waits in a handler", PL_UNMODELLED_FUNCTION, pc);
}

/* The number of the thread's next event, which is taken. */
static uint32_t take_ordinal(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr,
                             uint32_t size)
{
    uint32_t ordinal = t->ordinal;
    bool wide = pl_wide_is(size) && pl_operation_is(kind, PL_ROLE_PLAIN);

    t->ordinal += __builtin_expect(wide, 0) ? pl_wide_events(addr, size) : 1;
    return ordinal;
}

/* The signals that an operation on this may read from a descriptor, or find there. */
static uint64_t read_from_files(const struct pl_thread *t, enum pl_op_kind kind, uint64_t addr)
{
    const bool any = pl_operation_is(kind, PL_ROLE_OF_FILES);
    const uint64_t second = second_object(t, kind, addr);
    uint64_t wanted = 0;

    for (unsigned i = 0; pl_stage->process.n_signalfds > 0 && i < PL_SIGNALFDS; i++) {
        const struct pl_signalfd *s = &pl_stage->process.signalfds[i];

        if (s->file != 0 && (any || s->file == addr || s->file == second))
            wanted |= s->wanted;
    }
    return wanted;
}

/*
 * The signals that do not come before its next operation, as pl_operation.deaf has them.  What is
 * about files may find one that is blocked.
 */
static uint64_t deaf_to(const struct pl_thread *t, enum pl_op_kind kind, uint64_t addr)
{
    const struct pl_thread_signals *s = &t->signals;
    uint64_t blocked = s->looks ? UINT64_MAX : s->swapped ? t->mask & s->mask_before : t->mask;

    if (pl_operation_object(kind) == PL_OBJECT_FILE)
        blocked &= ~read_from_files(t, kind, addr);
    return blocked;
}

void pl_announce_as(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint32_t size,
                    uint32_t aux, uint64_t pc, uint32_t ordinal)
{
    addr = pl_alias(addr);
    t->op = (struct pl_operation){
        .kind = (uint8_t)kind,
        .way = PL_WAY_NORMAL,
        .tid = t->id,
        .size = size,
        .addr = addr,
        .pc = pc,
        .ordinal = ordinal,
        .aux = aux,
        .name = t->name,
        .other = pl_operation_is(kind, PL_ROLES(QUEUES, CALLS, GIVES_UP, REGAINS))
                     ? second_object(t, kind, addr)
                     : 0,
        .waker = PL_TID_NONE,
        /* Without an object there is nothing to wait for, as far as searches know. */
        .ready = addr == 0 || (pl_operation_is(kind, PL_ROLE_CALLS) && t->call.unlocked),
        .exposed = pl_board->signals_matter && (t->signals.interruption != PL_INTERRUPTION_NONE ||
                                                is_interrupted_by_threads(kind)),
        .deaf = pl_board->signals_matter ? deaf_to(t, kind, addr) : 0,
    };
    if (pl_operation_object(kind) != PL_OBJECT_MEMORY && !pl_operation_is(kind, PL_ROLE_LATE))
        t->call_pc = pc;
    else if (size > 0)
        t->op.private = t->suspect || pl_shadow_suspect(addr, size);
    t->suspect = false;
    if (pl_thread_listens(t))
        t->op.cancellable = !pl_free && pl_shadow_known((uint64_t)&t->cancel);
    if (pl_operation_uses_object(kind) && pl_stage->n_unjoined > 1)
        pl_shadow_object(addr, t);
    t->announced = true;
    if (__builtin_expect(t->signals.apart, 0))
        announce_in_handler(t, pc);
    t->quiet = pl_stage->n_alive > 1 ? 0 : t->quiet + 1;
    if (__builtin_expect(pl_wide_is(size) || pl_stage->n_wide > 0, 0))
        pl_middle_announced(t);
    if (__builtin_expect(pl_middle_is_across(addr, size), 0) && pl_stage->n_alive > 1)
        pl_middle_announced_across(t);
    pl_observer_announced(t);
    if (pl_stage->signals.n_arrived != pl_stage->signals.n_seen)
        pl_ports.process->arrived();
}

void pl_announce(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint32_t size,
                 uint32_t aux, uint64_t pc)
{
    pl_announce_as(t, kind, addr, size, aux, pc, take_ordinal(t, kind, addr, size));
}

void pl_announce_again(struct pl_thread *t)
{
    const struct pl_operation op = t->op;

    pl_announce(t, (enum pl_op_kind)op.kind, op.addr, op.size, op.aux, op.pc);
    t->op.again = true;
    if (t->woken) {
        t->op.waker = op.waker;
        t->op.wake = op.wake;
    }
}
