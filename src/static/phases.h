/* SPDX-License-Identifier: MIT */
/*
 * Barriers that divide the work of threads into phases.
 *
 * Of a barrier at which no more threads can ever wait than it is for, each round has all of them
 * once.  So who has passed it p times is beside nobody of them who has passed it another number of
 * times, but for those who are in the call.  docs/design/value-schedules.md has the proof.
 */
#ifndef PL_STATIC_PHASES_H
#define PL_STATIC_PHASES_H

#include "static/threads.h"

enum {
    PL_PHASES_BARRIERS = 8,
    PL_PHASES_MAX = 8 /* of one barrier that are told apart; the last stands for all later ones */
};

struct pl_phases_barrier {
    uint32_t init;    /* the call that makes it */
    uint64_t classes; /* bits: whose threads wait there */
    struct pl_ir_list waits;
    /* By class and phase, bits by segment: where a thread that has passed so many times may be. */
    uint64_t *at[PL_THREADS_CLASSES][PL_PHASES_MAX];
};

struct pl_phases {
    const struct pl_threads *threads;
    uint32_t n;
    struct pl_phases_barrier barriers[PL_PHASES_BARRIERS];
};

void pl_phases_find(struct pl_phases *p, const struct pl_threads *threads);
void pl_phases_free(struct pl_phases *p);

/*
 * The call that makes a barrier because of which no thread of class x is at call a while one of
 * class y is at call b; PL_IR_NONE: there is no such barrier.
 */
uint32_t pl_phases_apart(const struct pl_phases *p, unsigned x, uint32_t a, unsigned y, uint32_t b);

#endif /* PL_STATIC_PHASES_H */
