/* SPDX-License-Identifier: MIT */
/* Disturbing threads on the free carrier. */
#include "base/rng.h"
#include "runtime/rt.h"

static uint64_t rng[PL_THREADS_MAX];

void pl_noise_begin(void)
{
    pl_noise_thread(pl_thread_by_id(0));
}

void pl_noise_thread(struct pl_thread *t)
{
    rng[t->id] = pl_hash_add(pl_hash_add(pl_board->settings.seed, pl_board->execution), t->name);
}

void pl_noise_disturb(struct pl_thread *t, const struct pl_operation *op, bool before)
{
    if (pl_rng_below(&rng[t->id], 8) != 0)
        return;
    struct timespec ts = {0, (long)pl_rng_below(&rng[t->id], 300000)};

    pl_sys(SYS_nanosleep, &ts, NULL);
}
