/* SPDX-License-Identifier: MIT */
/*
 * The gate of the free carrier.  Every access counts as an event, as on the other
 * carriers (access.c); with a full recording the thread has the memory to itself
 * until its next event.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "model/gate.h"
#include "runtime/core/sched.h"
#include "runtime/free/free.h"
#include "runtime/free/noise.h"
#include "runtime/free/order.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/wide.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/hooks.h"

#include <stdatomic.h>

enum { LOOK = 0xffff }; /* at the limit of events, once in a while */

/* The runtime's own doing, or a thread that is none of the program's. */
static inline bool off(const struct pl_thread *t)
{
    return t == NULL || !pl_active || (t->free.monitor != NULL && pl_stage->busy != 0);
}

static inline bool alone(void)
{
    return pl_stage->n_threads <= 1;
}

static void check_limit(const struct pl_thread *t, uint32_t events, uint64_t pc)
{
    if ((t->ordinal & LOOK) < events && t->ordinal > pl_board->settings.max_steps)
        pl_ports.findings->hang(pc);
}

/* Coverage is sampled, see hooks.h.  Places that share an entry take each other's turns. */
enum { SITES = 256, SELDOM = 64 };
struct site {
    uint8_t wait, gap; /* visits until the next that counts, and from that to the one after it */
};
static struct site sites[PL_THREADS_MAX][SITES];

static bool is_counted(const struct pl_thread *t, uint64_t pc)
{
    struct site *s = &sites[t->id][(pc ^ pc >> 8) % SITES];

    PL_ASSERT(t->id < PL_THREADS_MAX);
    if (s->wait > 0) {
        s->wait--;
        return false;
    }
    s->gap = (uint8_t)pl_hooks_gap(s->gap, SELDOM);
    s->wait = (uint8_t)pl_hooks_wait(s->gap);
    return true;
}

/*
 * Whether something is to come between two accesses of the thread.  Who goes round a loop over
 * memory makes no call at which it could.
 */
static inline bool is_interrupted(const struct pl_thread *t)
{
    return __builtin_expect(
        __atomic_load_n(&t->signals.due, __ATOMIC_RELAXED) |
            (__atomic_load_n(&t->cancel.pending, __ATOMIC_RELAXED) & t->cancel.async) |
            (pl_stage->signals.n_arrived != pl_stage->signals.n_seen),
        0);
}

/* An access is about to happen.  `more`: after what this thread has claimed just before. */
static void event(struct pl_thread *t, enum pl_op_kind kind, const void *addr, uint64_t size,
                  bool more, uint64_t pc)
{
    uint32_t events =
        pl_operation_is(kind, PL_ROLE_PLAIN) ? pl_wide_events((uint64_t)addr, size) : 1;

    PL_ASSERT(t == pl_free_self);
    if (alone()) {
        t->ordinal += events;
        return;
    }
    struct pl_operation op = pl_hooks_operation(t, kind, addr, size, pc);

    bool counts = is_counted(t, pc);

    if (more)
        pl_order_pause(t);
    else
        pl_order_release(t);
    if (!more && is_interrupted(t)) {
        pl_sched_interrupt(kind, addr, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, pc);
        op.ordinal = t->ordinal;
    }
    if (counts && pl_stage->noise.on)
        pl_cover_at(t, &op);
    pl_noise_disturb(t, &op, true);
    if (pl_board->settings.record == PL_RECORD_FULL)
        pl_order_claim(t, (uint64_t)addr, size);
    if (counts)
        pl_cover_event(t, &op);
    t->ordinal += events;
    check_limit(t, events, pc);
}

static void check_heap(uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    if (pl_heap_contains(addr))
        pl_freed_check(addr, size, write, pc);
}

static void plain(const void *addr, size_t size, unsigned flags, void *pc)
{
    struct pl_thread *t = pl_free_self;

    if (off(t))
        return;
    event(t, pl_hooks_kind(flags), addr, size, false, (uint64_t)pc);
    if (pl_heap_contains((uint64_t)addr))
        pl_freed_check_hook((uint64_t)addr, size, flags, (uint64_t)pc);
}

/* A library function touches memory for the program: several ranges, then it begins. */
void pl_free_range(const void *addr, uint64_t size, bool write, uint64_t pc)
{
    struct pl_thread *t = pl_free_self;

    if (off(t))
        return;
    bool more = t->free.claimed_pc == pc && t->free.claimed_ordinal == t->ordinal;

    event(t, write ? PL_OP_WRITE : PL_OP_READ, addr, size, more, pc);
    t->free.claimed_pc = pc;
    t->free.claimed_ordinal = t->ordinal;
    check_heap((uint64_t)addr, size, write, pc);
}

void pl_free_release(const void *addr, uint64_t size, uint64_t pc)
{
    struct pl_thread *t = pl_free_self;

    if (!off(t))
        event(t, PL_OP_FREE, addr, size, false, pc);
}

static int atomic_before(const void *addr, size_t size, unsigned kind, int order,
                         const void *wanted, void *pc)
{
    struct pl_thread *t = pl_free_self;
    bool write = kind != PL_ATOMIC_LOAD && kind != PL_ATOMIC_FENCE;

    if (off(t))
        return 0;
    t->atomic.addr = (uint64_t)addr;
    t->atomic.pc = (uint64_t)pc;
    if (kind == PL_ATOMIC_FENCE) {
        pl_order_release(t);
        t->ordinal++;
        return 0;
    }
    event(t, pl_hooks_atomic_kind(kind), addr, size, false, (uint64_t)pc);
    check_heap((uint64_t)addr, size, write, (uint64_t)pc);
    return 0;
}

static void atomic_after(const void *addr, size_t size, unsigned kind, int wrote)
{
    struct pl_thread *t = pl_free_self;

    if (!off(t))
        pl_order_release(t);
}

static void func_entry(void *caller_pc)
{
    struct pl_thread *t = pl_free_self;
    uint64_t sp = (uint64_t)__builtin_frame_address(0);

    if (off(t))
        return;
    if (t->free.n_claims > 0)
        pl_order_release(t);
    pl_thread_push_frame(t, (uint64_t)caller_pc, sp);
}

static void func_exit(void)
{
    struct pl_thread *t = pl_free_self;

    if (off(t))
        return;
    if (t->free.n_claims > 0)
        pl_order_release(t);
    pl_hooks_leave(t);
}

static void *copy(void *to, const void *from, size_t size, void *pc)
{
    if (size > 0) {
        pl_free_range(from, size, false, (uint64_t)pc);
        pl_free_range(to, size, true, (uint64_t)pc);
    }
    return pl_memory_copy(to, from, size);
}

static void *move(void *to, const void *from, size_t size, void *pc)
{
    if (size > 0) {
        pl_free_range(from, size, false, (uint64_t)pc);
        pl_free_range(to, size, true, (uint64_t)pc);
    }
    return pl_memory_move(to, from, size);
}

static void *fill(void *to, int byte, size_t size, void *pc)
{
    if (size > 0)
        pl_free_range(to, size, true, (uint64_t)pc);
    return pl_memory_fill(to, byte, size);
}

void pl_free_gate_open(struct pl_gate *gate)
{
    gate->access = plain;
    gate->atomic_before = atomic_before;
    gate->atomic_after = atomic_after;
    gate->func_entry = func_entry;
    gate->func_exit = func_exit;
    gate->copy = copy;
    gate->move = move;
    gate->fill = fill;
}
