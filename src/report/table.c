/* SPDX-License-Identifier: MIT */
/*
 * The table is laid out in one pass over the rows that will be printed and
 * printed in a second one.  Nothing here needs more memory than a few lines,
 * however long the schedule is and whatever it contains.
 */
#include "report/table.h"

#include "base/assert.h"
#include "report/fit.h"
#include "report/report.h"
#include "report/segments.h"
#include "report/table_text.h"
#include "trace/image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 32, /* more threads than that never fit side by side */
    COMMON_WIDTH = 100,
    LEAST_WIDTH = 40,
    GAP = 2,
    LEAST_COLUMN = 14,
    GOOD_COLUMN = 20,
    LEAST_SOURCE = 20, /* for the text of a source line */
    MOST_LOCATION = 24,
    MOST_LIST_CELL = 44,
    ROWS = 400, /* beyond, only the first and the last ones are printed */
    HEAD = 100,
    FEW_SEGMENTS = 20, /* so many are an overview */
    MANY_ROWS = 30,    /* of a table that needs one */
};

struct column {
    const char *path;
    unsigned width, at;
};

struct table {
    FILE *to;
    const struct pl_schedule *s;
    const struct pl_table_style *style;
    unsigned width;
    size_t head, tail; /* rows before head and from tail on are printed */

    struct column columns[COLUMNS];
    unsigned n_columns;
    bool list; /* too many threads: columns[0] holds the operations, path_width the threads */
    unsigned number_width, path_width;
    unsigned location_width, side_at, side_width;

    /* While printing. */
    unsigned at;                             /* place in the line */
    size_t number;                           /* of the operation */
    const char *running;                     /* thread that ran last, or NULL */
    const struct pl_schedule_line *last;     /* the operation before, or NULL */
    const struct pl_schedule_line *order[2]; /* that were to be in this order, or NULL */
};

static bool is_shown(const struct table *t, size_t row)
{
    return row < t->head || row >= t->tail;
}

static void emit(struct table *t, const char *color, const char *text)
{
    if (t->style->color && color)
        fprintf(t->to, "\033[%sm%s\033[0m", color, text);
    else
        fputs(text, t->to);
    t->at += pl_fit_width(text);
}

/* The same sign so many times. */
static void emit_row_of(struct table *t, const char *color, const char *sign, unsigned count)
{
    if (t->style->color && color)
        fprintf(t->to, "\033[%sm", color);
    for (unsigned i = 0; i < count; i++)
        fputs(sign, t->to);
    if (t->style->color && color)
        fputs("\033[0m", t->to);
    t->at += count;
}

static void move_to(struct table *t, unsigned place)
{
    for (; t->at < place; t->at++)
        fputc(' ', t->to);
}

static void end_row(struct table *t)
{
    fputc('\n', t->to);
    t->at = 0;
}

/* The colour of a thread: the same in all of the table. */
static const char *thread_color(const struct table *t, const char *path)
{
    static const char *const colors[] = {"36", "33", "35", "32", "34"};
    unsigned i = 0;

    while (i < t->n_columns && strcmp(t->columns[i].path, path) != 0)
        i++;
    return t->list ? "36" : colors[i % (sizeof(colors) / sizeof(colors[0]))];
}

static const struct column *find_column(const struct table *t, const char *path)
{
    for (unsigned i = 0; i < t->n_columns; i++) {
        if (strcmp(t->columns[i].path, path) == 0)
            return &t->columns[i];
    }
    return NULL;
}

/* 0.2 before 0.10, and a thread before its children. */
static int compare_columns(const void *left, const void *right)
{
    const char *a = ((const struct column *)left)->path;
    const char *b = ((const struct column *)right)->path;

    while (*a != '\0' && *b != '\0') {
        char *after_a, *after_b;
        unsigned long m = strtoul(a, &after_a, 10), n = strtoul(b, &after_b, 10);

        if (m != n)
            return m < n ? -1 : 1;
        a = *after_a == '.' ? after_a + 1 : after_a;
        b = *after_b == '.' ? after_b + 1 : after_b;
    }
    return (*a != '\0') - (*b != '\0');
}

static void add_column(struct table *t, const char *path)
{
    if (!path || t->list || find_column(t, path))
        return;
    if (t->n_columns == COLUMNS)
        t->list = true;
    else
        t->columns[t->n_columns++] = (struct column){.path = path};
}

/* Which threads have a row, or an arrow that leads to them. */
static void find_threads(struct table *t)
{
    for (size_t i = 0; i < t->s->n_lines && !t->list; i++) {
        const struct pl_schedule_line *line = &t->s->lines[i];

        if (!is_shown(t, i))
            continue;
        add_column(t, line->thread);
        if (line->is_choice && line->kind == PL_CHOICE_THREAD)
            add_column(t, line->target);
    }
    PL_ASSERT(t->n_columns <= COLUMNS);
    qsort(t->columns, t->n_columns, sizeof(t->columns[0]), compare_columns);
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How wide everything would like to be.  Returns the wish of what stands at the side. */
static unsigned measure(struct table *t)
{
    char text[PL_FIT_TEXT];
    unsigned cells = 0, behind = 0;

    for (size_t i = 0; i < t->s->n_lines; i++) {
        const struct pl_schedule_line *line = &t->s->lines[i];

        if (!is_shown(t, i))
            continue;
        t->path_width = larger(t->path_width, pl_fit_width(line->thread));
        if (line->is_choice && line->kind == PL_CHOICE_THREAD)
            continue;
        if (line->location && !line->is_choice) {
            pl_fit_clean(text, sizeof(text), line->location);
            t->location_width = larger(t->location_width, pl_fit_width(text));
        }
        if (!line->is_choice && pl_table_text_side(text, sizeof(text), line, t->style->source))
            behind = larger(behind, pl_fit_width(text) + GAP);
        pl_table_text_cell(text, sizeof(text), line, UINT32_MAX, t->style->unicode);
        cells = larger(cells, pl_fit_width(text));

        struct column *c = (struct column *)find_column(t, line->thread);

        if (c)
            c->width = larger(c->width, pl_fit_width(text));
    }
    for (unsigned i = 0; i < t->n_columns; i++) {
        pl_table_text_heading(text, sizeof(text), t->s, t->columns[i].path);
        t->columns[i].width = larger(t->columns[i].width, smaller(pl_fit_width(text), 24));
    }
    t->location_width = smaller(t->location_width, MOST_LOCATION);
    t->path_width = smaller(t->path_width, 16);
    if (t->list)
        t->columns[0].width = smaller(cells, MOST_LIST_CELL);
    return t->location_width + behind;
}

static unsigned columns_width(const struct table *t)
{
    unsigned sum = 0;
    PL_ASSERT(t->n_columns <= COLUMNS);

    for (unsigned i = 0; i < t->n_columns; i++)
        sum += t->columns[i].width + GAP;
    return sum;
}

/* Narrow the widest columns, down to `least`, until all fit; false when they cannot. */
static bool squeeze(struct table *t, unsigned room, unsigned least)
{
    while (columns_width(t) > room) {
        struct column *widest = &t->columns[0];

        for (unsigned i = 1; i < t->n_columns; i++) {
            if (t->columns[i].width > widest->width)
                widest = &t->columns[i];
        }
        if (widest->width <= least)
            return false;
        widest->width--;
    }
    return true;
}

static void lay_out(struct table *t)
{
    char digits[32];

    find_threads(t);
    snprintf(digits, sizeof(digits), "%zu", t->s->n_lines - t->s->n_choices);
    t->number_width = larger((unsigned)strlen(digits), 3);

    PL_ASSERT(t->width >= LEAST_WIDTH && t->s->n_choices <= t->s->n_lines);
    unsigned left = t->number_width + GAP;
    unsigned side = measure(t);
    unsigned least = smaller(side, t->location_width + GAP + LEAST_SOURCE);
    unsigned room = t->width - left;

    /* Operations go before source text, and source text before very wide columns. */
    if (!t->list && !squeeze(t, room - smaller(least, room), GOOD_COLUMN) &&
        !squeeze(t, room - smaller(t->location_width, room), GOOD_COLUMN) &&
        !squeeze(t, room - smaller(t->location_width, room), LEAST_COLUMN)) {
        t->list = true;
        measure(t);
    }
    if (t->list) {
        t->n_columns = 1;
        left += 2 + t->path_width + GAP; /* with the mark of a switch */
        room = t->width - left;
        t->columns[0].width =
            smaller(t->columns[0].width, room > least + LEAST_COLUMN ? room - least : LEAST_COLUMN);
    }
    for (unsigned i = 0; i < t->n_columns; i++) {
        t->columns[i].at = left;
        left += t->columns[i].width + GAP;
    }
    PL_ASSERT(t->n_columns >= 1);
    t->side_at = left;
    t->side_width = t->width > left ? t->width - left : 0;
}

static void print_headings(struct table *t)
{
    char text[PL_FIT_TEXT];

    if (t->list)
        return;
    for (unsigned i = 0; i < t->n_columns; i++) {
        const struct column *c = &t->columns[i];
        char color[16];

        pl_table_text_heading(text, sizeof(text), t->s, c->path);
        pl_fit_end(text, sizeof(text), c->width, t->style->unicode);
        snprintf(color, sizeof(color), "1;%s", thread_color(t, c->path));
        move_to(t, c->at);
        emit(t, color, text);
    }
    end_row(t);
    for (unsigned i = 0; i < t->n_columns; i++) {
        move_to(t, t->columns[i].at);
        emit_row_of(t, "2", t->style->unicode ? "\u2500" : "-", t->columns[i].width);
    }
    end_row(t);
}

/* Location and source text, at the side. */
static void print_side(struct table *t, const struct pl_schedule_line *line)
{
    char text[PL_FIT_TEXT];

    if (line->location) {
        pl_fit_clean(text, sizeof(text), line->location);
        pl_fit_middle(text, sizeof(text), smaller(t->location_width, t->side_width),
                      t->style->unicode);
        move_to(t, t->side_at);
        emit(t, "2", text);
    }

    unsigned place = t->location_width + (t->location_width ? GAP : 0);

    if (t->side_width <= place || !pl_table_text_side(text, sizeof(text), line, t->style->source))
        return;
    pl_fit_end(text, sizeof(text), t->side_width - place, t->style->unicode);
    move_to(t, t->side_at + place);
    emit(t, NULL, text);
}

static void print_operation(struct table *t, const struct pl_schedule_line *line)
{
    char text[PL_FIT_TEXT];
    const char *color = thread_color(t, line->thread);
    const struct column *c = t->list ? &t->columns[0] : find_column(t, line->thread);

    PL_ASSERT(c != NULL);
    if (!line->is_choice) {
        bool marked = line == t->order[0] || line == t->order[1];

        snprintf(text, sizeof(text), "%*zu%s", (int)t->number_width, t->number, marked ? "*" : "");
        emit(t, marked ? "1;32" : "2", text);
    }
    if (t->list) {
        bool other = !t->last || strcmp(t->last->thread, line->thread) != 0;

        pl_fit_clean(text, sizeof(text), line->thread);
        pl_fit_middle(text, sizeof(text), t->path_width, t->style->unicode);
        move_to(t, t->number_width + GAP);
        emit(t, "2", !other ? "  " : t->style->unicode ? "\u25b6 " : "> ");
        emit(t, other ? "1;36" : "36", text);
    }
    pl_table_text_cell(text, sizeof(text), line, c->width, t->style->unicode);
    move_to(t, c->at);
    emit(t, line->is_choice ? "1" : color, text);
    if (!line->is_choice)
        print_side(t, line);
    end_row(t);
}

/* An arrow from the column of one thread to that of another. */
static void print_arrow(struct table *t, const char *from, const char *to, bool chosen)
{
    const struct column *a = find_column(t, from), *b = find_column(t, to);
    const char *color = chosen ? "1" : "2";
    bool u = t->style->unicode;

    if (!a || !b || a == b)
        return;

    bool right = a->at < b->at;
    unsigned end = right ? b->at : a->at;

    PL_ASSERT(a->at != b->at);
    move_to(t, right ? a->at : b->at);
    emit(t, color, right ? (u ? "\u2514" : "`") : (u ? "\u25c0" : "<"));
    emit_row_of(t, color, u ? "\u2500" : "-", end - t->at);
    emit(t, color, right ? (u ? "\u25b6" : ">") : (u ? "\u2518" : "'"));
}

/* Another thread goes on: by the choice, or when it is NULL because the last one could not. */
static void print_switch(struct table *t, const char *from, const char *to,
                         const struct pl_schedule_line *choice)
{
    char text[PL_FIT_TEXT], label[PL_FIT_TEXT / 2], object[PL_FIT_TEXT / 4];

    PL_ASSERT(from != NULL && to != NULL);
    pl_fit_clean(object, sizeof(object), choice && choice->object ? choice->object : "");
    if (choice)
        snprintf(label, sizeof(label), "%s %s%s%s",
                 strcmp(from, to) == 0 ? "goes on at" : "switch before",
                 pl_operation_text(choice->op), object[0] ? " " : "", object);
    else if (t->last && t->last->op == PL_OP_THREAD_EXIT)
        snprintf(label, sizeof(label), "%.40s has ended", from);
    else
        snprintf(label, sizeof(label), "%.40s cannot go on", from);

    if (t->list) {
        snprintf(text, sizeof(text), "%s %.40s to %.40s: %s",
                 t->style->unicode ? "\u2500\u25b6" : "->", from, to, label);
        move_to(t, t->number_width + GAP);
        pl_fit_end(text, sizeof(text), t->width - t->at, t->style->unicode);
        emit(t, choice ? "1" : "2", text);
    } else {
        print_arrow(t, from, to, choice != NULL);
        pl_fit_end(label, sizeof(label), t->side_width, t->style->unicode);
        move_to(t, t->side_at);
        emit(t, choice ? "1" : "2", label);
    }
    end_row(t);
}

/* Follow the execution by one row; print it when it is among the shown ones. */
static void print_row(struct table *t, const struct pl_schedule_line *line, bool shown)
{
    bool is_switch = line->is_choice && line->kind == PL_CHOICE_THREAD;
    /* A new thread starts aside, up to its first operation; its creator goes on. */
    bool aside = !line->is_choice && line->op == PL_OP_THREAD_START && t->running &&
                 strcmp(t->running, line->thread) != 0;

    /* Where it does, and where it has come to its first operation. */
    bool starts = is_switch && pl_operation_is(line->op, PL_ROLE_BEGINS);
    bool back = is_switch && t->running && strcmp(t->running, line->target) == 0 &&
                strcmp(t->running, line->thread) != 0;

    if (!line->is_choice)
        t->number++;
    if (starts || back) {
        return;
    } else if (shown && is_switch) {
        print_switch(t, line->thread, line->target, line);
    } else if (shown) {
        if (t->running && !t->list && !aside && strcmp(t->running, line->thread) != 0)
            print_switch(t, t->running, line->thread, NULL);
        print_operation(t, line);
    }
    if (!aside)
        t->running = is_switch ? line->target : line->thread;
    if (!line->is_choice)
        t->last = line;
}

static void print_rows(struct table *t)
{
    PL_ASSERT(t->head <= t->tail && t->tail <= t->s->n_lines);
    if (t->s->n_packed > 0) {
        char text[128];

        snprintf(text, sizeof(text), "%s after %zu choices that are packed",
                 t->style->unicode ? "\u22ee" : "...", t->s->n_packed);
        move_to(t, t->number_width + GAP);
        emit(t, "1", text);
        end_row(t);
    }
    for (size_t i = 0; i < t->s->n_lines; i++) {
        if (i == t->head && t->head < t->tail) {
            char text[128];

            snprintf(text, sizeof(text), "%s %zu rows left out; --all shows them",
                     t->style->unicode ? "\u22ee" : "...", t->tail - t->head);
            move_to(t, t->number_width + GAP);
            emit(t, "1", text);
            end_row(t);
        }
        print_row(t, &t->s->lines[i], is_shown(t, i));
    }
}

static void print_why(struct table *t)
{
    char text[PL_FIT_TEXT], passing[PL_FIT_TEXT];

    pl_fit_clean(text, sizeof(text), t->s->why ? t->s->why : "");
    pl_fit_clean(passing, sizeof(passing), t->s->passing ? t->s->passing : "");
    pl_finding_text_why(t->to, t->s->finding, text, t->style->folder ? t->style->folder : "",
                        passing);
}

static void print_finding(struct table *t)
{
    char text[PL_FIT_TEXT];
    const struct pl_schedule *s = t->s;
    bool none = s->finding == PL_FINDING_NONE, order = s->finding == PL_FINDING_ORDER;

    end_row(t);
    emit(t, none || order ? "1;32" : "1;31",
         none    ? "no finding"
         : order ? "order shown"
                 : pl_finding_text(s->finding));
    if (!none) {
        pl_fit_clean(text, sizeof(text), s->message ? s->message : pl_finding_meaning(s->finding));
        emit(t, "1", ": ");
        emit(t, "1", text);
    }
    end_row(t);
    if (s->location) {
        pl_fit_clean(text, sizeof(text), s->location);
        emit(t, NULL, "  at ");
        emit(t, NULL, text);
        if (pl_source_line(t->style->source, s->location, text, sizeof(text))) {
            emit(t, NULL, ": ");
            pl_fit_end(text, sizeof(text), t->width > t->at + 8 ? t->width - t->at : 8,
                       t->style->unicode);
            emit(t, "1", text);
        }
        end_row(t);
    }
    for (size_t i = 0; i < s->n_details; i++) {
        pl_fit_clean(text, sizeof(text), s->details[i]);
        emit(t, NULL, "  ");
        emit(t, NULL, text);
        end_row(t);
    }
    print_why(t);
}

static void print_segments(struct table *t)
{
    size_t n = t->style->segments != PL_TABLE_NO_SEGMENTS ? pl_segments_count(t->s) : 0;

    bool only = t->style->segments == PL_TABLE_ONLY_SEGMENTS;

    if (n == 0 || (!only && (n > FEW_SEGMENTS || t->s->n_lines <= MANY_ROWS)))
        return;
    end_row(t);

    pl_segments_print(t->to, t->s,
                      &(struct pl_segments_style){only ? 0 : t->width, t->style->unicode, only});
}

static void print_inputs(struct table *t)
{
    char text[PL_FIT_TEXT] = "recorded input: ";
    size_t n = strlen(text);

    if (!t->s->inputs)
        return;
    pl_image_describe(t->s->inputs, text + n, sizeof(text) - n);
    emit(t, "2", text);
    end_row(t);
}

void pl_table_print(FILE *to, const struct pl_schedule *s, const struct pl_table_style *style)
{
    char text[PL_FIT_TEXT];
    struct table t = {.to = to, .s = s, .style = style, .head = s->n_lines, .tail = s->n_lines};

    PL_ASSERT(s->n_choices <= s->n_lines && s->finding < PL_FINDING_KINDS);
    t.width = larger(style->width ? style->width : COMMON_WIDTH, LEAST_WIDTH);
    if (s->n_lines > ROWS && !style->all) {
        t.head = HEAD;
        t.tail = s->n_lines - (ROWS - HEAD);
    }
    pl_table_text_title(text, sizeof(text), s);
    pl_fit_end(text, sizeof(text), t.width, style->unicode);
    emit(&t, "1", text);
    end_row(&t);
    pl_table_text_origin(text, sizeof(text), s);
    pl_fit_end(text, sizeof(text), t.width, style->unicode);
    emit(&t, "2", text);
    end_row(&t);
    print_inputs(&t);
    print_segments(&t);
    if (s->n_lines > 0 && style->segments != PL_TABLE_ONLY_SEGMENTS) {
        end_row(&t);
        lay_out(&t);
        print_headings(&t);
        pl_table_text_order(s, t.order);
        print_rows(&t);
    }
    print_finding(&t);
}
