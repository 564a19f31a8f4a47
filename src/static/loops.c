/* SPDX-License-Identifier: MIT */
/* See loops.h. */
#include "static/loops.h"

#include <stddef.h>

enum { BLOCKS_MAX = 64 }; /* of a loop that are looked at: others are not known to count */

/* ---- blocks ---- */

struct blocks {
    LLVMBasicBlockRef at[BLOCKS_MAX];
    unsigned n;
    bool full;
};

static bool has(const struct blocks *b, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < b->n; i++) {
        if (b->at[i] == block)
            return true;
    }
    return false;
}

static void add(struct blocks *b, LLVMBasicBlockRef block)
{
    if (has(b, block))
        return;
    if (b->n == BLOCKS_MAX)
        b->full = true;
    else
        b->at[b->n++] = block;
}

/* How many instructions go to the block; `to` gets the blocks that they are in. */
static unsigned add_sources(LLVMBasicBlockRef block, struct blocks *to)
{
    unsigned n = 0;

    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        n++;
        if (LLVMIsAInstruction(user))
            add(to, LLVMGetInstructionParent(user));
        else
            to->full = true; /* its address is taken */
    }
    return n;
}

/* All blocks from which the latch is come to without the header. */
static bool find_body(const struct pl_loop *l, struct blocks *body)
{
    *body = (struct blocks){.at = {l->header}, .n = 1};
    add(body, l->latch);
    for (unsigned i = 1; i < body->n; i++)
        add_sources(body->at[i], body);
    return !body->full;
}

/* ---- counting ---- */

static LLVMValueRef without_extension(LLVMValueRef v)
{
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
        v = LLVMGetOperand(v, 0);
    return v;
}

static bool is_next(LLVMValueRef v, LLVMValueRef count)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
           LLVMGetOperand(v, 0) == count && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) == 1;
}

/* Whether the comparison, if it comes to `goes_on`, says that the bound has not been come to. */
static bool is_below(LLVMValueRef compare, bool goes_on)
{
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);

    if (goes_on)
        return p == LLVMIntSLT || p == LLVMIntULT || p == LLVMIntNE;
    return p == LLVMIntSGE || p == LLVMIntUGE || p == LLVMIntEQ;
}

/* The branch that asks whether `value`, the count or the next one, is below a bound. */
static bool find_end(struct pl_loop *l, LLVMValueRef value, const struct blocks *body)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef compare = LLVMGetUser(u);

        if (!LLVMIsAICmpInst(compare) || LLVMGetOperand(compare, 0) != value)
            continue;
        l->bound = LLVMGetOperand(compare, 1);
        if (LLVMIsAInstruction(l->bound) && has(body, LLVMGetInstructionParent(l->bound)))
            continue;
        for (LLVMUseRef v = LLVMGetFirstUse(compare); v; v = LLVMGetNextUse(v)) {
            LLVMValueRef branch = LLVMGetUser(v);

            if (!LLVMIsABranchInst(branch) || !has(body, LLVMGetInstructionParent(branch)))
                continue;
            bool goes_on = has(body, LLVMGetSuccessor(branch, 0));

            l->exiting = LLVMGetInstructionParent(branch);
            l->after = LLVMGetSuccessor(branch, goes_on ? 1 : 0);
            if (is_below(compare, goes_on) && !has(body, l->after))
                return true;
        }
    }
    return false;
}

static bool read_loop(struct pl_loop *l)
{
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef next = LLVMGetIncomingValue(l->count, k);
        struct blocks body;

        if (!is_next(next, l->count))
            continue;
        l->header = LLVMGetInstructionParent(l->count);
        l->latch = LLVMGetIncomingBlock(l->count, k);
        l->first = LLVMGetIncomingValue(l->count, 1 - k);
        l->outside = LLVMGetIncomingBlock(l->count, 1 - k);
        if (!find_body(l, &body))
            return false;
        l->once = false;
        if (find_end(l, l->count, &body) && l->exiting == l->header)
            return true;
        l->once = true;
        return find_end(l, next, &body) && l->exiting == l->latch;
    }
    return false;
}

/* The one index of the address that is no constant; NULL: there are several, or none. */
static LLVMValueRef index_of(LLVMValueRef address)
{
    LLVMValueRef found = NULL;

    for (; LLVMIsAGetElementPtrInst(address); address = LLVMGetOperand(address, 0)) {
        for (int i = 1; i < LLVMGetNumOperands(address); i++) {
            LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);

            if (LLVMIsAConstantInt(index))
                continue;
            if (found != NULL)
                return NULL;
            found = index;
        }
    }
    return found;
}

bool pl_loops_of(LLVMValueRef address, struct pl_loop *loop)
{
    LLVMValueRef index = index_of(address);

    if (index == NULL)
        return false;
    *loop = (struct pl_loop){.count = without_extension(index)};
    return LLVMIsAPHINode(loop->count) && LLVMCountIncoming(loop->count) == 2 && read_loop(loop);
}

bool pl_loops_alike(LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef in_a = index_of(a), in_b = index_of(b);

    while (in_a != NULL && in_b != NULL && LLVMIsAGetElementPtrInst(a) &&
           LLVMIsAGetElementPtrInst(b)) {
        if (LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
            LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
            return false;
        for (int i = 1; i < LLVMGetNumOperands(a); i++) {
            LLVMValueRef x = LLVMGetOperand(a, (unsigned)i), y = LLVMGetOperand(b, (unsigned)i);

            if (x != y && !(x == in_a && y == in_b))
                return false;
        }
        a = LLVMGetOperand(a, 0);
        b = LLVMGetOperand(b, 0);
    }
    return a == b;
}

/* ---- two of them ---- */

static bool is_most(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b))
        return LLVMConstIntGetSExtValue(a) <= LLVMConstIntGetSExtValue(b);
    return a == b;
}

bool pl_loops_within(const struct pl_loop *some, const struct pl_loop *all)
{
    bool constant = LLVMIsAConstantInt(some->first) && LLVMIsAConstantInt(some->bound);

    if (!is_most(all->first, some->first) || !is_most(some->bound, all->bound))
        return false;
    /* One that goes round once whatever the bound is has a count that the other may not have. */
    return !some->once || all->once ||
           (constant &&
            LLVMConstIntGetSExtValue(some->first) < LLVMConstIntGetSExtValue(some->bound));
}

bool pl_loops_always(const struct pl_loop *loop, LLVMBasicBlockRef block)
{
    struct blocks body, seen = {.n = 0}, sources = {.n = 0};

    if (!find_body(loop, &body) || !has(&body, block) || add_sources(loop->after, &sources) != 1)
        return false;
    if (block == loop->header || block == loop->latch)
        return true;
    /* Whether the latch can be come to from the header past the block. */
    add(&seen, loop->header);
    for (unsigned i = 0; i < seen.n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(seen.at[i]);

        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);

            if (next != block && has(&body, next))
                add(&seen, next);
        }
    }
    return !seen.full && !has(&seen, loop->latch);
}
