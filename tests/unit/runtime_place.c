/* SPDX-License-Identifier: MIT */
/*
 * What an address is: static memory of a module, a block of the heap, a stack.  Program counters
 * by their modules, of which this test is one.
 */
#include "unit.h"

#include "runtime_stage.h"

enum { ANY = PL_OBJECT_MEMORY };

static int here = 7; /* static memory */
static _Thread_local volatile uint64_t local[100];

static uint64_t pc_here(void)
{
    return (uint64_t)pc_here;
}

static void begin(void)
{
    stage_set(2);
    pl_place_modules();
}

static void modules_are_listed(void)
{
    bool found = false;

    begin();
    CHECK(pl_board->n_modules >= 2); /* this one and libc */
    for (unsigned i = 0; i < pl_board->n_modules; i++) {
        const struct pl_module *m = &pl_board->modules[i];

        CHECK(m->start < m->end && m->base <= m->start && !m->instrumented);
        found |= pc_here() >= m->start && pc_here() < m->end;
    }
    CHECK(found);
    CHECK(pl_stage->modules.own_start <= (uint64_t)pl_place_modules &&
          (uint64_t)pl_place_modules < pl_stage->modules.own_end);
    local[1] = 1;
    CHECK(pl_stage->modules.tls_size >= sizeof(local));
    CHECK(pl_board->modules[0].build_id_size > 0);
}

static void program_counters_are_relative(void)
{
    begin();
    uint64_t base = pl_board->modules[0].base;

    CHECK(pl_place_relative(pc_here()) == pc_here() - base);
    CHECK(pl_place_relative(16) == 16); /* in no module */
    CHECK(pl_place_in_module((uint64_t)stderr, "libc.so"));
    CHECK(!pl_place_in_module(pc_here(), "libc.so") && !pl_place_in_module(16, ""));
}

/* The hooks of a module say that it is there; what is known stays when modules are listed anew. */
static void instrumented_modules_are_known(void)
{
    begin();
    CHECK(!pl_place_is_instrumented(pc_here()));
    pl_place_instrumented(pc_here());
    CHECK(pl_place_is_instrumented(pc_here()) && pl_place_is_instrumented((uint64_t)&here));
    CHECK(!pl_place_is_instrumented((uint64_t)stderr) && !pl_place_is_instrumented(16));
    pl_place_modules();
    CHECK(pl_place_is_instrumented(pc_here()));
}

static void places_have_kinds(void)
{
    struct pl_place p;

    begin();
    CHECK(pl_place_of(0, ANY).kind == PL_PLACE_NONE);
    p = pl_place_of((uint64_t)&here, ANY);
    CHECK(p.kind == PL_PLACE_STATIC && p.site == (uint64_t)&here);
    CHECK(pl_place_of(4096, ANY).kind == PL_PLACE_OTHER);
    stage_told.block = 0x7000;
    p = pl_place_of(0x7010, ANY);
    CHECK(p.kind == PL_PLACE_HEAP && p.offset == 0x10);
    CHECK(pl_place_of(0x7040, ANY).kind == PL_PLACE_OTHER); /* behind the block */
}

/* On a stack: how far from its beginning, which is the same in every execution. */
static void stacks_belong_to_threads(void)
{
    struct pl_place p;

    begin();
    stage_thread(1)->stack_low = 0x50000;
    stage_thread(1)->stack_high = 0x60000;
    p = pl_place_of(0x5ff00, ANY);
    CHECK(p.kind == PL_PLACE_STACK && p.tid == 1 && p.offset == 0x100 && p.site == 0);
    CHECK(pl_place_of(0x60000, ANY).kind == PL_PLACE_OTHER);
    CHECK(pl_place_of(0x4ffff, ANY).kind == PL_PLACE_OTHER);
    stage_thread(0)->main = true; /* its stack grows */
    stage_thread(0)->stack_low = stage_thread(0)->stack_high = 0x7fff00000000;
    p = pl_place_of(0x7fff00000000 - (1 << 20), ANY);
    CHECK(p.kind == PL_PLACE_STACK && p.tid == 0 && p.offset == 1 << 20);
}

/* The lock of a guard is one byte behind it. */
static void the_guard_is_meant(void)
{
    static _Alignas(8) uint64_t guard;

    begin();
    CHECK(pl_place_of((uint64_t)&guard + 1, PL_OBJECT_ONCE).site == (uint64_t)&guard);
    CHECK(pl_place_of((uint64_t)&guard + 1, ANY).site == (uint64_t)&guard + 1);
}

int main(void)
{
    modules_are_listed();
    program_counters_are_relative();
    instrumented_modules_are_known();
    places_have_kinds();
    stacks_belong_to_threads();
    the_guard_is_meant();
    return unit_result();
}
