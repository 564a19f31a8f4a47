/* SPDX-License-Identifier: MIT */
/*
 * plait-static: what needs LLVM, as a program of its own that plait starts.
 *
 *   plait-static label IN OUT KEPT    number and label the calls of bitcode; KEPT is included by
 *                                     the object that is made of OUT
 *   plait-static keep IN KEPT         the same without labels, for an object that gcc makes
 *   plait-static table PROGRAM OUT    analyse a program, and write the table of its pairs
 *   plait-static why PROGRAM A B      say why statements at two places are in no pair
 *   plait-static lighten PROGRAM      turn off its hooks that nobody needs, in the file
 *
 * Errors are one line on standard error, for plait to print.
 */
#include "base/exit.h"
#include "model/operation.h"
#include "static/analyse.h"
#include "static/code.h"
#include "static/private.h"
#include "trace/pairs.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static int label(char **argv, struct pl_err *err)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = pl_label_read(context, argv[0], err);

    if (module == NULL || pl_label_module(module, argv[2], err) != 0)
        return -1;
    if (LLVMWriteBitcodeToFile(module, argv[1]) != 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "'%s' cannot be written. Make room there.", argv[1]);
    return 0; /* memory goes with the process */
}

static int keep(char **argv, struct pl_err *err)
{
    LLVMModuleRef module = pl_label_read(LLVMContextCreate(), argv[0], err);

    return module != NULL ? pl_label_keep(module, argv[1], err) : -1;
}

enum {
    WORK_MAX = 400,  /* million steps of the solver that are worth waiting for: some seconds */
    LINK_WORK = 100, /* and whenever a program is linked */
};

/* After so many steps not everything is told apart any more. */
static uint64_t work_max(uint64_t otherwise)
{
    const char *text = getenv("PLAIT_PAIRS_WORK");
    char *end = NULL;
    unsigned long long millions = text ? strtoull(text, &end, 10) : 0;

    return UINT64_C(1000000) * (text && end != text && *end == '\0' ? millions : otherwise);
}

static int table(char **argv, struct pl_err *err)
{
    static struct pl_analysis a;

    if (pl_ir_load(&a.ir, argv[0], false, err) != 0 || pl_analyse(&a, work_max(WORK_MAX), err) != 0)
        return -1;
    return pl_pairs_write(pl_analyse_table(&a), argv[1], err);
}

static bool is_at(const struct pl_name_place *p, const char *at)
{
    const char *colon = strrchr(at, ':');
    size_t n = colon ? (size_t)(colon - at) : 0, length = strlen(p->file);

    if (colon == NULL)
        return strcmp(p->function, at) == 0;
    return length >= n && strncmp(p->file + length - n, at, n) == 0 &&
           (length == n || p->file[length - n - 1] == '/') &&
           (uint32_t)strtoul(colon + 1, NULL, 10) == p->line;
}

/* What is at the place: a word for a site. */
static const char *operation_of(const struct pl_analysis *a, uint32_t site)
{
    const struct pl_model *m = a->ir.calls[a->conflicts.sites[site].call].model;

    return m ? pl_operation_text(m->op) : "call of a library";
}

/* Answers that were given: what holds for a statement is said once, whatever copies it has. */
struct said {
    char **lines;
    size_t n, room;
};

static void say(struct said *s, char *line)
{
    for (size_t i = 0; i < s->n; i++) {
        if (strcmp(s->lines[i], line) == 0) {
            free(line);
            return;
        }
    }
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 16;
        s->lines = pl_err_must(realloc(s->lines, s->room * sizeof(*s->lines)));
    }
    s->lines[s->n++] = line;
    puts(line);
}

static void explain(struct pl_analysis *a, uint32_t i, uint32_t k, struct said *said)
{
    const struct pl_conflicts_site *s = &a->conflicts.sites[i], *t = &a->conflicts.sites[k];
    struct pl_name_place p = pl_names_place(a->names, a->ir.calls[s->call].inst);
    struct pl_name_place q = pl_names_place(a->names, a->ir.calls[t->call].inst);
    char *why = pl_conflicts_why(&a->conflicts, a->names, i, k);

    char *line = NULL;

    if (asprintf(&line, "%s:%u %s, %s:%u %s: %s", p.file, p.line, operation_of(a, i), q.file,
                 q.line, operation_of(a, k), why ? why : "a pair") >= 0)
        say(said, line);
    free(why);
}

static int why(char **argv, struct pl_err *err)
{
    static struct pl_analysis a;
    bool any[2] = {false, false};
    struct said said = {0};

    a.apart = true;

    if (pl_ir_load(&a.ir, argv[0], false, err) != 0 || pl_analyse(&a, work_max(WORK_MAX), err) != 0)
        return -1;
    for (uint32_t i = 0; i < a.conflicts.n_sites; i++) {
        struct pl_name_place p =
            pl_names_place(a.names, a.ir.calls[a.conflicts.sites[i].call].inst);

        any[1] |= is_at(&p, argv[2]);
        if (!is_at(&p, argv[1]))
            continue;
        any[0] = true;
        for (uint32_t k = 0; k < a.conflicts.n_sites; k++) {
            struct pl_name_place q =
                pl_names_place(a.names, a.ir.calls[a.conflicts.sites[k].call].inst);

            if (is_at(&q, argv[2]))
                explain(&a, i, k, &said);
        }
    }
    if (!any[0] || !any[1])
        return pl_err_set(err, PL_ERR_USER,
                          "There is no access and no synchronisation at '%s'. Name a line or a "
                          "function that has some.",
                          argv[any[0] ? 2 : 1]);
    return 0;
}

static int lighten(const char *program, struct pl_err *err)
{
    static struct pl_analysis a;
    struct pl_private private;
    struct pl_places *p = NULL;
    int fd;

    if (pl_ir_load(&a.ir, program, true, err) != 0)
        return -1;
    LLVMValueRef start = LLVMGetNamedFunction(a.ir.module, "main");

    if (start == NULL || LLVMIsDeclaration(start))
        return 0; /* a library: who knows what its users do */
    if (a.ir.by_place)
        return 0; /* which hook is which is not known well enough */
    if (pl_analyse(&a, work_max(LINK_WORK), err) != 0)
        return -1;
    pl_private_find(&private, &a.conflicts);
    p = pl_places_open(program, err);
    fd = p ? open(program, O_WRONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "'%s' cannot be written (%s). Change its mode.",
                          program, strerror(errno));
    for (uint32_t i = 0; i < a.ir.n_places; i++) {
        uint32_t call = a.ir.call_of[a.ir.places[i].number];

        if (call != PL_IR_NONE && private.off[call])
            pl_places_turn_off(p, a.ir.places[i].pc, fd);
    }
    pl_places_close(p);
    return close(fd);
}

int main(int argc, char **argv)
{
    struct pl_err err = {0};
    int rc;

    prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody waits for the answer any more */
    if (argc == 5 && strcmp(argv[1], "label") == 0) {
        rc = label(argv + 2, &err);
    } else if (argc == 4 && strcmp(argv[1], "keep") == 0) {
        rc = keep(argv + 2, &err);
    } else if (argc == 4 && strcmp(argv[1], "table") == 0) {
        rc = table(argv + 2, &err);
    } else if (argc == 5 && strcmp(argv[1], "why") == 0) {
        rc = why(argv + 2, &err);
    } else if (argc == 3 && strcmp(argv[1], "lighten") == 0) {
        rc = lighten(argv[2], &err);
    } else {
        fprintf(stderr, "usage: plait-static label IN OUT KEPT | keep IN KEPT | table PROGRAM OUT "
                        "| why PROGRAM A "
                        "B | lighten PROGRAM\n");
        return PL_EXIT_USAGE;
    }
    if (rc == 0)
        return PL_EXIT_CLEAN;
    fprintf(stderr, "%s\n", err.text);
    return pl_err_exit(&err);
}
