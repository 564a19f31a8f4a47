/* SPDX-License-Identifier: MIT */
/*
 * A call that is put between two instructions of a thread: the frame that trampoline.S finds.
 *
 * How large the vector state is, and which parts of it are in use, is read from the signal's own
 * frame: the kernel has just saved it there.
 */
#include "runtime/core/trampoline.h"

#include "base/assert.h"

#include <stdbool.h>
#include <stddef.h>

void pl_trampoline_entry(void);

_Static_assert(sizeof(struct pl_trampoline_registers) == 168, "trampoline.S counts on it");
_Static_assert(offsetof(struct pl_trampoline_registers, function) == 120, "trampoline.S");

enum {
    MAGIC = 0x46505853, /* FP_XSTATE_MAGIC1 */
    SOFTWARE = 464,     /* where the kernel's words lie in the FXSAVE image */
    LEGACY = 512,       /* FXSAVE */
    NEAR = 16384,       /* where the frame of a handler would lie that has no stack of its own */
    STOPS = 0x400 | PL_TRAP_FLAG, /* direction flag, trap flag: not for a C function, */
    ALIGN = 0x40000,              /* nor is the check of alignment */
};

/* struct _fpx_sw_bytes of the kernel. */
struct software {
    uint32_t magic, extended_size;
    uint64_t features;
    uint32_t size;
};

void pl_trampoline_push(ucontext_t *u, void (*function)(uint64_t), uint64_t argument)
{
    greg_t *g = u->uc_mcontext.gregs;
    struct pl_trampoline_registers *r = pl_trampoline_registers((uint64_t)g[REG_RSP]);
    const struct software *s =
        (const struct software *)((const char *)u->uc_mcontext.fpregs + SOFTWARE);
    bool extended = s->magic == MAGIC;

    PL_ASSERT(function != NULL);
    PL_ASSERT((uint64_t)u > (uint64_t)g[REG_RSP] || (uint64_t)u < (uint64_t)g[REG_RSP] - NEAR);
    r->function = function;
    r->argument = argument;
    r->features = extended ? s->features : 0;
    r->size = extended ? s->size : LEGACY;
    r->flags = (uint64_t)g[REG_EFL];
    r->rip = (uint64_t)g[REG_RIP];
    g[REG_EFL] &= ~(greg_t)(STOPS | ALIGN);
    g[REG_RIP] = (greg_t)pl_trampoline_entry;
    g[REG_RSP] = (greg_t)&r->function; /* the others are pushed */
}
