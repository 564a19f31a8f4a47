/* SPDX-License-Identifier: MIT */
/* From choices and events on a board to the lines of a schedule. */
#include "engine/findings/record.h"
#include "unit.h"

#include <stdlib.h>
#include <sys/mman.h>

static const struct pl_choice choices[] = {
    {.kind = PL_CHOICE_THREAD,
     .op = PL_OP_WRITE,
     .tid = 0,
     .taken = 0,
     .options = 2,
     .ordinal = 1,
     .target = 0,
     .is_default = 1},
    {.kind = PL_CHOICE_THREAD,
     .op = PL_OP_MUTEX_LOCK,
     .tid = 0,
     .taken = 1,
     .options = 2,
     .ordinal = 2,
     .target = 1,
     .digest = 5},
    {.kind = PL_CHOICE_VALUE, .op = PL_OP_CHOOSE, .tid = 1, .taken = 2, .options = 3, .ordinal = 0},
};

static const struct pl_event events[] = {
    {.op = {.kind = PL_OP_WRITE, .tid = 0, .ordinal = 1, .way = PL_WAY_NORMAL},
     .choice = 1,
     .point = true},
    {.op = {.kind = PL_OP_READ, .tid = 1, .ordinal = 0, .way = PL_WAY_NORMAL}, .choice = 2},
    {.op = {.kind = PL_OP_THREAD_JOIN, .tid = 1, .ordinal = 1, .way = PL_WAY_NORMAL},
     .choice = 3,
     .object = {.kind = PL_PLACE_THREAD, .tid = 0}},
};

static void fill(struct pl_schedule *s, bool traced)
{
    static struct pl_board *board;
    static struct pl_target target;
    char *argv[] = {"./bank", "-n", "3", NULL};
    struct pl_request request = {.argv = argv};
    struct pl_thread_name threads[] = {{.parent = PL_TID_NONE}, {.parent = 0, .nth = 1}};
    struct pl_result_finding finding = {.execution = 9, .signature = 77, .message = "oops"};

    if (board == NULL)
        board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    strcpy(request.settings.strategy, "random");
    strcpy(request.settings.parameters, "a=1");
    request.settings.seed = 4;
    struct pl_scene scene = {threads, 2, pl_symbols_open(board, "/proc/self/exe"), NULL, NULL};
    struct pl_record record = {.request = &request,
                               .target = &target,
                               .finding = &finding,
                               .kind = PL_FINDING_ASSERTION,
                               .scene = &scene,
                               .choices = choices,
                               .n_choices = 3,
                               .events = traced ? events : NULL,
                               .n_events = traced ? 3 : 0};

    pl_schedule_init(s);
    pl_record_fill(s, &record);
    pl_symbols_close(scene.symbols);
}

static void the_header_says_how_it_was_found(void)
{
    struct pl_schedule s;

    fill(&s, false);
    CHECK_STR(s.program, "./bank");
    CHECK(s.n_arguments == 2);
    CHECK_STR(s.strategy, "random:a=1");
    CHECK(s.seed == 4 && s.execution == 9 && s.signature == 77);
    CHECK(s.finding == PL_FINDING_ASSERTION);
    CHECK_STR(s.message, "oops");
    CHECK(s.n_threads == 2);
    CHECK(!s.failed);
    pl_schedule_free(&s);
}

static void default_choices_are_left_out(void)
{
    struct pl_schedule s;

    fill(&s, false);
    CHECK(s.n_lines == 2 && s.n_choices == 2);
    CHECK_STR(s.lines[0].thread, "0");
    CHECK_STR(s.lines[0].target, "0.1");
    CHECK(s.lines[0].ordinal == 2 && s.lines[0].digest == 5);
    CHECK(s.lines[1].kind == PL_CHOICE_VALUE && s.lines[1].taken == 2);
    pl_schedule_free(&s);
}

static void choices_stand_before_the_operations_they_caused(void)
{
    static const bool is_choice[] = {false, true, true, false};
    struct pl_schedule s;

    fill(&s, true);
    CHECK(s.n_lines == 4); /* the read of private memory is not worth a line */
    for (size_t i = 0; i < s.n_lines && i < 4; i++)
        CHECK(s.lines[i].is_choice == is_choice[i]);
    CHECK_STR(s.lines[3].target, "0");
    pl_schedule_free(&s);
}

static void equal_schedules_may_differ_in_defaults(void)
{
    struct pl_choice other[3];

    CHECK(pl_record_match(choices, 3, choices + 1, 2) == 2);
    CHECK(pl_record_match(choices, 2, choices, 3) == 2); /* went on */
    CHECK(pl_record_match(choices, 3, choices, 2) == UINT64_MAX);
    memcpy(other, choices, sizeof(other));
    other[1].target = 0;
    CHECK(pl_record_match(choices, 3, other, 3) == UINT64_MAX);
}

int main(void)
{
    the_header_says_how_it_was_found();
    default_choices_are_left_out();
    choices_stand_before_the_operations_they_caused();
    equal_schedules_may_differ_in_defaults();
    return unit_result();
}
