/* SPDX-License-Identifier: MIT */
/*
 * The gate of native threads.  An access of memory takes a few nanoseconds here, or the program
 * would take another course than without plait.
 *
 * So coverage is sampled.  A thread tells of its first accesses at a place, then of fewer and
 * fewer: after the n-th visit the next that counts is a quarter further on.  What is
 * remembered of a place may be another's, which shares its entry.
 */
#include "model/gate.h"
#include "runtime/native_begin.h"

static inline uint32_t entry_of(uint64_t pc)
{
    return (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 56) & (PL_NATIVE_SITES - 1);
}

/* How many visits are skipped next; there are at most so many between two that count. */
static uint8_t next_gap(uint8_t gap)
{
    enum { OFTEN = 8, MOST = 200 };

    return gap < OFTEN ? gap + 1 : gap > MOST ? MOST : (uint8_t)(gap + gap / 4);
}

/* An access that is looked at. */
__attribute__((noinline)) static void look(struct pl_thread *t, enum pl_op_kind kind,
                                           const void *addr, uint64_t size, uint64_t pc, bool cover)
{
    struct pl_operation op = {.kind = (uint8_t)kind,
                              .way = PL_WAY_NORMAL,
                              .tid = t->id,
                              .size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
                              .addr = (uint64_t)addr,
                              .pc = pc,
                              .ordinal = t->ordinal,
                              .name = t->name,
                              .waker = PL_TID_NONE};

    if (pl_native_noisy())
        pl_noise_disturb(t, &op, true);
    if (cover)
        pl_cover_event(t, &op);
}

static inline void event(struct pl_thread *t, enum pl_op_kind kind, const void *addr, uint64_t size,
                         uint64_t pc)
{
    struct pl_native_site *s = &pl_stage->native_sites[t->id][entry_of(pc)];
    bool due = s->left == 0;

    t->ordinal++;
    if (due) {
        s->gap = next_gap(s->gap);
        s->left = s->gap >= 8 ? s->gap : 0;
    } else {
        s->left--;
    }
    if (due || pl_stage->noise.on)
        look(t, kind, addr, size, pc, due);
}

/* Whether there is nobody else, or it is none of the program's threads. */
static inline bool off(const struct pl_thread *t)
{
    return t == NULL || pl_stage->n_threads <= 1;
}

static void plain(const void *addr, size_t size, unsigned flags, void *pc)
{
    struct pl_thread *t = pl_free_self;

    if (off(t))
        return;
    event(t,
          !(flags & PL_ACCESS_WRITE) ? PL_OP_READ
          : flags & PL_ACCESS_READ   ? PL_OP_READ_WRITE
                                     : PL_OP_WRITE,
          addr, size, (uint64_t)pc);
}

static int atomic_before(const void *addr, size_t size, unsigned kind, int order,
                         const void *wanted, void *pc)
{
    struct pl_thread *t = pl_free_self;

    if (off(t) || kind == PL_ATOMIC_FENCE)
        return 0;
    t->atomic_addr = (uint64_t)addr;
    t->atomic_pc = (uint64_t)pc;
    event(t,
          kind == PL_ATOMIC_LOAD    ? PL_OP_ATOMIC_LOAD
          : kind == PL_ATOMIC_STORE ? PL_OP_ATOMIC_STORE
          : kind >= PL_ATOMIC_CAS   ? PL_OP_ATOMIC_CAS
                                    : PL_OP_ATOMIC_RMW,
          addr, size, (uint64_t)pc);
    return 0;
}

static void atomic_after(const void *addr, size_t size, unsigned kind, int wrote)
{
}

static void func_entry(void *caller_pc)
{
    struct pl_thread *t = pl_free_self;

    if (t != NULL)
        pl_thread_push_frame(t, (uint64_t)caller_pc, (uint64_t)__builtin_frame_address(0));
}

static void func_exit(void)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL)
        return;
    if (pl_cover_run_leaves(&t->cover, t->n_frames))
        pl_cover_leave(t);
    if (t->n_frames > 0)
        t->n_frames--;
}

static void range(const void *addr, size_t size, bool write, void *pc)
{
    if (size > 0)
        plain(addr, size, write ? PL_ACCESS_WRITE : PL_ACCESS_READ, pc);
}

static void *copy(void *to, const void *from, size_t size, void *pc)
{
    range(from, size, false, pc);
    range(to, size, true, pc);
    return pl_memory_copy(to, from, size);
}

static void *move(void *to, const void *from, size_t size, void *pc)
{
    range(from, size, false, pc);
    range(to, size, true, pc);
    return pl_memory_move(to, from, size);
}

static void *fill(void *to, int byte, size_t size, void *pc)
{
    range(to, size, true, pc);
    return pl_memory_fill(to, byte, size);
}

void pl_native_gate_open(struct pl_gate *gate)
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
