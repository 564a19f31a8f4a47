/* SPDX-License-Identifier: MIT */
/* See cover_sets.h. */
#include "engine/coverage/cover_sets.h"

#include "base/assert.h"
#include "engine/coverage/cover_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int pl_cover_sets_open(struct pl_cover_campaign *c, const char *path, const char *program,
                       struct pl_err *err)
{
    struct stat st;
    bool missing, folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    int rc = folder ? pl_cover_file_read(&c->given, path, program, &missing, err)
                    : pl_covered_read(&c->given, path, &missing, err);

    if (rc == 0 && folder && missing)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s has no coverage. Give the folder or the file of a campaign.",
                          path);
    if (rc != 0)
        return -1;
    PL_ASSERT(c->given_as == NULL);
    c->given_as = pl_err_must(calloc(PL_COVER_STATEMENTS, sizeof(*c->given_as)));
    c->n_given = c->given.n_statements;
    return 0;
}

/* ---- what is given ---- */

/* The statement as the given sets number it; one that they do not have gets a new number. */
static uint32_t look_up(struct pl_cover_campaign *c, uint32_t number)
{
    uint32_t index = pl_cover_campaign_statement(c, number); /* before the list may move */
    struct pl_covered_statement s = c->set.statements[index];
    const struct pl_covered_function *f = &c->set.functions[s.function];

    PL_ASSERT(s.function < c->set.n_functions);
    s.function = pl_covered_function(&c->given, f->module, f->name, f->file);
    return pl_covered_statement(&c->given, &s);
}

/* Several numbers may have one name: the statements of a name, as lists. */
struct names {
    uint32_t *first; /* by index of the given statement: number, plus 1; 0: none */
    uint32_t *next;  /* by number: the next one, plus 1 */
};

static struct names list_names(struct pl_cover_campaign *c)
{
    const struct pl_cover *cover = &c->session->common->cover;
    struct names n = {.next = pl_err_must(calloc(PL_COVER_STATEMENTS, sizeof(uint32_t)))};

    for (uint32_t i = pl_cover_from(cover, 0); i < PL_COVER_STATEMENTS;
         i = pl_cover_from(cover, i + 1)) {
        if (cover->statements[i].info != 0 && c->given_as[i] == 0)
            c->given_as[i] = look_up(c, i) + 1;
    }
    PL_ASSERT(c->given.n_statements < UINT32_MAX);
    n.first = pl_err_must(calloc(c->given.n_statements + 1, sizeof(uint32_t)));
    for (uint32_t i = 0; i < PL_COVER_STATEMENTS; i++) {
        if (c->given_as[i] == 0)
            continue;
        n.next[i] = n.first[c->given_as[i] - 1];
        n.first[c->given_as[i] - 1] = i + 1;
    }
    return n;
}

static void tell_reads(struct pl_cover_campaign *c, const struct names *n)
{
    struct pl_reads_from *reads = &c->session->common->reads_from;

    for (size_t i = 0; i < c->given.n_reads; i++) {
        const struct pl_covered_task *t = &c->given.reads[i];

        for (uint32_t a = n->first[t->a]; a != 0; a = n->next[a - 1]) {
            for (uint32_t b = n->first[t->b]; b != 0; b = n->next[b - 1])
                pl_reads_from_give(reads, a - 1, b - 1);
        }
    }
    for (size_t i = 0; i < c->given.n_first_reads; i++) {
        for (uint32_t b = n->first[c->given.first_reads[i].b]; b != 0; b = n->next[b - 1])
            pl_reads_from_give(reads, PL_READS_FROM_INITIAL, b - 1);
    }
}

static void tell(struct pl_cover_campaign *c, const struct names *n,
                 const struct pl_covered_task *t, uint32_t why)
{
    for (uint32_t a = n->first[t->a]; a != 0; a = n->next[a - 1]) {
        for (uint32_t b = n->first[t->b]; b != 0; b = n->next[b - 1])
            pl_hapset_add(&c->session->common->hapset, b - 1, a - 1, why, 0);
    }
}

static void mark_failing(bool *marks, const struct pl_covered *given)
{
    for (size_t i = 0; i < given->n_failing; i++)
        marks[given->failing[i].a] = marks[given->failing[i].b] = true;
}

/*
 * That a statement came first or last is not in the file.  Who learned its sets has tried both, so
 * that is not done again, unless an execution that failed had it.
 */
static void tell_ends(struct pl_cover_campaign *c, const struct names *n)
{
    const struct pl_covered *given = &c->given;
    bool *done = pl_err_must(calloc(given->n_statements + 1, sizeof(*done)));

    mark_failing(done, given);
    for (size_t i = 0; i < 2 * given->n_predecessors; i++) {
        const struct pl_covered_task *t = &given->predecessors[i / 2];
        uint32_t s = i % 2 == 0 ? t->a : t->b;

        for (uint32_t k = done[s] ? 0 : n->first[s]; k != 0; k = n->next[k - 1]) {
            pl_hapset_add(&c->session->common->hapset, k - 1, PL_HAPSET_FIRST, PL_HAPSET_GIVEN, 0);
            pl_hapset_add(&c->session->common->hapset, k - 1, PL_HAPSET_LAST, PL_HAPSET_GIVEN, 0);
        }
        done[s] = true;
    }
    free(done);
}

/* What an execution that failed had is to be looked at again, even if a good one had it, too. */
void pl_cover_sets_tell(struct pl_cover_campaign *c)
{
    struct pl_covered *given = &c->given;

    if (c->given_as == NULL)
        return;
    struct names n = list_names(c);

    for (size_t i = 0; i < given->n_predecessors; i++) {
        const struct pl_covered_task *t = &given->predecessors[i];

        if (!pl_covered_has_failed(given, t->a, t->b))
            tell(c, &n, t, PL_HAPSET_GIVEN);
    }
    for (size_t i = 0; i < given->n_failing; i++) {
        const struct pl_covered_task *t = &given->failing[i];

        if (!pl_covered_has_predecessor(given, t->a, t->b))
            tell(c, &n, t, PL_HAPSET_SUSPECT);
    }
    tell_ends(c, &n);
    tell_reads(c, &n);
    free(n.first);
    free(n.next);
}

uint64_t pl_cover_sets_met(const struct pl_cover_campaign *c)
{
    bool *met = pl_err_must(calloc(c->n_given + 1, sizeof(*met)));
    uint64_t n = 0;

    for (uint32_t i = 0; c->given_as != NULL && i < PL_COVER_STATEMENTS; i++) {
        uint32_t index = c->given_as[i]; /* plus 1 */

        if (index == 0 || index > c->n_given || met[index - 1])
            continue;
        met[index - 1] = true;
        n++;
    }
    PL_ASSERT(n <= c->n_given);
    free(met);
    return n;
}

/* ---- what is learned ---- */

static void add(struct pl_cover_campaign *c, const struct pl_hapset_pair *p)
{
    const uint32_t learned = PL_HAPSET_LEARNED | PL_HAPSET_BEFORE;
    struct pl_covered_first first = {c->campaign, p->first};

    if ((p->why & (learned | PL_HAPSET_FAILED | PL_HAPSET_TRIED)) == 0 || !pl_hapset_plain(p))
        return;
    uint32_t a = pl_cover_campaign_statement(c, pl_hapset_predecessor(p));
    uint32_t b = pl_cover_campaign_statement(c, pl_hapset_statement(p));

    if ((p->why & learned) != 0)
        pl_covered_predecessor(&c->set, a, b, first);
    if ((p->why & PL_HAPSET_FAILED) != 0)
        pl_covered_failing(&c->set, a, b, first);
    if ((p->why & (learned | PL_HAPSET_FAILED)) == 0) { /* up to now */
        first.execution = c->set.campaigns[c->campaign].executions;
        pl_covered_tried(&c->set, a, b, first);
    }
}

static void add_read(struct pl_cover_campaign *c, const struct pl_reads_from_pair *p)
{
    struct pl_covered_first first = {c->campaign, p->first};
    uint32_t writer = pl_reads_from_writer(p);
    uint32_t b = pl_cover_campaign_statement(c, pl_reads_from_reader(p));

    if (writer == PL_READS_FROM_INITIAL)
        pl_covered_read_first(&c->set, b, b, first);
    else
        pl_covered_read_from(&c->set, pl_cover_campaign_statement(c, writer), b, first);
}

/* An entry that is being written is read the next time, or is of a process that was killed. */
static void read_reads(struct pl_cover_campaign *c)
{
    const struct pl_reads_from *reads = &c->session->common->reads_from;

    for (uint32_t i = 0; i < reads->n && i < PL_READS_FROM_PAIRS; i++) {
        uint32_t place = reads->list[i];

        if (place != 0)
            add_read(c, &reads->pairs[place - 1]);
    }
    c->set.lost |= reads->lost != 0;
}

/*
 * A pair that was tried or given may be learned later, which the list does not say again: all of it
 * is looked at each time.
 */
void pl_cover_sets_read(struct pl_cover_campaign *c)
{
    const struct pl_hapset *sets = &c->session->common->hapset;

    for (uint32_t i = 0; i < sets->n && i < PL_HAPSET_PAIRS; i++) {
        uint32_t place = sets->list[i];

        if (place != 0)
            add(c, &sets->pairs[place - 1]);
    }
    c->set.lost |= sets->lost != 0;
    read_reads(c);
}
