/* SPDX-License-Identifier: MIT */
/*
 * See rank.h.  A pair is in the list if nothing speaks against it; whether it can come true depends
 * on what the analysis knows least about:
 *
 * - which object it is: one for sure, one of a few, or whatever many pointers lead to;
 * - whether a thread is still alive, if where it is joined was not found;
 * - locks whose identity is not known, where both hold some;
 * - which member it is: what the source calls two different members, or members of two different
 *   structures, seldom is the same memory;
 * - whether a thread ever comes there: the more calls lie between, the more has to hold for that;
 * - what is made by who comes first (pthread_once()) mostly is used by those who have been there;
 * - who owns a block that is freed: one of many mostly is handed on, and then freed by whoever has
 *   it.
 *
 * Objects of synchronisation are there to be met by several threads, so their pairs mostly are
 * real, and so are those of elements of one array.  Handlers of signals come seldom, though they
 * may come anywhere.
 */
#include "static/rank.h"

#include "base/assert.h"
#include "base/hash.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 2, SOME = 8 };
/* What a pair begins with, */
enum { SURE = 60, MEETING = 50, OF_FEW = 45, OF_SOME = 30, OF_MANY = 20 };
/* and what is taken from it. */
enum {
    IF_LOCKED = 20,
    IF_HANDLED = 15,
    IF_ENDED = 15,
    IF_HANDED_ON = 12,
    IF_UNLIKE = 30,
    IF_ONCE = 20
};
/* the same for each call that lies between the beginning of a thread and the place; */
enum { PER_CALL = 2, CALLS_MAX = 10 };
/* What is added if the source calls both the same, and they are there to be met. */
enum { IF_LIKE = 5 };

/* What the source calls an address: a member of a structure; 0: not known. */
struct called {
    uint64_t structure;
    uint32_t member;
};

struct ranking {
    const struct pl_conflicts *c;
    uint8_t *objects; /* by site: how many it may touch, up to SOME + 1; 0: one that is one only */
    struct called *called; /* by site */
    bool *handlers;        /* by function: only handlers of signals and the like lead to it */
    uint64_t endless;      /* classes of threads of which it is not known where they have ended */
    uint8_t *calls;        /* by class and function: that lie between, up to CALLS_MAX */
};

static bool is_memory(unsigned kind)
{
    return kind == PL_PAIR_RW || kind == PL_PAIR_ATOMIC || kind == PL_PAIR_LIFE;
}

static void count_objects(struct ranking *r)
{
    const struct pl_conflicts *c = r->c;

    for (uint32_t i = 0; i < c->n_sites; i++) {
        uint32_t seen[SOME + 1], n = 0;

        for (uint32_t k = 0; k < c->sites[i].n && n <= SOME; k++) {
            uint32_t location = c->touches[c->sites[i].first + k].location;
            uint32_t object = pl_solve_location_at(c->flow->solve, location)->object, j = 0;

            while (j < n && seen[j] != object)
                j++;
            if (j == n)
                seen[n++] = object;
        }
        bool unique = n == 1 && pl_solve_object_at(c->flow->solve, seen[0])->unique;

        r->objects[i] = (uint8_t)(unique ? 0 : n);
        if (n > 0 && pl_solve_object_at(c->flow->solve, seen[0])->sort == PL_OBJECT_MANY_SORT)
            r->objects[i] = SOME + 1;
    }
}

/* ---- what the source calls it ---- */

/* By its name; copies of a name, which are followed by a dot and a number, are one. */
static uint64_t structure_key(LLVMTypeRef type)
{
    const char *name = LLVMGetStructName(type);
    size_t n = name ? strlen(name) : 0;
    uint64_t h = 1;

    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    if (n == 0 || name[n - 1] != '.')
        n = name ? strlen(name) : 0;
    else
        n--;
    for (size_t i = 0; i < n; i++)
        h = pl_hash_add(h, (unsigned char)name[i]);
    return n > 0 ? h | 1 : 0;
}

/* Whether it is told apart by where it lies, not by what it is: a lock, a container. */
static bool is_whole(LLVMTypeRef type)
{
    const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;

    return name == NULL || strncmp(name, "union.", 6) == 0 || strstr(name, "std::") != NULL;
}

/* The first member of a structure, of the first member of that, ... */
static struct called first_member(struct called c, LLVMTypeRef type)
{
    while (!is_whole(type) && LLVMCountStructElementTypes(type) > 0) {
        c = (struct called){.structure = structure_key(type)};
        type = LLVMStructGetTypeAtIndex(type, 0);
    }
    return c;
}

/* What the indices of an address lead to. */
static struct called member_at(LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    struct called c = {0};

    for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

        if (LLVMGetTypeKind(type) == LLVMArrayTypeKind ||
            LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
            type = LLVMGetElementType(type);
        } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantInt(index)) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);

            c = (struct called){structure_key(type), member};
            type = LLVMStructGetTypeAtIndex(type, member);
        } else {
            return (struct called){0};
        }
    }
    return first_member(c, type);
}

static struct called called_at(LLVMValueRef v)
{
    for (unsigned depth = 0; v != NULL && depth < 8; depth++) {
        LLVMOpcode op = pl_flow_opcode(v);
        LLVMTypeRef type = LLVMTypeOf(v);

        if (op == LLVMGetElementPtr) {
            struct called c = member_at(v);

            if (c.structure != 0)
                return c;
        } else if (op != LLVMBitCast) {
            if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
                break;
            type = LLVMGetElementType(type);
            return type != NULL && LLVMGetTypeKind(type) == LLVMStructTypeKind
                       ? first_member((struct called){0}, type)
                       : (struct called){0};
        }
        v = LLVMGetOperand(v, 0);
    }
    return (struct called){0};
}

static void find_called(struct ranking *r)
{
    const struct pl_conflicts *c = r->c;

    for (uint32_t i = 0; i < c->n_sites; i++) {
        const struct pl_ir_call *call = &c->ir->calls[c->sites[i].call];

        for (unsigned k = 0; call->model != NULL && k < LLVMGetNumArgOperands(call->inst); k++) {
            if (strchr("rwuodcg", pl_model_letter(call->model, k)) == NULL)
                continue;
            r->called[i] = called_at(LLVMGetOperand(call->inst, k));
            break;
        }
    }
}

/* Functions that are called by nobody but those that come at any time. */
static void find_handlers(struct ranking *r)
{
    const struct pl_ir *ir = r->c->ir;
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < ir->anytime.n; i++)
        pl_ir_add(&todo, ir->anytime.at[i]);
    while (todo.n > 0) {
        uint32_t f = todo.at[--todo.n];
        const struct pl_ir_function *of = &ir->functions[f];
        bool only = !r->handlers[f] && f != ir->main;

        for (uint32_t k = 0; k < of->callers.n && only; k++)
            only = r->handlers[ir->calls[of->callers.at[k]].function];
        for (uint32_t k = 0; k < r->c->threads->n && only; k++)
            only = r->c->threads->classes[k].function != f;
        if (!only)
            continue;
        r->handlers[f] = true;
        for (uint32_t k = of->first_call; k < of->first_call + of->n_calls; k++) {
            for (uint32_t j = 0; j < ir->calls[k].callees.n; j++)
                pl_ir_add(&todo, ir->calls[k].callees.at[j]);
        }
    }
    free(todo.at);
}

/* How far each function is from where threads of a class begin; main() is the program's own. */
static void find_calls(struct ranking *r)
{
    const struct pl_ir *ir = r->c->ir;
    struct pl_ir_list todo = {0};

    for (uint32_t i = 1; i < r->c->threads->n; i++) {
        uint8_t *calls = r->calls + (size_t)i * ir->n_functions;

        memset(calls, CALLS_MAX, ir->n_functions);
        if (r->c->threads->classes[i].others)
            continue;
        todo.n = 0;
        pl_ir_add(&todo, r->c->threads->classes[i].function);
        calls[todo.at[0]] = 0;
        for (uint32_t k = 0; k < todo.n; k++) {
            const struct pl_ir_function *of = &ir->functions[todo.at[k]];
            uint8_t next = (uint8_t)(calls[todo.at[k]] + 1);

            for (uint32_t j = of->first_call; j < of->first_call + of->n_calls; j++) {
                const struct pl_ir_list *callees = &ir->calls[j].callees;

                for (uint32_t x = 0; x < callees->n; x++) {
                    if (next < calls[callees->at[x]]) {
                        calls[callees->at[x]] = next;
                        pl_ir_add(&todo, callees->at[x]);
                    }
                }
            }
        }
    }
    free(todo.at);
}

/* Calls between the beginning of a thread that may be there, other than main's, and the place. */
static unsigned calls_to(const struct ranking *r, uint32_t site, uint64_t roots)
{
    const struct pl_ir *ir = r->c->ir;
    uint32_t function = ir->calls[r->c->sites[site].call].function;
    unsigned least = CALLS_MAX;

    for (uint64_t left = roots & ~UINT64_C(1); left != 0; left &= left - 1) {
        size_t class = (size_t)__builtin_ctzll(left);
        unsigned calls = r->calls[class * ir->n_functions + function];

        least = calls < least ? calls : least;
    }
    return least;
}

/* The same for two threads, which are not both the main one: of the one that is further. */
static unsigned calls_to_both(const struct ranking *r, const struct pl_conflicts_pair *p)
{
    unsigned a = calls_to(r, p->a, p->roots_a), b = calls_to(r, p->b, p->roots_b);
    unsigned least = a > b ? a : b;

    if ((p->roots_a & 1) != 0 && b < least)
        least = b;
    return (p->roots_b & 1) != 0 && a < least ? a : least;
}

/* Threads that nobody joins are alive for ever: that is known as well. */
static void find_endless(struct ranking *r)
{
    const struct pl_ir *ir = r->c->ir;
    bool joins = false;

    for (uint32_t i = 0; i < ir->n_calls; i++) {
        const struct pl_ir_call *c = &ir->calls[i];

        joins |=
            c->model != NULL && c->model->does == PL_MODEL_JOINS && ir->functions[c->function].live;
    }
    for (uint32_t i = 1; joins && i < r->c->threads->n; i++) {
        if (r->c->threads->classes[i].others || pl_threads_joined(r->c->threads, i) == PL_IR_NONE)
            r->endless |= UINT64_C(1) << i;
    }
}

/* Whether one side is the main thread's alone, and the other may have ended by then. */
static bool may_have_ended(const struct ranking *r, const struct pl_conflicts_pair *p)
{
    return (p->roots_a == 1 && (p->roots_b & ~r->endless) == 0) ||
           (p->roots_b == 1 && (p->roots_a & ~r->endless) == 0);
}

/* The location of lock k of a function, if it is one for sure; PL_IR_NONE. */
static uint32_t lock_at(const struct pl_conflicts *c, const struct pl_locks_function *f, uint32_t k)
{
    const struct pl_solve_set *set = pl_flow_set(c->flow, f->list[k].node);

    if (set->n != 1)
        return PL_IR_NONE;
    const struct pl_solve_location *l = pl_solve_location_at(c->flow->solve, set->at[0]);

    return l->stride == 0 && pl_solve_object_at(c->flow->solve, l->object)->unique ? set->at[0]
                                                                                   : PL_IR_NONE;
}

/* Whether both hold a lock that may be the same, though it was not taken to order them. */
static bool may_be_locked(const struct pl_conflicts *c, uint32_t a, uint32_t b)
{
    const struct pl_locks_function *f = &c->locks->functions[c->ir->calls[a].function];
    const struct pl_locks_function *g = &c->locks->functions[c->ir->calls[b].function];

    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t k = 0; (c->locks->held[a] >> i & 1) != 0 && k < g->n; k++) {
            uint32_t x = lock_at(c, f, i), y = lock_at(c, g, k);

            if ((c->locks->held[b] >> k & 1) != 0 && (x == y || x == PL_IR_NONE || y == PL_IR_NONE))
                return true;
        }
    }
    return false;
}

static unsigned lessen(unsigned rank, unsigned by)
{
    return rank > by ? rank - by : 0;
}

static bool frees(const struct pl_conflicts *c, uint32_t site)
{
    const struct pl_model *m = c->ir->calls[c->sites[site].call].model;

    return m != NULL && m->op == PL_OP_FREE;
}

/* Of two that may be about the same: whether the source calls it the same. */
static unsigned rank_of_names(const struct ranking *r, const struct pl_conflicts_pair *p,
                              unsigned rank)
{
    struct called x = r->called[p->a], y = r->called[p->b];
    unsigned like = is_memory(p->kind) ? 0 : IF_LIKE;
    bool freed = p->kind == PL_PAIR_LIFE && (frees(r->c, p->a) || frees(r->c, p->b));

    if (p->kind == PL_PAIR_WM || p->kind == PL_PAIR_WW)
        return rank; /* it is about the mutex of a wait */
    if (x.structure != 0 && y.structure != 0)
        rank = x.structure == y.structure && (freed || x.member == y.member)
                   ? rank + like
                   : lessen(rank, IF_UNLIKE);
    return freed ? lessen(rank, IF_HANDED_ON) : rank;
}

/* Whether nobody calls the function around a call but pthread_once() and its like. */
static bool is_once(const struct pl_ir *ir, uint32_t call)
{
    const struct pl_ir_function *f = &ir->functions[ir->calls[call].function];

    for (uint32_t i = 0; i < f->callers.n; i++) {
        const struct pl_model *m = ir->calls[f->callers.at[i]].model;

        if (m == NULL || m->op != PL_OP_ONCE)
            return false;
    }
    return f->callers.n > 0;
}

static uint16_t rank_of(const struct ranking *r, const struct pl_conflicts_pair *p)
{
    const struct pl_conflicts *c = r->c;
    uint32_t a = c->sites[p->a].call, b = c->sites[p->b].call;
    unsigned objects = r->objects[p->a] > r->objects[p->b] ? r->objects[p->a] : r->objects[p->b];
    unsigned rank = p->must                               ? SURE
                    : !is_memory(p->kind) || objects == 0 ? MEETING
                    : objects <= FEW                      ? OF_FEW
                    : objects <= SOME                     ? OF_SOME
                                                          : OF_MANY;

    if (!p->must)
        rank = rank_of_names(r, p, rank);
    rank = lessen(rank, PER_CALL * calls_to_both(r, p));
    if (is_memory(p->kind) && may_be_locked(c, a, b))
        rank = lessen(rank, IF_LOCKED);
    else if (is_memory(p->kind) && may_have_ended(r, p))
        rank = lessen(rank, IF_ENDED);
    if (is_memory(p->kind) && (is_once(c->ir, a) || is_once(c->ir, b)))
        rank = lessen(rank, IF_ONCE);
    if (r->handlers[c->ir->calls[a].function] || r->handlers[c->ir->calls[b].function])
        rank = lessen(rank, IF_HANDLED);
    return (uint16_t)rank;
}

uint16_t *pl_rank_pairs(const struct pl_conflicts *c)
{
    struct ranking r = {.c = c};
    uint16_t *ranks = pl_err_must(calloc(c->n_pairs + 1, sizeof(*ranks)));

    r.objects = pl_err_must(calloc(c->n_sites + 1, sizeof(*r.objects)));
    r.handlers = pl_err_must(calloc(c->ir->n_functions + 1, sizeof(*r.handlers)));
    r.called = pl_err_must(calloc(c->n_sites + 1, sizeof(*r.called)));
    r.calls = pl_err_must(
        calloc(((size_t)c->ir->n_functions + 1) * (c->threads->n + 1), sizeof(*r.calls)));
    count_objects(&r);
    find_calls(&r);
    find_called(&r);
    find_handlers(&r);
    find_endless(&r);
    for (uint32_t i = 0; i < c->n_pairs; i++)
        ranks[i] = rank_of(&r, &c->pairs[i]);
    free(r.objects);
    free(r.called);
    free(r.calls);
    free(r.handlers);
    return ranks;
}
