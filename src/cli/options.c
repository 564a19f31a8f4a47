/* SPDX-License-Identifier: MIT */
/* See options.h. */
#include "cli/options.h"

#include "base/assert.h"
#include "cli/nearest.h"
#include "cli/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct pl_option table[PL_OPTIONS] = {
#define PL_OPTION(id, name, letter, type, value, commands, help) \
    {name, value, commands, help, PL_OPTION_##type, letter},
#include "model/options.def"
#undef PL_OPTION
};

static const char *command_name(char command)
{
    switch (command) {
    case 'T':
        return "test";
    case 'R':
        return "replay";
    case 'S':
        return "suite";
    case 'C':
        return "coverage";
    default:
        return "minimize";
    }
}

const struct pl_option *pl_options_row(enum pl_option_id id)
{
    PL_ASSERT(id < PL_OPTIONS);
    return &table[id];
}

bool pl_options_time(const char *text, uint64_t *ms)
{
    static const struct {
        const char *unit;
        double ms;
    } units[] = {{"ms", 1}, {"s", 1e3}, {"", 1e3}, {"m", 6e4}, {"min", 6e4}, {"h", 3.6e6}};
    size_t n = strspn(text, "0123456789.");
    char *end;

    /* strtod() would also take signs, hexadecimal, exponents and words. */
    if (n == 0 || (text[n] != '\0' && strchr("msh", text[n]) == NULL))
        return false;
    double value = strtod(text, &end);

    if (end != text + n)
        return false;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        double product = value * units[i].ms;

        if (strcmp(end, units[i].unit) == 0 && product >= 1 && product < 1e15) {
            *ms = (uint64_t)(product + 0.5);
            return true;
        }
    }
    return false;
}

static bool read_number(const char *text, uint64_t *number)
{
    char *end;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

static int set(struct pl_options *options, enum pl_option_id id, const char *text,
               struct pl_err *err)
{
    PL_ASSERT(id < PL_OPTIONS && text != NULL);
    const struct pl_option *o = &table[id];
    uint64_t *number = &options->number[id];

    switch (o->type) {
    case PL_OPTION_COUNT:
        if (!read_number(text, number) || *number == 0)
            return pl_err_set(err, PL_ERR_USER, "--%s cannot be '%s'. Give a number, 1 or more.",
                              o->name, text);
        break;
    case PL_OPTION_NUMBER:
        if (!read_number(text, number))
            return pl_err_set(err, PL_ERR_USER, "--%s cannot be '%s'. Give a number, 0 or more.",
                              o->name, text);
        break;
    case PL_OPTION_TIME:
        if (!pl_options_time(text, number))
            return pl_err_set(err, PL_ERR_USER,
                              "--%s cannot be '%s'. Give a time such as 200ms, 30s, 5m or 1h.",
                              o->name, text);
        break;
    case PL_OPTION_WORD:
    case PL_OPTION_FILE:
    case PL_OPTION_LIST:
    case PL_OPTION_MANY:
        if (text[0] == '\0')
            return pl_err_set(err, PL_ERR_USER, "--%s is empty. Give it a %s.", o->name, o->value);
        break;
    case PL_OPTION_FLAG:
        break;
    }
    if (o->type == PL_OPTION_MANY) {
        if (options->n_many == PL_OPTIONS_MANY)
            return pl_err_set(err, PL_ERR_USER,
                              "--%s is given too often. Write what is to be given into one file.",
                              o->name);
        options->many[options->n_many].id = id;
        options->many[options->n_many++].text = text;
    }
    options->text[id] = text;
    return 0;
}

static bool belongs(const struct pl_option *o, char command)
{
    PL_ASSERT(command != '\0');
    return strchr(o->commands, command) != NULL;
}

/* The option of that name; the command's own if there are several. */
static enum pl_option_id find_name(const char *name, size_t n, char command)
{
    enum pl_option_id found = PL_OPTIONS;

    for (unsigned id = 0; id < PL_OPTIONS; id++) {
        if (strlen(table[id].name) == n && strncmp(table[id].name, name, n) == 0 &&
            (found == PL_OPTIONS || belongs(&table[id], command)))
            found = id;
    }
    return found;
}

static enum pl_option_id find_letter(char letter, char command)
{
    unsigned id = 0;

    while (id < PL_OPTIONS && (table[id].letter != letter || !belongs(&table[id], command)))
        id++;
    return id;
}

static int unknown(const char *argument, size_t n, char command, struct pl_err *err)
{
    const struct pl_option *nearest = NULL;
    size_t least = 3;

    for (unsigned id = 0; argument[1] == '-' && id < PL_OPTIONS; id++) {
        size_t d = strncmp(table[id].name, argument + 2, n - 2) == 0
                       ? 1
                       : pl_nearest_distance(argument + 2, n - 2, table[id].name);

        if (belongs(&table[id], command) && n > 4 && d < least) {
            least = d;
            nearest = &table[id];
        }
    }
    if (nearest != NULL)
        return pl_err_set(err, PL_ERR_USER, "there is no option %.*s. Did you mean --%s?", (int)n,
                          argument, nearest->name);
    return pl_err_set(err, PL_ERR_USER,
                      "there is no option %.*s. `plait %s --help` lists the options.", (int)n,
                      argument, command_name(command));
}

static int value_missing(const struct pl_option *o, struct pl_err *err)
{
    return pl_err_set(err, PL_ERR_USER, "--%s needs a value. Write --%s=%s.", o->name, o->name,
                      o->value);
}

/* --name, --name=value, --name value */
static int parse_long(struct pl_options *options, char command, int argc, char **argv, int *at,
                      struct pl_err *err)
{
    PL_ASSERT(*at < argc && argv[*at][0] == '-' && argv[*at][1] == '-');
    const char *argument = argv[*at];
    size_t n = strcspn(argument + 2, "=");
    const char *value = argument[2 + n] == '=' ? argument + 3 + n : NULL;
    enum pl_option_id id = find_name(argument + 2, n, command);

    if (id == PL_OPTIONS)
        return unknown(argument, n + 2, command, err);
    const struct pl_option *o = &table[id];

    if (!belongs(o, command))
        return pl_err_set(err, PL_ERR_USER,
                          "plait %s has no option --%s. `plait %s --help` lists the options.",
                          command_name(command), o->name, command_name(command));
    ++*at;
    if (o->type == PL_OPTION_FLAG) {
        if (value != NULL)
            return pl_err_set(err, PL_ERR_USER, "--%s takes no value. Write --%s alone.", o->name,
                              o->name);
        return set(options, id, "", err);
    }
    if (value == NULL) {
        if (*at >= argc)
            return value_missing(o, err);
        value = argv[(*at)++];
    }
    return set(options, id, value, err);
}

/* -k, -kq, -n5, -n 5 */
static int parse_short(struct pl_options *options, char command, int argc, char **argv, int *at,
                       struct pl_err *err)
{
    PL_ASSERT(*at < argc && argv[*at][0] == '-');
    const char *argument = argv[(*at)++];

    for (const char *p = argument + 1; *p != '\0'; p++) {
        enum pl_option_id id = find_letter(*p, command);
        const char *value;

        if (id == PL_OPTIONS) {
            char name[3] = {'-', *p, '\0'};

            return unknown(name, 2, command, err);
        }
        if (table[id].type == PL_OPTION_FLAG) {
            if (set(options, id, "", err) != 0)
                return -1;
            continue;
        }
        if (p[1] != '\0')
            value = p[1] == '=' ? p + 2 : p + 1;
        else if (*at < argc)
            value = argv[(*at)++];
        else
            return value_missing(&table[id], err);
        return set(options, id, value, err);
    }
    return 0;
}

int pl_options_parse(struct pl_options *options, char command, int argc, char **argv, int *at,
                     bool *ended, struct pl_err *err)
{
    PL_ASSERT(*at >= 0 && *at <= argc);
    *ended = false;
    while (*at < argc && argv[*at][0] == '-' && argv[*at][1] != '\0') {
        if (strcmp(argv[*at], "--") == 0) {
            ++*at;
            *ended = true;
            return 0;
        }
        int rc = argv[*at][1] == '-' ? parse_long(options, command, argc, argv, at, err)
                                     : parse_short(options, command, argc, argv, at, err);

        if (rc != 0)
            return rc;
    }
    return 0;
}

int pl_options_default(struct pl_options *options, const char *name, const char *value,
                       struct pl_err *err)
{
    enum pl_option_id id = find_name(name, strlen(name), 'T');

    if (id == PL_OPTIONS)
        return pl_err_set(err, PL_ERR_USER,
                          "the schedule has an option '%s' that this plait does not know. "
                          "Use the version that wrote it.",
                          name);
    return options->text[id] != NULL ? 0 : set(options, id, value ? value : "", err);
}

/* ---- help ---- */

enum { COLUMN = 29, WIDTH = 100, LEAST_WIDTH = 60 };

/* Words from COLUMN on, in as many lines as it takes. */
static void print_wrapped(FILE *to, const char *text, unsigned width)
{
    for (unsigned at = COLUMN; *text != '\0';) {
        unsigned n = (unsigned)strcspn(text, " ");

        if (at > COLUMN && at + 1 + n > width) {
            fprintf(to, "\n%*s", COLUMN, "");
            at = COLUMN;
        }
        at += (unsigned)fprintf(to, "%s%.*s", at > COLUMN ? " " : "", (int)n, text);
        text += n + (text[n] == ' ');
    }
    fputc('\n', to);
}

static void print_option(FILE *to, const struct pl_option *o, unsigned width)
{
    char left[64];

    snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", o->letter ? '-' : ' ',
             o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name, o->value[0] ? "=" : "",
             o->value);
    fprintf(to, "%-*s ", COLUMN - 1, left);
    print_wrapped(to, o->help, width);
}

void pl_options_help(FILE *to, char command)
{
    static const struct {
        const char *heading; /* of the options that follow; NULL: an option */
        enum pl_option_id id;
    } lines[] = {
#define PL_OPTION_GROUP(heading) {heading, PL_OPTIONS},
#define PL_OPTION(id, ...) {NULL, PL_OPTION_ID_##id},
#include "model/options.def"
#undef PL_OPTION
    };
    unsigned columns = pl_terminal_width();
    unsigned width = columns < LEAST_WIDTH || columns > WIDTH ? WIDTH : columns;
    const char *heading = NULL;

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (lines[i].heading != NULL) {
            heading = lines[i].heading;
        } else if (belongs(&table[lines[i].id], command)) {
            if (heading != NULL)
                fprintf(to, "%s:\n", heading);
            heading = NULL;
            print_option(to, &table[lines[i].id], width);
        }
    }
    fprintf(to, "%-*s print this\n", COLUMN - 1, "  -h, --help");
}
