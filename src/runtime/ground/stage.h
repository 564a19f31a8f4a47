/* SPDX-License-Identifier: MIT */
/*
 * The stage: all state of one execution.  It is private memory of the worker
 * at a fixed address, not `.data` of the library, so that what belongs to an
 * execution and what belongs to the campaign (model/board.h) are never mixed:
 * fork, and later rollback, give the stage back as it was at the root together
 * with the program's own memory.
 *
 * One thread runs at a time, or at least only one of those in the monitor of the
 * free carrier (runtime/free/free.h), so nothing here needs a lock.  What can happen
 * is a switch: inside pl_sched_point() every other thread may run for any length
 * of time.  Read state again after it.
 */
#ifndef PL_RUNTIME_GROUND_STAGE_H
#define PL_RUNTIME_GROUND_STAGE_H

#include "base/assert.h"
#include "model/board.h"
#include "model/pair_check.h"
#include "runtime/ground/parts.h"
#include "runtime/ground/starving.h"
#include "runtime/ground/thread.h"
#include "strategy/shared/aim.h"
#include "strategy/shared/direct.h"
#include "strategy/shared/strategy.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define PL_MAPPED_ADDRESS UINT64_C(0x100000000000)
#define PL_MAPPED_SLOT (UINT64_C(4) << 30)
#define PL_SHADOW_ADDRESS UINT64_C(0x200000000000)
#define PL_SHADOW_SIZE (UINT64_C(1) << 45)
#define PL_STAGE_ADDRESS UINT64_C(0x610000000000)
#define PL_HEAP_ADDRESS UINT64_C(0x620000000000)
#define PL_HEAP_SIZE (UINT64_C(256) << 30)
#define PL_STACKS_ADDRESS UINT64_C(0x660000000000)
#define PL_STACK_SLOT (UINT64_C(256) << 20)

struct pl_stage {
    bool rooted;
    bool rolling;     /* the execution will be put back; see rollback.h */
    uint32_t n_noted; /* findings that were noted before the root */
    uint32_t busy;    /* inside the runtime: hooks fall through; one thread runs at a time */
    struct pl_restart_state restart;
    struct pl_fibers_state fibers;
    struct pl_modules_state modules;

    pl_tid current;
    pl_tid n_threads; /* ever created in this execution */
    unsigned n_alive;
    unsigned n_fresh;     /* threads that have not begun, and will by themselves; the last ones */
    uint32_t fresh_since; /* events of their creator up to then */
    unsigned n_unjoined;  /* alive, or ended but not joined: their accesses count as concurrent */
    uint64_t now;         /* virtual nanoseconds since the epoch */
    struct {
        uint16_t read_by, moved_by; /* a thread's id plus 1, or PL_TID_NONE if several; clock.c */
        uint64_t cpu_ns;            /* that all threads have computed */
        int64_t ahead; /* of the kernel's, while children are on their own, and in these; or 0 */
    } clock;
    struct pl_file_times file_times;
    struct pl_expiries expiries;
    uint64_t turns;  /* switches so far */
    uint64_t digest; /* of the operations performed so far */
    uint64_t course; /* the same, memory and objects included; see core/repeat.h */
    bool told;       /* the strategy has been told what was left at the end */
    bool exits;      /* exit() or quick_exit() has been called, */
    bool ended;      /* and all that it had to call is done */
    bool by_watch;   /* time has run out: whoever says so may be on any stack */
    bool class_overflow;
    uint64_t n_cells;
    unsigned n_parked;
    unsigned n_wide;         /* wide accesses that are announced and not performed, */
    unsigned n_reaching;     /* and reads of texts */
    uint32_t n_mapped;       /* mappings changed so far */
    unsigned n_assumed;      /* threads that plait_assume() has stopped, when last looked at */
    unsigned n_held_back;    /* threads that only the limit stops, when last looked at */
    uint32_t probation;      /* iterations granted to spinning threads since the last progress */
    uint64_t in_a_row;       /* points of the current thread without a switch */
    uint64_t rng;            /* of everything random that the program asks for */
    uint64_t shared_applied; /* entries of common->shared[] in the shadow */

    struct pl_fair_state fair;
    bool seeking;                                  /* orders are sought; see sought.c */
    unsigned (*leads)(const struct pl_view *view); /* who asks the strategy about threads */
    struct pl_feed_state feed;
    struct pl_observing observing;
    struct pl_strategy_context context;
    bool repeatable; /* the execution after this one may begin like it */
    uint8_t
        stated; /* callers that the strategy tells statements apart by, plus 1; 0: it does not */
    const struct pl_strategy *strategy;

    /*
     * Dense where every execution writes: each page touched costs a fault in a
     * forked runner and a copy in one that rolls back.
     */
    struct pl_thread threads[PL_THREADS_MAX];
    struct pl_donor donors[PL_THREADS_MAX];
    _Alignas(4096) uint32_t near_buckets[PL_BUCKETS_NEAR]; /* with the first cells on a page */
    struct pl_cell cells[PL_CELLS];
    uint32_t buckets[PL_BUCKETS];
    struct pl_direct direct; /* with `seeking`, */
    struct pl_sought_run sought;
    bool aiming;       /* what the execution shows of open orders is noted, */
    struct pl_aim aim; /* and it may be led to one */
    struct pl_goals_run goals;
    struct pl_pair_check pair_check;          /* with settings.check_pairs */
    _Alignas(4096) struct pl_cover_run cover; /* with the first of its cells */
    struct pl_cover_cell cover_cells[PL_COVER_FAR];

    struct pl_held far_held[PL_THREADS_MAX][PL_HELD_MAX - PL_HELD_NEAR];
    struct pl_frame far_frames[PL_THREADS_MAX][PL_FRAMES_MAX - PL_FRAMES_NEAR];
    struct pl_spin_clock spin_clocks[PL_THREADS_MAX];
    struct pl_fair_place fair_places[PL_FAIR_PLACES];
    struct pl_root_fd root_fds[PL_FDS_MAX];
    struct pl_starving starving;
    struct pl_aliases aliases;
    struct pl_thread_step steps[PL_THREADS_MAX];
    struct pl_objects_state objects;
    struct pl_process_state process;
    struct pl_signals_state signals;
    struct pl_early early;
    struct pl_input_state inputs;

    struct pl_noising noise;
    struct pl_disturber disturbers[PL_THREADS_MAX]; /* each is its thread's own */
    struct pl_native_state native;
    _Alignas(64) struct pl_native_site native_sites[PL_THREADS_MAX][PL_NATIVE_SITES];

    _Alignas(4096) unsigned char detect_memory[PL_DETECT_MEMORY];

    /* Means something only within one call or between two points; not put back by rollback. */
    _Alignas(4096) struct pl_scratch {
        struct pl_thread *ready[PL_THREADS_MAX];
        const struct pl_operation *next[PL_THREADS_MAX];
        const struct pl_operation *waiters[PL_THREADS_MAX];
        const struct pl_operation *blocked[PL_THREADS_MAX];
        const struct pl_operation *allowed[PL_THREADS_MAX]; /* see pl_strategy_among() */
        unsigned may[PL_THREADS_MAX];
        unsigned n_blocked;
        uint64_t n_unseen, unseen[PL_UNSEEN]; /* granules accessed since the last point */
    } scratch;
};

__attribute__((unused)) static struct pl_stage *const pl_stage =
    (struct pl_stage *)PL_STAGE_ADDRESS;

/* See runtime/free/free.h. */
extern bool pl_free;

/* Where threads are free, and where that is replayed: what is an operation was known there. */
static inline bool pl_as_free(void)
{
    return pl_free || pl_board->settings.starts_chosen;
}

extern _Thread_local struct pl_thread *pl_free_self __attribute__((tls_model("initial-exec")));
/* There: this is a child that vfork() has made, on the stack and with the variables of the thread
 * that has called; the others go on. */
extern _Thread_local bool pl_free_borrows __attribute__((tls_model("initial-exec")));

static inline struct pl_thread *pl_thread_self(void)
{
    return __builtin_expect(pl_free, 0) ? pl_free_self : &pl_stage->threads[pl_stage->current];
}

static inline struct pl_thread *pl_thread_by_id(pl_tid id)
{
    PL_CHECK(id < PL_THREADS_MAX);
    return &pl_stage->threads[id];
}

/* The thread that the kernel calls so, if it is alive. */
static inline pl_tid pl_thread_by_os(int32_t os_tid)
{
    for (pl_tid i = 0; os_tid != 0 && i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->free.os_tid == os_tid &&
            pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            return i;
    }
    return PL_TID_NONE;
}

/* Whether it acts on a cancellation at all: a call by its number is no cancellation point. */
static inline bool pl_thread_may_cancel(const struct pl_thread *t)
{
    return !t->cancel.disabled && !t->cancel.exiting && (!t->call.by_number || t->cancel.async);
}

/* Whether it is to act on one. */
static inline bool pl_thread_cancel_due(const struct pl_thread *t)
{
    return t->cancel.pending && pl_thread_may_cancel(t);
}

/* Whether its announced operation, or the one that it is about to announce, is one where it acts.
 */
static inline bool pl_thread_listens(const struct pl_thread *t)
{
    return (t->cancel_point || t->cancel.async) && pl_thread_may_cancel(t);
}

/* Stands for whether others use what is on the stack of a thread, or thread-local. */
#define PL_THREAD_LENDS(t) ((uint64_t) & (t)->stack_high)
/* The object of operations on signals that are sent to the whole process. */
#define PL_SIGNALS_SENT ((uint64_t)&pl_stage->process.signals_sent)

/* Whether a timer of the program goes off before that moment: time does not pass it by. */
static inline bool pl_timer_comes_before(uint64_t deadline)
{
    return pl_stage->signals.next_timer != 0 && deadline > pl_stage->signals.next_timer;
}

/* The same as below where the registers are not known: what is below the runtime's own frame is in
 * use.  Seldom, so that nobody else needs a frame pointer for it. */
__attribute__((noinline, unused)) static bool pl_thread_owns_below(const struct pl_thread *t,
                                                                   uint64_t addr)
{
    uint64_t frame = (uint64_t)__builtin_frame_address(0);

    return frame >= t->stack_low && frame < t->stack_high && addr >= frame && addr < t->stack_high;
}

/* The thread's own stack is part of its state, and nobody else's business. */
static inline bool pl_thread_owns(const struct pl_thread *t, uint64_t addr)
{
    if (__builtin_expect(t->entry == NULL, 0))
        return pl_thread_owns_below(t, addr);
    uint64_t low = (uint64_t)t->entry, frame = (uint64_t)(t->entry + 7);

    return addr >= low && addr < t->stack_high && frame >= t->stack_low && frame < t->stack_high;
}

/* Whether the user wants this detector. */
static inline bool pl_detect_wants(enum pl_detector detector)
{
    return (pl_board->settings.detect >> detector & 1) != 0;
}

/* How many of its locks are in the list. */
static inline unsigned pl_thread_listed(const struct pl_thread *t)
{
    PL_CHECK(t->n_unlisted <= t->n_held);
    return t->n_held - t->n_unlisted;
}

/* The i-th lock that a thread holds, of those in the list. */
static inline struct pl_held *pl_thread_held(struct pl_thread *t, unsigned i)
{
    PL_CHECK(i < PL_HELD_MAX);
    return i < PL_HELD_NEAR ? &t->near_held[i] : &pl_stage->far_held[t->id][i - PL_HELD_NEAR];
}

/* The i-th frame of a thread, outermost first. */
static inline struct pl_frame *pl_thread_frame(const struct pl_thread *t, unsigned i)
{
    PL_CHECK(i < PL_FRAMES_MAX);
    return i < PL_FRAMES_NEAR ? (struct pl_frame *)&t->near_frames[i]
                              : &pl_stage->far_frames[t->id][i - PL_FRAMES_NEAR];
}

/* The thread enters a function. */
static inline void pl_thread_push_frame(struct pl_thread *t, uint64_t pc, uint64_t sp)
{
    /* longjmp() leaves frames behind: those at or below this one are gone. */
    while (t->n_frames > 0 && t->n_frames <= PL_FRAMES_MAX &&
           pl_thread_frame(t, t->n_frames - 1)->sp <= sp)
        t->n_frames--;
    if (t->n_frames < PL_FRAMES_MAX)
        *pl_thread_frame(t, t->n_frames) = (struct pl_frame){pc, sp};
    t->n_frames++; /* also those that there is no room for: they will be left again */
}

#endif /* PL_RUNTIME_GROUND_STAGE_H */
