/* SPDX-License-Identifier: MIT */
/*
 * Which computations make no pointer, whatever they are made of.
 *
 * How far two addresses lie apart is a number, also if the compiler computes it as `1 - p + q'.
 * What is calculated with less than a whole address is one, too: pieces of pointers are only
 * shifted, masked and put together.
 */
#include "static/flow.h"

#include <llvm-c/Core.h>

enum { DEPTH_MAX = 6, USES_MAX = 8 };

static bool is_not(LLVMValueRef v)
{
    return pl_flow_opcode(v) == LLVMXor && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
           LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) == -1;
}

static bool is_sum(LLVMValueRef v)
{
    LLVMOpcode op = pl_flow_opcode(v);

    return op == LLVMAdd || op == LLVMSub || is_not(v);
}

/* Addresses that are added up, less those that are taken away; how many there are of both. */
static int net_of(LLVMValueRef v, unsigned depth, unsigned *addresses)
{
    if (pl_flow_opcode(v) == LLVMPtrToInt) {
        ++*addresses;
        return 1;
    }
    if (depth == 0 || !is_sum(v))
        return 0;
    int a = net_of(LLVMGetOperand(v, 0), depth - 1, addresses);

    if (is_not(v))
        return -a;
    int b = net_of(LLVMGetOperand(v, 1), depth - 1, addresses);

    return pl_flow_opcode(v) == LLVMSub ? a - b : a + b;
}

static bool is_distance(LLVMValueRef v)
{
    unsigned addresses = 0;

    return is_sum(v) && net_of(v, DEPTH_MAX, &addresses) == 0 && addresses > 0;
}

/* Whether nothing but distances is made of it. */
static bool is_on_the_way(LLVMValueRef v, unsigned depth)
{
    unsigned uses = 0;

    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);

        if (++uses > USES_MAX || depth == 0 || !is_sum(user) ||
            (!is_distance(user) && !is_on_the_way(user, depth - 1)))
            return false;
    }
    return uses > 0;
}

bool pl_flow_is_number(LLVMValueRef inst)
{
    LLVMTypeRef type = LLVMTypeOf(inst);
    unsigned addresses = 0;

    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64)
        return LLVMGetInstructionOpcode(inst) != LLVMXor;
    if (!is_sum(inst))
        return false;
    net_of(inst, DEPTH_MAX, &addresses);
    return addresses > 0 && (is_distance(inst) || is_on_the_way(inst, DEPTH_MAX));
}
