/* SPDX-License-Identifier: MIT */
/* Functions, blocks and calls by numbers; see ir.h. */
#include "base/assert.h"
#include "base/hash.h"
#include "static/code.h"
#include "static/ir.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists and maps ---- */

size_t pl_ir_first(const void *rows, size_t n, size_t size, const void *key,
                   bool (*is_below)(const void *row, const void *key))
{
    size_t from = 0, to = n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (is_below((const char *)rows + middle * size, key))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void pl_ir_add(struct pl_ir_list *list, uint32_t x)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->at = pl_err_must(realloc(list->at, list->room * sizeof(*list->at)));
    }
    list->at[list->n++] = x;
}

bool pl_ir_has(const struct pl_ir_list *list, uint32_t x)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->at[i] == x)
            return true;
    }
    return false;
}

bool pl_ir_add_new(struct pl_ir_list *list, uint32_t x)
{
    if (pl_ir_has(list, x))
        return false;
    pl_ir_add(list, x);
    return true;
}

struct pl_ir_map {
    struct slot {
        const void *key;
        uint32_t value;
    } * slots;
    size_t n, capacity;
};

struct pl_ir_map *pl_ir_map_make(void)
{
    struct pl_ir_map *m = pl_err_must(calloc(1, sizeof(*m)));

    m->capacity = 1024;
    m->slots = pl_err_must(calloc(m->capacity, sizeof(*m->slots)));
    return m;
}

void pl_ir_map_free(struct pl_ir_map *m)
{
    if (m != NULL)
        free(m->slots);
    free(m);
}

static struct slot *slot_of(const struct pl_ir_map *m, const void *key)
{
    size_t i = pl_hash_mix((uint64_t)key) & (m->capacity - 1);

    while (m->slots[i].key != NULL && m->slots[i].key != key)
        i = (i + 1) & (m->capacity - 1);
    return &m->slots[i];
}

uint32_t pl_ir_map_get(const struct pl_ir_map *m, const void *key)
{
    const struct slot *s = slot_of(m, key);

    return s->key == NULL ? PL_IR_NONE : s->value;
}

void pl_ir_map_set(struct pl_ir_map *m, const void *key, uint32_t value)
{
    if (2 * (m->n + 1) > m->capacity) {
        struct pl_ir_map old = *m;

        m->capacity *= 2;
        m->slots = pl_err_must(calloc(m->capacity, sizeof(*m->slots)));
        for (size_t i = 0; i < old.capacity; i++) {
            if (old.slots[i].key != NULL)
                *slot_of(m, old.slots[i].key) = old.slots[i];
        }
        free(old.slots);
    }
    struct slot *s = slot_of(m, key);

    m->n += s->key == NULL;
    *s = (struct slot){key, value};
}

uint32_t pl_ir_function_of(const struct pl_ir *ir, LLVMValueRef value)
{
    return pl_ir_map_get(ir->values, value);
}

uint32_t pl_ir_block_of(const struct pl_ir *ir, LLVMBasicBlockRef block)
{
    return pl_ir_map_get(ir->values, block);
}

/* ---- calls ---- */

bool pl_ir_is_call(LLVMValueRef inst)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);

    return (op == LLVMCall || op == LLVMInvoke) && pl_label_wanted(inst);
}

static uint32_t number_of(const struct pl_ir *ir, LLVMValueRef inst)
{
    LLVMValueRef node = LLVMGetMetadata(inst, ir->kind);
    LLVMValueRef number = NULL;

    if (node == NULL || LLVMGetMDNodeNumOperands(node) != 1)
        return PL_IR_NONE;
    LLVMGetMDNodeOperands(node, &number);
    return number ? (uint32_t)LLVMConstIntGetZExtValue(number) : PL_IR_NONE;
}

/* The function that is called through casts and aliases. */
static LLVMValueRef callee_of(LLVMValueRef inst)
{
    LLVMValueRef f = LLVMGetCalledValue(inst);

    while (LLVMIsAConstantExpr(f) && LLVMGetConstOpcode(f) == LLVMBitCast)
        f = LLVMGetOperand(f, 0);
    if (LLVMIsAGlobalAlias(f))
        f = LLVMAliasGetAliasee(f);
    while (LLVMIsAConstantExpr(f) && LLVMGetConstOpcode(f) == LLVMBitCast)
        f = LLVMGetOperand(f, 0);
    return LLVMIsAFunction(f) ? f : NULL;
}

static void read_callee(struct pl_ir *ir, struct pl_ir_call *c)
{
    LLVMValueRef f = callee_of(c->inst);
    size_t n;

    if (f == NULL)
        return; /* solve.c finds them */
    uint32_t known = pl_ir_function_of(ir, f);

    if (known != PL_IR_NONE) {
        pl_ir_add(&c->callees, known);
        return;
    }
    c->declared = f;
    c->model = pl_model_find(LLVMGetValueName2(f, &n));
    c->unknown = c->model == NULL;
    c->returns =
        c->model == NULL || (c->model->does != PL_MODEL_ENDS && c->model->does != PL_MODEL_THROWS &&
                             c->model->does != PL_MODEL_JUMPS);
}

static void add_call(struct pl_ir *ir, LLVMValueRef inst, uint32_t function, uint32_t block)
{
    struct pl_ir_call *c = &ir->calls[ir->n_calls++];

    *c = (struct pl_ir_call){.inst = inst,
                             .function = function,
                             .block = block,
                             .number = number_of(ir, inst),
                             .returns = true,
                             .unwinds = PL_IR_NONE};
    if (LLVMGetInstructionOpcode(inst) == LLVMInvoke)
        c->unwinds = pl_ir_block_of(ir, LLVMGetUnwindDest(inst));
    read_callee(ir, c);
    if (c->model != NULL && c->model->does == PL_MODEL_FRAMES)
        ir->functions[function].framed = true;
}

/* ---- blocks ---- */

static void read_end(struct pl_ir *ir, struct pl_ir_block *b)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    LLVMOpcode op = end ? LLVMGetInstructionOpcode(end) : LLVMUnreachable;

    b->leaves = op == LLVMRet;
    b->resumes = op == LLVMResume;
    b->first_next = ir->n_nexts;
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
        uint32_t to = pl_ir_block_of(ir, LLVMGetSuccessor(end, i));
        bool unwinds = op == LLVMInvoke && LLVMGetUnwindDest(end) == LLVMGetSuccessor(end, i);

        if (to != PL_IR_NONE && !unwinds)
            ir->nexts[ir->n_nexts++] = to;
    }
    b->n_next = ir->n_nexts - b->first_next;
}

static void read_block(struct pl_ir *ir, uint32_t number)
{
    struct pl_ir_block *b = &ir->blocks[number];

    b->first_call = ir->n_calls;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->block); i; i = LLVMGetNextInstruction(i)) {
        if (pl_ir_is_call(i))
            add_call(ir, i, b->function, number);
    }
    b->n_calls = ir->n_calls - b->first_call;
    b->segment = ir->n_segments;
    ir->n_segments += b->n_calls + 1;
    read_end(ir, b);
}

/* ---- loops: strongly connected blocks of a function ---- */

struct components {
    const struct pl_ir *ir;
    uint32_t *low, *index, *stack, *path, *edge, *root;
    uint32_t n, n_stack;
    bool *on, *looped;
};

/* Tarjan's algorithm without recursion. */
static void visit_block(struct components *k, uint32_t root)
{
    uint32_t depth = 0;

    k->path[depth] = root;
    k->edge[root] = 0;
    k->index[root] = k->low[root] = ++k->n;
    k->stack[k->n_stack++] = root;
    k->on[root] = true;
    for (;;) {
        uint32_t v = k->path[depth];
        const struct pl_ir_block *b = &k->ir->blocks[v];
        uint32_t total = b->n_next;
        uint32_t extra = PL_IR_NONE;

        if (b->n_calls > 0)
            extra = k->ir->calls[b->first_call + b->n_calls - 1].unwinds;
        total += extra != PL_IR_NONE;
        if (k->edge[v] < total) {
            uint32_t e = k->edge[v]++;
            uint32_t w = e < b->n_next ? k->ir->nexts[b->first_next + e] : extra;

            if (w == v)
                k->looped[v] = true;
            if (k->index[w] == 0) {
                k->index[w] = k->low[w] = ++k->n;
                k->stack[k->n_stack++] = w;
                k->on[w] = true;
                k->edge[w] = 0;
                k->path[++depth] = w;
            } else if (k->on[w] && k->index[w] < k->low[v]) {
                k->low[v] = k->index[w];
            }
            continue;
        }
        if (k->low[v] == k->index[v]) {
            uint32_t first = k->n_stack;

            while (k->stack[--first] != v)
                continue;
            for (uint32_t i = first; i < k->n_stack; i++) {
                k->on[k->stack[i]] = false;
                k->root[k->stack[i]] = v;
                k->looped[k->stack[i]] |= k->n_stack - first > 1;
            }
            k->n_stack = first;
        }
        if (depth == 0)
            return;
        depth--;
        if (k->low[v] < k->low[k->path[depth]])
            k->low[k->path[depth]] = k->low[v];
    }
}

static void find_loops(struct pl_ir *ir)
{
    size_t n = ir->n_blocks + 1;
    struct components k = {.ir = ir};

    k.low = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.index = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.stack = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.path = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.edge = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.root = pl_err_must(calloc(n, sizeof(uint32_t)));
    k.on = pl_err_must(calloc(n, sizeof(bool)));
    k.looped = pl_err_must(calloc(n, sizeof(bool)));
    for (uint32_t i = 0; i < ir->n_blocks; i++) {
        if (k.index[i] == 0)
            visit_block(&k, i);
    }
    for (uint32_t i = 0; i < ir->n_blocks; i++)
        ir->blocks[i].loop = k.looped[i] ? k.root[i] : PL_IR_NONE;
    for (uint32_t i = 0; i < ir->n_calls; i++)
        ir->calls[i].looped = k.looped[ir->calls[i].block];
    free(k.low);
    free(k.index);
    free(k.stack);
    free(k.path);
    free(k.edge);
    free(k.root);
    free(k.on);
    free(k.looped);
}

/* ---- functions ---- */

static void count(struct pl_ir *ir)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) == 0)
            continue;
        ir->n_functions++;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

            ir->n_blocks++;
            ir->n_nexts += end ? LLVMGetNumSuccessors(end) : 0;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                ir->n_calls += pl_ir_is_call(i);
        }
    }
}

/* Functions before blocks before calls: a call may be of one that comes later. */
static void number_all(struct pl_ir *ir)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;

        if (LLVMCountBasicBlocks(f) == 0)
            continue;
        struct pl_ir_function *to = &ir->functions[ir->n_functions];

        *to = (struct pl_ir_function){
            .value = f, .name = LLVMGetValueName2(f, &length), .first_block = ir->n_blocks};
        pl_ir_map_set(ir->values, f, ir->n_functions);
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            pl_ir_map_set(ir->values, b, ir->n_blocks);
            ir->blocks[ir->n_blocks++] =
                (struct pl_ir_block){.block = b, .function = ir->n_functions};
        }
        to->n_blocks = ir->n_blocks - to->first_block;
        if (strcmp(to->name, "main") == 0)
            ir->main = ir->n_functions;
        ir->n_functions++;
    }
}

/* Functions of a list that the compiler makes: constructors or destructors. */
static void find_listed(struct pl_ir *ir, const char *name, struct pl_ir_list *to)
{
    LLVMValueRef list = LLVMGetNamedGlobal(ir->module, name);
    LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;

    for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
        LLVMValueRef entry = LLVMGetOperand(all, (unsigned)i);
        LLVMValueRef f = LLVMGetNumOperands(entry) > 1 ? LLVMGetOperand(entry, 1) : NULL;

        if (f && LLVMIsAFunction(f) && pl_ir_function_of(ir, f) != PL_IR_NONE)
            pl_ir_add_new(to, pl_ir_function_of(ir, f));
    }
}

uint32_t pl_ir_resolver_of(const struct pl_ir *ir, LLVMValueRef ifunc)
{
    LLVMValueRef f = LLVMGetGlobalIFuncResolver(ifunc);

    while (f && LLVMIsAConstantExpr(f) && LLVMGetConstOpcode(f) == LLVMBitCast)
        f = LLVMGetOperand(f, 0);
    return f && LLVMIsAFunction(f) ? pl_ir_function_of(ir, f) : PL_IR_NONE;
}

/* Code that was compiled without hooks: what it accesses is seen, but at no call. */
static bool is_unhooked(const struct pl_ir *ir, const struct pl_ir_function *f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);

    if (LLVMGetEnumAttributeAtIndex(f->value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    kind) != NULL)
        return false;
    for (uint32_t b = f->first_block; b < f->first_block + f->n_blocks; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir->blocks[b].block); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);

            if (op == LLVMLoad || op == LLVMStore || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
                return true;
        }
    }
    return false;
}

void pl_ir_index(struct pl_ir *ir)
{
    ir->values = pl_ir_map_make();
    ir->main = PL_IR_NONE;
    ir->n_functions = ir->n_blocks = ir->n_calls = ir->n_nexts = 0;
    count(ir);
    ir->functions = pl_err_must(calloc(ir->n_functions + 1, sizeof(*ir->functions)));
    ir->blocks = pl_err_must(calloc(ir->n_blocks + 1, sizeof(*ir->blocks)));
    ir->calls = pl_err_must(calloc(ir->n_calls + 1, sizeof(*ir->calls)));
    ir->nexts = pl_err_must(calloc(ir->n_nexts + 1, sizeof(*ir->nexts)));
    ir->n_functions = ir->n_blocks = ir->n_calls = ir->n_nexts = 0;
    number_all(ir);
    for (uint32_t i = 0; i < ir->n_functions; i++) {
        struct pl_ir_function *f = &ir->functions[i];

        f->first_call = ir->n_calls;
        for (uint32_t b = 0; b < f->n_blocks; b++)
            read_block(ir, f->first_block + b);
        f->n_calls = ir->n_calls - f->first_call;
        ir->partly |= is_unhooked(ir, f);
    }
    ir->call_of = pl_err_must(malloc((ir->n_numbers + 1) * sizeof(*ir->call_of)));
    memset(ir->call_of, 0xff, (ir->n_numbers + 1) * sizeof(*ir->call_of));
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (ir->calls[i].number < ir->n_numbers)
            ir->call_of[ir->calls[i].number] = i;
    }
    find_loops(ir);
    find_listed(ir, "llvm.global_ctors", &ir->starts);
    for (LLVMValueRef g = LLVMGetFirstGlobalIFunc(ir->module); g; g = LLVMGetNextGlobalIFunc(g)) {
        if (pl_ir_resolver_of(ir, g) != PL_IR_NONE)
            pl_ir_add_new(&ir->starts, pl_ir_resolver_of(ir, g));
    }
    find_listed(ir, "llvm.global_dtors", &ir->finals);
}
