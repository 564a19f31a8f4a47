/* SPDX-License-Identifier: MIT */
/* Coverage for people: places, the order of the source, what a list is about. */
#include "report/coverage/cover.h"

#include "report/coverage/cover_page.h"
#include "unit.h"

#include <stdlib.h>

static uint32_t statement(struct pl_covered *c, const char *function, const char *place)
{
    uint32_t f = pl_covered_function(c, "prog", function, "a.c");

    c->functions[f].executed = true;
    return pl_covered_statement(c, &(struct pl_covered_statement){.function = f,
                                                                  .place = (char *)place,
                                                                  .operation = (char *)"write",
                                                                  .caller = (char *)"",
                                                                  .build = (char *)""});
}

/* Two lines of a file, one of another, one without a line. */
static void fill(struct pl_covered *c)
{
    uint32_t k = pl_covered_campaign(c, "one", 1);
    uint32_t late = statement(c, "f", "a.c:30:5"), other = statement(c, "g", "b.c:2");
    uint32_t early = statement(c, "f", "a.c:4:1"), bare = statement(c, "h", "h+0x10");
    struct pl_covered_first at = {k, 1};

    c->campaigns[k].executions = 3;
    pl_covered_pair(c, late, early, at);
    pl_covered_concurrent(c, early, late, at);
    pl_covered_pair(c, other, late, (struct pl_covered_first){k, 2});
    pl_covered_pair(c, bare, other, at);
    pl_covered_tried(c, other, bare, at);
    pl_covered_concurrent(c, bare, other, at);
}

static void places_are_read_from_the_end(void)
{
    struct pl_covered c = {0};
    struct pl_cover_view v;

    statement(&c, "f", "dir/a:b.c:31:5");
    statement(&c, "f", "a.c:7");
    statement(&c, "f", "f+0x12");
    statement(&c, "f", "99999999999:0:");
    pl_cover_view_make(&v, &c, NULL);
    CHECK_STR(v.places[0].file, "dir/a:b.c");
    CHECK(v.places[0].line == 31 && v.places[0].column == 5);
    CHECK_STR(v.places[1].file, "a.c");
    CHECK(v.places[1].line == 7 && v.places[1].column == 0);
    CHECK(v.places[2].file[0] == '\0' && v.places[2].line == 0);
    CHECK(v.places[3].file[0] == '\0' && v.places[3].line == 0);
    pl_cover_view_free(&v);
    pl_covered_free(&c);
}

static void the_files_of_the_program_come_first(void)
{
    CHECK(pl_cover_places_compare("z.c", "/usr/include/a.h") < 0);
    CHECK(pl_cover_places_compare("/project/a.c", "/usr/include/a.h") < 0);
    CHECK(pl_cover_places_compare("", "/usr/include/a.h") > 0);
    CHECK(pl_cover_places_compare("a.c", "b.c") < 0 && pl_cover_places_compare("a", "a") == 0);
}

static void orders_stand_as_in_the_source(void)
{
    struct pl_covered c = {0};
    struct pl_cover_view v;

    fill(&c);
    pl_cover_view_make(&v, &c, NULL);
    CHECK(v.orders.n == 6);
    for (size_t i = 1; i < v.orders.n; i++) {
        const struct pl_covered_order *x = &v.orders.items[i - 1], *y = &v.orders.items[i];

        CHECK(v.ranks[x->a] < v.ranks[y->a] || (x->a == y->a && v.ranks[x->b] < v.ranks[y->b]));
    }
    CHECK(v.covered[2].n == 3 && v.open[2].n == 1 && v.never[2].n == 2);
    CHECK(v.sum.covered[2] == 3 && v.sum.total[2] == 4);
    pl_cover_view_free(&v);
    pl_covered_free(&c);
}

static bool is_there(const void *context, const struct pl_covered_function *f,
                     const struct pl_cover_place *place)
{
    return strcmp(place->file, context) == 0 && place->line != 30;
}

static void a_filter_is_about_lists_only(void)
{
    struct pl_covered c = {0};
    struct pl_cover_view v;
    struct pl_cover_filter filter = {is_there, "b.c"};

    fill(&c);
    pl_cover_view_make(&v, &c, &filter);
    CHECK(v.orders.n == 4 && v.covered[2].n == 2);
    CHECK(v.n_rows == 0 && v.sum.total[2] == 4);
    pl_cover_view_free(&v);
    filter.context = "a.c";
    pl_cover_view_make(&v, &c, &filter);
    CHECK(v.orders.n == 2 && v.n_rows == 3);
    pl_cover_view_free(&v);
    pl_covered_free(&c);
}

/* Each order has two ends, which files and lines count. */
static void files_count_what_begins_or_ends_there(void)
{
    struct pl_covered c = {0};
    struct pl_cover_view v;
    struct pl_cover_page p;

    fill(&c);
    pl_cover_view_make(&v, &c, NULL);
    pl_cover_page_make(&p, &v, NULL);
    CHECK(p.n_files == 3);
    CHECK_STR(p.files[0].name, "a.c");
    CHECK_STR(p.files[1].name, "b.c");
    CHECK_STR(p.files[2].name, "");
    CHECK(p.files[0].n_ends == 6 && p.files[1].n_ends == 4 && p.files[2].n_ends == 2);
    CHECK(p.files[0].orders[PL_COVERED_SHOWN] == 2 && p.files[0].orders[PL_COVERED_OPEN] == 1 &&
          p.files[0].orders[PL_COVERED_NEVER] == 1);
    CHECK(p.files[0].shares[2].covered == 2 && p.files[0].shares[2].total == 3);
    CHECK(p.files[1].shares[2].covered == 2 && p.files[1].shares[2].total == 2);
    CHECK(p.files[0].shares[0].total == 6 && p.files[1].shares[0].total == 0);
    pl_cover_page_free(&p);
    pl_cover_view_free(&v);
    pl_covered_free(&c);
}

int main(void)
{
    places_are_read_from_the_end();
    the_files_of_the_program_come_first();
    orders_stand_as_in_the_source();
    a_filter_is_about_lists_only();
    files_count_what_begins_or_ends_there();
    return unit_result();
}
