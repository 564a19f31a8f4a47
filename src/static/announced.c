/* SPDX-License-Identifier: MIT */
/*
 * Functions that the runtime announces accesses of, by the tables that it is made of.  So what it
 * says of the library's own state is known here without being written down twice.
 */
#include "static/model.h"

#include <stdlib.h>
#include <string.h>

/* Names with commas between them, and what is said of each; NULL: nothing is announced. */
struct row {
    const char *names, *words;
};

static const struct row rows[] = {
#define PL_FUNCTION(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_SIMPLE(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_FINDS(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_GIVES(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_FILLS(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_SCATTERS(group, type, name, parameters, arguments, ...) {#name, #__VA_ARGS__},
#define PL_BY_HAND(group, file, words, ...) {#__VA_ARGS__, words},
#include "runtime/system/functions.def"
#undef PL_FUNCTION
#undef PL_SIMPLE
#undef PL_FINDS
#undef PL_GIVES
#undef PL_FILLS
#undef PL_SCATTERS
#undef PL_BY_HAND
#define PL_STREAM(type, name, ...) {#name, ""},
#define PL_STREAM_FILLS(type, name, ...) {#name, ""},
#define PL_STREAM_ONLY(name, ...) {#name, ""},
#define PL_STREAM_PRINTS(type, name, ...) {#name, ""},
#include "runtime/system/streams.def"
#undef PL_STREAM
#undef PL_STREAM_FILLS
#undef PL_STREAM_ONLY
#undef PL_STREAM_PRINTS
#define PL_CALL(name, operation, ...) {#name, operation},
#define USES(...) ""
#define BY_CASE(...) ""
#define BY_HAND(...) ""
#define ELSEWHERE() NULL
#define UNKNOWN(...) NULL
#include "runtime/ground/calls.def"
};

enum { N_ROWS = sizeof(rows) / sizeof(rows[0]), NAMES_MAX = 4096 };

/* One name. */
struct entry {
    const char *name;
    size_t length;
    const char *words;
};

static struct entry entries[NAMES_MAX];
static size_t n_entries;

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strncmp(x->name, y->name, x->length < y->length ? x->length : y->length);

    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static void read_rows(void)
{
    static const char between[] = ", ";

    for (size_t i = 0; i < N_ROWS; i++) {
        const char *at = rows[i].names + strspn(rows[i].names, between);

        for (; rows[i].words != NULL && *at != '\0' && n_entries < NAMES_MAX;
             at += strspn(at, between)) {
            entries[n_entries++] = (struct entry){at, strcspn(at, between), rows[i].words};
            at += strcspn(at, between);
        }
    }
    qsort(entries, n_entries, sizeof(entries[0]), by_name);
}

const char *pl_model_announced(const char *name)
{
    static const char standard[] = "__isoc99_"; /* of scanf() and its kin: as the header has them */

    if (n_entries == 0)
        read_rows();
    if (strncmp(name, standard, sizeof(standard) - 1) == 0)
        name += sizeof(standard) - 1;
    struct entry key = {.name = name, .length = strlen(name)};
    const struct entry *found = bsearch(&key, entries, n_entries, sizeof(key), by_name);

    if (found != NULL)
        return found->words;
    /* Of libstdc++ there are many; each may be. */
    return strncmp(name, "_ZSt", 4) == 0 || strncmp(name, "_ZNSt", 5) == 0 ||
                   strncmp(name, "_ZNKSt", 6) == 0
               ? ""
               : NULL;
}
