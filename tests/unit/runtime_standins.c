/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the runtime that are tested alone ask of the others: stand-ins that note it in
 * stage_told, and whatever else they need to be linked.
 */
#include "runtime_stage.h"

#include "runtime/core/fair.h"
#include "runtime/core/recur.h"
#include "runtime/ground/heap.h"

#include <string.h>

bool pl_free, pl_native;
_Thread_local struct pl_thread *pl_free_self;

void pl_monitor_enter(const void *frame)
{
}

void pl_monitor_leave(const void *frame)
{
}

void pl_rollback_spoil(enum pl_restart restart, const char *format, ...)
{
    stage_told.spoils++;
    stage_told.restart = (uint8_t)restart;
    strncpy(stage_told.why, format, sizeof(stage_told.why) - 1);
}

bool pl_rollback_is_hot(uint64_t page)
{
    return page == stage_told.hot;
}

void pl_rollback_map_again(void)
{
}

bool pl_heap_describe(uint64_t addr, struct pl_place *place, uint64_t *freed_at)
{
    if (stage_told.block == 0 || addr - stage_told.block >= 64)
        return false;
    place->kind = PL_PLACE_HEAP;
    place->offset = addr - stage_told.block;
    return true;
}

static void commit(const void *p, uint64_t size)
{
    stage_told.commits++;
}

static void stuck(bool spinning)
{
    stage_told.livelocks += spinning;
}

/* Memory that no hook has touched. */
uint64_t pl_recur_digest(void)
{
    return stage_told.hidden;
}

bool pl_fair_is_at_rest(const struct pl_thread *t)
{
    return t->spin.parked;
}

void pl_fair_backed_off(struct pl_thread *t, uint64_t operations)
{
    stage_told.backed_off = operations;
}

static const struct pl_restart_port restart = {.commit = commit, .spoil = pl_rollback_spoil};
static const struct pl_findings_port findings = {.stuck = stuck};

/* The program has no processes. */
static bool wait_child(void)
{
    return false;
}

static const struct pl_process_port process = {.wait_child = wait_child};

struct pl_ports pl_ports = {.findings = &findings, .process = &process, .restart = &restart};
