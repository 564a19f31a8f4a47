/* SPDX-License-Identifier: MIT */
/* See segments.h. */
#include "report/segments.h"

#include "base/assert.h"
#include "report/fit.h"
#include "report/table_text.h"

#include <stdint.h>
#include <string.h>

enum { MOST_LOCATION = 24, MOST_PATH = 16 };

/* A new thread runs aside up to its first operation, and its creator goes on. */
static bool is_aside(const struct pl_schedule_line *line, const struct pl_schedule_line *running)
{
    return line->op == PL_OP_THREAD_START && running != NULL &&
           strcmp(line->thread, running->thread) != 0;
}

bool pl_segments_next(const struct pl_schedule *s, size_t *at, struct pl_segments_part *part)
{
    PL_ASSERT(*at <= s->n_lines);
    *part = (struct pl_segments_part){0};
    for (; *at < s->n_lines; ++*at) {
        const struct pl_schedule_line *line = &s->lines[*at];

        if (line->is_choice || is_aside(line, part->last))
            continue;
        if (part->first != NULL && strcmp(line->thread, part->first->thread) != 0)
            break;
        if (part->first == NULL)
            part->first = line;
        part->last = line;
        part->operations++;
    }
    PL_ASSERT((part->first == NULL) == (part->operations == 0));
    return part->first != NULL;
}

size_t pl_segments_count(const struct pl_schedule *s)
{
    struct pl_segments_part part;
    size_t n = 0;

    for (size_t at = 0; pl_segments_next(s, &at, &part);)
        n++;
    return n;
}

/* "mutex lock a (bank.c:12)" behind what is there. */
static void append_end(char *to, size_t size, const struct pl_schedule_line *line,
                       const struct pl_segments_style *style)
{
    char cell[PL_FIT_TEXT / 4], location[PL_FIT_TEXT / 4];
    size_t n = strlen(to);

    pl_table_text_cell(cell, sizeof(cell), line, UINT32_MAX, false);
    pl_fit_clean(location, sizeof(location), line->location ? line->location : "");
    if (style->width != 0)
        pl_fit_middle(location, sizeof(location), MOST_LOCATION, style->unicode);
    snprintf(to + n, size - n, "%s%s%s%s", cell, location[0] ? " (" : "", location,
             location[0] ? ")" : "");
}

/* "from bank.c:31 (transfer), called at bank.c:50 (main)", below the operations */
static void print_stack(FILE *to, const char *word, const struct pl_schedule_line *line,
                        unsigned indent)
{
    char location[PL_FIT_TEXT / 4], function[PL_FIT_TEXT / 4], callers[PL_FIT_TEXT];

    if (line->location == NULL || line->function == NULL ||
        (line->callers == NULL && pl_operation_is(line->op, PL_ROLES(BEGINS, ENDS))))
        return; /* where a thread begins or ends nobody has called */
    pl_fit_clean(location, sizeof(location), line->location);
    pl_fit_clean(function, sizeof(function), line->function);
    pl_fit_clean(callers, sizeof(callers), line->callers ? line->callers : "");
    fprintf(to, "%*s%s %s (%s)%s%s\n", (int)indent, "", word, location, function,
            callers[0] ? ", called at " : "", callers);
}

static void print_part(FILE *to, size_t number, const struct pl_segments_part *p,
                       unsigned path_width, const struct pl_segments_style *style)
{
    char text[PL_FIT_TEXT], path[PL_FIT_TEXT / 4];
    size_t n;

    PL_ASSERT(p->first != NULL && p->last != NULL && number > 0);
    pl_fit_clean(path, sizeof(path), p->first->thread);
    snprintf(text, sizeof(text), "%3zu  %-*s  <", number, (int)path_width, path);
    append_end(text, sizeof(text), p->first, style);
    if (p->operations > 1) {
        n = strlen(text);
        snprintf(text + n, sizeof(text) - n, ", ");
        append_end(text, sizeof(text), p->last, style);
    }
    n = strlen(text);
    snprintf(text + n, sizeof(text) - n, ">");
    if (style->width != 0)
        pl_fit_end(text, sizeof(text), style->width, style->unicode);
    fprintf(to, "%s\n", text);
    if (style->stacks) {
        print_stack(to, "from", p->first, path_width + 8);
        if (p->operations > 1)
            print_stack(to, "to  ", p->last, path_width + 8);
    }
}

static unsigned widest_path(const struct pl_schedule *s)
{
    struct pl_segments_part part;
    unsigned most = 0;

    for (size_t at = 0; pl_segments_next(s, &at, &part);) {
        unsigned width = pl_fit_width(part.first->thread);

        most = width > most ? width : most;
    }
    return most < MOST_PATH ? most : MOST_PATH;
}

void pl_segments_print(FILE *to, const struct pl_schedule *s, const struct pl_segments_style *style)
{
    unsigned path_width = widest_path(s);
    struct pl_segments_part part;
    size_t number = 0;

    for (size_t at = 0; pl_segments_next(s, &at, &part);)
        print_part(to, ++number, &part, path_width, style);
}
