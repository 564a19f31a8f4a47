/* SPDX-License-Identifier: MIT */
/* plait pairs: which statements of a program can conflict at all, found without running it. */
#include "base/exit.h"
#include "cli/command.h"
#include "engine/worker/pairs.h"
#include "report/pairs.h"
#include "trace/covered.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wanted {
    struct pl_pairs_filter filter;
    bool json, why;
    const char *program, *folder;
};

static void print_help(FILE *to)
{
    fputs("usage: plait pairs [options] PROGRAM\n"
          "       plait pairs --why PLACE PLACE PROGRAM\n\n"
          "List the pairs of statements that can conflict when different threads execute\n"
          "them, as an analysis of the program's code finds them, without running it.\n"
          "The program has to be built with `plait cc --whole` or PLAIT_WHOLE=1.\n"
          "Of a thread that there may be many of, the function has a star.\n\n"
          "  --kind KIND,...  only these: RW, MM, WN, WM, WW, NN, atomic, try, sem,\n"
          "                   barrier, once, life\n"
          "  --at PLACE       only pairs with this line (FILE:LINE) or function; twice: both\n"
          "  --must           only those that are at the same object for sure\n"
          "  --why A B        say why statements at these two places are in no pair\n"
          "  --open           only those with an order that no campaign has settled\n"
          "  -o FOLDER        the results folder of `plait test` that says what is settled;\n"
          "                   without it .plait/NAME, if it is there\n"
          "  --json           print JSON\n"
          "  --help           print this\n",
          to);
}

static int refuse(const char *format, const char *what)
{
    fputs("plait pairs: ", stderr);
    fprintf(stderr, format, what);
    fputs("\n", stderr);
    return PL_EXIT_USAGE;
}

/* 0, or an exit code plus one. */
static int read_kinds(struct wanted *w, const char *list)
{
    char *copy = pl_err_must(strdup(list)), *rest = copy;
    int rc = 0;

    for (char *word; rc == 0 && (word = strsep(&rest, ",")) != NULL;) {
        unsigned kind = pl_pair_find_kind(word);

        if (kind == PL_PAIR_KINDS)
            rc = 1 + refuse("'%s' is no kind of pair. `plait pairs --help` lists them.", word);
        else
            w->filter.kinds |= UINT32_C(1) << kind;
    }
    free(copy);
    return rc;
}

static int add_place(struct wanted *w, const char *place)
{
    if (w->filter.at[1] != NULL)
        return 1 + refuse("'%s' is a third place. A pair has two.", place);
    w->filter.at[w->filter.at[0] != NULL] = place;
    return 0;
}

/* 0 to go on, else an exit code plus one. */
static int parse(int argc, char **argv, struct wanted *w)
{
    static const struct option options[] = {
        {"kind", required_argument, NULL, 'k'}, {"at", required_argument, NULL, 'a'},
        {"must", no_argument, NULL, 'm'},       {"why", no_argument, NULL, 'w'},
        {"open", no_argument, NULL, 'O'},       {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},       {0},
    };
    int option, rc = 0;

    opterr = 0;
    optind = 0;
    while (rc == 0 && (option = getopt_long(argc, argv, ":ho:", options, NULL)) != -1) {
        if (option == 'h') {
            print_help(stdout);
            return 1 + PL_EXIT_CLEAN;
        }
        if (option == 'k')
            rc = read_kinds(w, optarg);
        else if (option == 'a')
            rc = add_place(w, optarg);
        else if (option == 'm')
            w->filter.must = true;
        else if (option == 'w')
            w->why = true;
        else if (option == 'O')
            w->filter.open = true;
        else if (option == 'o')
            w->folder = optarg;
        else if (option == 'j')
            w->json = true;
        else if (option == ':')
            rc = 1 + refuse("%s needs a value.", argv[optind - 1]);
        else
            rc = 1 + refuse("there is no option %s. See `plait pairs --help`.", argv[optind - 1]);
    }
    for (; rc == 0 && w->why && w->filter.at[1] == NULL && optind < argc; optind++)
        rc = add_place(w, argv[optind]);
    if (rc != 0)
        return rc;
    if (optind != argc - 1 || (w->why && w->filter.at[1] == NULL))
        return 1 + refuse("%s. See `plait pairs --help`.",
                          w->why ? "--why needs two places and a program" : "name one program");
    w->program = argv[optind];
    return 0;
}

/* The results folder, as it was given or by default. */
static void folder_of(const struct wanted *w, char *to, size_t size)
{
    const char *name = strrchr(w->program, '/');

    if (w->folder != NULL)
        snprintf(to, size, "%s", w->folder);
    else
        snprintf(to, size, ".plait/%s", name != NULL ? name + 1 : w->program);
}

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
static int add_covered(struct pl_known *known, const struct pl_pair_table *t, const char *path,
                       struct pl_err *err)
{
    struct pl_covered covered = {0};
    bool missing;

    if (pl_covered_read(&covered, path, &missing, err) != 0)
        return missing ? 0 : -1;
    for (size_t i = 0; i < covered.n_pairs; i++) {
        uint32_t a = site_of(t, &covered, covered.pairs[i].a);
        uint32_t b = site_of(t, &covered, covered.pairs[i].b);

        if (a != PL_PAIR_NONE && b != PL_PAIR_NONE && covered.pairs[i].first.execution != 0)
            add_shown(known, t, a, b);
    }
    pl_covered_free(&covered);
    return 0;
}

/* What campaigns have come to, from the results folder; *known stays empty without one. */
static int read_known(struct wanted *w, const struct pl_pair_table *t, struct pl_known *known,
                      struct pl_err *err)
{
    char folder[PATH_MAX - 64], path[PATH_MAX];

    folder_of(w, folder, sizeof(folder));
    if (access(folder, F_OK) == 0)
        w->filter.known = known;
    else if (w->folder != NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s is not there. Give a results folder of `plait test`.", folder);
    snprintf(path, sizeof(path), "%s/%s", folder, PL_KNOWN_FILE);
    if (pl_known_read(known, path, err) != 0)
        return -1;
    snprintf(path, sizeof(path), "%s/%s", folder, PL_COVERED_FILE);
    return add_covered(known, t, path, err);
}

int pl_cmd_pairs(int argc, char **argv)
{
    struct wanted w = {0};
    struct pl_err err = {0};
    int stop = parse(argc, argv, &w);

    if (stop != 0)
        return stop - 1;
    if (w.why) {
        if (pl_pairs_explain(w.program, w.filter.at[0], w.filter.at[1], &err) == 0)
            return PL_EXIT_CLEAN;
    } else {
        struct pl_known known = {0};
        struct pl_pair_table *t = pl_pairs_make(w.program, &err);

        if (t != NULL && read_known(&w, t, &known, &err) == 0) {
            (w.json ? pl_pairs_json : pl_pairs_print)(stdout, t, &w.filter);
            free(t);
            pl_known_free(&known);
            return PL_EXIT_CLEAN;
        }
    }
    fprintf(stderr, "plait pairs: %s\n", err.text);
    return pl_err_exit(&err);
}
