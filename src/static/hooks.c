/* SPDX-License-Identifier: MIT */
/*
 * Hooks that the compiler's own pass leaves out.
 *
 * For an access to a local variable it asks whether this very address is handed on, not whether
 * that of the variable is: a field of a structure that another thread has a pointer to gets no
 * hook.  And accesses of sizes that it has no hook for get none.  Here they get one each, as that
 * pass would have put it, so that all that may be shared is a call that can be analysed and seen.
 */
#include "static/code.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <string.h>

enum { USES_MAX = 256 /* of a variable that are looked at; one with more is taken for shared */ };

struct hooking {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef bytes; /* i8 * */
    unsigned n;
};

static LLVMValueRef strip(LLVMValueRef v)
{
    for (;;) {
        LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                        : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                 : (LLVMOpcode)0;

        if (op != LLVMBitCast && op != LLVMAddrSpaceCast)
            return v;
        v = LLVMGetOperand(v, 0);
    }
}

/* An address as a value and a number of bytes, however it is written. */
static LLVMValueRef split(const struct hooking *h, LLVMValueRef v, int64_t *offset)
{
    *offset = 0;
    for (unsigned depth = 0; depth < 64; depth++) {
        v = strip(v);
        LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                        : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                 : (LLVMOpcode)0;

        if (op != LLVMGetElementPtr)
            return v;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
        int64_t by = 0;

        for (int i = 1; i < LLVMGetNumOperands(v); i++) {
            LLVMValueRef index = LLVMGetOperand(v, (unsigned)i);

            if (!LLVMIsAConstantInt(index))
                return v;
            int64_t n = LLVMConstIntGetSExtValue(index);

            if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
                by += (int64_t)LLVMOffsetOfElement(h->layout, type, (unsigned)n);
                type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
                continue;
            }
            if (i > 1)
                type = LLVMGetElementType(type);
            by += n * (int64_t)LLVMABISizeOfType(h->layout, type);
        }
        *offset += by;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

static LLVMValueRef base_of(LLVMValueRef v)
{
    for (unsigned i = 0; i < 64; i++) {
        v = strip(v);
        LLVMOpcode op = LLVMIsAInstruction(v)    ? LLVMGetInstructionOpcode(v)
                        : LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v)
                                                 : (LLVMOpcode)0;

        if (op != LLVMGetElementPtr)
            break;
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

static const char *callee_name(LLVMValueRef call)
{
    LLVMValueRef f = LLVMGetCalledValue(call);
    size_t n;

    return LLVMIsAFunction(f) ? LLVMGetValueName2(f, &n) : "";
}

/* Whether a use of an address hands it to nobody. */
static bool keeps_to_itself(LLVMValueRef user, LLVMValueRef of, LLVMValueRef *next)
{
    const char *name;

    *next = NULL;
    if (!LLVMIsAInstruction(user))
        return false;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != of;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMPHI:
    case LLVMSelect:
        *next = user;
        return true;
    case LLVMCall:
        name = callee_name(user);
        return strncmp(name, "llvm.lifetime.", 14) == 0 || strncmp(name, "llvm.dbg.", 9) == 0 ||
               strncmp(name, "llvm.mem", 8) == 0 || strncmp(name, "__tsan_", 7) == 0 ||
               strcmp(name, "memcpy") == 0 || strcmp(name, "memset") == 0 ||
               strcmp(name, "memmove") == 0;
    default:
        return false;
    }
}

/* Whether nobody but its function can have the address of a variable. */
static bool is_own(LLVMValueRef variable)
{
    LLVMValueRef todo[USES_MAX];
    unsigned n = 0, done = 0;

    todo[n++] = variable;
    while (done < n) {
        LLVMValueRef of = todo[done++];

        for (LLVMUseRef u = LLVMGetFirstUse(of); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef next;
            bool known = false;

            if (!keeps_to_itself(LLVMGetUser(u), of, &next))
                return false;
            for (unsigned i = 0; next && i < n && !known; i++)
                known = todo[i] == next;
            if (next == NULL || known)
                continue;
            if (n == USES_MAX)
                return false;
            todo[n++] = next;
        }
    }
    return true;
}

/* Whether the compiler has put a hook for this address just before. */
static bool is_hooked(const struct hooking *h, LLVMValueRef inst, LLVMValueRef address)
{
    int64_t wanted_offset, offset;
    LLVMValueRef wanted = split(h, address, &wanted_offset);

    for (LLVMValueRef i = LLVMGetPreviousInstruction(inst); i; i = LLVMGetPreviousInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        const char *name = op == LLVMCall ? callee_name(i) : "";

        if (op == LLVMBitCast || op == LLVMGetElementPtr || strncmp(name, "llvm.dbg.", 9) == 0)
            continue;
        if (strncmp(name, "__tsan_", 7) != 0 || strncmp(name, "__tsan_func", 11) == 0)
            return false;
        if (LLVMGetNumArgOperands(i) > 0 && split(h, LLVMGetOperand(i, 0), &offset) == wanted &&
            offset == wanted_offset)
            return true;
    }
    return false;
}

static bool needs_hook(const struct hooking *h, LLVMValueRef inst, LLVMValueRef address)
{
    LLVMValueRef base = base_of(address);
    LLVMTypeRef type = LLVMTypeOf(address);

    if (LLVMGetPointerAddressSpace(type) != 0 || is_hooked(h, inst, address))
        return false;
    if (LLVMIsAAllocaInst(base))
        return !is_own(base);
    if (LLVMIsAGlobalVariable(base)) {
        size_t n;
        const char *name = LLVMGetValueName2(base, &n);

        return !LLVMIsGlobalConstant(base) && strncmp(name, "__llvm", 6) != 0;
    }
    /* Of other memory it leaves out what never changes: tables of virtual functions. */
    return LLVMGetInstructionOpcode(inst) == LLVMStore;
}

static LLVMValueRef hook_named(struct hooking *h, const char *name, LLVMTypeRef type)
{
    LLVMValueRef f = LLVMGetNamedFunction(h->module, name);

    return f ? f : LLVMAddFunction(h->module, name, type);
}

static void put_hook(struct hooking *h, LLVMValueRef inst, bool write)
{
    LLVMValueRef address = LLVMGetOperand(inst, write ? 1 : 0);
    LLVMTypeRef accessed = LLVMTypeOf(write ? LLVMGetOperand(inst, 0) : inst);
    uint64_t size = LLVMStoreSizeOfType(h->layout, accessed);
    bool single = size <= 16 && (size & (size - 1)) == 0;
    LLVMTypeRef parameters[2] = {h->bytes, LLVMInt64TypeInContext(h->context)};
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(h->context), parameters, single ? 1 : 2, false);
    char name[64];

    if (size == 0)
        return;
    if (single)
        snprintf(name, sizeof(name), "__tsan_%s%s%s%u",
                 size > 1 && LLVMGetAlignment(inst) < size ? "unaligned_" : "",
                 LLVMGetVolatile(inst) ? "volatile_" : "", write ? "write" : "read",
                 (unsigned)size);
    else
        snprintf(name, sizeof(name), "__tsan_%s_range", write ? "write" : "read");
    LLVMPositionBuilderBefore(h->builder, inst);
    LLVMSetCurrentDebugLocation2(h->builder, LLVMInstructionGetDebugLoc(inst));
    LLVMValueRef arguments[2] = {LLVMBuildBitCast(h->builder, address, h->bytes, ""),
                                 LLVMConstInt(LLVMInt64TypeInContext(h->context), size, false)};

    LLVMBuildCall2(h->builder, type, hook_named(h, name, type), arguments, single ? 1 : 2, "");
    h->n++;
}

static bool has_hooks(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);

    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) !=
           NULL;
}

static void look_at(struct hooking *h, LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    if (op == LLVMLoad && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic &&
        needs_hook(h, inst, LLVMGetOperand(inst, 0)))
        put_hook(h, inst, false);
    if (op == LLVMStore && LLVMGetOrdering(inst) == LLVMAtomicOrderingNotAtomic &&
        needs_hook(h, inst, LLVMGetOperand(inst, 1)))
        put_hook(h, inst, true);
}

unsigned pl_hooks_complete(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct hooking h = {.module = module,
                        .context = context,
                        .layout = LLVMGetModuleDataLayout(module),
                        .builder = LLVMCreateBuilderInContext(context),
                        .bytes = LLVMPointerType(LLVMInt8TypeInContext(context), 0)};

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = has_hooks(f) ? LLVMGetFirstBasicBlock(f) : NULL; b;
             b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                look_at(&h, i);
        }
    }
    LLVMDisposeBuilder(h.builder);
    return h.n;
}
