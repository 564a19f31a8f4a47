/* SPDX-License-Identifier: MIT */
/*
 * See flow.h.  Every value may carry a pointer, or a piece of one, but for truth values: integers
 * and vectors are copied like pointers.  What is computed from one may point anywhere into
 * the same object.
 */
#include "static/flow.h"

#include "base/assert.h"
#include "static/calls.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static uint32_t size_of(const struct pl_ir *ir, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? (uint32_t)LLVMABISizeOfType(ir->layout, type) : 8;
}

bool pl_flow_carries(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMTokenTypeKind:
        return false;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) > 1;
    default:
        return true;
    }
}

static uint32_t constant_node(struct pl_flow *f, LLVMValueRef v);

uint32_t pl_flow_node(struct pl_flow *f, LLVMValueRef value)
{
    uint32_t n = pl_ir_map_get(f->nodes, value);

    if (n != PL_IR_NONE)
        return n;
    if (LLVMIsConstant(value))
        return constant_node(f, value);
    n = pl_solve_node(f->solve);
    pl_ir_map_set(f->nodes, value, n);
    return n;
}

const struct pl_solve_set *pl_flow_set(const struct pl_flow *f, uint32_t node)
{
    return pl_solve_set(f->solve, node);
}

static bool is_before_call(const void *row, const void *key)
{
    return ((const struct pl_flow_access *)row)->call < *(const uint32_t *)key;
}

const struct pl_flow_access *pl_flow_accesses(const struct pl_flow *f, uint32_t call, uint32_t *n)
{
    size_t from =
        pl_ir_first(f->accesses, f->n_accesses, sizeof(*f->accesses), &call, is_before_call);

    for (*n = 0; from + *n < f->n_accesses && f->accesses[from + *n].call == call;)
        ++*n;
    return &f->accesses[from];
}

/* ---- constants ---- */

static uint32_t global_object(struct pl_flow *f, LLVMValueRef g);

/* All that a constant may point to. */
static void point_constant(struct pl_flow *f, uint32_t node, LLVMValueRef v, int64_t offset,
                           int64_t stride)
{
    LLVMOpcode op = pl_flow_opcode(v);
    int64_t by, each;

    if (LLVMIsAGlobalAlias(v)) {
        point_constant(f, node, LLVMAliasGetAliasee(v), offset, stride);
    } else if (LLVMIsAGlobalIFunc(v)) {
        uint32_t resolver = pl_ir_resolver_of(f->ir, v);

        pl_solve_copy(f->solve, resolver != PL_IR_NONE ? f->results[resolver] : f->world, node);
    } else if (LLVMIsAFunction(v) || LLVMIsAGlobalVariable(v)) {
        uint32_t o = global_object(f, v);

        size_t n;

        if (o == PL_IR_NONE) /* it is somewhere else */
            pl_solve_copy(f->solve,
                          pl_model_is_of_library(LLVMGetValueName2(v, &n)) ? f->library : f->world,
                          node);
        else
            pl_solve_point(
                f->solve, node,
                pl_solve_shift(f->solve, pl_solve_location(f->solve, o, 0, 0), offset, stride));
    } else if (op == LLVMGetElementPtr) {
        pl_flow_address(f->ir, v, &by, &each);
        point_constant(f, node, LLVMGetOperand(v, 0), offset + by, each ? 1 : stride);
    } else if (pl_flow_is_cast(op)) {
        point_constant(f, node, LLVMGetOperand(v, 0), offset, stride);
    } else if (LLVMIsAConstantExpr(v) || LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) ||
               LLVMIsAConstantVector(v)) {
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            point_constant(f, node, LLVMGetOperand(v, (unsigned)i), 0, 1);
    }
}

static uint32_t constant_node(struct pl_flow *f, LLVMValueRef v)
{
    uint32_t n = pl_solve_node(f->solve);

    pl_ir_map_set(f->nodes, v, n);
    point_constant(f, n, v, 0, 0);
    return n;
}

/* What an initialiser stores. */
static void initialise(struct pl_flow *f, uint32_t object, LLVMValueRef v, int64_t offset)
{
    LLVMTypeRef type = LLVMTypeOf(v);

    if (LLVMIsAConstantAggregateZero(v) || LLVMIsUndef(v) || LLVMIsAConstantInt(v) ||
        LLVMIsAConstantFP(v) || LLVMIsAConstantPointerNull(v) || LLVMIsAConstantDataArray(v) ||
        LLVMIsAConstantDataVector(v))
        return;
    if (LLVMIsAConstantStruct(v)) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            initialise(f, object, LLVMGetOperand(v, i),
                       offset + (int64_t)LLVMOffsetOfElement(f->ir->layout, type, i));
    } else if (LLVMIsAConstantArray(v)) {
        uint64_t each = LLVMABISizeOfType(f->ir->layout, LLVMGetElementType(type));

        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            initialise(f, object, LLVMGetOperand(v, (unsigned)i), offset + i * (int64_t)each);
    } else {
        pl_solve_put(f->solve, pl_solve_location(f->solve, object, offset, 0), pl_flow_node(f, v),
                     8);
    }
}

/* PL_IR_NONE: a variable that is declared here and defined elsewhere. */
static uint32_t global_object(struct pl_flow *f, LLVMValueRef g)
{
    const void *key = (const char *)g + 1; /* the value's own is that of its node */
    uint32_t o = pl_ir_map_get(f->nodes, key);

    if (o != PL_IR_NONE)
        return o;
    struct pl_solve_object object = {.value = g,
                                     .function = PL_IR_NONE,
                                     .call = PL_IR_NONE,
                                     .caller = PL_IR_NONE,
                                     .size = -1,
                                     .unique = true};

    if (LLVMIsAFunction(g)) {
        object.sort = PL_OBJECT_FUNCTION_SORT;
        object.function = pl_ir_function_of(f->ir, g);
    } else {
        if (LLVMIsDeclaration(g))
            return PL_IR_NONE;
        object.sort = PL_OBJECT_GLOBAL_SORT;
        object.own = LLVMIsThreadLocal(g) != 0;
        object.unique = !object.own;
        object.constant = LLVMIsGlobalConstant(g) != 0;
        object.size = size_of(f->ir, LLVMGlobalGetValueType(g));
    }
    o = pl_solve_object(f->solve, object);
    pl_ir_map_set(f->nodes, key, o);
    if (object.sort == PL_OBJECT_GLOBAL_SORT && LLVMGetInitializer(g))
        initialise(f, o, LLVMGetInitializer(g), 0);
    return o;
}

/* ---- instructions ---- */

/* Whether assembly does nothing but compute its results of its operands: it is handed no memory. */
static bool only_computes(LLVMValueRef inst)
{
    char *text = LLVMPrintValueToString(LLVMGetCalledValue(inst));
    const char *from = strstr(text, " asm "); /* behind its type */
    bool is = from != NULL && strstr(from, "~{memory}") == NULL && strchr(from, '*') == NULL;

    LLVMDisposeMessage(text);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        is &= LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(inst, i))) == LLVMIntegerTypeKind;
    return is;
}

static void do_assembly(struct pl_flow *f, LLVMValueRef inst)
{
    bool pure = only_computes(inst);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, i);

        if (pl_flow_carries(operand) && (!pure || pl_flow_carries(inst)))
            pl_solve_offset(f->solve, pl_flow_node(f, operand),
                            pure ? pl_flow_node(f, inst) : f->world, 0, pure);
    }
    if (pl_flow_carries(inst) && !pure)
        pl_solve_copy(f->solve, f->world, pl_flow_node(f, inst));
}

static void do_intrinsic(struct pl_flow *f, LLVMValueRef inst, uint32_t function)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst);
    size_t n;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";

    if (LLVMIsAInlineAsm(callee)) {
        do_assembly(f, inst);
        return;
    }
    if (strncmp(name, "llvm.dbg.", 9) == 0 || strncmp(name, "llvm.lifetime.", 14) == 0)
        return;
    if (strcmp(name, "llvm.va_start") == 0) {
        uint32_t o = pl_solve_object(f->solve, (struct pl_solve_object){.sort = PL_OBJECT_REST_SORT,
                                                                        .value = inst,
                                                                        .function = function,
                                                                        .call = PL_IR_NONE,
                                                                        .caller = PL_IR_NONE,
                                                                        .size = -1});
        uint32_t all = pl_solve_location(f->solve, o, 0, 1), node = pl_solve_node(f->solve);

        pl_solve_put(f->solve, all, f->rests[function], -1);
        pl_solve_point(f->solve, node, all);
        pl_solve_store(f->solve, node, pl_flow_node(f, LLVMGetOperand(inst, 0)), 24);
        return;
    }
    if (strcmp(name, "llvm.va_copy") == 0) {
        pl_solve_move(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)),
                      pl_flow_node(f, LLVMGetOperand(inst, 1)), 24);
        return;
    }
    /* Computations: the result may be made of any operand. */
    if (pl_flow_carries(inst)) {
        for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
            if (pl_flow_carries(LLVMGetOperand(inst, i)))
                pl_solve_offset(f->solve, pl_flow_node(f, LLVMGetOperand(inst, i)),
                                pl_flow_node(f, inst), 0, 1);
        }
        if (strncmp(name, "llvm.masked.", 12) == 0)
            pl_solve_load(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), pl_flow_node(f, inst),
                          -1);
    } else if (strncmp(name, "llvm.masked.", 12) == 0 && LLVMGetNumArgOperands(inst) > 1) {
        pl_solve_store(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)),
                       pl_flow_node(f, LLVMGetOperand(inst, 1)), -1);
    }
}

static void copy_operands(struct pl_flow *f, LLVMValueRef inst, bool anywhere)
{
    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (LLVMIsABasicBlock(operand) || !pl_flow_carries(operand))
            continue;
        pl_solve_offset(f->solve, pl_flow_node(f, operand), pl_flow_node(f, inst), 0,
                        anywhere ? 1 : 0);
    }
}

static void do_sum(struct pl_flow *f, LLVMValueRef inst, bool minus)
{
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);

    if (pl_flow_is_number(inst))
        return;

    if (LLVMIsAConstantInt(b)) {
        int64_t by = LLVMGetIntTypeWidth(LLVMTypeOf(b)) <= 64 ? LLVMConstIntGetSExtValue(b) : 0;
        bool round = by != 0 && pl_flow_goes_round(inst);

        if (by == INT64_MIN || LLVMGetIntTypeWidth(LLVMTypeOf(b)) < 64)
            by = 0, round = true;
        pl_solve_offset(f->solve, pl_flow_node(f, a), pl_flow_node(f, inst),
                        round   ? 0
                        : minus ? -by
                                : by,
                        round ? (by == 0  ? 1
                                 : by < 0 ? -by
                                          : by)
                              : 0);
        return;
    }
    copy_operands(f, inst, true);
}

static void do_address(struct pl_flow *f, LLVMValueRef inst)
{
    int64_t offset, stride;

    pl_flow_address(f->ir, inst, &offset, &stride);
    if (offset != 0 && stride == 0 && pl_flow_goes_round(inst)) {
        stride = offset < 0 ? -offset : offset;
        offset = 0;
    }
    pl_solve_index(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), pl_flow_node(f, inst),
                   offset, stride);
}

static void do_local(struct pl_flow *f, LLVMValueRef inst, uint32_t function)
{
    LLVMValueRef count = LLVMGetOperand(inst, 0);
    int64_t size = size_of(f->ir, LLVMGetAllocatedType(inst));

    size = LLVMIsAConstantInt(count) ? size * LLVMConstIntGetSExtValue(count) : -1;
    uint32_t o = pl_solve_object(f->solve, (struct pl_solve_object){.sort = PL_OBJECT_LOCAL_SORT,
                                                                    .value = inst,
                                                                    .function = function,
                                                                    .call = PL_IR_NONE,
                                                                    .caller = PL_IR_NONE,
                                                                    .size = size});

    pl_solve_point(f->solve, pl_flow_node(f, inst), pl_solve_location(f->solve, o, 0, 0));
}

/* What is stored there may be a pointer that is moved on by what is added to it. */
void pl_flow_move_on(struct pl_flow *f, uint32_t pointer, LLVMValueRef by, int64_t size)
{
    uint32_t was = pl_solve_node(f->solve), is = pl_solve_node(f->solve);
    int64_t step = 1;

    if (LLVMIsAConstantInt(by) && LLVMGetIntTypeWidth(LLVMTypeOf(by)) == 64)
        step = LLVMConstIntGetSExtValue(by);
    if (step < 0 && step > INT64_MIN)
        step = -step;
    pl_solve_load(f->solve, pointer, was, size);
    pl_solve_offset(f->solve, was, is, 0, step > 0 ? step : 1);
    pl_solve_store(f->solve, is, pointer, size);
}

/* Atomic instructions of code without hooks. */
static void do_atomic(struct pl_flow *f, LLVMValueRef inst, LLVMOpcode op)
{
    LLVMValueRef value = LLVMGetOperand(inst, op == LLVMAtomicRMW ? 1 : 2);
    uint32_t pointer = pl_flow_node(f, LLVMGetOperand(inst, 0));

    pl_solve_store(f->solve, pl_flow_node(f, value), pointer, size_of(f->ir, LLVMTypeOf(value)));
    pl_solve_load(f->solve, pointer, pl_flow_node(f, inst), size_of(f->ir, LLVMTypeOf(value)));
    if (op == LLVMAtomicRMW && LLVMGetAtomicRMWBinOp(inst) != LLVMAtomicRMWBinOpXchg)
        pl_flow_move_on(f, pointer, value, size_of(f->ir, LLVMTypeOf(value)));
}

static void do_other(struct pl_flow *f, LLVMValueRef inst, LLVMOpcode op)
{
    switch (op) {
    case LLVMPHI:
        for (unsigned i = 0; pl_flow_carries(inst) && i < LLVMCountIncoming(inst); i++)
            pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetIncomingValue(inst, i)),
                          pl_flow_node(f, inst));
        break;
    case LLVMAnd:
    case LLVMOr:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMVAArg:
        if (pl_flow_carries(inst))
            copy_operands(f, inst, true);
        break;
    case LLVMXor:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        if (pl_flow_carries(inst) && !pl_flow_is_number(inst))
            copy_operands(f, inst, true);
        break;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMUnreachable:
    case LLVMResume:
    case LLVMFence:
        break;
    default: /* casts, select, parts of structures and vectors, ... */
        if (pl_flow_carries(inst))
            copy_operands(f, inst, false);
        break;
    }
}

static void do_instruction(struct pl_flow *f, LLVMValueRef inst, uint32_t function)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    LLVMValueRef value;

    switch (op) {
    case LLVMAlloca:
        do_local(f, inst, function);
        break;
    case LLVMLoad:
        if (pl_flow_carries(inst))
            pl_solve_load(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), pl_flow_node(f, inst),
                          size_of(f->ir, LLVMTypeOf(inst)));
        break;
    case LLVMStore:
        value = LLVMGetOperand(inst, 0);
        if (pl_flow_carries(value) && !LLVMIsAConstantInt(value) &&
            !LLVMIsAConstantPointerNull(value))
            pl_solve_store(f->solve, pl_flow_node(f, value),
                           pl_flow_node(f, LLVMGetOperand(inst, 1)),
                           size_of(f->ir, LLVMTypeOf(value)));
        break;
    case LLVMGetElementPtr:
        do_address(f, inst);
        break;
    case LLVMAdd:
    case LLVMSub:
        if (pl_flow_carries(inst))
            do_sum(f, inst, op == LLVMSub);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        do_atomic(f, inst, op);
        break;
    case LLVMLandingPad:
        pl_solve_copy(f->solve, f->thrown, pl_flow_node(f, inst));
        break;
    case LLVMRet:
        if (LLVMGetNumOperands(inst) > 0 && pl_flow_carries(LLVMGetOperand(inst, 0)))
            pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), f->results[function]);
        break;
    default:
        do_other(f, inst, op);
        break;
    }
}

/* ---- all of it ---- */

static void do_function(struct pl_flow *f, uint32_t function, const uint32_t *allocators)
{
    const struct pl_ir_function *g = &f->ir->functions[function];
    uint32_t call = g->first_call;

    for (uint32_t b = g->first_block; b < g->first_block + g->n_blocks; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(f->ir->blocks[b].block); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);

            if (op != LLVMCall && op != LLVMInvoke)
                do_instruction(f, i, function);
            else if (pl_ir_is_call(i))
                pl_calls_read(f, call++, allocators);
            else
                do_intrinsic(f, i, function);
        }
    }
    PL_ASSERT(call == g->first_call + g->n_calls);
}

/* A node for memory of the library's own. */
uint32_t pl_flow_own_memory(struct pl_flow *f)
{
    uint32_t node = pl_solve_node(f->solve);
    uint32_t object =
        pl_solve_object(f->solve, (struct pl_solve_object){.sort = PL_OBJECT_WORLD_SORT,
                                                           .function = PL_IR_NONE,
                                                           .call = PL_IR_NONE,
                                                           .caller = PL_IR_NONE,
                                                           .size = -1,
                                                           .unique = true});

    pl_solve_point(f->solve, node, pl_solve_location(f->solve, object, 0, 1));
    return node;
}

static void make_nodes(struct pl_flow *f)
{
    struct pl_ir *ir = f->ir;

    f->arguments = pl_err_must(calloc(ir->n_functions + 1, sizeof(uint32_t)));
    f->results = pl_err_must(calloc(ir->n_functions + 1, sizeof(uint32_t)));
    f->rests = pl_err_must(calloc(ir->n_functions + 1, sizeof(uint32_t)));
    f->objects = pl_err_must(malloc((ir->n_calls + 1) * sizeof(uint32_t)));
    f->mutexes = pl_err_must(malloc((ir->n_calls + 1) * sizeof(uint32_t)));
    memset(f->objects, 0xff, (ir->n_calls + 1) * sizeof(uint32_t));
    memset(f->mutexes, 0xff, (ir->n_calls + 1) * sizeof(uint32_t));
    f->world = pl_solve_node(f->solve);
    f->keys = pl_solve_node(f->solve);
    f->thrown = pl_solve_node(f->solve);
    f->returned = pl_solve_node(f->solve);
    f->filed = pl_solve_node(f->solve);
    f->windows = pl_solve_node(f->solve);
    f->world_object =
        pl_solve_object(f->solve, (struct pl_solve_object){.sort = PL_OBJECT_WORLD_SORT,
                                                           .function = PL_IR_NONE,
                                                           .call = PL_IR_NONE,
                                                           .caller = PL_IR_NONE,
                                                           .size = -1});
    f->environment = pl_flow_own_memory(f);
    f->random = pl_flow_own_memory(f);
    f->semaphores = pl_flow_own_memory(f);
    f->numbers = pl_flow_own_memory(f);
    f->actions = pl_flow_own_memory(f);
    f->library = pl_flow_own_memory(f); /* which leads to more of it */
    pl_solve_object_at(f->solve, pl_solve_n_objects(f->solve) - 1)->sealed = true;
    pl_solve_store(f->solve, f->library, f->library, -1);
    f->answers = pl_flow_own_memory(f);
    pl_solve_object_at(f->solve, pl_solve_n_objects(f->solve) - 1)->sealed = true;
    pl_solve_store(f->solve, f->answers, f->answers, -1);
    for (uint32_t i = 0; i < ir->n_functions; i++) {
        unsigned n = LLVMCountParams(ir->functions[i].value);

        f->arguments[i] = n > 0 ? PL_IR_NONE : pl_solve_node(f->solve);
        for (unsigned k = 0; k < n; k++) {
            uint32_t node = pl_solve_node(f->solve);

            if (k == 0)
                f->arguments[i] = node;
            pl_ir_map_set(f->nodes, LLVMGetParam(ir->functions[i].value, k), node);
        }
        f->results[i] = pl_solve_node(f->solve);
        f->rests[i] = pl_solve_node(f->solve);
    }
}

/* Unknown code does what it likes with what it has: reads, stores, calls. */
static void let_world_do(struct pl_flow *f)
{
    pl_solve_point(f->solve, f->world, pl_solve_location(f->solve, f->world_object, 0, 1));
    pl_solve_offset(f->solve, f->world, f->world, 0, 1);
    pl_solve_load(f->solve, f->world, f->world, -1);
    pl_solve_spill(f->solve, f->world, f->world);
    pl_solve_copy(f->solve, f->filed, f->world);
    pl_calls_let_world(f);
}

/*
 * Whether one thread may hand another a pointer by writing it.  To a file of the disk nobody writes
 * what is worth nothing when the program is started again.
 */
static bool has_channels(const struct pl_ir *ir)
{
    static const char *const makers[] = {
        "pipe",  "pipe2",   "socket",  "socketpair",   "accept",   "accept4", "mkfifo", "mkfifoat",
        "mknod", "mknodat", "mq_open", "memfd_create", "fmemopen", "syscall", "dlsym"};

    for (size_t i = 0; i < sizeof(makers) / sizeof(*makers); i++) {
        if (LLVMGetNamedFunction(ir->module, makers[i]) != NULL)
            return true;
    }
    return ir->foreign && ir->n_exposed > 0;
}

/* main() has its arguments from libc; globals are there whether anybody uses them or not. */
static void begin(struct pl_flow *f)
{
    struct pl_ir *ir = f->ir;

    if (ir->main != PL_IR_NONE) {
        for (unsigned k = 0; k < LLVMCountParams(ir->functions[ir->main].value); k++)
            pl_solve_copy(f->solve, f->library, f->arguments[ir->main] + k);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir->module); g; g = LLVMGetNextGlobal(g)) {
        size_t n;

        if (strncmp(LLVMGetValueName2(g, &n), "llvm.", 5) != 0)
            global_object(f, g);
    }
    for (uint32_t i = 0; i < ir->n_exposed; i++)
        point_constant(f, f->world, ir->exposed[i], 0, 0);
    for (uint32_t i = 0; i < ir->finals.n; i++)
        pl_ir_add_new(&f->callbacks, ir->finals.at[i]);
}

static int by_call(const void *a, const void *b)
{
    const struct pl_flow_access *x = a, *y = b;

    return (x->call > y->call) - (x->call < y->call);
}

void pl_flow_run(struct pl_flow *f, struct pl_ir *ir, uint64_t limit)
{
    *f = (struct pl_flow){.ir = ir, .channels = has_channels(ir)};
    f->nodes = pl_ir_map_make();
    f->solve = pl_solve_make(pl_calls_found, pl_flow_bound, f);
    make_nodes(f);
    let_world_do(f);
    begin(f);
    uint32_t *allocators = pl_calls_allocators(f);

    pl_calls_allocate(f, allocators);
    for (uint32_t i = 0; i < f->ir->n_functions; i++)
        do_function(f, i, allocators);
    free(allocators);
    f->coarse = !pl_solve_run(f->solve, limit);
    if (f->n_accesses > 0)
        qsort(f->accesses, f->n_accesses, sizeof(*f->accesses), by_call);
}
