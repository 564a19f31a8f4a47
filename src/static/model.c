/* SPDX-License-Identifier: MIT */
/* See model.h. */
#include "static/model.h"

#include "base/assert.h"
#include "model/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct pl_model rows[] = {
#define PL_MODEL(name, args, result, does, op) \
    {#name, args, PL_MODEL_##result, PL_MODEL_##does, PL_OP_##op, 0},
#include "static/model.def"
#undef PL_MODEL
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const struct pl_model *sorted[N_ROWS];

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct pl_model *const *)a)->name,
                  (*(const struct pl_model *const *)b)->name);
}

/* ---- hooks, and functions of strings, by what their names say ---- */

enum { KEPT = 1024 };

static bool skip(const char **at, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

/* A row for one of them, made once. */
static const struct pl_model *keep(const char *name, struct pl_model row)
{
    static struct pl_model kept[KEPT];
    static unsigned n;

    for (unsigned i = 0; i < n; i++) {
        if (strcmp(kept[i].name, name) == 0)
            return &kept[i];
    }
    PL_ASSERT(n < KEPT); /* there are fewer hooks, and functions of strings */
    row.name = strdup(name);
    kept[n] = row;
    return &kept[n++];
}

/* [unaligned_][volatile_]read|write|read_write SIZE, or ..._range. */
static const struct pl_model *find_access(const char *name, const char *at)
{
    struct pl_model row = {.does = PL_MODEL_HOOK};

    skip(&at, "unaligned_");
    skip(&at, "volatile_");
    if (skip(&at, "read_write")) {
        row.args = "u";
        row.op = PL_OP_READ_WRITE;
    } else if (skip(&at, "read")) {
        row.args = "r";
        row.op = PL_OP_READ;
    } else if (skip(&at, "write")) {
        row.args = "w";
        row.op = PL_OP_WRITE;
    } else {
        return NULL;
    }
    if (strncmp(at, "_range", 6) != 0)
        row.size = (uint8_t)atoi(at);
    return keep(name, row);
}

/* _load, _store, ..., of so many bytes. */
static const struct pl_model *find_sized(const char *name, const char *at, unsigned size)
{
    struct pl_model row = {.args = "u",
                           .op = PL_OP_ATOMIC_RMW,
                           .does = PL_MODEL_EXCHANGE,
                           .result = PL_MODEL_LOADED,
                           .size = (uint8_t)size};

    if (skip(&at, "_load")) {
        row.args = "r";
        row.op = PL_OP_ATOMIC_LOAD;
        row.does = PL_MODEL_ATOMIC;
    } else if (skip(&at, "_store")) {
        row.args = "w";
        row.op = PL_OP_ATOMIC_STORE;
        row.result = PL_MODEL_NOTHING;
    } else if (skip(&at, "_compare_exchange")) {
        row.op = PL_OP_ATOMIC_CAS;
        row.does = PL_MODEL_COMPARE;
        row.args = strcmp(at, "_val") == 0 ? "u" : "uw";
    }
    return keep(name, row);
}

/* BITS_load, BITS_store, ... */
static const struct pl_model *find_atomic(const char *name, const char *at)
{
    if (strncmp(at, "_thread_fence", 13) == 0 || strncmp(at, "_signal_fence", 13) == 0)
        return keep(name, (struct pl_model){.args = "", .op = PL_OP_FENCE});
    unsigned bits = (unsigned)strtoul(at, (char **)&at, 10);

    return find_sized(name, at, bits / 8);
}

/* What libatomic does with 16 bytes; NULL: it is none of these. */
static const struct pl_model *find_wide(const char *name)
{
    static const char start[] = "__atomic", end[] = "_16";
    size_t n = strlen(name), from = sizeof(start) - 1, last = sizeof(end) - 1;

    if (n <= from + last || strncmp(name, start, from) != 0 || strcmp(name + n - last, end) != 0)
        return NULL;
    return find_sized(name, name + from, 16);
}

static const struct pl_model *find_hook(const char *name, const char *at)
{
    if (strncmp(at, "func_", 5) == 0)
        return keep(name, (struct pl_model){.args = "", .does = PL_MODEL_FRAMES});
    if (skip(&at, "atomic"))
        return find_atomic(name, at);
    if (strcmp(at, "memcpy") == 0 || strcmp(at, "memmove") == 0 || strcmp(at, "memset") == 0)
        return pl_model_find(at);
    if (strcmp(at, "vptr_read") == 0)
        return keep(name, (struct pl_model){
                              .args = "r", .does = PL_MODEL_HOOK, .op = PL_OP_READ, .size = 8});
    if (strcmp(at, "vptr_update") == 0)
        return keep(name, (struct pl_model){
                              .args = "w", .does = PL_MODEL_HOOK, .op = PL_OP_WRITE, .size = 8});
    const struct pl_model *access = find_access(name, at);

    return access ? access : keep(name, (struct pl_model){.args = ""});
}

/*
 * Members of std::string are libstdc++'s, but for what is inlined: they change the string, and its
 * block on the heap, and hand on nothing else that it was handed.
 */
static const struct pl_model *find_string(const char *name)
{
    static const char type[] = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
    const char *at = name;

    if (!skip(&at, "_ZN"))
        return NULL;
    bool looks = skip(&at, "K");

    if (!skip(&at, type))
        return NULL;
    bool texts = strstr(at, "PKc") != NULL, strings = strstr(at, "RKS4_") != NULL;
    bool exchanged = strstr(at, "ERS4_") != NULL || strstr(at, "EOS4_") != NULL;
    struct pl_model row = {.result = PL_MODEL_INNER};

    if (looks && strncmp(at, "6substr", 7) == 0)
        row.args = "Bb"; /* the first is where the result goes */
    else if (looks)
        row.args = texts ? "br*" : "bb*";
    else if (exchanged)
        row.args = "BB";
    else
        row.args = strings && texts ? "BR*" : strings ? "Bb*" : "Br*";
    return keep(name, row);
}

const struct pl_model *pl_model_find(const char *name)
{
    struct pl_model key = {.name = name};
    const struct pl_model *wanted = &key;
    const char *at = name;

    if (skip(&at, "__tsan_"))
        return find_hook(name, at);
    /* Intrinsics carry their types in their names. */
    if (strncmp(name, "llvm.mem", 8) == 0)
        return pl_model_find(strncmp(name + 8, "cpy", 3) == 0    ? "memcpy"
                             : strncmp(name + 8, "move", 4) == 0 ? "memmove"
                                                                 : "memset");
    if (sorted[0] == NULL) {
        for (unsigned i = 0; i < N_ROWS; i++)
            sorted[i] = &rows[i];
        qsort(sorted, N_ROWS, sizeof(sorted[0]), by_name);
    }
    const struct pl_model *const *found =
        bsearch(&wanted, sorted, N_ROWS, sizeof(sorted[0]), by_name);

    if (found)
        return *found;
    const struct pl_model *wide = find_wide(name);

    return wide ? wide : find_string(name);
}

bool pl_model_is_of_library(const char *variable)
{
    static const char *const known[] = {"stdin",   "stdout",   "stderr",   "optarg",
                                        "optind",  "opterr",   "optopt",   "environ",
                                        "signgam", "timezone", "daylight", "tzname"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i], variable) == 0)
            return true;
    }
    return false;
}

char pl_model_letter(const struct pl_model *m, unsigned i)
{
    size_t n = strcspn(m->args, "~");

    if (n > 1 && m->args[n - 1] == '*' && i >= n - 1)
        return m->args[n - 2];
    return i < n ? m->args[i] : '-';
}
