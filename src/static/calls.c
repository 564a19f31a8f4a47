/* SPDX-License-Identifier: MIT */
/* See calls.h. */
#include "static/calls.h"

#include "base/assert.h"
#include "model/operation.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* What is to be done when a pointer turns out to be a function. */
enum demand_kind {
    DEMAND_CALL,
    DEMAND_THREAD,
    DEMAND_LAST, /* what a thread calls when its own function has returned */
    DEMAND_NOW,
    DEMAND_CALLBACK,
    DEMAND_WORLD
};

struct demand {
    uint8_t kind;
    uint32_t call;
    uint32_t argument; /* of a thread: the node of its argument; else whether windows are handed */
    struct pl_ir_list done;
};

static void demand(struct pl_flow *f, enum demand_kind kind, uint32_t pointer, uint32_t call,
                   uint32_t argument)
{
    if (f->n_demands == f->room_demands) {
        f->room_demands = f->room_demands ? 2 * f->room_demands : 64;
        f->demands = pl_err_must(realloc(f->demands, f->room_demands * sizeof(*f->demands)));
    }
    f->demands[f->n_demands++] =
        (struct demand){.kind = (uint8_t)kind, .call = call, .argument = argument};
    pl_solve_call(f->solve, pointer, f->n_demands - 1);
}

/* An argument.  Beyond the named ones, a structure by value is taken piece by piece. */
static void hand_over(struct pl_flow *f, LLVMValueRef inst, unsigned i, uint32_t function)
{
    uint32_t from = pl_flow_node(f, LLVMGetOperand(inst, i));
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

    if (i < LLVMCountParams(f->ir->functions[function].value)) {
        pl_solve_copy(f->solve, from, f->arguments[function] + i);
        return;
    }
    pl_solve_copy(f->solve, from, f->rests[function]);
    if (LLVMGetCallSiteEnumAttribute(inst, i + 1, byval) != NULL)
        pl_solve_load(f->solve, from, f->rests[function], -1);
}

static void connect(struct pl_flow *f, uint32_t call, uint32_t function)
{
    struct pl_ir_call *c = &f->ir->calls[call];
    unsigned n = LLVMGetNumArgOperands(c->inst);

    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef argument = LLVMGetOperand(c->inst, i);

        if (pl_flow_carries(argument))
            hand_over(f, c->inst, i, function);
    }
    if (pl_flow_carries(c->inst))
        pl_solve_copy(f->solve, f->results[function], pl_flow_node(f, c->inst));
}

static void add_thread(struct pl_flow *f, uint32_t call, uint32_t function)
{
    if (f->n_threads == f->room_threads) {
        f->room_threads = f->room_threads ? 2 * f->room_threads : 16;
        f->threads = pl_err_must(realloc(f->threads, f->room_threads * sizeof(*f->threads)));
    }
    f->threads[f->n_threads++] = (struct pl_flow_thread){call, function};
}

/* All of its arguments, and what it returns. */
static void call_from_world(struct pl_flow *f, uint32_t function)
{
    unsigned n = LLVMCountParams(f->ir->functions[function].value);

    pl_ir_add_new(&f->callbacks, function);
    if (!pl_ir_add_new(&f->foreign, function))
        return;
    for (unsigned i = 0; i < n; i++)
        pl_solve_copy(f->solve, f->world, f->arguments[function] + i);
    pl_solve_copy(f->solve, f->world, f->rests[function]);
    pl_solve_copy(f->solve, f->results[function], f->world);
}

/* A length or a signal, which no library makes a pointer of. */
static bool is_small(LLVMValueRef parameter)
{
    LLVMTypeRef type = LLVMTypeOf(parameter);

    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 64;
}

/*
 * A function that libc calls back is handed what libc was, of what is the program's: anywhere in
 * it.  What it leaves where zlib wants it lies in the stream then.
 */
static void call_back(struct pl_flow *f, uint32_t call, uint32_t function, bool windows)
{
    LLVMValueRef inst = f->ir->calls[call].inst, g = f->ir->functions[function].value;
    unsigned n = LLVMCountParams(g);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef argument = LLVMGetOperand(inst, i);

        if (!pl_flow_carries(argument) ||
            strchr(windows ? "aruz" : "aruzs", pl_model_letter(f->ir->calls[call].model, i)) ==
                NULL)
            continue;
        for (unsigned k = 0; k < n; k++) {
            if (!is_small(LLVMGetParam(g, k)))
                pl_solve_offset(f->solve, pl_flow_node(f, argument), f->arguments[function] + k, 0,
                                1);
        }
    }
    /* Destructors of keys are handed what was kept for a thread, those of zlib a window. */
    const char *uses = strchr(f->ir->calls[call].model->args, '~');
    uint32_t kept = uses && strchr(uses, 'K') ? f->keys : windows ? f->windows : PL_IR_NONE;

    for (unsigned k = 0; k < n && kept != PL_IR_NONE; k++) {
        if (!is_small(LLVMGetParam(g, k)))
            pl_solve_copy(f->solve, kept, f->arguments[function] + k);
    }
}

static bool is_closed(const struct pl_ir *ir, LLVMValueRef function)
{
    for (uint32_t i = 0; i < ir->n_closed; i++) {
        if (ir->closed[i] == function)
            return true;
    }
    return false;
}

/* It does what it likes, but only with what this call leads to. */
static void call_closed(struct pl_flow *f, uint32_t call)
{
    LLVMValueRef inst = f->ir->calls[call].inst;
    uint32_t all = pl_solve_node(f->solve);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        if (pl_flow_carries(LLVMGetOperand(inst, i)))
            pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(inst, i)), all);
    }
    pl_solve_offset(f->solve, all, all, 0, 1);
    pl_solve_load(f->solve, all, all, -1);
    pl_solve_spill(f->solve, all, all);
    if (pl_flow_carries(inst))
        pl_solve_copy(f->solve, all, pl_flow_node(f, inst));
    pl_ir_add(&f->closed, all);
}

/* Whatever it is handed it has; whatever it returns may be anything that it has. */
static void call_unknown(struct pl_flow *f, uint32_t call)
{
    LLVMValueRef inst = f->ir->calls[call].inst;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        if (pl_flow_carries(LLVMGetOperand(inst, i)))
            pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(inst, i)), f->world);
    }
    if (pl_flow_carries(inst))
        pl_solve_copy(f->solve, f->world, pl_flow_node(f, inst));
}

void pl_calls_touch(struct pl_flow *f, struct pl_flow_access a)
{
    if (f->n_accesses == f->room) {
        f->room = f->room ? 2 * f->room : 1024;
        f->accesses = pl_err_must(realloc(f->accesses, f->room * sizeof(*f->accesses)));
    }
    f->accesses[f->n_accesses++] = a;
}

int64_t pl_calls_constant(LLVMValueRef v)
{
    return LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : -1;
}

/* Whether it is a function that the runtime announces accesses of. */
static bool is_announced(const struct pl_solve_object *o)
{
    size_t n;

    if (o->sort != PL_OBJECT_FUNCTION_SORT)
        return false;
    const char *name = LLVMGetValueName2(o->value, &n);

    return pl_model_find(name) != NULL || pl_model_announced(name) != NULL;
}

/*
 * A function of a library through a pointer, as `malloc' in a variable: known as when it is called
 * by name if it does nothing but touch what its arguments point to, allocate and free.
 */
static bool call_known(struct pl_flow *f, const struct demand *d, const struct pl_solve_object *o)
{
    size_t length;
    const struct pl_model *m = o->sort == PL_OBJECT_FUNCTION_SORT
                                   ? pl_model_find(LLVMGetValueName2(o->value, &length))
                                   : NULL;

    if (m == NULL || d->kind != DEMAND_CALL || m->does != PL_MODEL_PLAIN ||
        strspn(m->args, "-rwudc*") != strlen(m->args) || m->result == PL_MODEL_LOADED)
        return false;
    LLVMValueRef inst = f->ir->calls[d->call].inst;
    uint32_t result = pl_flow_carries(inst) ? pl_flow_node(f, inst) : PL_IR_NONE;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        char letter = pl_model_letter(m, i);
        bool life = letter == 'd' || letter == 'c';

        if (letter == '-' || !pl_flow_carries(LLVMGetOperand(inst, i)))
            continue;
        uint32_t node = pl_flow_node(f, LLVMGetOperand(inst, i));

        pl_calls_touch(f, (struct pl_flow_access){.call = d->call,
                                                  .node = node,
                                                  .reads = letter == 'r' || letter == 'u',
                                                  .writes = letter != 'r',
                                                  .life = life});
        if (letter == 'c' && result != PL_IR_NONE) {
            pl_solve_copy(f->solve, node, result);
            pl_solve_move(f->solve, result, node, -1);
        }
    }
    if (result == PL_IR_NONE)
        return true;
    if (m->result == PL_MODEL_HEAP)
        pl_solve_point(
            f->solve, result,
            pl_solve_location(f->solve, pl_calls_block(f, d->call, PL_IR_NONE, m->name), 0, 0));
    else if (m->result == PL_MODEL_WORLD || m->result == PL_MODEL_LIBRARY)
        pl_solve_copy(f->solve, m->result == PL_MODEL_WORLD ? f->world : f->library, result);
    else if (m->result == PL_MODEL_SAME)
        pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), result);
    else if (m->result == PL_MODEL_ARGUMENT)
        pl_solve_index(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), result, 0, 1);
    return true;
}

/* It may be unknown code that is called. */
static void found_unknown(struct pl_flow *f, const struct demand *d,
                          const struct pl_solve_object *o)
{
    if (d->kind == DEMAND_WORLD)
        return;
    if (d->kind == DEMAND_CALL && o->sort == PL_OBJECT_FUNCTION_SORT &&
        is_closed(f->ir, o->value)) {
        call_closed(f, d->call);
    } else if (!call_known(f, d, o)) {
        call_unknown(f, d->call);
        if (d->kind == DEMAND_CALL && is_announced(o))
            pl_library_all(f, d->call, true);
    }
    if (d->kind == DEMAND_CALL && f->ir->calls[d->call].model == NULL)
        f->ir->calls[d->call].unknown = true;
}

/* ---- whom a pointer cannot be, since it is called otherwise ---- */

/* How many arguments go by which way. */
struct arguments {
    unsigned words, floats, others;
};

static void count_argument(struct arguments *a, LLVMTypeRef type, bool by_value)
{
    switch (by_value ? LLVMStructTypeKind : LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        a->words++;
        break;
    case LLVMIntegerTypeKind:
        a->words += (LLVMGetIntTypeWidth(type) + 63) / 64;
        break;
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMVectorTypeKind:
        a->floats++;
        break;
    default:
        a->others++;
        break;
    }
}

/* What a call hands over. */
static struct arguments handed_by(LLVMValueRef inst)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    struct arguments a = {0};

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++)
        count_argument(&a, LLVMTypeOf(LLVMGetOperand(inst, i)),
                       LLVMGetCallSiteEnumAttribute(inst, i + 1, byval) != NULL);
    return a;
}

/* What a function wants: of one with a body, up to the last argument that it uses. */
static struct arguments wanted_by(LLVMValueRef function)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5), n = LLVMCountParams(function);
    struct arguments a = {0};

    while (n > 0 && LLVMCountBasicBlocks(function) > 0 &&
           LLVMGetFirstUse(LLVMGetParam(function, n - 1)) == NULL)
        n--;
    for (unsigned i = 0; i < n; i++)
        count_argument(&a, LLVMTypeOf(LLVMGetParam(function, i)),
                       LLVMGetEnumAttributeAtIndex(function, i + 1, byval) != NULL);
    return a;
}

/*
 * Whether a call may be one of this function.  C demands the same type; what works in practice are
 * arguments of another type, and more of them than the function looks at.  With fewer it would
 * compute with what happens to be in registers.
 */
static bool may_be_called(const struct demand *d, const struct pl_flow *f, LLVMValueRef function)
{
    struct arguments handed = {.words = 1}, wanted = wanted_by(function);

    if (d->kind != DEMAND_CALL && d->kind != DEMAND_THREAD)
        return true;
    if (d->kind == DEMAND_CALL)
        handed = handed_by(f->ir->calls[d->call].inst);
    return wanted.words <= handed.words && wanted.floats <= handed.floats &&
           wanted.others <= handed.others;
}

/* Whether it is a function of a library that does nothing but end. */
static bool only_ends(const struct pl_solve_object *o)
{
    size_t n;
    const struct pl_model *m =
        o->sort == PL_OBJECT_FUNCTION_SORT ? pl_model_find(LLVMGetValueName2(o->value, &n)) : NULL;

    return m != NULL && m->does == PL_MODEL_ENDS;
}

void pl_calls_found(void *context, uint32_t what, uint32_t object)
{
    struct pl_flow *f = context;
    const struct pl_solve_object *o = pl_solve_object_at(f->solve, object);
    uint32_t function = o->function;

    if (!pl_ir_add_new(&f->demands[what].done, object))
        return;
    struct demand d = f->demands[what];

    if (o->sort == PL_OBJECT_FUNCTION_SORT && !may_be_called(&d, f, o->value))
        return;
    if (function == PL_IR_NONE) {
        if (!only_ends(o))
            found_unknown(f, &d, o);
        return;
    }

    f->ir->functions[function].taken = true;
    switch ((enum demand_kind)d.kind) {
    case DEMAND_CALL:
        pl_ir_add_new(&f->ir->calls[d.call].callees, function);
        connect(f, d.call, function);
        break;
    case DEMAND_LAST:
        pl_ir_add_new(&f->lasts, function);
        /* fall through */
    case DEMAND_THREAD:
        add_thread(f, d.call, function);
        if (LLVMCountParams(f->ir->functions[function].value) > 0)
            pl_solve_copy(f->solve, d.argument, f->arguments[function]);
        pl_solve_copy(f->solve, f->results[function], f->returned);
        break;
    case DEMAND_NOW:
        pl_ir_add_new(&f->ir->calls[d.call].callees, function);
        f->ir->calls[d.call].looped |= f->ir->calls[d.call].model->op != PL_OP_ONCE;
        call_back(f, d.call, function, d.argument != 0);
        break;
    case DEMAND_CALLBACK:
        pl_ir_add_new(&f->callbacks, function);
        call_back(f, d.call, function, d.argument != 0);
        break;
    case DEMAND_WORLD:
        call_from_world(f, function);
        break;
    }
}

/* The argument with this letter; NULL if there is none. */
static LLVMValueRef argument_with(const struct pl_ir_call *c, char letter)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++) {
        if (pl_model_letter(c->model, i) == letter)
            return LLVMGetOperand(c->inst, i);
    }
    return NULL;
}

static void create(struct pl_flow *f, uint32_t call)
{
    const struct pl_ir_call *c = &f->ir->calls[call];
    LLVMValueRef function = argument_with(c, 'f'), argument = argument_with(c, 'a');
    LLVMValueRef state = argument_with(c, 'A');

    if (state) { /* std::thread: a pointer to a pointer to an object with a virtual function */
        uint32_t object = pl_solve_node(f->solve), table = pl_solve_node(f->solve);
        uint32_t entry = pl_solve_node(f->solve), run = pl_solve_node(f->solve);

        pl_solve_load(f->solve, pl_flow_node(f, state), object, 8);
        pl_solve_load(f->solve, object, table, 8);
        pl_solve_offset(f->solve, table, entry, 16, 0);
        pl_solve_load(f->solve, entry, run, 8);
        demand(f, DEMAND_THREAD, run, call, object);
        /* When that has returned, the thread deletes the object. */
        uint32_t last = pl_solve_node(f->solve), destroy = pl_solve_node(f->solve);

        pl_solve_offset(f->solve, table, last, 8, 0);
        pl_solve_load(f->solve, last, destroy, 8);
        demand(f, DEMAND_LAST, destroy, call, object);
    } else if (function) {
        demand(f, DEMAND_THREAD, pl_flow_node(f, function), call,
               argument ? pl_flow_node(f, argument) : pl_solve_node(f->solve));
    }
}

static void do_special(struct pl_flow *f, uint32_t call)
{
    const struct pl_ir_call *c = &f->ir->calls[call];
    LLVMValueRef inst = c->inst;
    unsigned n = LLVMGetNumArgOperands(inst), to;

    switch ((enum pl_model_does)c->model->does) {
    case PL_MODEL_CREATES:
        create(f, call);
        break;
    case PL_MODEL_JOINS:
        if (n > 1 && pl_flow_carries(LLVMGetOperand(inst, 1)))
            pl_solve_store(f->solve, f->returned, pl_flow_node(f, LLVMGetOperand(inst, 1)), 8);
        break;
    case PL_MODEL_COPIES:
        to = pl_model_letter(c->model, 0) == 'w' ? 0 : 1;
        pl_solve_move(f->solve, pl_flow_node(f, LLVMGetOperand(inst, to)),
                      pl_flow_node(f, LLVMGetOperand(inst, 1 - to)),
                      n > 2 ? pl_calls_constant(LLVMGetOperand(inst, 2)) : -1);
        break;
    case PL_MODEL_MIXES:
        pl_library_mix(f, call);
        break;
    case PL_MODEL_EXCHANGE:
        pl_solve_store(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 1)),
                       pl_flow_node(f, LLVMGetOperand(inst, 0)), c->model->size);
        if (strstr(c->model->name, "_fetch_") != NULL)
            pl_flow_move_on(f, pl_flow_node(f, LLVMGetOperand(inst, 0)), LLVMGetOperand(inst, 1),
                            c->model->size);
        break;
    case PL_MODEL_COMPARE:
        pl_solve_store(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 2)),
                       pl_flow_node(f, LLVMGetOperand(inst, 0)), c->model->size);
        if (pl_model_letter(c->model, 1) == 'w') {
            uint32_t was = pl_solve_node(f->solve);

            pl_solve_load(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), was, c->model->size);
            pl_solve_store(f->solve, was, pl_flow_node(f, LLVMGetOperand(inst, 1)), c->model->size);
        }
        break;
    case PL_MODEL_CALLS_BACK:
    case PL_MODEL_ONCE:
        for (unsigned i = 0; i < n; i++) {
            char letter = pl_model_letter(c->model, i);

            if (letter == 'f' || letter == 'F')
                demand(f, c->model->does == PL_MODEL_ONCE ? DEMAND_NOW : DEMAND_CALLBACK,
                       pl_flow_node(f, LLVMGetOperand(inst, i)), call, letter == 'F');
        }
        break;
    case PL_MODEL_EXPORTS:
        pl_solve_store(f->solve, pl_flow_node(f, LLVMGetOperand(inst, 0)), f->environment, -1);
        break;
    case PL_MODEL_SPECIFIC:
        pl_solve_copy(f->solve, f->keys, pl_flow_node(f, inst));
        break;
    case PL_MODEL_CATCHES:
        pl_solve_copy(f->solve, f->thrown, pl_flow_node(f, inst));
        break;
    default:
        break;
    }
}

static void do_result(struct pl_flow *f, uint32_t call)
{
    const struct pl_ir_call *c = &f->ir->calls[call];

    if (!pl_flow_carries(c->inst))
        return;
    uint32_t node = pl_flow_node(f, c->inst);

    switch ((enum pl_model_result)c->model->result) {
    case PL_MODEL_HEAP:
        break; /* allocate() */
    case PL_MODEL_ARGUMENT:
        pl_solve_index(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, 0)), node, 0, 1);
        break;
    case PL_MODEL_SAME:
        pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, 0)), node);
        break;
    case PL_MODEL_INNER:
        pl_library_inner(f, call, node);
        break;
    case PL_MODEL_SECOND:
        pl_solve_index(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, 1)), node, 0, 1);
        break;
    case PL_MODEL_WORLD:
        pl_solve_copy(f->solve, f->world, node);
        break;
    case PL_MODEL_LIBRARY:
        pl_solve_copy(f->solve, f->library, node);
        if (strstr(c->model->args, "~e") != NULL) /* what putenv() was given */
            pl_solve_load(f->solve, f->environment, node, -1);
        break;
    case PL_MODEL_LOADED:
        pl_solve_load(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, 0)), node, c->model->size);
        break;
    case PL_MODEL_NOTHING:
        break;
    }
}

/* A function that does nothing but realloc() with its callers' block may hand out that one. */
static void reallocate(struct pl_flow *f, const struct pl_ir_call *c, uint32_t inner)
{
    LLVMValueRef block = LLVMGetOperand(f->ir->calls[inner].inst, 0);
    unsigned n = LLVMGetNumArgOperands(c->inst);

    if (strchr(f->ir->calls[inner].model->args, 'c') == NULL || !pl_flow_carries(c->inst))
        return;
    for (unsigned i = 0; i < n; i++) {
        uint32_t node = pl_flow_carries(LLVMGetOperand(c->inst, i))
                            ? pl_flow_node(f, LLVMGetOperand(c->inst, i))
                            : PL_IR_NONE;

        if (node == PL_IR_NONE || i >= LLVMCountParams(LLVMGetParamParent(block)) ||
            LLVMGetParam(LLVMGetParamParent(block), i) != block)
            continue;
        pl_solve_copy(f->solve, node, pl_flow_node(f, c->inst));
        pl_solve_move(f->solve, pl_flow_node(f, c->inst), node, -1);
    }
}

/* ---- all of them ---- */

void pl_calls_read(struct pl_flow *f, uint32_t call, const uint32_t *allocators)
{
    struct pl_ir_call *c = &f->ir->calls[call];
    LLVMValueRef callee = LLVMGetCalledValue(c->inst);

    if (c->declared == NULL && c->callees.n == 0) {
        demand(f, DEMAND_CALL, pl_flow_node(f, callee), call, 0);
        pl_library_all(f, call, false); /* counts if the callee is unknown */
        return;
    }
    if (c->callees.n == 1) {
        /* A block that it hands out is this call's own, and there is nothing else to copy. */
        bool hands_out = LLVMIsAFunction(callee) && allocators[c->callees.at[0]] != PL_IR_NONE;
        unsigned n = LLVMGetNumArgOperands(c->inst);

        if (!hands_out) {
            connect(f, call, c->callees.at[0]);
            return;
        }
        for (unsigned i = 0; i < n; i++) {
            if (pl_flow_carries(LLVMGetOperand(c->inst, i)))
                hand_over(f, c->inst, i, c->callees.at[0]);
        }
        reallocate(f, c, allocators[c->callees.at[0]]);
        return;
    }
    if (c->model == NULL) {
        size_t n;
        const char *name = LLVMGetValueName2(c->declared, &n);

        if (is_closed(f->ir, c->declared)) {
            call_closed(f, call);
            return;
        }
        call_unknown(f, call);
        if (pl_model_announced(name) != NULL) {
            pl_library_all(f, call, strncmp(name, "_Z", 2) != 0);
            pl_library_words(f, call, pl_model_announced(name));
            /* It may write all that it has to a file. */
            if (f->channels)
                pl_solve_copy(f->solve, f->world, f->filed);
        }
        return;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++)
        pl_arguments_read(f, call, i);
    if (strchr(c->model->args, '~'))
        pl_library_state(f, call, strchr(c->model->args, '~') + 1);
    if (c->model->does == PL_MODEL_PLAIN && pl_model_announced(c->model->name) != NULL)
        pl_library_words(f, call, pl_model_announced(c->model->name));
    do_special(f, call);
    do_result(f, call);
}

void pl_calls_let_world(struct pl_flow *f)
{
    demand(f, DEMAND_WORLD, f->world, PL_IR_NONE, 0);
}
