/* SPDX-License-Identifier: MIT */
/*
 * What functions of libraries use of the library's own, and what libstdc++ does to strings and to
 * nodes of trees and lists.  A string leads to a block on the heap, or to room of its own: what is
 * written into it may move it to a new block, and frees the one before.  Two that are changed by
 * one call may have exchanged theirs.  Nodes begin with pointers to others: what a call is handed,
 * and all that hangs on it, may be linked with each other then. What the program keeps in nodes
 * lies behind that.
 */
#include "base/hash.h"
#include "static/calls.h"

#include <string.h>

enum { STRING = 32, STRING_OWN = 16 }; /* bytes of a std::string; where its own room begins */

void pl_library_string(struct pl_flow *f, uint32_t call, unsigned i, bool changes)
{
    struct pl_ir_call *c = &f->ir->calls[call];
    LLVMValueRef string = LLVMGetOperand(c->inst, i);
    uint32_t node = pl_flow_node(f, string), inner = pl_solve_node(f->solve);

    pl_solve_load(f->solve, node, inner, 8);
    pl_calls_touch(f, (struct pl_flow_access){.call = call,
                                              .node = node,
                                              .size = STRING,
                                              .reads = true,
                                              .writes = changes,
                                              .address = string});
    pl_calls_touch(
        f, (struct pl_flow_access){
               .call = call, .node = inner, .reads = true, .writes = changes, .life = changes});
    if (!changes)
        return;
    uint32_t own = pl_solve_node(f->solve);

    pl_solve_index(f->solve, node, own, STRING_OWN, 0);
    pl_solve_point(
        f->solve, own,
        pl_solve_location(f->solve, pl_calls_block(f, call, PL_IR_NONE, "string"), 0, 0));
    pl_solve_store(f->solve, own, node, 8);
    if (pl_model_letter(c->model, 1 - (i & 1)) == 'B')
        pl_solve_store(f->solve, inner, pl_flow_node(f, LLVMGetOperand(c->inst, 1 - (i & 1))), 8);
}

void pl_library_inner(struct pl_flow *f, uint32_t call, uint32_t result)
{
    uint32_t node = pl_flow_node(f, LLVMGetOperand(f->ir->calls[call].inst, 0));
    uint32_t inner = pl_solve_node(f->solve);

    pl_solve_load(f->solve, node, inner, 8);
    pl_solve_index(f->solve, inner, result, 0, 1);
    pl_solve_copy(f->solve, node, result);
}

void pl_library_node(struct pl_flow *f, uint32_t call, unsigned i, int64_t size, bool changes)
{
    struct pl_ir_call *c = &f->ir->calls[call];
    uint32_t all = pl_solve_node(f->solve);

    for (unsigned k = 0; k < i; k++) {
        if (pl_model_letter(c->model, k) == pl_model_letter(c->model, i))
            return; /* done, with the first of them */
    }
    for (unsigned k = i; k < LLVMGetNumArgOperands(c->inst); k++) {
        if (pl_model_letter(c->model, k) == pl_model_letter(c->model, i))
            pl_solve_copy(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, k)), all);
    }
    pl_solve_load(f->solve, all, all, size);
    if (changes)
        pl_solve_store(f->solve, all, all, size);
    pl_calls_touch(
        f, (struct pl_flow_access){
               .call = call, .node = all, .size = (uint32_t)size, .reads = true, .writes = true});
    if (pl_flow_carries(c->inst))
        pl_solve_copy(f->solve, all, pl_flow_node(f, c->inst));
}

/* ---- what is the library's own ---- */

/* A file that is mapped is memory that unknown code has handed out. */
void pl_library_mapped(struct pl_flow *f, uint32_t call, bool writes)
{
    if (LLVMGetNamedFunction(f->ir->module, "mmap") != NULL ||
        LLVMGetNamedFunction(f->ir->module, "mmap64") != NULL)
        pl_calls_touch(f, (struct pl_flow_access){
                              .call = call, .node = f->world, .reads = true, .writes = writes});
}

static void touch(struct pl_flow *f, uint32_t call, uint32_t node, bool writes)
{
    pl_calls_touch(
        f, (struct pl_flow_access){.call = call, .node = node, .reads = true, .writes = writes});
}

static uint64_t hash_of(const char *text, size_t n)
{
    uint64_t h = n;

    for (size_t i = 0; i < n; i++)
        h = pl_hash_add(h, (unsigned char)text[i]);
    return h;
}

/* "STATE(NAME)", "STATE_LOOK(NAME)", "STATE_IF(condition, NAME)", "ALONE_STATE(f, NAME, ...)". */
static void read_state(struct pl_flow *f, uint32_t call, const char *at)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    bool looks = strncmp(at, "STATE_LOOK", 10) == 0;
    const char *end = at + strcspn(at, ")");

    for (at += strcspn(at, "("); at < end; at += strcspn(at, ",)")) {
        at += strspn(at, "(, ");
        size_t n = strspn(at, capitals);

        if (n == 0 || (at[n] != ',' && at[n] != ')'))
            continue;
        const void *key = (const void *)(uintptr_t)(hash_of(at, n) | 1);

        if (f->states == NULL)
            f->states = pl_ir_map_make();
        if (pl_ir_map_get(f->states, key) == PL_IR_NONE)
            pl_ir_map_set(f->states, key, pl_flow_own_memory(f));
        touch(f, call, pl_ir_map_get(f->states, key), !looks);
        return;
    }
}

/* What a function uses of the library's own: memory that nobody can name. */
void pl_library_state(struct pl_flow *f, uint32_t call, const char *letters)
{
    for (const char *at = letters; *at; at++) {
        if (*at == 'M') {
            pl_library_mapped(f, call, true);
            continue;
        }
        if (*at == 'f' || *at == 'F' || *at == 'p' || *at == 'P') {
            read_state(f, call,
                       *at == 'f'   ? "STATE_LOOK(FORKS)"
                       : *at == 'F' ? "STATE(FORKS)"
                       : *at == 'p' ? "STATE_LOOK(THREAD)"
                                    : "STATE(THREAD)");
            continue;
        }
        uint32_t node = *at == 'N'                 ? f->random
                        : *at == 'S'               ? f->semaphores
                        : *at == 'A'               ? f->actions
                        : *at == 'k' || *at == 'K' ? f->numbers
                                                   : f->environment;

        pl_calls_touch(
            f, (struct pl_flow_access){
                   .call = call, .node = node, .reads = true, .writes = *at != 'e' && *at != 'k'});
    }
}

/*
 * A function of libc that the runtime announces accesses of, though nothing more is known of it
 * here.  `deep`: also of what is found there, as the buffers of writev().
 */
void pl_library_all(struct pl_flow *f, uint32_t call, bool deep)
{
    LLVMValueRef inst = f->ir->calls[call].inst;
    uint32_t found = deep ? pl_solve_node(f->solve) : PL_IR_NONE;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef argument = LLVMGetOperand(inst, i);

        if (pl_flow_carries(argument))
            pl_calls_touch(f, (struct pl_flow_access){.call = call,
                                                      .node = pl_flow_node(f, argument),
                                                      .reads = true,
                                                      .writes = true});
        if (pl_flow_carries(argument) && deep)
            pl_solve_load(f->solve, pl_flow_node(f, argument), found, -1);
    }
    if (deep) {
        pl_solve_load(f->solve, found, found, -1);
        pl_calls_touch(
            f, (struct pl_flow_access){.call = call, .node = found, .reads = true, .writes = true});
    }
    pl_library_state(f, call, "ENAM");
}

void pl_library_mix(struct pl_flow *f, uint32_t call)
{
    const struct pl_ir_call *c = &f->ir->calls[call];
    unsigned n = LLVMGetNumArgOperands(c->inst);

    for (unsigned i = 0; i < n; i++) {
        char to = pl_model_letter(c->model, i);

        for (unsigned k = 0; k < n && (to == 'w' || to == 'u'); k++) {
            char from = pl_model_letter(c->model, k);

            if (k != i && (from == 'r' || from == 'u'))
                pl_solve_move(f->solve, pl_flow_node(f, LLVMGetOperand(c->inst, i)),
                              pl_flow_node(f, LLVMGetOperand(c->inst, k)), -1);
        }
    }
}

/* ---- what the runtime's tables say ---- */

/* Whether a text of the program may be a format that has a count stored. */
static bool is_counting(LLVMValueRef text)
{
    size_t n = 0;
    const char *at = LLVMIsAConstantDataArray(text) && LLVMIsConstantString(text)
                         ? LLVMGetAsString(text, &n)
                         : "";

    for (size_t i = 0; i + 1 < n; i++) {
        if (at[i] != '%')
            continue;
        do {
            i++;
        } while (i < n && strchr("0123456789$*hlLqjzt", at[i]) != NULL && at[i] != '\0');
        if (i < n && at[i] == 'n')
            return true;
    }
    return false;
}

static bool counts(struct pl_flow *f)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->ir->module); g && !f->asked_counts;
         g = LLVMGetNextGlobal(g))
        f->counts |= LLVMGetInitializer(g) && is_counting(LLVMGetInitializer(g));
    f->asked_counts = true;
    return f->counts;
}

/* Whatever a format may name is written. */
static void write_counts(struct pl_flow *f, uint32_t call)
{
    LLVMValueRef inst = f->ir->calls[call].inst;
    uint32_t found = pl_solve_node(f->solve);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        if (!pl_flow_carries(LLVMGetOperand(inst, i)))
            continue;
        touch(f, call, pl_flow_node(f, LLVMGetOperand(inst, i)), true);
        pl_solve_load(f->solve, pl_flow_node(f, LLVMGetOperand(inst, i)), found, -1);
    }
    pl_solve_load(f->solve, found, found, -1);
    touch(f, call, found, true);
}

/* A variable of the library's changes, which the program may know by its name. */
static void write_variable(struct pl_flow *f, uint32_t call, const char *name)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(f->ir->module, name);

    if (variable != NULL)
        touch(f, call, pl_flow_node(f, variable), true);
}

void pl_library_words(struct pl_flow *f, uint32_t call, const char *words)
{
    LLVMValueRef inst = f->ir->calls[call].inst;

    if (strstr(words, "&signgam") != NULL)
        write_variable(f, call, "signgam");
    if (strstr(words, "ZONE_AGAIN") != NULL) {
        write_variable(f, call, "timezone");
        write_variable(f, call, "daylight");
        write_variable(f, call, "tzname");
        read_state(f, call, "STATE(ZONE)");
    }

    for (const char *at = words; (at = strstr(at, "STATE")) != NULL; at++)
        read_state(f, call, at);
    if (strstr(words, "PR_SET_NAME") != NULL)
        read_state(f, call, "STATE(THREAD)");
    if (strstr(words, "STATE_OF(") != NULL)
        read_state(f, call, "STATE(OF)"); /* which of them it is of is not told apart */
    if (strstr(words, "that it returns") != NULL || strstr(words, "what it returns") != NULL) {
        touch(f, call, f->answers, true);
        if (pl_flow_carries(inst))
            pl_solve_copy(f->solve, f->answers, pl_flow_node(f, inst));
    }
    if (strstr(words, "%n") != NULL && counts(f))
        write_counts(f, call);
    /* What such a thread does is in no pair. */
    if (strstr(words, "of libc") != NULL && strstr(words, "thread") != NULL)
        f->ir->partly = true;
}
