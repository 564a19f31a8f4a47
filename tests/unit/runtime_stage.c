/* SPDX-License-Identifier: MIT */
/*
 * The stage of runtime_stage.h.  Memory at fixed addresses is mapped once, and
 * given back to the kernel whenever a new stage is set, which makes it zero.
 */
#include "runtime_stage.h"

#include "base/assert.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct stage_told stage_told;

static void map_at(uint64_t addr, uint64_t size)
{
    void *p = mmap((void *)addr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    /* Where the whole runtime is, it has made a stage before main(). */
    PL_ASSERT((uint64_t)p == addr || (addr == PL_STAGE_ADDRESS && errno == EEXIST));
}

void stage_set(unsigned threads)
{
    static const struct {
        uint64_t addr, size;
    } parts[] = {
        {PL_STAGE_ADDRESS, sizeof(struct pl_stage)},   {PL_BOARD_ADDRESS, sizeof(struct pl_board)},
        {PL_COMMON_ADDRESS, sizeof(struct pl_common)}, {PL_SHADOW_ADDRESS, PL_SHADOW_SIZE},
        {PL_VAULT_ADDRESS, sizeof(struct pl_vault)},
    };
    static bool mapped;

    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!mapped)
            map_at(parts[i].addr, parts[i].size);
        PL_ASSERT(madvise((void *)parts[i].addr, parts[i].size, MADV_DONTNEED) == 0);
    }
    mapped = true;
    stage_told = (struct stage_told){0};
    pl_stage->now = stage_seconds() * 1000000000;
    pl_stage->n_threads = (pl_tid)threads;
    pl_stage->n_alive = threads;
    for (unsigned t = 0; t < threads; t++) {
        pl_stage->threads[t].id = (pl_tid)t;
        pl_stage->threads[t].name = STAGE_NAME + t;
        pl_stage->threads[t].state = PL_THREAD_ALIVE;
        pl_stage->threads[t].joiner = PL_TID_NONE;
    }
}

void stage_again(unsigned threads)
{
    static bool is_set;

    if (!is_set || pl_stage->n_threads != threads || pl_stage->n_cells > PL_BUCKETS_NEAR)
        stage_set(threads);
    is_set = true;
    memset(pl_stage->cells, 0, pl_stage->n_cells * sizeof(pl_stage->cells[0]));
    memset(pl_stage->near_buckets, 0, sizeof(pl_stage->near_buckets));
    pl_stage->n_cells = 0;
    pl_board->class_hash = 0;
    for (unsigned t = 0; t < threads; t++)
        pl_stage->threads[t].chain = 0;
}

struct pl_thread *stage_thread(pl_tid tid)
{
    PL_ASSERT(tid < pl_stage->n_threads);
    return &pl_stage->threads[tid];
}

void stage_perform(const struct pl_operation *op)
{
    struct pl_thread *t = stage_thread(op->tid);

    t->op = *op;
    pl_class_observer.performed(t, op);
}

unsigned stage_logged(void)
{
    return pl_vault->n_log;
}

void stage_put_back(void)
{
    while (pl_vault->n_log > 0) {
        const struct pl_logged *l = &pl_vault->log[--pl_vault->n_log];

        *l->at = l->value;
    }
}

uint64_t stage_seconds(void)
{
    return PL_CLOCK_REAL;
}

void stage_detects(enum pl_detector detector)
{
    pl_board->settings.detect |= UINT64_C(1) << detector;
}
