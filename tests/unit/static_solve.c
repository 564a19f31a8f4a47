/* SPDX-License-Identifier: MIT */
/* What pointers may point to: constraints written by hand, and which accesses overlap. */
#include "unit.h"

#include "static/solve.h"

static struct pl_solve *s;
static uint32_t called[8], n_called;

static void found(void *context, uint32_t what, uint32_t object)
{
    called[n_called++] = pl_solve_object_at(s, object)->function;
}

static uint32_t object(enum pl_object_sort sort, int64_t size)
{
    return pl_solve_object(s, (struct pl_solve_object){.sort = (uint8_t)sort, .size = size});
}

/* A node that points to the object, so far in it. */
static uint32_t address(uint32_t o, int64_t offset)
{
    uint32_t node = pl_solve_node(s);

    pl_solve_point(s, node, pl_solve_location(s, o, offset, 0));
    return node;
}

/* Whether a node may point there. */
static bool points(uint32_t node, uint32_t o, int64_t offset, int64_t stride)
{
    return pl_solve_has(pl_solve_set(s, node), pl_solve_location(s, o, offset, stride));
}

static void fields_are_told_apart(void)
{
    s = pl_solve_make(found, NULL, NULL);
    uint32_t box = object(PL_OBJECT_GLOBAL_SORT, 32);
    uint32_t x = object(PL_OBJECT_GLOBAL_SORT, 4), y = object(PL_OBJECT_GLOBAL_SORT, 4);
    uint32_t base = address(box, 0), field = pl_solve_node(s);
    uint32_t first = pl_solve_node(s), second = pl_solve_node(s), third = pl_solve_node(s);

    pl_solve_offset(s, base, field, 8, 0);
    pl_solve_store(s, address(x, 0), base, 8);
    pl_solve_store(s, address(y, 0), field, 8);
    pl_solve_load(s, base, first, 8);
    pl_solve_load(s, field, second, 8);
    pl_solve_load(s, address(box, 16), third, 8);
    CHECK(pl_solve_run(s, 1000000));
    CHECK(points(first, x, 0, 0) && !points(first, y, 0, 0));
    CHECK(points(second, y, 0, 0) && !points(second, x, 0, 0));
    CHECK(pl_solve_set(s, third)->n == 0);
    pl_solve_free(s);
}

static void elements_of_an_array_are_one_and_fields_of_them_are_not(void)
{
    s = pl_solve_make(found, NULL, NULL);
    uint32_t array = object(PL_OBJECT_HEAP_SORT, -1);
    uint32_t x = object(PL_OBJECT_GLOBAL_SORT, 4), y = object(PL_OBJECT_GLOBAL_SORT, 4);
    uint32_t any = pl_solve_node(s), other = pl_solve_node(s);
    uint32_t fifth = pl_solve_node(s), sixth = pl_solve_node(s);

    pl_solve_offset(s, address(array, 0), any, 0, 16); /* a[i] */
    pl_solve_offset(s, any, other, 8, 0);              /* a[i].second */
    pl_solve_store(s, address(x, 0), any, 8);
    pl_solve_store(s, address(y, 0), other, 8);
    pl_solve_load(s, address(array, 80), fifth, 8);
    pl_solve_load(s, address(array, 88), sixth, 8);
    CHECK(pl_solve_run(s, 1000000));
    CHECK(points(fifth, x, 0, 0) && !points(fifth, y, 0, 0));
    CHECK(points(sixth, y, 0, 0) && !points(sixth, x, 0, 0));
    pl_solve_free(s);
}

static void copies_go_round_and_memory_is_moved_by_field(void)
{
    s = pl_solve_make(found, NULL, NULL);
    uint32_t from = object(PL_OBJECT_LOCAL_SORT, 16), to = object(PL_OBJECT_HEAP_SORT, 64);
    uint32_t x = object(PL_OBJECT_GLOBAL_SORT, 4), code = object(PL_OBJECT_FUNCTION_SORT, -1);
    uint32_t a = pl_solve_node(s), b = pl_solve_node(s), c = pl_solve_node(s);
    uint32_t moved = pl_solve_node(s), before = pl_solve_node(s);

    pl_solve_object_at(s, code)->function = 7;
    pl_solve_copy(s, a, b);
    pl_solve_copy(s, b, c);
    pl_solve_copy(s, c, a);
    pl_solve_copy(s, address(x, 0), b);
    pl_solve_store(s, address(code, 0), address(from, 8), 8);
    pl_solve_move(s, address(to, 32), address(from, 0), 16);
    pl_solve_load(s, address(to, 40), moved, 8);
    pl_solve_load(s, address(to, 8), before, 8);
    pl_solve_call(s, moved, 3);
    CHECK(pl_solve_run(s, 1000000));
    CHECK(points(a, x, 0, 0) && points(c, x, 0, 0));
    CHECK(n_called == 1 && called[0] == 7);
    CHECK(pl_solve_set(s, before)->n == 0);
    pl_solve_free(s);
}

/* What points to very many things becomes one with all of it; what does not, does not. */
static void too_much_work_is_saved(void)
{
    enum { THINGS = 300 };
    s = pl_solve_make(found, NULL, NULL);
    uint32_t table = object(PL_OBJECT_GLOBAL_SORT, -1), things[THINGS];
    uint32_t any = pl_solve_node(s), inside = pl_solve_node(s), further = pl_solve_node(s);
    uint32_t alone = object(PL_OBJECT_GLOBAL_SORT, 16), kept = object(PL_OBJECT_GLOBAL_SORT, 8);
    uint32_t put = object(PL_OBJECT_GLOBAL_SORT, 8), direct = pl_solve_node(s);
    uint32_t code = object(PL_OBJECT_FUNCTION_SORT, 0), lonely = pl_solve_node(s);

    pl_solve_object_at(s, code)->function = 7;
    for (unsigned i = 0; i < THINGS; i++) {
        things[i] = object(PL_OBJECT_GLOBAL_SORT, 16);
        pl_solve_store(s, address(things[i], 0), address(table, 0), 8);
    }
    pl_solve_load(s, address(table, 0), any, 8);
    pl_solve_offset(s, any, further, 8, 0);
    pl_solve_store(s, address(put, 0), further, 8);
    pl_solve_store(s, address(code, 0), any, 8);
    pl_solve_load(s, any, inside, 8);
    pl_solve_load(s, address(things[5], 8), direct, 8);
    pl_solve_store(s, address(kept, 0), address(alone, 8), 8);
    pl_solve_load(s, address(alone, 8), lonely, 8);
    n_called = 0;
    pl_solve_call(s, inside, 1);
    CHECK(!pl_solve_run(s, 10));
    CHECK(pl_solve_groups(s, any)->n == 1 && pl_solve_groups(s, direct)->n == 1);
    CHECK(points(any, things[0], 0, 1) && points(inside, put, 0, 1) && points(direct, put, 0, 1));
    CHECK(points(inside, code, 0, 0) && n_called == 1 && called[0] == 7);
    CHECK(points(lonely, kept, 0, 0) && pl_solve_set(s, lonely)->n == 1);
    uint32_t one = pl_solve_groups(s, any)->at[0];

    CHECK(pl_solve_meet(s, one, 8, pl_solve_location(s, things[9], 8, 0), 8));
    CHECK(!pl_solve_meet(s, one, 8, pl_solve_location(s, kept, 0, 0), 8));
    CHECK(pl_solve_group(s, pl_solve_location(s, put, 0, 0)) ==
          pl_solve_location_at(s, one)->object);
    pl_solve_free(s);
}

static bool overlap(int64_t a, int64_t a_stride, uint64_t a_size, int64_t b, int64_t b_stride,
                    uint64_t b_size)
{
    struct pl_solve_location x = {.object = 1, .offset = a, .stride = a_stride};
    struct pl_solve_location y = {.object = 1, .offset = b, .stride = b_stride};
    bool is = pl_solve_overlap(&x, a_size, &y, b_size);

    CHECK(is == pl_solve_overlap(&y, b_size, &x, a_size));
    return is;
}

static void accesses_overlap_byte_by_byte(void)
{
    struct pl_solve_location x = {.object = 1}, y = {.object = 2};

    CHECK(overlap(0, 0, 4, 0, 0, 4) && overlap(0, 0, 8, 4, 0, 4) && overlap(2, 0, 4, 0, 0, 4));
    CHECK(!overlap(0, 0, 4, 4, 0, 4) && !overlap(8, 0, 4, 0, 0, 8));
    CHECK(overlap(0, 0, 0, 100, 0, 4) && !overlap(8, 0, 0, 0, 0, 4)); /* up to the end */
    CHECK(overlap(0, 16, 4, 64, 0, 4) && !overlap(0, 16, 4, 68, 0, 4));
    CHECK(overlap(0, 16, 8, 68, 0, 4) && overlap(12, 16, 8, 0, 16, 4)); /* over the edge */
    CHECK(overlap(0, 16, 4, 8, 8, 4) && !overlap(4, 16, 4, 0, 8, 4));
    CHECK(overlap(0, 1, 1, 77, 0, 1));
    CHECK(!pl_solve_overlap(&x, 4, &y, 4));
}

/* An array from 8 to 24, then a member, then another array from 32 to 48. */
static enum pl_solve_part bound(void *context, const struct pl_solve_object *o, int64_t offset,
                                int64_t *low, int64_t *high)
{
    if (offset == 0 || o->sort != PL_OBJECT_GLOBAL_SORT)
        return PL_SOLVE_ANY;
    if (offset > 24 && offset < 32)
        return PL_SOLVE_MEMBER;
    *low = offset <= 24 ? 8 : 32;
    *high = offset <= 24 ? 24 : 48;
    return PL_SOLVE_ARRAY;
}

static void what_is_indexed_stays_in_its_array(void)
{
    s = pl_solve_make(found, bound, NULL);
    uint32_t box = object(PL_OBJECT_GLOBAL_SORT, 48), x = object(PL_OBJECT_GLOBAL_SORT, 4);
    uint32_t y = object(PL_OBJECT_GLOBAL_SORT, 4), element = pl_solve_node(s);
    uint32_t all = pl_solve_node(s), in = pl_solve_node(s), out = pl_solve_node(s);
    uint32_t back = pl_solve_node(s), before = pl_solve_node(s), member = pl_solve_node(s);

    pl_solve_index(s, address(box, 8), element, 0, 8);
    pl_solve_store(s, address(x, 0), element, 8);
    pl_solve_store(s, address(y, 0), address(box, 24), 8);
    pl_solve_load(s, address(box, 16), in, 8);
    pl_solve_load(s, address(box, 24), out, 8);
    pl_solve_load(s, address(box, 0), all, -1);
    pl_solve_load(s, address(box, 40), member, 8);
    pl_solve_index(s, address(box, 8), back, -8, 0);     /* to the beginning of it all */
    pl_solve_index(s, address(box, 40), before, -12, 0); /* to a member: it was further on */
    CHECK(pl_solve_run(s, 1000000));
    CHECK(points(in, x, 0, 0) && !points(in, y, 0, 0));
    CHECK(points(out, y, 0, 0) && !points(out, x, 0, 0));
    CHECK(points(all, x, 0, 0) && points(all, y, 0, 0)); /* and that has mixed nothing */
    CHECK(pl_solve_set(s, member)->n == 0);
    CHECK(points(back, box, 0, 0) && !points(before, box, 28, 0));
    CHECK(pl_solve_location_at(s, pl_solve_set(s, before)->at[0])->low == 32);
    pl_solve_free(s);
}

int main(void)
{
    what_is_indexed_stays_in_its_array();
    fields_are_told_apart();
    elements_of_an_array_are_one_and_fields_of_them_are_not();
    copies_go_round_and_memory_is_moved_by_field();
    too_much_work_is_saved();
    accesses_overlap_byte_by_byte();
    return unit_result();
}
