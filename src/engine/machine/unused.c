/* SPDX-License-Identifier: MIT */
/*
 * See unused.h.
 *
 * What a call does to the register is known of hooks, of functions that do not return and, by the
 * platform's convention, of libraries.  Functions of the program may have conventions of their own
 * (-fipa-ra, preserve_most, regcall), so their code is followed as well.  An exception lands with
 * other registers than the call had, so that no way of it leads on.
 */
#include "engine/machine/unused.h"

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/table.h"
#include "engine/machine/image.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MAX = 20000, /* instructions that are looked at for one answer */
    DEPTH_MAX = 6,     /* calls within each other */
    VISITED = 1 << 16, /* a power of two, more than twice STEPS_MAX */
};

struct pl_unused {
    struct pl_symbols *symbols;
    struct pl_image *images; /* of modules that were asked about */
    size_t n_images;
    bool alone; /* at most one module of the program has hooks: what others have are libraries */
    ZydisDecoder decoder;
};

struct pl_unused *pl_unused_open(const struct pl_board *board, const char *program)
{
    struct pl_unused *u = pl_err_must(calloc(1, sizeof(*u)));
    unsigned n = 0;

    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++)
        n += board->modules[i].instrumented;
    u->alone = n <= 1;
    u->symbols = pl_symbols_open(board, program);
    ZydisDecoderInit(&u->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return u;
}

void pl_unused_close(struct pl_unused *u)
{
    if (u == NULL)
        return;
    for (size_t i = 0; i < u->n_images; i++)
        pl_image_free(&u->images[i]);
    free(u->images);
    pl_symbols_close(u->symbols);
    free(u);
}

static const struct pl_image *image_at(struct pl_unused *u, uint64_t pc)
{
    Dwfl *session = pl_symbols_session(u->symbols);
    Dwfl_Module *module = session != NULL ? dwfl_addrmodule(session, pc) : NULL;

    if (module == NULL)
        return NULL;
    for (size_t i = 0; i < u->n_images; i++) {
        if (u->images[i].dwfl == module)
            return &u->images[i];
    }
    u->images = pl_err_must(realloc(u->images, (u->n_images + 1) * sizeof(*u->images)));
    pl_image_read(&u->images[u->n_images], module);
    return &u->images[u->n_images++];
}

/* ---- one instruction ---- */

enum fate {
    LOST,     /* nobody sees the value any more */
    KEPT,     /* it is where it was */
    RETURNED, /* it is there when the function returns */
    USED,     /* or that cannot be excluded */
};

static bool is_part(ZydisRegister r, ZydisRegister whole)
{
    return r != ZYDIS_REGISTER_NONE &&
           ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r) == whole;
}

/* Whether its result does not depend on the register that it is computed from. */
static bool clears(const struct pl_machine_code *c)
{
    return (c->i.mnemonic == ZYDIS_MNEMONIC_XOR || c->i.mnemonic == ZYDIS_MNEMONIC_SUB) &&
           c->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           c->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && c->operands[0].size >= 32 &&
           c->operands[0].reg.value == c->operands[1].reg.value;
}

/* Instructions of which the processor, or whoever is called, reads more than operands. */
static bool is_opaque(const struct pl_machine_code *c)
{
    switch (c->i.meta.category) {
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_VTX:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
        return true;
    default:
        return c->i.mnemonic == ZYDIS_MNEMONIC_XBEGIN || c->i.mnemonic == ZYDIS_MNEMONIC_XABORT;
    }
}

static bool reads(const ZydisDecodedOperand *o, ZydisRegister whole)
{
    if (o->type == ZYDIS_OPERAND_TYPE_REGISTER)
        return (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 && is_part(o->reg.value, whole);
    return o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           (is_part(o->mem.base, whole) || is_part(o->mem.index, whole));
}

/* Writing 32 bits clears the others. */
static bool overwrites(const ZydisDecodedOperand *o, ZydisRegister whole)
{
    return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->actions == ZYDIS_OPERAND_ACTION_WRITE &&
           o->size >= 32 && is_part(o->reg.value, whole);
}

/* What an instruction that goes nowhere else does to the value. */
static enum fate fate_at(const struct pl_machine_code *c, ZydisRegister whole)
{
    if (c->i.meta.category == ZYDIS_CATEGORY_NOP || c->i.meta.category == ZYDIS_CATEGORY_WIDENOP)
        return KEPT;
    if (is_opaque(c))
        return USED;
    if (clears(c) && is_part(c->operands[0].reg.value, whole))
        return LOST;
    enum fate fate = KEPT;

    for (unsigned k = 0; k < c->i.operand_count; k++) {
        if (reads(&c->operands[k], whole))
            return USED;
        if (overwrites(&c->operands[k], whole))
            fate = LOST;
    }
    return fate;
}

/* ---- all ways ---- */

struct walk {
    struct pl_unused *u;
    ZydisRegister whole;
    unsigned steps;
    uint64_t callers[DEPTH_MAX]; /* functions that are being followed */
};

/* Places that have been seen, and of those the ones that are still to be followed. */
struct places {
    uint64_t seen[VISITED];
    uint64_t open[VISITED];
    unsigned n_open;
};

static void go_to(struct places *p, uint64_t pc)
{
    uint64_t at = pl_hash_mix(pc);

    for (;; at++) {
        uint64_t *place = &p->seen[at & (VISITED - 1)];

        if (*place == pc)
            return;
        if (*place != 0)
            continue;
        *place = pc;
        PL_ASSERT(p->n_open < VISITED);
        p->open[p->n_open++] = pc;
        return;
    }
}

static enum fate follow(struct walk *w, uint64_t pc, unsigned depth);

/* What a call or jump to somewhere else does before it comes back. */
static enum fate fate_of_call(struct walk *w, const struct pl_image *image,
                              const struct pl_machine_code *c, unsigned depth)
{
    const ZydisDecodedOperand *o = &c->operands[0];
    uint64_t target = 0, slot = 0;

    if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative)
        target = c->pc + c->i.length + o->imm.value.u;
    else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == ZYDIS_REGISTER_RIP)
        slot = c->pc + c->i.length + (uint64_t)o->mem.disp.value;
    if (target == 0 && slot == 0)
        return USED;
    switch (pl_image_called(image, target, slot).call) {
    case PL_CALL_OTHER:
        break;
    case PL_CALL_LIBRARY:
        return w->u->alone ? LOST : USED;
    default:
        return LOST;
    }
    if (target == 0 || depth + 1 == DEPTH_MAX)
        return USED;
    for (unsigned i = 0; i <= depth; i++) {
        if (w->callers[i] == target)
            return USED;
    }
    w->callers[depth + 1] = target;
    enum fate fate = follow(w, target, depth + 1);

    return fate == RETURNED ? KEPT : fate;
}

/* Jumps within a function and to what was split off from it; false when somebody may see it. */
static bool jump(struct walk *w, const struct pl_image *image, struct places *p,
                 const struct pl_machine_code *c)
{
    const ZydisDecodedOperand *o = &c->operands[0];
    bool always = c->i.mnemonic == ZYDIS_MNEMONIC_JMP;

    if (o->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || !o->imm.is_relative) {
        uint64_t slot = o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == ZYDIS_REGISTER_RIP
                            ? c->pc + c->i.length + (uint64_t)o->mem.disp.value
                            : 0;
        enum pl_machine_call call = slot != 0 ? pl_image_called(image, 0, slot).call : 0;

        return call != PL_CALL_OTHER && (call != PL_CALL_LIBRARY || w->u->alone);
    }
    uint64_t target = c->pc + c->i.length + o->imm.value.u;
    enum pl_machine_call call = pl_image_called(image, target, 0).call;

    if (call == PL_CALL_LIBRARY && !w->u->alone)
        return false;
    if (call == PL_CALL_OTHER)
        go_to(p, target);
    if (!always)
        go_to(p, c->pc + c->i.length);
    return true;
}

static enum fate step(struct walk *w, const struct pl_image *image, struct places *p, uint64_t pc,
                      unsigned depth)
{
    struct pl_machine_code c = {.pc = pc};
    size_t size = 0;
    const uint8_t *bytes = pl_image_code(image, pc, &size);
    enum fate fate;

    if (bytes == NULL || ++w->steps > STEPS_MAX ||
        !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&w->u->decoder, bytes, size, &c.i, c.operands)))
        return USED;
    if (c.i.mnemonic == ZYDIS_MNEMONIC_UD2 || c.i.mnemonic == ZYDIS_MNEMONIC_HLT)
        return LOST;
    if (c.i.mnemonic == ZYDIS_MNEMONIC_RET)
        return RETURNED;
    fate = fate_at(&c, w->whole);
    if (fate == USED)
        return USED;
    if (c.i.mnemonic == ZYDIS_MNEMONIC_CALL)
        fate = fate_of_call(w, image, &c, depth);
    else if (c.i.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
        return jump(w, image, p, &c) ? LOST : USED;
    if (fate == KEPT)
        go_to(p, pc + c.i.length);
    return fate == USED ? USED : LOST;
}

/* From pc on: LOST, RETURNED or USED, whichever of them is the worst. */
static enum fate follow(struct walk *w, uint64_t pc, unsigned depth)
{
    const struct pl_image *image = image_at(w->u, pc);
    struct places *p = pl_err_must(calloc(1, sizeof(*p)));
    enum fate worst = LOST;

    PL_ASSERT(depth < DEPTH_MAX);
    if (image == NULL)
        worst = USED;
    else
        go_to(p, pc);
    while (p->n_open > 0 && worst != USED) {
        enum fate fate = step(w, image, p, p->open[--p->n_open], depth);

        if (fate > worst)
            worst = fate;
    }
    free(p);
    return worst;
}

static bool is_lost(struct pl_unused *u, uint64_t pc, ZydisRegister whole)
{
    struct walk w = {.u = u, .whole = whole};

    return follow(&w, pc, 0) == LOST;
}

bool pl_unused_prove(struct pl_unused *u, uint64_t pc, bool wide)
{
    return is_lost(u, pc, ZYDIS_REGISTER_RAX) && (!wide || is_lost(u, pc, ZYDIS_REGISTER_RDX));
}
