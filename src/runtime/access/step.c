/* SPDX-License-Identifier: MIT */
/*
 * One instruction after the other, while a wide access is made in pieces.
 *
 * The trap flag makes the processor stop after each instruction with SIGTRAP.  The handler runs on
 * the signal stack, which all fibers share, so it never switches: it reads the next instruction and
 * goes on, or puts a call of arrive() before it, which runs on the thread's own stack
 * (core/trampoline.h).  While the runtime runs, the flag is off.
 *
 * What is left when the code goes elsewhere (it returns, calls something that is no hook, or cannot
 * be read) is announced at once, as what a hook announces otherwise.
 *
 * gcc copies a structure in one statement: hook of the write, hook of the read, then loads and
 * stores in turn.  Both belong together, and if only the read is to be made in pieces, the write,
 * announced already, is announced again as it is made.  Whether the first has been made when the
 * hook of the second is called can be seen in the code between them: then there is a store.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/access/step.h"

#include "base/assert.h"
#include "model/gate.h"
#include "runtime/access/operands.h"
#include "runtime/access/pieces.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/trampoline.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/wide.h"
#include "runtime/observe/hooks.h"

#include <ucontext.h>

enum {
    BITS = 64,
    STEPS_MAX = 1 << 20,
    DEEPER_MAX = 16,  /* instructions from a call of a hook into the runtime */
    BETWEEN_MAX = 128 /* bytes of code between two hooks of one statement */
};

extern struct pl_gate plait_runtime_gate;

static inline struct pl_thread_step *step_of(const struct pl_thread *t)
{
    return &pl_stage->steps[t->id];
}

/* ---- pieces of a range, a bit each ---- */

static uint64_t unit_of(const struct pl_step_range *r)
{
    if (pl_wide_is_narrow(r->size))
        return 1;
    return (pl_wide_granules(r->addr, r->size) + BITS - 1) / BITS * 8;
}

static unsigned bit_of(const struct pl_step_range *r, uint64_t at)
{
    return (unsigned)((at - (r->addr & ~UINT64_C(7))) / unit_of(r));
}

static uint64_t all_of(const struct pl_step_range *r)
{
    unsigned last = bit_of(r, r->addr + r->size - 1);

    return last == BITS - 1 ? UINT64_MAX : (UINT64_C(1) << (last + 1)) - 1;
}

/* The pieces that have bytes from `from` up to `to`. */
static uint64_t bits_of(const struct pl_step_range *r, uint64_t from, uint64_t to)
{
    uint64_t bits = 0;

    if (from < r->addr)
        from = r->addr;
    if (to > r->addr + r->size)
        to = r->addr + r->size;
    if (from >= to)
        return 0;
    for (unsigned i = bit_of(r, from); i <= bit_of(r, to - 1); i++)
        bits |= UINT64_C(1) << i;
    return bits;
}

/* Announce these pieces, which are next to each other, as one. */
static void touch(struct pl_thread *t, struct pl_step_range *r, uint64_t bits,
                  const uint64_t *entry)
{
    unsigned first = (unsigned)__builtin_ctzll(bits), last = 63 - (unsigned)__builtin_clzll(bits);
    uint64_t base = r->addr & ~UINT64_C(7), unit = unit_of(r);
    uint64_t from = base + first * unit, to = base + (last + 1) * unit;
    struct pl_pieces p = {
        .pc = r->pc, .entry = entry, .next = step_of(t)->next, .skip = step_of(t)->skip};

    if (from < r->addr)
        from = r->addr;
    if (to > r->addr + r->size)
        to = r->addr + r->size;
    r->done |= bits;
    step_of(t)->touched = true;
    pl_pieces_touch(&p, from, to - from, r->flags);
    step_of(t)->next = p.next;
}

/* The access will not be seen any further: announce what is left. */
static void finish(struct pl_thread *t, const uint64_t *entry)
{
    struct pl_thread_step *s = step_of(t);

    for (unsigned i = 0; i < s->n; i++) {
        struct pl_step_range *r = &s->ranges[i];
        uint64_t left;

        while (!r->again && (left = all_of(r) & ~r->done) != 0) {
            uint64_t run = left & ~(left + (left & -left)); /* the lowest that are adjacent */

            touch(t, r, run, entry);
        }
    }
    s->n = 0;
    t->stepping = false;
}

static bool is_complete(const struct pl_thread_step *s)
{
    for (unsigned i = 0; i < s->n; i++) {
        if (s->ranges[i].done != all_of(&s->ranges[i]))
            return false;
    }
    return true;
}

/* ---- at hooks ---- */

/* Whether the code from `from` up to the call that returns to `to` runs through and stores nothing.
 */
static bool stores_nothing(uint64_t from, uint64_t to)
{
    static const uint64_t registers[16];

    if (to <= from || to - from > BETWEEN_MAX)
        return false;
    while (from < to) {
        struct pl_instruction i = pl_operands_of((const uint8_t *)from, registers);

        from += i.length;
        if (i.calls && from == to)
            return true;
        if (!i.known || i.calls || i.jumps || i.length == 0)
            return false;
        for (unsigned k = 0; k < i.n; k++) {
            if (i.operands[k].write)
                return false;
        }
    }
    return false;
}

/* Whether `w`, which has been announced, and the access at hand are a copy by one statement. */
static bool is_copy(const struct pl_step_range *w, uint64_t size, unsigned flags, uint64_t pc)
{
    return w->size == size && (w->flags & PL_ACCESS_WRITE) != 0 && (flags & PL_ACCESS_WRITE) == 0 &&
           stores_nothing(w->pc, pc);
}

static void add(struct pl_thread *t, const struct pl_step_range *r)
{
    struct pl_thread_step *s = step_of(t);
    struct pl_pieces p = {.next = s->next, .skip = s->skip};

    PL_ASSERT(s->n < 2);
    if (!r->again)
        pl_pieces_add(&p, t, r->addr, r->size);
    s->next = p.next;
    s->skip = p.skip;
    s->ranges[s->n++] = *r;
    t->stepping = true;
}

/* A schedule may switch before the access as a whole: it was announced so, and made in pieces
 * because of another that goes with it. */
static void announce_whole(const struct pl_step_range *r, uint32_t ordinal)
{
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS))
        pl_sched_piece(pl_hooks_kind(r->flags), (const void *)r->addr, (uint32_t)r->size, r->pc,
                       ordinal);
}

bool pl_step_takes(struct pl_thread *t, uint64_t addr, uint64_t size, unsigned flags, uint64_t pc,
                   const uint64_t *entry)
{
    struct pl_thread_step *s = step_of(t);
    struct pl_step_range r = {.addr = addr, .size = size, .pc = pc, .flags = flags};
    uint64_t sp = (uint64_t)(entry + 7);

    if (s->n > 0) {
        if (s->n == 1 && !s->touched && s->sp == sp && is_copy(&s->ranges[0], size, flags, pc)) {
            add(t, &r);
            return true;
        }
        finish(t, entry);
    }
    if (!pl_wide_is(size))
        return false;
    bool follows = s->last_end != 0 && s->last_end == t->ordinal && s->last_sp == sp &&
                   is_copy(&s->last, size, flags, pc);
    uint32_t first = t->ordinal;

    if (!pl_pieces_wanted(t, addr, size)) {
        s->last = r;
        s->last_sp = sp;
        s->last_first = first;
        s->last_end = first + pl_wide_events(addr, size);
        return false;
    }
    *s = (struct pl_thread_step){.sp = sp, .last = s->last, .last_first = s->last_first};
    if (follows) {
        s->next = s->last_first + 1;
        s->last.again = true;
        add(t, &s->last);
    }
    add(t, &r);
    if (!follows)
        announce_whole(&r, first);
    return true;
}

bool pl_step_goes_on(struct pl_thread *t)
{
    if (!t->stepping)
        return false;
    struct pl_thread_step *s = step_of(t);

    s->on = s->leaving = true;
    s->callee = 0;
    return true;
}

/* ---- at traps ---- */

static const int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                              REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                              REG_R12, REG_R13, REG_R14, REG_R15};

/* The pieces of range k that the operand is the first to touch. */
static uint64_t new_bits(const struct pl_step_range *r, const struct pl_operand *o)
{
    if (!(o->write && (r->flags & PL_ACCESS_WRITE)) && !(o->read && (r->flags & PL_ACCESS_READ)))
        return 0;
    return bits_of(r, o->addr, o->addr + o->size) & ~r->done;
}

static bool touches_any(const struct pl_thread_step *s, const struct pl_instruction *i)
{
    for (unsigned k = 0; k < i->n; k++) {
        for (unsigned j = 0; j < s->n; j++) {
            if (new_bits(&s->ranges[j], &i->operands[k]) != 0)
                return true;
        }
    }
    return false;
}

/* On the thread's own stack, between two instructions of the program. */
static void arrive(uint64_t sp)
{
    struct pl_trampoline_registers *r = pl_trampoline_registers(sp);
    struct pl_thread *t = pl_thread_self();
    struct pl_thread_step *s = step_of(t);
    const uint64_t registers[16] = {r->rax, r->rcx, r->rdx, r->rbx, sp,     r->rbp, r->rsi, r->rdi,
                                    r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};
    const uint64_t entry[7] = {r->r15, r->r14, r->r13, r->r12, r->rbx, r->rbp, s->at};

    PL_ASSERT(s->n > 0 && !s->on);
    t->frame = (const void *)(sp & ~UINT64_C(7));
    if (s->over) {
        if (s->unread)
            pl_unmodelled("that cannot be read", PL_UNMODELLED_INSTRUCTION, s->at);
        finish(t, entry);
    } else {
        struct pl_instruction i = pl_operands_of((const uint8_t *)s->at, registers);

        for (unsigned k = 0; k < i.n; k++) {
            for (unsigned j = 0; j < s->n; j++) {
                uint64_t bits = new_bits(&s->ranges[j], &i.operands[k]);

                if (bits == 0)
                    continue;
                pl_pieces_at_once(i.operands[k].addr, i.operands[k].size, s->ranges[j].pc);
                touch(t, &s->ranges[j], bits, entry);
            }
        }
    }
    t->frame = NULL;
    t->entry = NULL;
    if (is_complete(s))
        s->n = 0;
    t->stepping = s->n > 0;
    s->on = s->resumed = s->n > 0;
    r->flags = s->on ? r->flags | PL_TRAP_FLAG : r->flags & ~(uint64_t)PL_TRAP_FLAG;
}

/* The thread is to announce something before the next instruction. */
static void divert(struct pl_thread_step *s, ucontext_t *u, bool over)
{
    s->over = over;
    s->unread = false;
    s->at = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
    s->on = false;
    pl_trampoline_push(u, arrive, (uint64_t)u->uc_mcontext.gregs[REG_RSP]);
}

/* Whether the function that makes the access is left, or its end cannot be awaited. */
static bool is_left(struct pl_thread_step *s, uint64_t sp)
{
    if (sp > s->sp || ++s->steps > STEPS_MAX)
        return true;
    if (s->callee != 0 && sp > s->callee)
        s->callee = 0;
    if (s->callee == 0)
        s->deeper = 0;
    return s->callee != 0 && ++s->deeper > DEEPER_MAX;
}

/* Before an instruction of the program. */
static void look(struct pl_thread_step *s, ucontext_t *u)
{
    const greg_t *gregs = u->uc_mcontext.gregs;
    uint64_t registers[16];

    for (unsigned i = 0; i < 16; i++)
        registers[i] = (uint64_t)gregs[order[i]];
    struct pl_instruction i = pl_operands_of((const uint8_t *)gregs[REG_RIP], registers);

    if (i.calls)
        s->callee = (uint64_t)gregs[REG_RSP] - 8;
    if (!i.known || touches_any(s, &i))
        divert(s, u, !i.known);
    s->unread = i.length == 0;
}

bool pl_step_trap(void *context)
{
    ucontext_t *u = context;
    greg_t *gregs = u->uc_mcontext.gregs;
    struct pl_thread_step *s = step_of(pl_thread_self());
    uint64_t rip = (uint64_t)gregs[REG_RIP];
    bool own = rip >= pl_stage->modules.own_start && rip < pl_stage->modules.own_end;

    if (!pl_active || !s->on)
        return false;
    if (s->resumed && rip == s->at) {
        s->resumed = false;
        return true;
    }
    s->resumed = false;
    if (own && s->leaving)
        return true;
    s->leaving = false;
    if (own && rip == (uint64_t)plait_runtime_gate.access) {
        s->on = false; /* it comes back by pl_step_goes_on() */
        gregs[REG_EFL] &= ~(greg_t)PL_TRAP_FLAG;
    } else if (own || is_left(s, (uint64_t)gregs[REG_RSP])) {
        divert(s, u, true);
    } else if (s->callee == 0) {
        look(s, u);
    }
    return true;
}
