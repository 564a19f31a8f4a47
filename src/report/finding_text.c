/* SPDX-License-Identifier: MIT */
/* A finding for a person at a terminal: what, where, who, and how to see it again. */
#include "base/assert.h"
#include "model/finding.h"
#include "report/line.h"
#include "report/report.h"

#include <string.h>
#include <unistd.h>

#define GREEN "\033[1;32m"
#define RED "\033[1;31m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"

void pl_report_paint(FILE *to, const struct pl_report_style *style, const char *color)
{
    if (!style->color)
        return;
    fflush(to);
    (void)!write(style->fd, color, strlen(color));
}

/* The two accesses, each with its callers; nothing else says where.  Then those of other pairs. */
static void print_accesses(FILE *to, const struct pl_result_finding *f)
{
    PL_ASSERT(f->accesses != NULL);
    fprintf(to, "  %s, in execution %llu\n", pl_line(f->about), (unsigned long long)f->execution);
    for (size_t i = 0; i < f->n_accesses && i < 2; i++) {
        fprintf(to, "  %s\n", pl_line(f->accesses[i].sentence));
        for (size_t k = 0; k < f->accesses[i].n_stack; k++)
            fprintf(to, "      called from %s\n", pl_line(f->accesses[i].stack[k]));
    }
    for (size_t i = 2; i < f->n_accesses; i++) {
        const struct pl_result_access *a = &f->accesses[i];
        bool other = a->object[0] != '\0' && strcmp(a->object, f->object) != 0;

        fprintf(to, "  also: %s%s%s\n", pl_line(a->sentence), other ? ": " : "",
                other ? pl_line(a->object) : "");
    }
    if (f->pairs > 1)
        fprintf(to, "  %llu pairs of statements race there\n", (unsigned long long)f->pairs);
}

static void print_where(FILE *to, const struct pl_result_finding *f)
{
    bool freed = pl_finding_is(pl_finding_find(f->kind), PL_FINDING_IS_OF_FREED);

    fputs("  ", to);
    if (f->location[0] != '\0')
        fprintf(to, "at %s, ", pl_line(f->location));
    if (f->thread[0] != '\0')
        fprintf(to, "in thread %s, ", f->thread);
    fprintf(to, "in execution %llu", (unsigned long long)f->execution);
    fputc('\n', to);
    if (f->object[0] != '\0')
        fprintf(to, "  object: %s\n", pl_line(f->object));
    if (f->other[0] != '\0')
        fprintf(to, "  %s: %s\n", freed ? "freed at" : "see also", pl_line(f->other));
}

static void print_commands(FILE *to, const struct pl_result_finding *f)
{
    if (f->schedule[0] == '\0') {
        fprintf(to, "  no schedule: %s\n", pl_line(f->unreplayed));
        return;
    }
    if (!f->replays)
        fprintf(to, "  %s: %s\n", f->untried ? "not replayed" : "does not replay",
                pl_line(f->unreplayed));
    fputs("  replay: plait replay ", to);
    pl_line_quoted(to, f->schedule);
    fputs("\n  show:   plait show ", to);
    pl_line_quoted(to, f->schedule);
    fputc('\n', to);
    if (f->files[0] != '\0')
        fprintf(to, "  files:  %s\n", pl_line(f->files));
}

void pl_finding_text_why(FILE *to, unsigned kind, const char *why, const char *folder,
                         const char *passing)
{
    PL_ASSERT(kind < PL_FINDING_KINDS && why != NULL && folder != NULL && passing != NULL);
    bool ends = pl_finding_ends(kind);
    char path[4096];

    if (why[0] == '\0')
        return;
    if (passing[0] == '\0') {
        fprintf(to, "  why: %s\n", pl_line(why));
        return;
    }
    snprintf(path, sizeof(path), "%s%s", folder, passing);
    fprintf(to, "  why: it %s because %s\n       otherwise it %s: plait replay ",
            ends ? "fails" : "shows", pl_line(why), ends ? "passes" : "does not");
    pl_line_quoted(to, path);
    fputc('\n', to);
}

void pl_finding_text_minimal(char *to, size_t size, const char *minimal, uint64_t preemptions,
                             uint64_t switches)
{
    snprintf(to, size, "%llu preemption%s%s, %llu switch%s", (unsigned long long)preemptions,
             preemptions == 1 ? "" : "s",
             preemptions > 0 && strcmp(minimal, "proven") == 0 ? " (the fewest possible)" : "",
             (unsigned long long)switches, switches == 1 ? "" : "es");
}

/* What came of trying to bring it about, with the schedules of both orders. */
static void print_driven(FILE *to, const struct pl_result_finding *f)
{
    if (f->driven.text[0] == '\0')
        return;
    fprintf(to, "  %s\n", pl_line(f->driven.text));
    for (unsigned i = 0; i < 2; i++) {
        if (f->driven.schedules[i][0] == '\0')
            continue;
        fprintf(to, "  %s first: plait replay ", pl_line(f->driven.firsts[i]));
        pl_line_quoted(to, f->driven.schedules[i]);
        fputc('\n', to);
    }
}

/* Each thread with its callers; whether any has some. */
static bool print_threads(FILE *to, const struct pl_result_finding *f)
{
    bool stacks = false;

    for (size_t i = 0; i < f->n_threads; i++) {
        const struct pl_result_thread *t = &f->threads[i];

        fprintf(to, "  %s\n", pl_line(t->sentence));
        for (size_t k = 0; k < t->n_stack; k++)
            fprintf(to, "      called from %s\n", pl_line(t->stack[k]));
        stacks = stacks || t->n_stack > 0;
    }
    return stacks;
}

/* The program's own words, a mark before each line. */
static void print_said(FILE *to, const struct pl_result_said *said, const char *where)
{
    if (said->text == NULL || said->text[0] == '\0')
        return;
    fprintf(to, "  %s", where);
    if (said->shown < said->lines) {
        fprintf(to, " (the last %llu of %llu lines%s", (unsigned long long)said->shown,
                (unsigned long long)said->lines, said->path[0] ? "; all: " : "");
        pl_line_quoted(to, said->path[0] ? said->path : ")");
        fputs(said->path[0] ? ")" : "", to);
    }
    fputs(":\n", to);
    for (const char *line = said->text; *line != '\0';) {
        size_t n = strcspn(line, "\n");

        fprintf(to, "    | %.*s\n", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

void pl_finding_text_print(FILE *to, const struct pl_result_finding *f, size_t number,
                           const struct pl_report_style *style)
{
    char simple[128];
    PL_ASSERT(number > 0 && pl_finding_find(f->kind) < PL_FINDING_KINDS);

    bool order = pl_finding_find(f->kind) == PL_FINDING_ORDER; /* which is what was wanted */

    pl_report_paint(to, style, order ? GREEN : RED);
    if (order)
        fputs("order shown", to);
    else
        fprintf(to, "finding %zu: %s", number, f->kind);
    pl_report_paint(to, style, PLAIN BOLD);
    fprintf(to, ": %s\n", pl_line(f->message[0] || order ? f->message : f->meaning));
    pl_report_paint(to, style, PLAIN);
    if (f->n_accesses > 0)
        print_accesses(to, f);
    else
        print_where(to, f);
    bool stacks = print_threads(to, f);

    for (size_t i = 0; i < f->n_stack && f->n_accesses == 0 && !stacks; i++)
        fprintf(to, "  called from %s\n", pl_line(f->stack[i]));
    print_said(to, &f->out, "it printed");
    print_said(to, &f->err, "on standard error");
    if (f->early[0] != '\0')
        fprintf(to, "  %s\n", pl_line(f->early));
    print_driven(to, f);
    if (f->minimal[0] != '\0') {
        pl_finding_text_minimal(simple, sizeof(simple), f->minimal, f->preemptions, f->switches);
        fprintf(to, "  minimised: %s\n", simple);
    } else if (f->unminimized[0] != '\0') {
        fprintf(to, "  not minimised: %s\n", f->unminimized);
    }
    pl_finding_text_why(to, pl_finding_find(f->kind), f->explanation.text, "",
                        f->explanation.passing);
    print_commands(to, f);
}
