/* SPDX-License-Identifier: MIT */
/* How coverage grew: numbers, axis, drawing. */
#include "report/coverage/growth.h"

#include "unit.h"

#include <stdlib.h>

/* A campaign whose pairs were shown by these executions. */
static void fill(struct pl_covered *c, const char *id, uint64_t started, uint64_t executions,
                 const uint64_t *firsts, uint32_t n, uint32_t from)
{
    uint32_t k = pl_covered_campaign(c, id, started);
    uint32_t f = pl_covered_function(c, "prog", "f", "prog.c");
    char place[32];

    c->campaigns[k].executions = executions;
    for (uint32_t i = 0; i < n; i++) {
        snprintf(place, sizeof(place), "prog.c:%u", from + i);
        struct pl_covered_statement s = {.function = f,
                                         .place = place,
                                         .operation = (char *)"write",
                                         .caller = (char *)"",
                                         .build = (char *)""};
        uint32_t at = pl_covered_statement(c, &s);

        pl_covered_pair(c, at, at, (struct pl_covered_first){k, firsts[i]});
    }
    pl_covered_interrupted(c, f, (struct pl_covered_first){k, 2});
}

static const uint64_t early[] = {1, 1, 3, 10}, late[] = {1, 4, 5};

static void tasks_count_from_the_execution_that_showed_them(void)
{
    struct pl_covered c = {0};
    struct pl_growth g;

    fill(&c, "one", 100, 20, early, 4, 1);
    pl_growth_make(&g, &c);
    CHECK(g.executions == 20 && g.n == 4 && g.n_campaigns == 1 && g.starts[0] == 0);
    CHECK(pl_growth_at(&g, 0).covered[2] == 0);
    CHECK(pl_growth_at(&g, 1).covered[2] == 2 && pl_growth_at(&g, 1).covered[0] == 0);
    CHECK(pl_growth_at(&g, 2).covered[2] == 2 && pl_growth_at(&g, 2).covered[0] == 1);
    CHECK(pl_growth_at(&g, 9).covered[2] == 3 && pl_growth_at(&g, 20).covered[2] == 4);
    CHECK(pl_growth_last(&g, 2) == 10 && pl_growth_last(&g, 0) == 2 && pl_growth_last(&g, 1) == 0);
    CHECK(pl_growth_reached(&g, 2, 3) == 3 && pl_growth_reached(&g, 2, 5) == 0);
    pl_growth_free(&g);
    pl_covered_free(&c);
}

/* In whatever order they are merged. */
static void campaigns_stand_one_after_the_other(void)
{
    for (unsigned order = 0; order < 2; order++) {
        struct pl_covered x = {0}, y = {0}, c = {0};
        struct pl_growth g;

        fill(&x, "one", 100, 20, early, 4, 1);
        fill(&y, "two", 200, 5, late, 3, 4); /* the first of them is known */
        pl_covered_merge(&c, order == 0 ? &x : &y);
        pl_covered_merge(&c, order == 0 ? &y : &x);
        pl_growth_make(&g, &c);
        CHECK(g.executions == 25 && g.n_campaigns == 2 && g.starts[0] == 0 && g.starts[1] == 20);
        CHECK(pl_growth_at(&g, 20).covered[2] == 4 && pl_growth_at(&g, 23).covered[2] == 4);
        CHECK(pl_growth_at(&g, 24).covered[2] == 5 && pl_growth_at(&g, 25).covered[2] == 6);
        CHECK(pl_growth_last(&g, 2) == 25);
        pl_growth_free(&g);
        pl_covered_free(&x);
        pl_covered_free(&y);
        pl_covered_free(&c);
    }
}

/* Columns never go back, the last is the end, and a column is where its executions are. */
static void the_axis_is_monotone(uint64_t executions)
{
    struct pl_growth g = {.executions = executions};
    uint64_t before = 0;

    for (unsigned width = 20; width <= 100; width += 16, before = 0) {
        for (unsigned i = 0; i < width; i++) {
            uint64_t at = pl_growth_executions(&g, i, width);

            CHECK(at >= before && at >= 1 && at <= executions);
            before = at;
        }
        CHECK(pl_growth_executions(&g, width - 1, width) == executions);
        CHECK(pl_growth_column(&g, executions, width) <= width - 1);
        for (uint64_t at = 1; at <= executions; at = at * 3 + 1) {
            unsigned column = pl_growth_column(&g, at, width);

            CHECK(pl_growth_executions(&g, column, width) >= at);
            CHECK(column == 0 || pl_growth_executions(&g, column - 1, width) < at);
        }
    }
}

static char *drawn(const struct pl_growth *g, unsigned width, bool unicode)
{
    char *to = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&to, &size);

    pl_growth_print(file, g, width, unicode);
    fclose(file);
    return to;
}

static size_t longest(const char *text)
{
    size_t most = 0;

    for (const char *line = text; *line != '\0';) {
        size_t n = strcspn(line, "\n");

        most = n > most ? n : most;
        line += n + (line[n] == '\n');
    }
    return most;
}

static void a_drawing_fits(void)
{
    struct pl_covered c = {0};
    struct pl_growth g;

    fill(&c, "one", 100, 12, early, 4, 1);
    fill(&c, "two", 200, 5000, late, 3, 4);
    pl_growth_make(&g, &c);
    for (unsigned width = 40; width <= 120; width += 7) {
        char *text = drawn(&g, width, false);

        CHECK(longest(text) <= width);
        CHECK(strchr(text, '^') != NULL && strstr(text, "5012") != NULL);
        CHECK(strchr(text, '#') != NULL);
        free(text);
    }
    char *narrow = drawn(&g, 5, true);

    CHECK(strstr(narrow, "\u2588") != NULL);
    free(narrow);
    pl_growth_free(&g);
    pl_covered_free(&c);
}

static void nothing_is_drawn_of_nothing(void)
{
    struct pl_covered c = {0};
    struct pl_growth g;

    pl_growth_make(&g, &c);
    char *text = drawn(&g, 80, true);

    CHECK_STR(text, "");
    free(text);
    pl_growth_free(&g);
}

int main(void)
{
    tasks_count_from_the_execution_that_showed_them();
    campaigns_stand_one_after_the_other();
    the_axis_is_monotone(1);
    the_axis_is_monotone(7);
    the_axis_is_monotone(100);
    the_axis_is_monotone(499);
    the_axis_is_monotone(500);
    the_axis_is_monotone(123456789);
    a_drawing_fits();
    nothing_is_drawn_of_nothing();
    return unit_result();
}
