/* SPDX-License-Identifier: MIT */
/* See clone.h. */
#include "static/clone.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 200,       /* instructions of a function that is worth it */
    COPIES_MAX = 100,  /* of one function */
    ROOM_LEAST = 4000, /* instructions that copies may have in any program */
    DEPTH_MAX = 4,     /* of such functions that call each other */
};

struct helper {
    LLVMValueRef function;
    uint32_t size;  /* instructions */
    uint8_t serves; /* 0: it is none; else calls up to what it is one for */
    bool begins;    /* threads begin with it, and that is all it is there for */
    bool busy;      /* it is being looked at: it calls itself */
};

struct cloning {
    LLVMModuleRef module;
    struct helper *helpers;
    struct pl_ir_map *number_of;
    uint32_t n, n_copies;
    uint64_t room; /* instructions that are left */
};

/* ---- which ---- */

static bool is_debug(LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t n;

    return callee != NULL && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &n), "llvm.dbg.", 9) == 0;
}

static bool is_plain_call(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    return op == LLVMCall || op == LLVMInvoke;
}

/*
 * Whether the library does something there that is worth telling apart by who wants it.  A pointer
 * may be to malloc().
 */
static bool serves_at(LLVMValueRef call, LLVMValueRef callee)
{
    size_t n;
    const struct pl_model *m;

    if (!LLVMIsAFunction(callee))
        return LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind;
    m = pl_model_find(LLVMGetValueName2(callee, &n));

    if (m == NULL)
        return false;
    switch (m->does) {
    case PL_MODEL_CREATES:
    case PL_MODEL_JOINS:
    case PL_MODEL_LOCKS:
    case PL_MODEL_UNLOCKS:
    case PL_MODEL_WAITS:
        return true;
    default:
        return m->result == PL_MODEL_HEAP || strpbrk(m->args, "odch") != NULL;
    }
}

static uint32_t size_of(LLVMValueRef f)
{
    uint32_t n = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            n += !is_debug(i);
    }
    return n;
}

static bool can_be_copied(LLVMValueRef f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMOpcode op = end ? LLVMGetInstructionOpcode(end) : LLVMUnreachable;

        if (op == LLVMIndirectBr || op == LLVMCallBr || op == LLVMCatchSwitch)
            return false;
    }
    return LLVMGetFirstParam(f) != NULL || size_of(f) <= SMALL / 4;
}

static struct helper *helper_of(const struct cloning *c, LLVMValueRef f)
{
    uint32_t n = LLVMIsAFunction(f) ? pl_ir_map_get(c->number_of, f) : PL_IR_NONE;

    return n != PL_IR_NONE ? &c->helpers[n] : NULL;
}

static void judge(struct cloning *c, struct helper *h, unsigned depth)
{
    if (h->serves != 0 || h->busy || h->size > SMALL || depth == 0 || !can_be_copied(h->function))
        return;
    h->busy = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(h->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = is_plain_call(i) ? LLVMGetCalledValue(i) : NULL;

            if (callee == NULL || LLVMIsAInlineAsm(callee))
                continue;
            struct helper *of = helper_of(c, callee);

            if (of != NULL)
                judge(c, of, depth - 1);
            unsigned calls = of == NULL        ? serves_at(i, callee)
                             : of->serves != 0 ? of->serves + 1u
                                               : 0;

            if (calls > h->serves && calls <= DEPTH_MAX)
                h->serves = (uint8_t)calls;
        }
    }
    h->busy = false;
}

/* ---- copies ---- */

struct copy {
    struct pl_ir_map *to; /* numbers of values */
    LLVMValueRef *values;
    uint32_t n, room;
    LLVMBuilderRef builder;
};

static void note(struct copy *k, LLVMValueRef was, LLVMValueRef is)
{
    if (k->n == k->room) {
        k->room = k->room ? 2 * k->room : 256;
        k->values = pl_err_must(realloc(k->values, k->room * sizeof(LLVMValueRef)));
    }
    pl_ir_map_set(k->to, was, k->n);
    k->values[k->n++] = is;
}

/* What a value has become; one from outside stays what it is. */
static LLVMValueRef new_of(const struct copy *k, LLVMValueRef was)
{
    uint32_t n = pl_ir_map_get(k->to, was);

    return n != PL_IR_NONE ? k->values[n] : was;
}

static void copy_instruction(struct copy *k, LLVMValueRef inst)
{
    LLVMValueRef is;

    if (is_debug(inst))
        return;
    if (LLVMGetInstructionOpcode(inst) == LLVMPHI) {
        is = LLVMBuildPhi(k->builder, LLVMTypeOf(inst), "");
    } else {
        is = LLVMInstructionClone(inst);
        LLVMInsertIntoBuilder(k->builder, is);
    }
    note(k, inst, is);
}

static void connect(const struct copy *k, LLVMValueRef inst)
{
    LLVMValueRef is = new_of(k, inst);

    if (is == inst)
        return;
    if (LLVMGetInstructionOpcode(inst) == LLVMPHI) {
        for (unsigned i = 0; i < LLVMCountIncoming(inst); i++) {
            LLVMValueRef value = new_of(k, LLVMGetIncomingValue(inst, i));
            LLVMValueRef from = LLVMBasicBlockAsValue(LLVMGetIncomingBlock(inst, i));
            LLVMBasicBlockRef block = LLVMValueAsBasicBlock(new_of(k, from));

            LLVMAddIncoming(is, &value, &block, 1);
        }
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (operand != NULL && new_of(k, operand) != operand)
            LLVMSetOperand(is, (unsigned)i, new_of(k, operand));
    }
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
    for (unsigned index = 0; index <= LLVMCountParams(from) + 1; index++) {
        LLVMAttributeIndex at =
            index == 0 ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : index - 1;
        unsigned n = LLVMGetAttributeCountAtIndex(from, at);
        LLVMAttributeRef *list = pl_err_must(calloc(n + 1, sizeof(LLVMAttributeRef)));

        LLVMGetAttributesAtIndex(from, at, list);
        for (unsigned i = 0; i < n; i++)
            LLVMAddAttributeAtIndex(to, at, list[i]);
        free(list);
    }
}

static LLVMValueRef copy_function(struct cloning *c, LLVMValueRef f)
{
    size_t length;
    LLVMValueRef to =
        LLVMAddFunction(c->module, LLVMGetValueName2(f, &length), LLVMGlobalGetValueType(f));
    struct copy k = {.to = pl_ir_map_make(), .builder = LLVMCreateBuilder()};

    copy_attributes(f, to);
    LLVMSetLinkage(to, LLVMInternalLinkage);
    LLVMSetSubprogram(to, LLVMGetSubprogram(f));
    if (LLVMHasPersonalityFn(f))
        LLVMSetPersonalityFn(to, LLVMGetPersonalityFn(f));
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        note(&k, LLVMGetParam(f, i), LLVMGetParam(to, i));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        note(&k, LLVMBasicBlockAsValue(b), LLVMBasicBlockAsValue(LLVMAppendBasicBlock(to, "")));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMPositionBuilderAtEnd(k.builder,
                                 LLVMValueAsBasicBlock(new_of(&k, LLVMBasicBlockAsValue(b))));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            copy_instruction(&k, i);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            connect(&k, i);
    }
    LLVMDisposeBuilder(k.builder);
    pl_ir_map_free(k.to);
    free(k.values);
    c->n_copies++;
    return to;
}

/* ---- for each call ---- */

/* Whether the operand is what the instruction calls, or what a thread that it creates begins with.
 */
static bool is_called(LLVMValueRef user, LLVMValueRef f, int operand)
{
    if (!LLVMIsAInstruction(user) || !is_plain_call(user) ||
        LLVMGetOperand(user, (unsigned)operand) != f)
        return false;
    if (operand == LLVMGetNumOperands(user) - 1)
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(user);
    size_t n;
    const struct pl_model *m = LLVMIsAFunction(callee) && LLVMCountBasicBlocks(callee) == 0
                                   ? pl_model_find(LLVMGetValueName2(callee, &n))
                                   : NULL;

    return m != NULL && m->does == PL_MODEL_CREATES && pl_model_letter(m, (unsigned)operand) == 'f';
}

/* All calls of a function, as pairs of instruction and operand. */
static uint32_t find_calls(LLVMValueRef f, LLVMValueRef *calls, unsigned *operands, uint32_t room)
{
    uint32_t n = 0;

    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        int count = LLVMIsAInstruction(user) ? LLVMGetNumOperands(user) : 0;

        for (int i = 0; i < count; i++) {
            if (!is_called(user, f, i))
                continue;
            if (n == room)
                return room + 1;
            calls[n] = user;
            operands[n++] = (unsigned)i;
        }
    }
    return n;
}

static void copy_for_calls(struct cloning *c, const struct helper *h)
{
    LLVMValueRef calls[COPIES_MAX];
    unsigned operands[COPIES_MAX];
    uint32_t n = find_calls(h->function, calls, operands, COPIES_MAX);

    if (n < 2 || n > COPIES_MAX || (uint64_t)h->size * n > c->room)
        return;
    c->room -= (uint64_t)h->size * n;
    for (uint32_t i = 0; i < n; i++)
        LLVMSetOperand(calls[i], operands[i], copy_function(c, h->function));
}

/* Functions that threads begin with, if they do nothing but call what they are handed. */
static void find_beginnings(struct cloning *c)
{
    LLVMValueRef calls[COPIES_MAX];
    unsigned operands[COPIES_MAX];

    for (uint32_t i = 0; i < c->n; i++) {
        struct helper *h = &c->helpers[i];
        uint32_t n = h->size <= SMALL && can_be_copied(h->function)
                         ? find_calls(h->function, calls, operands, COPIES_MAX)
                         : 0;

        for (uint32_t k = 0; k < n && n <= COPIES_MAX; k++)
            h->begins |= operands[k] != (unsigned)LLVMGetNumOperands(calls[k]) - 1;
    }
}

uint32_t pl_clone_helpers(LLVMModuleRef module)
{
    struct cloning c = {.module = module, .number_of = pl_ir_map_make()};
    uint64_t all = 0;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        c.n += LLVMCountBasicBlocks(f) > 0;
    c.helpers = pl_err_must(calloc(c.n + 1, sizeof(*c.helpers)));
    c.n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) == 0)
            continue;
        pl_ir_map_set(c.number_of, f, c.n);
        c.helpers[c.n++] = (struct helper){.function = f, .size = size_of(f)};
        all += c.helpers[c.n - 1].size;
    }
    c.room = all / 2 + ROOM_LEAST;
    for (uint32_t i = 0; i < c.n; i++)
        judge(&c, &c.helpers[i], DEPTH_MAX + 1);
    find_beginnings(&c);
    /* Who calls first: then each of his copies has calls of its own. */
    for (unsigned serves = DEPTH_MAX; serves > 0; serves--) {
        for (uint32_t i = 0; i < c.n; i++) {
            if (c.helpers[i].serves == serves && !c.helpers[i].begins)
                copy_for_calls(&c, &c.helpers[i]);
        }
    }
    for (uint32_t i = 0; i < c.n; i++) {
        if (c.helpers[i].begins)
            copy_for_calls(&c, &c.helpers[i]);
    }
    free(c.helpers);
    pl_ir_map_free(c.number_of);
    return c.n_copies;
}
