/* SPDX-License-Identifier: MIT */
/*
 * Which memory counts as shared: what two threads access, one of them writing, by granules of
 * eight bytes; what outlives the execution, and what is put back; what is merely suspect.
 */
#include "unit.h"

#include "runtime_stage.h"

enum { GRANULE = 8, X = 0x10000 };

static bool reads(pl_tid tid, uint64_t addr, uint64_t size)
{
    return pl_shadow_shared(addr, size, false, stage_thread(tid));
}

static bool writes(pl_tid tid, uint64_t addr, uint64_t size)
{
    return pl_shadow_shared(addr, size, true, stage_thread(tid));
}

static void what_one_thread_uses_is_its_own(void)
{
    stage_set(3);
    for (unsigned i = 0; i < 10; i++)
        CHECK(!writes(1, X, 8) && !reads(1, X, 8));
    CHECK(!pl_shadow_known(X) && !pl_board->shared_grew && pl_board->n_grown == 0);
}

static void what_is_only_read_is_not_shared(void)
{
    stage_set(3);
    for (pl_tid t = 0; t < 3; t++)
        CHECK(!reads(t, X, 8));
    CHECK(!pl_shadow_known(X));
    CHECK(writes(1, X, 1)); /* whoever writes then shares it */
    CHECK(pl_shadow_known(X) && reads(2, X + 7, 1));
}

/* It is noted where later executions find it, once. */
static void what_two_threads_use_is_shared(void)
{
    stage_set(3);
    CHECK(!writes(1, X + 4, 4));
    CHECK(reads(2, X, 4)); /* of the same granule */
    CHECK(pl_shadow_known(X) && pl_shadow_known(X + 7) && !pl_shadow_known(X + 8));
    CHECK(pl_board->shared_grew && pl_board->n_grown == 1 && pl_board->grown[0] == X);
    CHECK(writes(1, X, 8) && reads(0, X, 8));
    CHECK(pl_board->n_grown == 1);
}

/* As long as all who use it do so by operations, it is not learned that it is shared. */
static void objects_alone_are_not_shared(void)
{
    stage_set(3);
    for (pl_tid t = 0; t < 3; t++)
        pl_shadow_object(X, stage_thread(t));
    CHECK(!pl_shadow_known(X) && !pl_board->shared_grew);
    CHECK(writes(1, X, 8)); /* somebody writes over it, and others have used it */
    CHECK(pl_shadow_known(X) && pl_board->n_grown == 1);
}

/* Whoever makes an object and is the only one to use it shares it with nobody. */
static void an_object_may_be_its_makers_own(void)
{
    stage_set(3);
    CHECK(!writes(1, X, 8));
    pl_shadow_object(X, stage_thread(1));
    CHECK(!writes(1, X, 8) && !pl_shadow_known(X));
    pl_shadow_object(X + 8, stage_thread(1));
    CHECK(!writes(1, X + 8, 8) && !reads(1, X + 8, 8) && !pl_shadow_known(X + 8));
    pl_shadow_object(X, stage_thread(2)); /* until another uses it: it was written over before */
    pl_shadow_object(X + 8, stage_thread(2));
    CHECK(pl_shadow_known(X) && pl_shadow_known(X + 8));
}

static void granules_are_told_apart(void)
{
    stage_set(2);
    CHECK(!writes(0, X, 8) && !writes(1, X + 8, 8));
    CHECK(writes(1, X + 6, 4)); /* across both: the first is shared, the second is its own */
    CHECK(pl_shadow_known(X) && !pl_shadow_known(X + 8));
    CHECK(reads(0, X + 1, 64)); /* now the second, too */
    CHECK(pl_shadow_known(X + 8) && !pl_shadow_known(X + 16));
    CHECK(pl_board->n_grown == 2 && pl_board->grown[1] == X + 8);
}

static void addresses_of_the_kernel_have_no_shadow(void)
{
    const uint64_t high = UINT64_C(0xffffffff81000000);

    stage_set(2);
    CHECK(!writes(0, high, 8) && !writes(1, high, 8));
    CHECK(!pl_shadow_known(high) && !pl_shadow_suspect(high, 8));
}

/* As the user may ask for; that says nothing about who uses it. */
static void all_accesses_may_be_points(void)
{
    stage_set(2);
    pl_board->settings.points_all = true;
    CHECK(writes(0, X, 8) && reads(0, X + 8, 8));
    CHECK(!pl_shadow_known(X) && pl_board->n_grown == 0);
}

/* In the first execution of a strategy that is curious, as many accesses as it asks for. */
static void curiosity_wears_off(void)
{
    stage_set(2);
    pl_board->curious = 1 + 3;
    for (unsigned i = 0; i < 5; i++)
        CHECK(writes(0, X + 8 * i, 8) == (i < 3));
    CHECK(pl_board->curious == 1);
    CHECK(pl_shadow_suspect(X, 8)); /* what was announced touches nothing, as far as is known */
    CHECK(writes(1, X, 8) && !pl_shadow_suspect(X, 8));
}

/* ---- memory that is allocated anew ---- */

static void fresh_memory_has_no_owner(void)
{
    stage_set(2);
    writes(0, X, 16);
    pl_shadow_clear(X, 16);
    CHECK(!writes(1, X, 16));
    CHECK(writes(0, X, 1));
    pl_shadow_clear(X, 16);
    CHECK(pl_shadow_known(X) && !pl_shadow_known(X + 8)); /* what is shared stays so */
    CHECK(!writes(0, X + 8, 8));
    pl_shadow_clear(X, 0);
    CHECK(writes(1, X + 8, 8));
}

/* ---- what is suspect ---- */

/* Accesses that were no points, before a thread ended the execution. */
static void what_was_accessed_last_is_suspect(void)
{
    stage_set(2);
    pl_shadow_saw(X + 4, 8, stage_thread(0));
    CHECK(!pl_shadow_suspect(X, 8));
    pl_shadow_suspect_unseen();
    CHECK(pl_shadow_suspect(X, 8) && pl_shadow_suspect(X + 8, 8) && !pl_shadow_suspect(X + 16, 8));
    CHECK(pl_board->n_grown == 2 && pl_board->grown[0] == (X | 1) && pl_board->shared_grew);
    CHECK(!pl_shadow_known(X));
    CHECK(reads(0, X, 8)); /* a point from now on */
    pl_shadow_suspect_unseen();
    CHECK(pl_board->n_grown == 2); /* that is done with */
    pl_shadow_clear(X, 8);
    CHECK(pl_shadow_suspect(X, 8));
    CHECK(writes(1, X, 8) && writes(0, X, 8));
    CHECK(pl_shadow_known(X) && !pl_shadow_suspect(X, 16)); /* it has turned out to be shared */
    CHECK(pl_board->n_grown == 3 && pl_board->grown[2] == X);
}

static void own_stacks_are_never_suspect(void)
{
    uint64_t stack[64] = {0};
    struct pl_thread *t;

    stage_set(1);
    t = stage_thread(0);
    t->entry = &stack[8];
    t->stack_low = (uint64_t)stack;
    t->stack_high = (uint64_t)(stack + 64);
    pl_shadow_saw((uint64_t)&stack[20], 8, t);
    pl_shadow_suspect_unseen();
    CHECK(pl_board->n_grown == 0 && !pl_shadow_suspect((uint64_t)&stack[20], 8));
    pl_board->curious = 10;
    CHECK(!pl_shadow_shared((uint64_t)&stack[20], 8, true, t) && pl_board->curious == 10);
}

static void too_much_is_overlooked(void)
{
    stage_set(1);
    pl_shadow_saw(X, PL_UNSEEN * GRANULE, stage_thread(0));
    pl_shadow_suspect_unseen();
    CHECK(pl_board->incomplete == 0 && pl_board->n_grown == PL_UNSEEN);
    pl_shadow_saw(X, (PL_UNSEEN + 1) * GRANULE, stage_thread(0));
    pl_shadow_suspect_unseen();
    CHECK(pl_board->incomplete == PL_INCOMPLETE_OVERLOOKED);
}

/* ---- from one execution to the next ---- */

static void what_is_known_is_applied(void)
{
    stage_set(2);
    pl_common->shared[0] = X;
    pl_common->shared[1] = (X + 64) | 1;
    pl_common->shared[2] = X + 128; /* learned since the execution was planned */
    pl_board->shared_known = 2;
    pl_shadow_apply();
    CHECK(pl_shadow_known(X) && pl_shadow_suspect(X + 64, 8) && !pl_shadow_known(X + 128));
    CHECK(stage_told.commits == 3 && pl_board->n_grown == 0 && !pl_board->shared_grew);
    CHECK(reads(0, X, 8) && reads(0, X + 64, 8) && !reads(0, X + 128, 8));
    pl_shadow_apply();
    CHECK(stage_told.commits == 3);
    pl_board->shared_known = 3;
    pl_shadow_apply();
    CHECK(pl_shadow_known(X + 128) && stage_told.commits == 5);
}

/* With rollback every change is logged as it was: put back, nobody has used the memory. */
static void changes_are_logged(void)
{
    stage_set(2);
    pl_stage->rolling = true;
    writes(0, X, 8);
    CHECK(stage_logged() == 1);
    writes(0, X, 8);
    CHECK(stage_logged() == 1); /* no change */
    CHECK(writes(1, X, 8) && stage_logged() > 1);
    stage_put_back();
    CHECK(!pl_shadow_known(X));
    CHECK(!writes(1, X, 8) && writes(0, X, 8));
}

int main(void)
{
    what_one_thread_uses_is_its_own();
    what_is_only_read_is_not_shared();
    what_two_threads_use_is_shared();
    objects_alone_are_not_shared();
    an_object_may_be_its_makers_own();
    granules_are_told_apart();
    addresses_of_the_kernel_have_no_shadow();
    all_accesses_may_be_points();
    curiosity_wears_off();
    fresh_memory_has_no_owner();
    what_was_accessed_last_is_suspect();
    own_stacks_are_never_suspect();
    too_much_is_overlooked();
    what_is_known_is_applied();
    changes_are_logged();
    return unit_result();
}
