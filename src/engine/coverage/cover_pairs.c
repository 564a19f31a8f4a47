/* SPDX-License-Identifier: MIT */
/* See cover_pairs.h. */
#include "engine/coverage/cover_pairs.h"

#include "base/file.h"
#include "engine/coverage/cover_file.h"
#include "trace/covered.h"

#include <stdio.h>
#include <string.h>

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* The site of a statement that executions have shown; PL_PAIR_NONE: of another build, or no site.
 */
static uint32_t site_of(const struct pl_pair_table *t, const struct pl_covered *c,
                        uint32_t statement)
{
    const struct pl_covered_statement *s = &c->statements[statement];
    uint32_t position = pl_pair_position_at(t, s->pc);
    uint32_t site = position != PL_PAIR_NONE ? pl_pair_positions(t)[position].site : PL_PAIR_NONE;
    char place[PATH_MAX];

    if (site == PL_PAIR_NONE)
        return PL_PAIR_NONE;
    const struct pl_pair_site *of = &pl_pair_sites(t)[site];
    int n =
        snprintf(place, sizeof(place), "%s:%u", last_name(pl_pair_string(t, of->file)), of->line);
    const char *is = last_name(s->place);
    bool same = strncmp(is, place, (size_t)n) == 0 && (is[n] == '\0' || is[n] == ':') &&
                strcmp(c->functions[s->function].name, pl_pair_string(t, of->function)) == 0;

    return same ? site : PL_PAIR_NONE;
}

/* An order that executions of any strategy have shown is shown for all pairs of its sites. */
static void add_shown(struct pl_known *known, const struct pl_pair_table *t, uint32_t first,
                      uint32_t second)
{
    const struct pl_pair_site *of = &pl_pair_sites(t)[first];

    for (uint32_t i = 0; i < of->n_pairs; i++) {
        const struct pl_pair *p = &pl_pair_pairs(t)[pl_pair_members(t)[of->first_pair + i]];
        struct pl_known_order o = {.first = of->key,
                                   .second = pl_pair_sites(t)[second].key,
                                   .kind = p->kind,
                                   .status = PL_KNOWN_SHOWN};

        if (pl_pair_other(p, first) == second)
            pl_known_add(known, &o);
    }
}

/* What campaigns have covered counts, whichever their strategy was. */
static int add_covered(struct pl_known *known, const struct pl_pair_table *t, const char *folder,
                       struct pl_err *err)
{
    struct pl_covered covered = {0};
    char program[PATH_MAX];
    bool missing, told = pl_cover_file_program(folder, program);

    if (pl_cover_file_read(&covered, folder, told ? program : NULL, &missing, err) != 0)
        return -1;
    for (size_t i = 0; i < covered.n_pairs; i++) {
        uint32_t a = site_of(t, &covered, covered.pairs[i].a);
        uint32_t b = site_of(t, &covered, covered.pairs[i].b);

        if (a != PL_PAIR_NONE && b != PL_PAIR_NONE && covered.pairs[i].first.execution != 0)
            add_shown(known, t, a, b);
    }
    pl_covered_free(&covered);
    return 0;
}

int pl_cover_pairs_read(struct pl_known *known, const struct pl_pair_table *t, const char *folder,
                        struct pl_err *err)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", folder, PL_KNOWN_FILE);
    if (pl_known_read(known, path, err) != 0)
        return -1;
    return add_covered(known, t, folder, err);
}
