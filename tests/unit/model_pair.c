/* SPDX-License-Identifier: MIT */
/* The table of static pairs: put together, found again, and what can be reached from where. */
#include "unit.h"

#include "trace/pairs.h"

#include <stdlib.h>
#include <unistd.h>

/*
 * main: 0 creates, 1 writes x, 2 calls f.  f: 3 writes x.  The thread: 4 reads x, 5 locks.
 * Positions are numbered like sites but for 2, which is none.
 */
enum { CREATE, WRITE_MAIN, WRITE_F, READ, LOCK, SITES };
enum { AT_CREATE, AT_WRITE, AT_CALL, AT_F, AT_READ, AT_LOCK, POSITIONS };

static struct pl_pairs_site sites[SITES] = {
    [CREATE] = {{.op = PL_OP_THREAD_CREATE, .position = AT_CREATE, .target = 0, .creates = 2},
                "a.c",
                "main",
                NULL},
    [WRITE_MAIN] = {{.op = PL_OP_WRITE, .position = AT_WRITE, .target = 1}, "a.c", "main", NULL},
    [WRITE_F] = {{.op = PL_OP_WRITE, .position = AT_F, .target = 2}, "a.c", "f", "a.c:9"},
    [READ] = {{.op = PL_OP_READ, .position = AT_READ, .target = 3}, "b.c", "thread", NULL},
    [LOCK] = {{.op = PL_OP_MUTEX_LOCK, .position = AT_LOCK, .target = PL_PAIR_NONE},
              "b.c",
              "thread",
              NULL},
};

static struct pl_pairs_pair pairs[] = {
    {{.a = WRITE_MAIN, .b = WRITE_F, .kind = PL_PAIR_RW, .priority = 10}, "x", "m", NULL},
    {{.a = READ, .b = WRITE_F, .kind = PL_PAIR_RW, .priority = 30, .roots_a = 2, .roots_b = 1},
     "x",
     "read",
     "written"},
    {{.a = WRITE_F, .b = WRITE_F, .kind = PL_PAIR_RW, .priority = 20}, "x", NULL, NULL},
};

static struct pl_pairs_root roots[] = {
    {{.created = PL_PAIR_NONE, .row = 0}, "main"},
    {{.created = CREATE, .row = 4}, "thread"},
};

/* 0: all of main; 1: without the creation; 2: f only; 3: nothing; 4: the read; 5: like 2. */
static uint64_t rows[] = {7, 6, 4, 0, 8, 4};
static struct pl_pair_position positions[POSITIONS] = {
    [AT_CREATE] = {CREATE, 0, 1},     [AT_WRITE] = {WRITE_MAIN, 1, 2},
    [AT_CALL] = {PL_PAIR_NONE, 5, 3}, [AT_F] = {WRITE_F, 2, 3},
    [AT_READ] = {READ, 4, 3},         [AT_LOCK] = {LOCK, PL_PAIR_NONE, 3},
};
/* The read is there twice. */
static struct pl_pair_place places[] = {
    {0x500, AT_READ, 1}, {0x100, AT_CREATE, 0}, {0x200, AT_WRITE, 0}, {0x300, AT_CALL, 0},
    {0x400, AT_F, 0},    {0x120, AT_READ, 1},   {0x140, AT_LOCK, 1}};
static struct pl_pairs_module modules[] = {{""}, {"libb.so"}};
static uint32_t targets[] = {CREATE, WRITE_MAIN, WRITE_F, READ};

static struct pl_pair_table *make(void)
{
    struct pl_pairs_parts p = {.sites = sites,
                               .pairs = pairs,
                               .roots = roots,
                               .positions = positions,
                               .places = places,
                               .modules = modules,
                               .rows = rows,
                               .targets = targets,
                               .n_sites = SITES,
                               .n_pairs = 3,
                               .n_roots = 2,
                               .n_positions = POSITIONS,
                               .n_places = 7,
                               .n_modules = 2,
                               .n_rows = 6,
                               .n_targets = 4};

    return pl_pairs_pack(&p);
}

static void pairs_of_a_site_have_the_greatest_priority_first(void)
{
    struct pl_pair_table *t = make();
    const struct pl_pair_site *s = &pl_pair_sites(t)[WRITE_F];
    const struct pl_pair *p = pl_pair_pairs(t);

    CHECK(s->n_pairs == 3);
    CHECK(pl_pair_members(t)[s->first_pair] == 1);
    CHECK(pl_pair_members(t)[s->first_pair + 1] == 2);
    CHECK(pl_pair_members(t)[s->first_pair + 2] == 0);
    CHECK(pl_pair_other(&p[1], READ) == WRITE_F && pl_pair_other(&p[2], WRITE_F) == WRITE_F);
    CHECK(p[1].a == WRITE_F && p[1].b == READ && p[1].roots_a == 1 && p[1].roots_b == 2);
    CHECK_STR(pl_pair_string(t, p[1].locks_a), "written");
    CHECK_STR(pl_pair_string(t, p[0].locks_b), "");
    CHECK(p[0].object == p[1].object);
    CHECK(pl_pair_sites(t)[LOCK].n_pairs == 0);
    CHECK(t->n_rows == 5); /* two are the same */
    free(t);
}

static void an_address_is_one_site_and_a_site_may_have_several(void)
{
    struct pl_pair_table *t = make();
    uint64_t library[] = {0x7000, 0x8000, 0x300, 0x200};
    uint64_t hook[] = {0x9000, 0x400};

    CHECK(pl_pair_site_at(t, &(uint64_t){0x120}, 1) == READ);
    CHECK(pl_pair_site_at(t, &(uint64_t){0x500}, 1) == READ);
    CHECK(pl_pair_position_at(t, 0x121) == PL_PAIR_NONE);
    CHECK(pl_pair_site_at(t, library, 4) == PL_PAIR_NONE); /* a call that is no site */
    CHECK(pl_pair_site_at(t, hook, 2) == WRITE_F);
    pl_pairs_move(t, 1, 0x10000);
    pl_pairs_settle(t, 5);
    CHECK(pl_pair_position_at(t, 0x120) == PL_PAIR_NONE);
    CHECK(pl_pair_position_at(t, 0x10120) == AT_READ);
    CHECK(pl_pair_position_at(t, 0x100) == AT_CREATE);
    free(t);
}

static bool reaches(uint64_t pc, uint64_t caller, bool performed, uint32_t site)
{
    struct pl_pair_table *t = make();
    uint64_t pcs[] = {pc, caller};
    bool is = pl_pair_reaches(t, pcs, caller ? 2 : 1, true, performed, site);

    free(t);
    return is;
}

static void what_lies_behind_cannot_be_reached(void)
{
    struct pl_pair_table *t = make();

    CHECK(reaches(0x100, 0, false, CREATE) && !reaches(0x100, 0, true, CREATE));
    CHECK(reaches(0x200, 0, true, WRITE_F) && !reaches(0x200, 0, true, WRITE_MAIN));
    CHECK(reaches(0x400, 0x300, false, WRITE_F) && !reaches(0x400, 0x300, true, WRITE_F));
    CHECK(!reaches(0x400, 0x300, false, WRITE_MAIN));
    CHECK(reaches(0x400, 0x100, true, WRITE_MAIN)); /* as if f were called there */
    CHECK(reaches(0x140, 0, false, READ));          /* no row: anything */
    CHECK(reaches(0x7777, 0x120, false, READ));     /* a library: who knows where it was called */
    CHECK(!reaches(0x500, 0, true, READ));
    CHECK(!reaches(0x500, 0x7777, true, READ));                          /* what begins a thread */
    CHECK(pl_pair_reaches(t, &(uint64_t){0x500}, 1, false, true, READ)); /* more may be below */
    CHECK(pl_pair_root_reaches(t, 1, WRITE_F) && !pl_pair_root_reaches(t, 1, READ));
    CHECK(pl_pair_root_reaches(t, 2, READ) && pl_pair_root_reaches(t, 3, CREATE));
    free(t);
}

static void what_is_no_table_is_refused(void)
{
    struct pl_pair_table *t = make();
    struct pl_pair_table kept = *t;

    CHECK(pl_pair_is_sound(t, t->size));
    CHECK(!pl_pair_is_sound(t, t->size - 1) && !pl_pair_is_sound(t, 7));
    t->n_sites = 1;
    CHECK(!pl_pair_is_sound(t, t->size)); /* pairs are about others */
    *t = kept;
    t->rows_at = t->size;
    CHECK(!pl_pair_is_sound(t, t->size));
    *t = kept;
    t->n_places = UINT32_MAX;
    CHECK(!pl_pair_is_sound(t, t->size));
    *t = kept;
    CHECK(pl_pair_is_sound(t, t->size));
    free(t);
}

static void a_file_has_the_same(void)
{
    struct pl_err err = {0};
    char path[] = "/tmp/plait-pairs-XXXXXX";
    int fd = mkstemp(path);
    struct pl_pair_table *t = make();

    CHECK(fd >= 0);
    close(fd);
    CHECK(pl_pairs_read(path, &err) == NULL);
    CHECK(pl_pairs_write(t, path, &err) == 0);
    struct pl_pair_table *u = pl_pairs_read(path, &err);

    CHECK(u != NULL && u->size == t->size && memcmp(t, u, t->size) == 0);
    unlink(path);
    free(t);
    free(u);
}

static void kinds_have_texts_and_say_which_operation_they_are_about(void)
{
    CHECK(pl_pair_find_kind("RW") == PL_PAIR_RW && pl_pair_find_kind("?") == PL_PAIR_KINDS);
    CHECK(pl_pair_priority(PL_PAIR_RW) > pl_pair_priority(PL_PAIR_WN));
    CHECK(pl_pair_priority(PL_PAIR_WN) > pl_pair_priority(PL_PAIR_WM));
    CHECK(pl_pair_priority(PL_PAIR_WM) >= pl_pair_priority(PL_PAIR_WW));
    CHECK(pl_pair_priority(PL_PAIR_WW) > pl_pair_priority(PL_PAIR_MM));
    CHECK(pl_pair_concerns(PL_PAIR_WN, PL_OP_COND_WAIT));
    CHECK(!pl_pair_concerns(PL_PAIR_WN, PL_OP_COND_WAKE));
    CHECK(pl_pair_concerns(PL_PAIR_WM, PL_OP_COND_WAKE));
    CHECK(!pl_pair_concerns(PL_PAIR_WM, PL_OP_COND_WAIT));
    CHECK(pl_pair_concerns(PL_PAIR_WM, PL_OP_MUTEX_LOCK));
}

int main(void)
{
    pairs_of_a_site_have_the_greatest_priority_first();
    an_address_is_one_site_and_a_site_may_have_several();
    what_lies_behind_cannot_be_reached();
    what_is_no_table_is_refused();
    a_file_has_the_same();
    kinds_have_texts_and_say_which_operation_they_are_about();
    return unit_result();
}
