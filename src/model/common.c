/* SPDX-License-Identifier: MIT */
/*
 * See common.h.  The lock is a futex: 0 when free, else the holder's slot plus
 * 1, and a bit when somebody sleeps.  Sections are short, so a waiter looks for
 * a while before it sleeps.
 */
#include "model/common.h"

#include "base/assert.h"
#include "base/sys.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <time.h>

enum { SPINS = 200 };
static const uint32_t sleepers = UINT32_C(1) << 31;

static void wake(_Atomic uint32_t *word, int n)
{
    pl_sys(SYS_futex, word, FUTEX_WAKE, n);
}

void pl_common_lock(struct pl_common *c, unsigned slot)
{
    /* Whoever is woken may die before it takes the lock, and then wakes nobody else. */
    const struct timespec patience = {0, 10000000};
    uint32_t mine = slot + 1, want = mine;

    PL_ASSERT(slot < PL_WORKERS_MAX);
    PL_ASSERT((c->lock & ~sleepers) != mine); /* or it would wait for itself */
    for (unsigned spins = 0;; spins++) {
        uint32_t v = 0;

        if (atomic_compare_exchange_strong(&c->lock, &v, want))
            return;
        if (spins < SPINS) {
            __builtin_ia32_pause();
            continue;
        }
        /* Others may sleep too, so whoever has slept leaves the bit behind. */
        want = mine | sleepers;
        if ((v & sleepers) != 0 || atomic_compare_exchange_strong(&c->lock, &v, v | sleepers))
            pl_sys(SYS_futex, &c->lock, FUTEX_WAIT, v | sleepers, &patience);
    }
}

void pl_common_unlock(struct pl_common *c)
{
    uint32_t holder = atomic_exchange(&c->lock, 0);

    PL_ASSERT((holder & ~sleepers) != 0);
    if ((holder & sleepers) != 0)
        wake(&c->lock, 1);
}

void pl_common_call(struct pl_common *c)
{
    PL_ASSERT(c->n_workers <= PL_WORKERS_MAX);
    for (unsigned i = 0; i < c->n_workers; i++) {
        uint32_t idle = PL_SEAT_IDLE;

        if (atomic_compare_exchange_strong(&c->seats[i].state, &idle, PL_SEAT_CALLED))
            wake(&c->seats[i].state, 1);
    }
}

void pl_common_end(struct pl_common *c, enum pl_why why)
{
    uint32_t none = PL_WHY_NONE;

    PL_ASSERT(why != PL_WHY_NONE);
    if (atomic_compare_exchange_strong(&c->why, &none, why))
        pl_common_call(c);
}

void pl_common_count_idle(struct pl_common *c)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < c->n_workers; i++)
        n += c->seats[i].state == PL_SEAT_IDLE || c->seats[i].state == PL_SEAT_CALLED;
    c->n_idle = n;
}

void pl_common_next_epoch(struct pl_common *c)
{
    PL_ASSERT(c->class_top <= PL_COMMON_CLASSES);
    for (uint64_t i = 0; i < c->class_top; i++)
        atomic_store_explicit(&c->class_slots[i], 0, memory_order_relaxed);
    c->class_top = 0;
    c->class_capacity = 0;
    c->classes = c->classes_once = c->classes_twice = 0;
    c->classes_overflow = false;
    pl_incomplete_remove(&c->incomplete, pl_incomplete_within(PL_INCOMPLETE_OF_EPOCH) |
                                             pl_incomplete_within(PL_INCOMPLETE_OF_ROUND));
    c->profile_attempts = 0;
    for (unsigned i = 0; i < c->n_workers; i++)
        c->seats[i].left = (struct pl_estimate){0};
    c->tree = (struct pl_estimate_tree){0};
    pl_hapset_forget(&c->hapset); /* what was known came of other points */
    c->epoch_tickets = c->tickets;
    c->round = c->next_round = 0;
    c->epoch++; /* last: whoever sees it finds the set empty */
}

/* All that follows from next_round; also for whoever finds it half done. */
static void turn_round(struct pl_common *c)
{
    pl_incomplete_remove(&c->incomplete, pl_incomplete_within(PL_INCOMPLETE_OF_ROUND));
    c->root_epoch = 0; /* epochs count from 1: whoever comes first takes the root again */
    c->round = c->next_round;
}

void pl_common_next_round(struct pl_common *c)
{
    PL_ASSERT(c->next_round == c->round);
    c->next_round = c->round + 1; /* from here on it is decided */
    atomic_signal_fence(memory_order_seq_cst);
    turn_round(c);
}

static void count_classes(struct pl_common *c)
{
    uint64_t n[PL_SEEN_OFTEN + 1] = {0};

    PL_ASSERT((c->class_capacity & (c->class_capacity - 1)) == 0);
    PL_ASSERT(2 * c->class_capacity <= PL_COMMON_CLASSES);
    c->classes = 0;
    for (uint64_t i = c->class_capacity; i < 2 * c->class_capacity; i++) {
        n[c->class_slots[i] & PL_SEEN_OFTEN]++;
        c->classes += c->class_slots[i] != 0;
    }
    c->classes_once = n[PL_SEEN_ONCE];
    c->classes_twice = n[PL_SEEN_TWICE];
    PL_ASSERT(c->classes_once + c->classes_twice <= c->classes);
}

void pl_common_recover(struct pl_common *c, struct pl_board *b)
{
    struct pl_seat *seat = &c->seats[b->slot];

    PL_ASSERT(b->slot < PL_WORKERS_MAX);
    if ((c->lock & ~sleepers) != b->slot + 1)
        return;
    if (b->in_hand && b->execution > c->tickets)
        c->tickets = b->execution;
    if (b->giving != 0 && b->giving != PL_GIVING_DONE) {
        PL_ASSERT(b->giving <= PL_WORKERS_MAX && b->giving - 1 != b->slot);
        c->seats[b->giving - 1].state = PL_SEAT_GIVEN;
        wake(&c->seats[b->giving - 1].state, 1);
        b->giving = PL_GIVING_DONE;
    }
    if (seat->state == PL_SEAT_BUSY && b->epoch == c->epoch)
        c->root_epoch = c->epoch; /* whoever has work has it from the root */
    if (c->next_round != c->round)
        turn_round(c);
    if (c->growing) {
        pl_common_next_epoch(c);
        c->growing = false;
    }
    count_classes(c);
    pl_common_count_idle(c);
    pl_common_unlock(c);
}
