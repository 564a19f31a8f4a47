/* SPDX-License-Identifier: MIT */
/* A schedule as segments of one thread each. */
#include "report/segments.h"

#include "report/table.h"
#include "unit.h"

#include <stdlib.h>

#define OPERATION(...) pl_schedule_add_operation(s, &(struct pl_schedule_line){__VA_ARGS__})
#define CHOICE(...) pl_schedule_add_choice(s, &(struct pl_schedule_line){__VA_ARGS__})

static void fill(struct pl_schedule *s)
{
    pl_schedule_init(s);
    s->program = pl_schedule_keep(s, "./bank");
    s->strategy = pl_schedule_keep(s, "random");
    OPERATION(.thread = "0", .op = PL_OP_THREAD_CREATE, .target = "0.1", .location = "bank.c:1");
    OPERATION(.thread = "0.1", .op = PL_OP_THREAD_START); /* aside */
    OPERATION(.thread = "0", .op = PL_OP_MUTEX_LOCK, .object = "a", .location = "bank.c:2");
    CHOICE(.thread = "0", .kind = PL_CHOICE_THREAD, .target = "0.1", .taken = 1, .options = 2,
           .op = PL_OP_MUTEX_LOCK);
    OPERATION(.thread = "0.1", .op = PL_OP_MUTEX_LOCK, .object = "b");
    OPERATION(.thread = "0", .op = PL_OP_READ, .object = "x", .location = "bank.c:3");
    OPERATION(.thread = "0", .op = PL_OP_MUTEX_UNLOCK, .object = "a", .location = "bank.c:4");
}

static char *printed(const struct pl_schedule *s, unsigned width)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    pl_segments_print(to, s, &(struct pl_segments_style){.width = width});
    fclose(to);
    return text;
}

static void segments_are_maximal_and_leave_out_what_runs_aside(void)
{
    struct pl_schedule s;

    fill(&s);
    char *text = printed(&s, 0);

    CHECK_STR(text, "  1  0    <thread create 0.1 (bank.c:1), mutex lock a (bank.c:2)>\n"
                    "  2  0.1  <mutex lock b>\n"
                    "  3  0    <read x (bank.c:3), mutex unlock a (bank.c:4)>\n");
    CHECK(pl_segments_count(&s) == 3);
    free(text);
    pl_schedule_free(&s);
}

static void lines_are_cut_to_the_width(void)
{
    struct pl_schedule s;

    fill(&s);
    char *text = printed(&s, 30);

    CHECK(strcspn(text, "\n") == 30);
    free(text);
    pl_schedule_free(&s);
}

static size_t lines_of_table(const struct pl_schedule *s, enum pl_table_segments segments,
                             bool *angles)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *to = open_memstream(&text, &size);

    pl_table_print(to, s, &(struct pl_table_style){.width = 80, .segments = segments});
    fclose(to);
    for (const char *p = text; *p != '\0'; p++)
        n += *p == '\n';
    *angles = strstr(text, "<thread create") != NULL;
    free(text);
    return n;
}

static void an_overview_is_for_long_tables_only(void)
{
    struct pl_schedule schedule, *s = &schedule;
    bool there;

    fill(s);
    lines_of_table(s, PL_TABLE_OVERVIEW, &there);
    CHECK(!there);
    CHECK(lines_of_table(s, PL_TABLE_ONLY_SEGMENTS, &there) == 8 && there);
    for (unsigned i = 0; i < 40; i++)
        OPERATION(.thread = "0", .op = PL_OP_YIELD);
    size_t plain = lines_of_table(s, PL_TABLE_NO_SEGMENTS, &there);

    CHECK(!there);
    CHECK(lines_of_table(s, PL_TABLE_OVERVIEW, &there) == plain + 4 && there);
    for (unsigned i = 0; i < 20; i++)
        OPERATION(.thread = i % 2 == 0 ? "0.1" : "0", .op = PL_OP_YIELD);
    lines_of_table(s, PL_TABLE_OVERVIEW, &there);
    CHECK(!there);
    pl_schedule_free(s);
}

int main(void)
{
    segments_are_maximal_and_leave_out_what_runs_aside();
    lines_are_cut_to_the_width();
    an_overview_is_for_long_tables_only();
    return unit_result();
}
