/* SPDX-License-Identifier: MIT */
/* See native.h. */
#include "runtime/native/native.h"

#include "base/assert.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/native/native_begin.h"

void pl_native_decide(void)
{
    struct pl_disturb_plan plan;

    if (!pl_free)
        return;
    pl_disturb_usual(&plan);
    pl_native = pl_disturb_read(&plan, pl_board->settings.parameters) == NULL &&
                plan.record == PL_RECORD_NONE;
}

/* What libc does not have stays. */
static void redirect(struct pl_slot *slot)
{
    const struct pl_native_call *call = pl_native_call_find(slot->name);
    void *real = pl_real_find(slot->name);

    PL_ASSERT(slot->name != NULL && slot->target != NULL);
    if (call == NULL) {
        if (real != NULL)
            slot->target = real;
        return;
    }
    if (call->real != NULL)
        *call->real = real;
    if (call->entry != NULL && (real != NULL || call->real == NULL))
        slot->target = call->entry;
}

void pl_native_init(void)
{
    PL_ASSERT(pl_native && pl_free && pl_free_self != NULL);
    for (struct pl_slot *s = __start_pl_slots; s < __stop_pl_slots; s++)
        redirect(s);
    pl_native_threads_init();
}

void pl_native_before(enum pl_op_kind kind, const void *object, uint64_t pc)
{
    pl_native_begin(kind, object, false, pc);
}

void pl_native_after(void)
{
    struct pl_thread *t = pl_free_self;

    if (t != NULL)
        pl_native_take(t);
}
