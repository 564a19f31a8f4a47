/* SPDX-License-Identifier: MIT */
/*
 * --outputs: the different texts that executions have printed, as a hash table in
 * the common.  What an execution prints is in a memory file that is emptied before
 * the next one, so a look at it is one system call, and the tool is not asked.
 *
 * Texts are told apart by a hash of all of their bytes; the beginning is kept.
 */
#include "runtime/campaign/outputs.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "model/common.h"
#include "runtime/campaign/work.h"
#include "runtime/core/observer.h"
#include "runtime/ground/config.h"

enum { CHUNK = 4096 };

/* The hash of what was printed, also before the root; its beginning in `start`. */
static uint64_t read_output(char start[CHUNK], uint64_t *size)
{
    char more[CHUNK];
    uint64_t at = 0, h = 1;
    long got = pl_sys(SYS_pread64, pl_fd(PL_FD_STDOUT), start, CHUNK, at);
    const char *p = start;

    *size = got > 0 ? (uint64_t)got : 0;
    while (got > 0) {
        for (long i = 0; i < got; i++)
            h = pl_hash_quick(h, (unsigned char)p[i] + 1u);
        at += (uint64_t)got;
        p = more;
        got = got == CHUNK ? pl_sys(SYS_pread64, pl_fd(PL_FD_STDOUT), more, CHUNK, at) : 0;
    }
    return pl_hash_mix(h) | 1;
}

/* Under the lock. */
static void add(uint64_t hash, const char *text, uint64_t size)
{
    const struct pl_claimed table = PL_CLAIMED_ALONE(pl_common->outputs);
    struct pl_printed *p = pl_claimed_slot(table, hash >> 1, hash);

    PL_ASSERT(p != NULL && hash != 0); /* half of them are always free */
    if (p->hash == hash) {
        p->count++;
        return;
    }
    if (pl_common->n_outputs >= PL_COMMON_OUTPUTS / 2 ||
        pl_common->store_used + size > PL_COMMON_STORE) {
        pl_common->outputs_lost++;
        return;
    }
    *p = (struct pl_printed){
        .count = 1,
        .execution = pl_board->execution,
        .at = pl_common->store_used,
        .size = size,
    };
    pl_memory_copy(pl_common->store + p->at, text, size);
    pl_common->store_used += size;
    pl_common->n_outputs++;
    PL_ASSERT(pl_common->n_outputs <= PL_COMMON_OUTPUTS / 2);
    pl_claimed_claim(table, p, hash); /* last: the tool reads it from now on */
}

static void counted(enum pl_outcome outcome)
{
    char start[CHUNK];
    uint64_t size, hash;

    if (!pl_board->settings.outputs || outcome != PL_OUTCOME_DONE)
        return;
    hash = read_output(start, &size);

    pl_work_lock();
    add(hash, start, size);
    pl_common_unlock(pl_common);
}

const struct pl_observer pl_outputs_observer = {.counted = counted};
