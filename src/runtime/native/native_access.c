/* SPDX-License-Identifier: MIT */
/*
 * The gate of native threads.  Most accesses of memory take two nanoseconds here, or the program
 * would take another course than without plait; see native_begin.h for those that are looked at.
 */
#include "base/assert.h"
#include "model/gate.h"
#include "runtime/free/noise.h"
#include "runtime/ground/stage.h"
#include "runtime/native/native.h"
#include "runtime/native/native_begin.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/hooks.h"

#include <stdatomic.h>

_Thread_local struct pl_native_site *pl_native_sites __attribute__((tls_model("initial-exec")));

void pl_native_watch(const struct pl_thread *t)
{
    pl_native_sites = t != NULL ? pl_stage->native_sites[t->id] : NULL;
}

/* An access that is looked at. */
__attribute__((noinline)) static void look(struct pl_native_site *s, enum pl_op_kind kind,
                                           const void *addr, uint64_t size, uint64_t pc)
{
    enum { MOST = 1000 }; /* accesses between two that count */
    struct pl_thread *t = pl_free_self;

    PL_ASSERT(t != NULL && t->id < PL_THREADS_MAX);    /* or it would have no sites */
    uint32_t passed = pl_stage->noise.on ? 0 : s->gap; /* or few of them, at first */
    bool counts = pl_native_visit(s, MOST);
    struct pl_operation op = pl_hooks_operation(t, kind, addr, size, pc);

    t->ordinal += passed + 1;
    if (pl_stage->noise.on)
        pl_noise_disturb(t, &op, true);
    if (counts)
        pl_cover_event(t, &op);
}

/* With the parameters of its caller, which is left by a jump and saves nothing. */
__attribute__((noinline)) static void look_plain(const void *addr, size_t size, unsigned flags,
                                                 void *pc)
{
    look(pl_native_site_of((uint64_t)pc), pl_hooks_kind(flags), addr, size, (uint64_t)pc);
}

static void plain(const void *addr, size_t size, unsigned flags, void *pc)
{
    struct pl_native_site *s = pl_native_site_of((uint64_t)pc);

    if (s == NULL)
        return;
    uint16_t left = s->left;

    if (left == 0) {
        look_plain(addr, size, flags, pc);
        return;
    }
    s->left = left - 1;
}

static int atomic_before(const void *addr, size_t size, unsigned kind, int order,
                         const void *wanted, void *pc)
{
    struct pl_native_site *s = pl_native_site_of((uint64_t)pc);

    if (s == NULL || kind == PL_ATOMIC_FENCE)
        return 0;
    pl_free_self->atomic.addr = (uint64_t)addr;
    pl_free_self->atomic.pc = (uint64_t)pc;
    if (s->left > 0) {
        s->left--;
        return 0;
    }
    look(s, pl_hooks_atomic_kind(kind), addr, size, (uint64_t)pc);
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
    pl_hooks_leave(t);
}

void pl_native_gate_open(struct pl_gate *gate)
{
    gate->access = plain;
    gate->atomic_before = atomic_before;
    gate->atomic_after = atomic_after;
    gate->func_entry = func_entry;
    gate->func_exit = func_exit;
}
