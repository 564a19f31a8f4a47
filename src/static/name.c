/* SPDX-License-Identifier: MIT */
/*
 * See name.h.  LLVM-C has functions for little of the debug information; the rest is read as nodes
 * with operands, whose order is that of LLVM's own classes.
 */
#include "static/name.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPERANDS_MAX = 16,
    TYPE_NAME = 2,
    TYPE_BASE = 3,
    TYPE_ELEMENTS = 4,
    VARIABLE_NAME = 1,
    VARIABLE_TYPE = 3,
    SCOPE_OUTER = 1,
    SUBPROGRAM_NAME = 2,
    DEPTH_MAX = 12,
};

struct pl_names {
    const struct pl_flow *flow;
    LLVMContextRef context;
    struct pl_ir_map *locals; /* of allocations on the stack: index in variables */
    LLVMMetadataRef *variables;
    uint32_t n, room;
};

/* ---- nodes ---- */

/* Operand i of a node; NULL: there is none. */
static LLVMMetadataRef operand(struct pl_names *n, LLVMMetadataRef node, unsigned i)
{
    LLVMValueRef operands[OPERANDS_MAX] = {0};
    LLVMValueRef value = LLVMMetadataAsValue(n->context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);

    if (i >= count || count > OPERANDS_MAX)
        return NULL;
    LLVMGetMDNodeOperands(value, operands);
    return operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
}

static const char *string(struct pl_names *n, LLVMMetadataRef node, unsigned i)
{
    LLVMMetadataRef s = operand(n, node, i);
    unsigned length = 0;

    if (s == NULL || LLVMGetMetadataKind(s) != LLVMMDStringMetadataKind)
        return "";
    return LLVMGetMDString(LLVMMetadataAsValue(n->context, s), &length);
}

/* ---- local variables ---- */

/* llvm.dbg.declare and llvm.dbg.value say which variable is where. */
static void learn_variable(struct pl_names *n, LLVMValueRef inst)
{
    LLVMValueRef callee = LLVMGetCalledValue(inst), at = NULL;
    size_t length;

    if (!LLVMIsAFunction(callee) ||
        strncmp(LLVMGetValueName2(callee, &length), "llvm.dbg.", 9) != 0 ||
        LLVMGetNumArgOperands(inst) < 2 || LLVMGetMDNodeNumOperands(LLVMGetOperand(inst, 0)) != 1)
        return;
    LLVMGetMDNodeOperands(LLVMGetOperand(inst, 0), &at);
    if (at == NULL || !LLVMIsAAllocaInst(at) || pl_ir_map_get(n->locals, at) != PL_IR_NONE)
        return;
    if (n->n == n->room) {
        n->room = n->room ? 2 * n->room : 64;
        n->variables = pl_err_must(realloc(n->variables, n->room * sizeof(*n->variables)));
    }
    pl_ir_map_set(n->locals, at, n->n);
    n->variables[n->n++] = LLVMValueAsMetadata(LLVMGetOperand(inst, 1));
}

struct pl_names *pl_names_make(const struct pl_flow *flow)
{
    struct pl_names *n = pl_err_must(calloc(1, sizeof(*n)));

    n->flow = flow;
    n->context = flow->ir->context;
    n->locals = pl_ir_map_make();
    for (uint32_t b = 0; b < flow->ir->n_blocks; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(flow->ir->blocks[b].block); i;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == LLVMCall)
                learn_variable(n, i);
        }
    }
    return n;
}

/* ---- places ---- */

/* The function around a scope. */
static const char *function_around(struct pl_names *n, LLVMMetadataRef scope)
{
    for (unsigned i = 0; scope && i < 64; i++) {
        if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind)
            return string(n, scope, SUBPROGRAM_NAME);
        scope = operand(n, scope, SCOPE_OUTER);
    }
    return "";
}

static const char *file_of(LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;

    return name && length > 0 ? name : "";
}

const char *pl_names_function(struct pl_names *n, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *name = subprogram ? string(n, subprogram, SUBPROGRAM_NAME) : "";
    size_t length;

    return name[0] ? name : LLVMGetValueName2(function, &length);
}

/* What was merged from several lines has none: that of what stands nearest is better than nothing.
 */
static uint32_t line_near(LLVMValueRef inst)
{
    uint32_t line = 0;

    for (LLVMValueRef i = inst; i && line == 0; i = LLVMGetPreviousInstruction(i)) {
        LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);

        line = at ? LLVMDILocationGetLine(at) : 0;
    }
    for (LLVMValueRef i = inst; i && line == 0; i = LLVMGetNextInstruction(i)) {
        LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);

        line = at ? LLVMDILocationGetLine(at) : 0;
    }
    return line;
}

struct pl_name_place pl_names_place(struct pl_names *n, LLVMValueRef inst)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(inst);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
    struct pl_name_place p = {
        .file = "", .function = pl_names_function(n, function), .inlined_file = ""};

    if (at == NULL)
        return p;
    LLVMMetadataRef scope = LLVMDILocationGetScope(at), outer = LLVMDILocationGetInlinedAt(at);
    const char *name = function_around(n, scope);

    p.line = LLVMDILocationGetLine(at);
    p.column = LLVMDILocationGetColumn(at);
    if (p.line == 0)
        p.line = line_near(inst);
    p.file = file_of(scope);
    if (name[0])
        p.function = name;
    if (outer) {
        p.inlined_file = file_of(LLVMDILocationGetScope(outer));
        p.inlined_line = LLVMDILocationGetLine(outer);
    }
    return p;
}

/* ---- fields ---- */

struct text {
    char *at;
    size_t n;
};

static void append(struct text *t, const char *s)
{
    size_t length = strlen(s);

    t->at = pl_err_must(realloc(t->at, t->n + length + 1));
    memcpy(t->at + t->n, s, length + 1);
    t->n += length;
}

static void append_fields(struct pl_names *n, struct text *t, LLVMMetadataRef type, uint64_t offset,
                          unsigned depth);

/* The member of a structure that the offset lies in. */
static void append_member(struct pl_names *n, struct text *t, LLVMMetadataRef elements,
                          uint64_t offset, unsigned depth)
{
    LLVMValueRef list = LLVMMetadataAsValue(n->context, elements);
    unsigned count = LLVMGetMDNodeNumOperands(list);
    LLVMValueRef *members = pl_err_must(calloc(count + 1, sizeof(*members)));

    LLVMGetMDNodeOperands(list, members);
    for (unsigned i = 0; i < count; i++) {
        LLVMMetadataRef m = members[i] ? LLVMValueAsMetadata(members[i]) : NULL;

        if (m == NULL || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind ||
            (LLVMDITypeGetFlags(m) & LLVMDIFlagStaticMember) != 0)
            continue;
        uint64_t from = LLVMDITypeGetOffsetInBits(m) / 8, size = LLVMDITypeGetSizeInBits(m) / 8;
        const char *name = string(n, m, TYPE_NAME);
        LLVMMetadataRef base = operand(n, m, TYPE_BASE);

        if (size == 0 && base) /* a base class */
            size = LLVMDITypeGetSizeInBits(base) / 8;
        if (offset < from || (offset >= from + size && !(size == 0 && offset == from)))
            continue;
        if (name[0]) {
            append(t, ".");
            append(t, name);
        }
        if (base)
            append_fields(n, t, base, offset - from, depth + 1);
        break;
    }
    free(members);
}

static bool is_array(struct pl_names *n, LLVMMetadataRef elements)
{
    LLVMMetadataRef first = operand(n, elements, 0);

    return first != NULL && LLVMGetMetadataKind(first) == LLVMDISubrangeMetadataKind;
}

static void append_fields(struct pl_names *n, struct text *t, LLVMMetadataRef type, uint64_t offset,
                          unsigned depth)
{
    LLVMMetadataKind kind = LLVMGetMetadataKind(type);
    LLVMMetadataRef base = operand(n, type, TYPE_BASE), elements;

    if (depth > DEPTH_MAX)
        return;
    if (kind == LLVMDIDerivedTypeMetadataKind) {
        /* Of a typedef, const, ...; a pointer, of which nothing more is to be said, has a size. */
        if (LLVMDITypeGetSizeInBits(type) == 0 && base)
            append_fields(n, t, base, offset, depth + 1);
        return;
    }
    if (kind != LLVMDICompositeTypeMetadataKind)
        return;
    elements = operand(n, type, TYPE_ELEMENTS);
    if (base && elements && is_array(n, elements)) {
        uint64_t size = LLVMDITypeGetSizeInBits(base) / 8;

        append(t, "[]");
        if (size > 0)
            append_fields(n, t, base, offset % size, depth + 1);
    } else if (elements) {
        /* What pthreads has inside its objects is nobody's business. */
        if (strncmp(string(n, type, TYPE_NAME), "__pthread", 9) != 0 && depth < DEPTH_MAX)
            append_member(n, t, elements, offset, depth);
    }
}

/* The union that pthread_mutex_t is has members of no interest. */
static void cut_at(struct text *t, const char *part)
{
    char *found = t->at ? strstr(t->at, part) : NULL;

    if (found)
        *found = '\0';
}

/* ---- objects ---- */

static LLVMMetadataRef variable_of(struct pl_names *n, LLVMValueRef global)
{
    size_t count = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &count);
    LLVMMetadataRef variable = NULL;

    for (unsigned i = 0; i < count && variable == NULL; i++) {
        LLVMMetadataRef m = LLVMValueMetadataEntriesGetMetadata(all, i);

        if (LLVMGetMetadataKind(m) == LLVMDIGlobalVariableExpressionMetadataKind)
            variable = LLVMDIGlobalVariableExpressionGetVariable(m);
    }
    LLVMDisposeValueMetadataEntries(all);
    return variable;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void name_block(struct pl_names *n, struct text *t, const struct pl_solve_object *o)
{
    uint32_t call = o->caller != PL_IR_NONE ? o->caller : o->call;
    LLVMValueRef inst = call != PL_IR_NONE ? n->flow->ir->calls[call].inst : o->value;
    struct pl_name_place p = pl_names_place(n, inst);
    char text[512];

    snprintf(text, sizeof(text), "heap from %s:%u", last_name(p.file), p.line);
    append(t, p.line ? text : "heap");
}

static void name_local(struct pl_names *n, struct text *t, const struct pl_solve_object *o,
                       uint64_t offset)
{
    uint32_t i = pl_ir_map_get(n->locals, o->value);
    const char *name = i != PL_IR_NONE ? string(n, n->variables[i], VARIABLE_NAME) : "";
    LLVMMetadataRef type = i != PL_IR_NONE ? operand(n, n->variables[i], VARIABLE_TYPE) : NULL;

    append(t, name[0] ? name : "local");
    if (type)
        append_fields(n, t, type, offset, 0);
    append(t, " of ");
    append(t, pl_names_function(n, n->flow->ir->functions[o->function].value));
}

char *pl_names_location(struct pl_names *n, uint32_t location)
{
    const struct pl_solve_location *l = pl_solve_location_at(n->flow->solve, location);
    const struct pl_solve_object *o = pl_solve_object_at(n->flow->solve, l->object);
    uint64_t offset = l->offset > 0 ? (uint64_t)l->offset : 0;
    bool anywhere = l->stride == 1 && l->high == 0;
    struct text t = {0};
    char text[64];
    size_t length;

    offset = l->high != 0 ? (uint64_t)l->low : offset;

    append(&t, "");
    switch ((enum pl_object_sort)o->sort) {
    case PL_OBJECT_GLOBAL_SORT: {
        LLVMMetadataRef v = variable_of(n, o->value);
        const char *name = v ? string(n, v, VARIABLE_NAME) : "";

        append(&t, name[0] ? name : LLVMGetValueName2(o->value, &length));
        if (v && operand(n, v, VARIABLE_TYPE) && !anywhere)
            append_fields(n, &t, operand(n, v, VARIABLE_TYPE), offset, 0);
        break;
    }
    case PL_OBJECT_LOCAL_SORT:
        name_local(n, &t, o, offset);
        break;
    case PL_OBJECT_HEAP_SORT:
        name_block(n, &t, o);
        snprintf(text, sizeof(text), " +%llu", (unsigned long long)offset);
        if (!anywhere && offset > 0)
            append(&t, text);
        break;
    case PL_OBJECT_FUNCTION_SORT:
        append(&t, "code");
        break;
    case PL_OBJECT_REST_SORT:
        append(&t, "arguments");
        break;
    case PL_OBJECT_WORLD_SORT:
        append(&t, "memory of a library");
        break;
    case PL_OBJECT_MANY_SORT:
        append(&t, "one of many");
        break;
    }
    cut_at(&t, ".__data");
    cut_at(&t, ".__size");
    return t.at;
}
