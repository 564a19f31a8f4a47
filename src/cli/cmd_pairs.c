/* SPDX-License-Identifier: MIT */
/* plait pairs: which statements of a program can conflict at all, found without running it. */
#include "base/exit.h"
#include "cli/command.h"
#include "cli/refuse.h"
#include "engine/coverage/cover_pairs.h"
#include "engine/worker/pairs.h"
#include "report/pairs.h"

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
          "  --all            each pair by itself; of more than a hundred, those of one kind,\n"
          "                   object and pair of functions are otherwise shown as one\n"
          "  --why A B        say why statements at these two places are in no pair\n"
          "  --open           only those with an order that no campaign has settled\n"
          "  -o FOLDER        the results folder of `plait test` that says what is settled;\n"
          "                   without it .plait/NAME, if it is there\n"
          "  --json           print JSON\n"
          "  --help           print this\n",
          to);
}

/* 0, or an exit code plus one. */
static int read_kinds(struct wanted *w, const char *list)
{
    char *copy = pl_err_must(strdup(list)), *rest = copy;
    int rc = 0;

    for (char *word; rc == 0 && (word = strsep(&rest, ",")) != NULL;) {
        unsigned kind = pl_pair_find_kind(word);

        if (kind == PL_PAIR_KINDS)
            rc = 1 + pl_refuse("'%s' is no kind of pair. `plait pairs --help` lists them.", word);
        else
            w->filter.kinds |= UINT32_C(1) << kind;
    }
    free(copy);
    return rc;
}

static int add_place(struct wanted *w, const char *place)
{
    if (w->filter.at[1] != NULL)
        return 1 + pl_refuse("'%s' is a third place. A pair has two.", place);
    w->filter.at[w->filter.at[0] != NULL] = place;
    return 0;
}

/* 0 to go on, else an exit code plus one. */
static int parse(int argc, char **argv, struct wanted *w)
{
    static const struct option options[] = {
        {"kind", required_argument, NULL, 'k'},
        {"at", required_argument, NULL, 'a'},
        {"must", no_argument, NULL, 'm'},
        {"why", no_argument, NULL, 'w'},
        {"open", no_argument, NULL, 'O'},
        {"all", no_argument, NULL, 'A'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
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
        else if (option == 'A')
            w->filter.all = true;
        else if (option == 'o')
            w->folder = optarg;
        else if (option == 'j')
            w->json = true;
        else if (option == ':')
            rc = 1 + pl_refuse("%s needs a value.", argv[optind - 1]);
        else
            rc =
                1 + pl_refuse("there is no option %s. See `plait pairs --help`.", argv[optind - 1]);
    }
    for (; rc == 0 && w->why && w->filter.at[1] == NULL && optind < argc; optind++)
        rc = add_place(w, argv[optind]);
    if (rc != 0)
        return rc;
    if (optind != argc - 1 || (w->why && w->filter.at[1] == NULL))
        return 1 + pl_refuse("%s. See `plait pairs --help`.",
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

/* What campaigns have come to, from the results folder; *known stays empty without one. */
static int read_known(struct wanted *w, const struct pl_pair_table *t, struct pl_known *known,
                      struct pl_err *err)
{
    char folder[PATH_MAX - 64];

    folder_of(w, folder, sizeof(folder));
    if (access(folder, F_OK) == 0)
        w->filter.known = known;
    else if (w->folder != NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s is not there. Give a results folder of `plait test`.", folder);
    return pl_cover_pairs_read(known, t, folder, err);
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
    fprintf(stderr, "plait: %s\n", err.text);
    return pl_err_exit(&err);
}
