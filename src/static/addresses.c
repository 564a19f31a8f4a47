/* SPDX-License-Identifier: MIT */
/* How addresses are computed: constants and strides, bases, loops; see flow.h. */
#include "static/flow.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum {
    STEPS_MAX = 300, /* back from an address to the loop that it is moved on in */
    DEPTH_MAX = 4,   /* of what an address is computed from, to be compared */
    USES_MAX = 256,  /* of a value that are looked at for that */
};

/* Offset and stride that an index of a getelementptr adds; NULL: one that is not known. */
static void add_index(const struct pl_ir *ir, LLVMValueRef index, uint64_t each, int64_t *offset,
                      int64_t *stride)
{
    if (index != NULL && LLVMIsAConstantInt(index)) {
        *offset += LLVMConstIntGetSExtValue(index) * (int64_t)each;
        return;
    }
    int64_t a = *stride, b = (int64_t)each;

    while (b != 0) { /* the greatest common divisor */
        int64_t r = a % b;

        a = b;
        b = r;
    }
    *stride = a;
}

void pl_flow_address(const struct pl_ir *ir, LLVMValueRef gep, int64_t *offset, int64_t *stride)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int n = LLVMGetNumOperands(gep);

    *offset = *stride = 0;
    if (n > 1)
        add_index(ir, LLVMGetOperand(gep, 1), LLVMABISizeOfType(ir->layout, type), offset, stride);
    for (int i = 2; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);

            *offset += (int64_t)LLVMOffsetOfElement(ir->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            /* A place before or far behind an array is not one of what lies there (bounds.c). */
            bool outside = LLVMIsAConstantInt(index) && LLVMGetArrayLength(type) > 1 &&
                           LLVMConstIntGetZExtValue(index) > LLVMGetArrayLength(type);

            type = LLVMGetElementType(type);
            add_index(ir, outside ? NULL : index, LLVMABISizeOfType(ir->layout, type), offset,
                      stride);
        }
    }
    if (LLVMGetTypeKind(LLVMTypeOf(gep)) == LLVMVectorTypeKind)
        *stride = 1;
}

bool pl_flow_is_cast(LLVMOpcode op)
{
    return op == LLVMBitCast || op == LLVMAddrSpaceCast || op == LLVMPtrToInt ||
           op == LLVMIntToPtr || op == LLVMFreeze;
}

LLVMOpcode pl_flow_opcode(LLVMValueRef v)
{
    if (LLVMIsAInstruction(v))
        return LLVMGetInstructionOpcode(v);
    return LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : (LLVMOpcode)0;
}

/* What a parameter was stored to, by code that was not optimised: a load of it is the parameter. */
static LLVMValueRef stored_once(LLVMValueRef load)
{
    LLVMValueRef at = LLVMGetOperand(load, 0), value = NULL;

    if (!LLVMIsAAllocaInst(at))
        return NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(at); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : (LLVMOpcode)0;

        if (op == LLVMLoad)
            continue;
        if (op != LLVMStore || value != NULL || LLVMGetOperand(user, 1) != at)
            return NULL;
        value = LLVMGetOperand(user, 0);
    }
    return value && LLVMIsAArgument(value) ? value : NULL;
}

static bool is_pure(LLVMValueRef v)
{
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0;

    return op == LLVMGetElementPtr || op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc ||
           op == LLVMBitCast || op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl;
}

/* Whether both compute the same of the same values. */
static bool are_twins(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
    if (a == b)
        return true;
    if (depth == 0 || !is_pure(a) || !is_pure(b) || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
        (LLVMIsAGetElementPtrInst(a) &&
         LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b)))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++) {
        if (!are_twins(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth - 1))
            return false;
    }
    return true;
}

/* Of addresses that compute the same, always the same one: code that was not optimised computes
 * them again and again. */
static LLVMValueRef twin_of(LLVMValueRef address)
{
    unsigned looks = 0;

    if (!LLVMIsAInstruction(address))
        return address;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMGetOperand(address, 0)); u && looks < USES_MAX;
         u = LLVMGetNextUse(u), looks++) {
        LLVMValueRef other = LLVMGetUser(u);

        if (LLVMIsAGetElementPtrInst(other) && are_twins(address, other, DEPTH_MAX))
            return other;
    }
    return address;
}

static bool depends(LLVMValueRef value, LLVMValueRef on, unsigned depth)
{
    if (value == on)
        return true;
    for (int i = 0; depth > 0 && is_pure(value) && i < LLVMGetNumOperands(value); i++) {
        if (depends(LLVMGetOperand(value, (unsigned)i), on, depth - 1))
            return true;
    }
    return false;
}

/* As deep as they are compared: what lies below is one value for all of them. */
bool pl_flow_depends(LLVMValueRef address, LLVMValueRef on)
{
    return depends(address, on, DEPTH_MAX);
}

LLVMValueRef pl_flow_base(const struct pl_ir *ir, LLVMValueRef address, int64_t *offset)
{
    *offset = 0;
    for (;;) {
        LLVMValueRef argument = LLVMIsALoadInst(address) ? stored_once(address) : NULL;

        if (argument)
            address = argument;
        LLVMOpcode op = pl_flow_opcode(address);
        int64_t by = 0, stride = 0;

        if (op == LLVMGetElementPtr) {
            pl_flow_address(ir, address, &by, &stride);
            if (stride != 0)
                return twin_of(address);
            *offset += by;
        } else if (!pl_flow_is_cast(op)) {
            return address;
        }
        address = LLVMGetOperand(address, 0);
    }
}

bool pl_flow_goes_round(LLVMValueRef from)
{
    LLVMValueRef seen[STEPS_MAX], stack[STEPS_MAX];
    unsigned n = 0, depth = 0;

    stack[depth++] = LLVMGetOperand(from, 0);
    while (depth > 0) {
        LLVMValueRef v = stack[--depth];
        LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0;
        bool known = false;

        if (v == from)
            return true;
        if (!pl_flow_is_cast(op) && op != LLVMPHI && op != LLVMSelect && op != LLVMGetElementPtr &&
            op != LLVMAdd && op != LLVMSub)
            continue;
        for (unsigned i = 0; i < n && !known; i++)
            known = seen[i] == v;
        if (known)
            continue;
        unsigned operands = op == LLVMPHI ? LLVMCountIncoming(v) : (unsigned)LLVMGetNumOperands(v);

        if (op == LLVMGetElementPtr)
            operands = 1;
        if (n == STEPS_MAX || depth + operands > STEPS_MAX)
            return true; /* who knows */
        seen[n++] = v;
        for (unsigned i = 0; i < operands; i++)
            stack[depth++] = op == LLVMPHI ? LLVMGetIncomingValue(v, i) : LLVMGetOperand(v, i);
    }
    return false;
}
