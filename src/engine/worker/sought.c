/* SPDX-License-Identifier: MIT */
/* See sought.h. */
#include "engine/worker/sought.h"

#include "base/hash.h"
#include "engine/shared/glob.h"
#include "engine/symbols/inlined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- as the user writes them ---- */

static int refuse(const char *text, const char *what, struct pl_err *err)
{
    return pl_err_set(err, PL_ERR_USER,
                      "--cover cannot be '%.160s': %s. Write FILE:LINE<FILE:LINE, such as "
                      "'a.c:10<b.c:20', or names of functions, and quote it for the shell.",
                      text, what);
}

static void trim(char *text)
{
    size_t n = strlen(text), start = strspn(text, " \t");

    while (n > start && (text[n - 1] == ' ' || text[n - 1] == '\t'))
        n--;
    memmove(text, text + start, n - start);
    text[n - start] = '\0';
}

/* a.c:10 is a line; push and ns::push are functions. */
static bool split_line(struct pl_sought_side *side)
{
    char *colon = strrchr(side->name, ':'), *end;

    side->line = 0;
    if (colon == NULL || colon == side->name || colon[-1] == ':' || colon[1] == ':')
        return true;
    unsigned long line = strtoul(colon + 1, &end, 10);

    if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || line == 0 || line > 100000000)
        return false;
    side->line = (unsigned)line;
    *colon = '\0';
    return true;
}

/* The < that separates: the only one, or the only one with a blank or a line's number before it. */
static const char *separator(const char *text)
{
    const char *found = NULL, *clear = NULL;
    unsigned n = 0, n_clear = 0;

    for (const char *p = strchr(text, '<'); p != NULL; p = strchr(p + 1, '<')) {
        found = p;
        n++;
        const char *digits = p;

        while (digits > text && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        if (p > text && (p[-1] == ' ' || (digits < p && digits > text && digits[-1] == ':'))) {
            clear = p;
            n_clear++;
        }
    }
    return n == 1 ? found : n_clear == 1 ? clear : NULL;
}

/*
 * An order of a pair of statements ends with " !": they must be at one object.  Behind it stand the
 * addresses of the two, "1b20+1b60<1c04", if there are few of them.  NULL: there is no such mark.
 */
static char *cut_mark(char *text)
{
    char *at = strrchr(text, '!');

    if (at == NULL || at < text + 2 || at[-1] != ' ' ||
        at[1 + strspn(at + 1, "0123456789abcdef+<")] != '\0')
        return NULL;
    at[-1] = '\0';
    return at + 1;
}

static void read_addresses(struct pl_sought_side sides[2], const char *at)
{
    for (unsigned i = 0; i < 2 && at != NULL; i++) {
        char *end;

        for (; sides[i].n_pcs < PL_SOUGHT_PCS && *at != '\0' && *at != '<'; at = end) {
            sides[i].pcs[sides[i].n_pcs++] = strtoull(at, &end, 16);
            end += *end == '+';
        }
        at += *at == '<';
    }
}

int pl_sought_parse(struct pl_sought_side sides[2], const char *order, struct pl_err *err)
{
    char text[PL_SOUGHT_TEXT];

    if (strlen(order) >= PL_SOUGHT_TEXT)
        return refuse(order, "it is too long", err);
    snprintf(text, sizeof(text), "%s", order);
    sides[0].n_pcs = sides[1].n_pcs = 0;
    read_addresses(sides, cut_mark(text));
    const char *at = separator(text);

    if (strchr(text, '\n') != NULL)
        return refuse(text, "it has more than one line", err);
    if (at == NULL)
        return refuse(text,
                      strchr(text, '<') == NULL
                          ? "there is no < between what comes first and what comes next"
                          : "it has more than one <, and none with a blank before it",
                      err);
    snprintf(sides[0].name, sizeof(sides[0].name), "%.*s", (int)(at - text), text);
    snprintf(sides[1].name, sizeof(sides[1].name), "%s", at + 1);
    for (unsigned i = 0; i < 2; i++) {
        trim(sides[i].name);
        if (sides[i].name[0] == '\0')
            return refuse(
                text, i == 0 ? "nothing stands before the <" : "nothing stands behind the <", err);
        if (!split_line(&sides[i]))
            return refuse(text, "what stands behind the colon is no number of a line", err);
    }
    return 0;
}

/* ---- a session ---- */

void pl_sought_open(struct pl_sought_names *names, const char *cover, struct pl_sought *sought)
{
    struct pl_err err;

    *names = (struct pl_sought_names){.n = 0};
    while (*cover != '\0' && names->n < PL_SOUGHT_ORDERS) {
        size_t n = strcspn(cover, "\n");
        char *text = names->texts[names->n];
        struct pl_sought_order *order = &sought->orders[names->n];

        snprintf(text, PL_SOUGHT_TEXT, "%.*s", (int)n, cover);
        if (pl_sought_parse(names->sides[names->n], text, &err) == 0) {
            order->signature = pl_hash_text(text) | 1;
            order->meets = cut_mark(text) != NULL;
            snprintf(order->text, sizeof(order->text), "%s", text);
            names->n++;
        }
        cover += n + (cover[n] == '\n');
    }
    sought->n = names->n;
}

void pl_sought_close(struct pl_sought_names *names)
{
    pl_symbols_close(names->symbols);
    *names = (struct pl_sought_names){.n = 0};
}

/* Queue<int>::push(int) is also push. */
static bool fits_function(const char *pattern, const char *function)
{
    size_t n = strcspn(function, "(");

    if (pl_glob_fits_function(pattern, function))
        return true;
    for (; n > 1; n--) {
        if (function[n - 1] == ':' && function[n - 2] == ':')
            return pl_glob_fits_function(pattern, function + n);
    }
    return false;
}

/* Reports leave out the folder of the compilation, which the user may have written. */
static bool fits_file(const char *name, const char *file)
{
    size_t n = strlen(name), m = strlen(file);

    return pl_glob_fits_file(name, file, 0) ||
           (m > 0 && n > m && name[n - m - 1] == '/' && strcmp(name + n - m, file) == 0);
}

bool pl_sought_fits(const struct pl_sought_side *side, const struct pl_symbols_code *code)
{
    if (side->line == 0)
        return code->function[0] != '\0' && fits_function(side->name, code->function);
    return code->line == side->line && fits_file(side->name, code->file);
}

/* Whether one of the addresses of the side is this one. */
static bool is_at(const struct pl_sought_side *side, uint64_t offset)
{
    for (unsigned i = 0; i < side->n_pcs; i++) {
        if (side->pcs[i] == offset)
            return true;
    }
    return false;
}

int pl_sought_answer(struct pl_sought_names *names, struct pl_slot *slot, struct pl_err *err)
{
    struct pl_board *board = slot->board;
    uint32_t roles = 0;

    if (board->phase != PL_PHASE_SOUGHT || board->sought_status != PL_ANSWER_PENDING)
        return 0;
    struct pl_symbols *symbols = pl_symbols_of(&names->symbols, board, slot->target->program.path);

    if (!names->checked && pl_sought_check(names, err) != 0)
        return -1;
    names->checked = true;
    const struct pl_symbols_code *code = pl_symbols_code(symbols, board->sought_pc);

    if (!code->own && code->line != 0 && pl_inlined_system_file(code->file))
        roles = PL_SOUGHT_OUTER;
    for (unsigned i = 0; i < 2 * names->n; i++) {
        const struct pl_sought_side *side = &names->sides[i / 2][i % 2];
        uint32_t role = i % 2 == 0 ? PL_SOUGHT_FIRST(i / 2) : PL_SOUGHT_SECOND(i / 2);

        if (side->n_pcs > 0 && is_at(side, board->sought_pc - board->modules[0].base))
            roles = (roles & ~PL_SOUGHT_OUTER) | role;
        else if (side->n_pcs == 0 && pl_sought_fits(side, code))
            roles |= role;
    }
    board->sought_roles = roles;
    pl_slot_answer(&board->sought_status, PL_ANSWER_YES);
    return 0;
}
