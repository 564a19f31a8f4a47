/* SPDX-License-Identifier: MIT */
/* See trace.h. */
#include "runtime/observe/trace.h"

#include "runtime/core/expiry.h"
#include "runtime/core/observer.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

static bool wanted(bool rooted)
{
    return pl_board->settings.trace;
}

/* Memory of which nothing is known but that other processes under control have it, too. */
static bool is_of_company(const struct pl_thread *t)
{
    return pl_stage->process.company && pl_alias_mapping(t->op.addr).size != 0;
}

static void chosen(const struct pl_thread *t, bool switched)
{
    bool memory = pl_operation_object(t->op.kind) == PL_OBJECT_MEMORY;

    /* Loops are shown twice, not for ever. */
    if (pl_board->n_events >= PL_BOARD_EVENTS ||
        (memory && !pl_shadow_known(t->op.addr) && !is_of_company(t)) || t->spin.iterations > 1)
        return;
    pl_board->trace[pl_board->n_events++] = (struct pl_event){
        .op = t->op,
        .object = pl_place_of(t->op.addr, pl_operation_object(t->op.kind)),
        .switched = switched,
        .point = true,
        .choice = (uint32_t)pl_board->n_choices,
        .beside = t->beside,
        .waited = t->op.early ? pl_expiry_moment(t) - t->waits_since : 0,
    };
}

const struct pl_observer pl_trace_observer = {.wanted = wanted, .chosen = chosen};
