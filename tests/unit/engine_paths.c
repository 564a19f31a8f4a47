/* SPDX-License-Identifier: MIT */
/* Paths as lines. */
#include "engine/campaign/listing.h"

#include "unit.h"

#include <stdlib.h>

static struct pl_symbols *symbols;

/* The line; the caller frees it. */
static char *line_of(const struct pl_segments *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    pl_listing_print(to, path, symbols, false);
    fclose(to);
    return text;
}

static void check_line(const struct pl_segments *path, const char *expected)
{
    char *text = line_of(path);

    CHECK_STR(text, expected);
    free(text);
}

static struct pl_segment segment(pl_tid tid, unsigned first, unsigned last, unsigned operations)
{
    return (struct pl_segment){
        .tid = tid, .operations = operations, .first = {.op = first}, .last = {.op = last}};
}

static void begin(struct pl_segments *p)
{
    memset(p, 0, sizeof(*p));
    p->execution = 8;
    p->outcome = PL_OUTCOME_DONE;
    p->late = PL_TID_NONE;
    p->n_threads = 2;
    p->threads[1] = (struct pl_thread_name){.parent = 0, .nth = 1};
    p->n = 2;
    p->list[0] = segment(0, PL_OP_THREAD_CREATE, PL_OP_MUTEX_UNLOCK, 3);
    p->list[0].first.object = (struct pl_place){.kind = PL_PLACE_THREAD, .tid = 1};
    p->list[1] = segment(1, PL_OP_MUTEX_LOCK, PL_OP_MUTEX_LOCK, 1);
}

static struct pl_segments p;

static void a_line_has_number_outcome_and_segments(void)
{
    begin(&p);
    check_line(&p, "path 7 finished: 0 <thread create 0.1, mutex unlock> 0.1 <mutex lock>");
    p.section = 2;
    check_line(&p, "path 7 of section 2 finished: 0 <thread create 0.1, mutex unlock> "
                   "0.1 <mutex lock>");
}

static void outcomes_have_their_words(void)
{
    begin(&p);
    p.n = 1;
    p.outcome = PL_OUTCOME_CUT;
    check_line(&p, "path 7 cut: 0 <thread create 0.1, mutex unlock>");
    p.late = 1;
    check_line(&p, "path 7 cut, 0.1 ran too long: 0 <thread create 0.1, mutex unlock>");
    p.late = PL_TID_NONE;
    p.outcome = PL_OUTCOME_ABORTED;
    check_line(&p, "path 7 aborted: 0 <thread create 0.1, mutex unlock>");
    p.outcome = PL_OUTCOME_FINDING;
    p.finding = PL_FINDING_DEADLOCK;
    check_line(&p, "path 7 finished, deadlock: 0 <thread create 0.1, mutex unlock>");
}

static void what_is_too_much_is_left_out(void)
{
    begin(&p);
    for (unsigned i = 0; i < PL_SEGMENTS_KEPT; i++)
        p.list[i] = segment(i % 2, PL_OP_YIELD, PL_OP_YIELD, 1);
    p.list[PL_SEGMENTS_KEPT - 1] = segment(PL_SEGMENTS_THREADS, PL_OP_EXIT, PL_OP_EXIT, 1);
    p.n = PL_SEGMENTS_KEPT;
    char *all = line_of(&p);

    CHECK(strstr(all, "...") == NULL);
    CHECK(strstr(all, " 0 <yield> #64 <exit>") != NULL);
    free(all);
    p.n = PL_SEGMENTS_KEPT + 5;
    char *most = line_of(&p);

    CHECK(strstr(most, " 0 <yield> ... 5 more ... #64 <exit>") != NULL);
    free(most);
}

int main(void)
{
    struct pl_board *board = calloc(1, sizeof(*board));

    symbols = pl_symbols_open(board, "");
    a_line_has_number_outcome_and_segments();
    outcomes_have_their_words();
    what_is_too_much_is_left_out();
    pl_symbols_close(symbols);
    free(board);
    return unit_result();
}
