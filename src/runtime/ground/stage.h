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

#include "model/board.h"
#include "model/cover.h"
#include "runtime/ground/config.h"
#include "strategy/noise/disturb.h"
#include "strategy/shared/direct.h"
#include "strategy/shared/strategy.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define PL_SHADOW_ADDRESS UINT64_C(0x200000000000)
#define PL_SHADOW_SIZE (UINT64_C(1) << 45)
#define PL_STAGE_ADDRESS UINT64_C(0x610000000000)
#define PL_HEAP_ADDRESS UINT64_C(0x620000000000)
#define PL_HEAP_SIZE (UINT64_C(256) << 30)
#define PL_STACKS_ADDRESS UINT64_C(0x660000000000)
#define PL_STACK_SLOT (UINT64_C(256) << 20)

enum {
    PL_HELD_MAX = 64,
    PL_HELD_NEAR = 6, /* beside the thread; the rest elsewhere */
    PL_FRAMES_MAX = 256,
    PL_FRAMES_NEAR = 8,
    PL_KEYS_MAX = 1024,
    PL_SPIN_READS = 48,
    PL_UNSEEN = 4096,
    PL_CELLS = 1 << 20,
    PL_BUCKETS_NEAR = 1 << 8, /* while there are few cells */
    PL_BUCKETS = 1 << 16,
    PL_DETECT_MEMORY = 512 << 20, /* bytes for detectors */
    PL_SEMAPHORES = 64,
    PL_FILE_LOCKS = 16,
    PL_FDS_MAX = 256,
    PL_EARLY = 32, /* places of operations before the root */
    PL_INPUT_STREAMS = 32,
    PL_INPUT_WATCHES = 256,
    PL_INPUT_NAMES = 256,
    PL_CLAIMS = 8, /* runs of stripes that one access may need */
    PL_NATIVE_SITES = 256,
    PL_NATIVE_HELD = 64, /* locks that main has when it creates the first thread */
};

enum pl_thread_state {
    PL_THREAD_UNUSED,
    PL_THREAD_ALIVE,
    PL_THREAD_ENDED, /* can be joined */
    PL_THREAD_GONE,  /* joined, or detached and ended */
};

/* A lock that a thread holds, for reports, misuse and deadlock cycles. */
struct pl_held {
    uint64_t addr;
    uint64_t pc;    /* where it was acquired */
    uint8_t object; /* enum pl_object_kind */
    bool shared;    /* read side of an rwlock */
    uint16_t depth;
};

struct pl_frame {
    uint64_t pc, sp;
};

/* See spin.c. */
struct pl_spin {
    struct {
        uint64_t low, high;
    } times[4]; /* where the thread keeps times: not part of its state */
    unsigned next_time, next_fraction;
    uint64_t fractions[8]; /* of seconds, of times seen lately */
    bool armed;
    bool dirty; /* something read in this round has been written by another */
    bool parked;
    bool any;      /* nothing is known about what it reads: anything may end the loop */
    bool overflow; /* more reads than fit */
    uint16_t held; /* locks held at the anchor */
    uint16_t n_reads;
    uint32_t steps, limit;
    uint32_t rounds;
    uint64_t key, hash;
    uint64_t filter; /* bit set over the granules in reads[] */
    uint64_t reads[PL_SPIN_READS];
    uint64_t pc; /* the lowest in the round: the same wherever the anchor is */
};

/* A thread_local object to destroy at thread exit. */
struct pl_tls_dtor {
    void (*call)(void *);
    void *object;
    struct pl_tls_dtor *next;
};

struct pl_thread {
    pl_tid id, parent;
    uint8_t state;
    bool detached;
    bool main;
    uint16_t n_children;
    uint64_t name;
    uint32_t ordinal;    /* events so far */
    uint32_t quiet;      /* accesses since the last point or write */
    uint64_t operations; /* points passed since the root */

    struct pl_operation op; /* announced, or performed last */
    bool announced;         /* it has not been performed yet */
    uint64_t call_pc;       /* of its last operation other than a memory access */
    bool timed;
    uint64_t deadline; /* virtual nanoseconds, when timed */
    bool woken;        /* a waiter that has been signalled, or let through a barrier */
    uint64_t mutex;    /* which a condition waiter must get back */
    bool cancel_point; /* the announced operation can be cancelled */
    uint64_t wait;     /* the condition, futex or barrier it waits at */

    /* Life and death. */
    void *(*start)(void *);
    void *arg;
    void *result;
    pl_tid joiner; /* who is joining it, or PL_TID_NONE */
    bool cancel_pending, cancel_disabled, cancel_async, cancelling, exiting;
    uint64_t pending_signals;
    uint64_t mask;      /* of signals, as the kernel has it */
    uint64_t waits_for; /* signals, in sigwait() */

    /* The fiber. */
    void *sp;                       /* saved stack pointer while not running */
    void *tp;                       /* thread pointer */
    uint64_t stack_low, stack_high; /* what it may use; high is where its first frame begins */
    uint64_t stack_size;            /* as asked for */
    unsigned donor;
    bool fresh;          /* has not come to its first operation yet */
    bool started;        /* has run its first instruction */
    _Atomic uint32_t go; /* futex, OS-thread carrier: may run */

    /* At the entry of the runtime: six callee-saved registers, then the return address. */
    const uint64_t *entry;
    const void *wanted;     /* by a compare-exchange, or NULL */
    bool weak;              /* which may fail for no reason */
    bool adds;              /* an atomic addition whose result is not used */
    uint32_t atomic_orders; /* as at the gate */
    uint64_t sought_pc;     /* the place of its operation, in code of the program; see sought.c */
    uint64_t atomic_addr, atomic_pc; /* its last atomic operation: a crash there is the caller's */

    unsigned n_held, n_unlisted;            /* locks; those of them that the list had no room for */
    struct pl_held near_held[PL_HELD_NEAR]; /* see pl_thread_held() */
    uint32_t stack;                         /* its frames as a number, see feed.c, */
    bool stack_known;                       /* while they stay as they are */
    unsigned n_frames;
    struct pl_frame near_frames[PL_FRAMES_NEAR]; /* see pl_thread_frame() */
    struct pl_spin spin;
    struct pl_cover_thread cover;
    uint64_t chain; /* hash of its operations that count for the class */

    void *cleanup;                         /* innermost struct of pthread_cleanup_push */
    _Alignas(16) unsigned char unwind[64]; /* the exception that ends the thread */
    struct pl_tls_dtor *dtors;
    const void **values; /* of keys; PL_KEYS_MAX, allocated on first use */
    uint64_t clock_step;

    /* The free carrier. */
    const void *monitor; /* on whose behalf the thread is in the monitor, or NULL */
    bool performed;      /* an operation, since it went in */
    bool waiting;        /* for others to let it go on */
    bool late;           /* the time that it waits for is over */
    int32_t os_tid;      /* as the kernel calls it */
    uint32_t claimed_ordinal;
    uint64_t claimed_pc; /* the call whose ranges are being claimed; see free_access.c */
    unsigned n_claims;
    struct {
        uint32_t first, last;
    } claims[PL_CLAIMS]; /* stripes that the thread holds; see order.c */

    struct pollfd *io; /* what poll() waits for, or NULL when op.aux says it */
    uint64_t n_io;
    uint32_t io_waits;
    bool io_hopeless;
    bool io_released;   /* a replay lets it go on, since nobody else can */
    bool io_late;       /* it could not go on when looked at */
    uint64_t io_record; /* of what it waits for, if that is recorded; see inputs.c */
};

/* A place in the program, as a native thread knows it; see native_access.c. */
struct pl_native_site {
    uint16_t left; /* visits that pass before the next is looked at */
    uint16_t gap;  /* visits between two that count for coverage */
    uint16_t wait; /* where all are looked at: until the next one that counts */
};

struct pl_key {
    bool used;
    void (*destructor)(void *);
};

/*
 * Who wrote the bytes of a granule last, who has read them since; see class.c.
 * An object counts as its first byte.
 */
struct pl_cell {
    uint64_t addr; /* of the granule; 0 in cells of single bytes */
    uint64_t write, reads, adds;
    uint32_t next;        /* in its chain: index plus 1 */
    uint32_t bytes;       /* index plus 1 of the cells of its bytes; 0: they are all the same */
    uint8_t offset, size; /* those that the cell is about, while they are */
};

/* A semaphore made by sem_open(): known by name within the program. */
struct pl_semaphore {
    char name[64];
    void *sem; /* NULL: the entry is free */
    unsigned opened;
    bool unlinked;
};

/* A stream locked by flockfile(). */
struct pl_file_lock {
    const void *stream;
    pl_tid owner;
    unsigned depth; /* 0: the entry is free */
};

/* A pre-started OS thread whose thread control block a fiber borrows. */
struct pl_donor {
    void *tp;
    void *sp;           /* where a fiber may begin */
    void *signal_stack; /* OS-thread carrier: for the handler of crashes */
    void *loop_sp;      /* OS-thread carrier: the donor's own frames */
    bool started;
    uint64_t guard;  /* address of the guard page */
    uint64_t lowest; /* from here up to the top the slot is open, but for the guard page */
    bool guarded;    /* the guard page is above lowest, closed for this purpose */
    pl_tid user;     /* thread that used it last */
    pthread_t handle;
    _Atomic uint32_t go; /* futex, OS-thread carrier: begin a thread */
    _Atomic bool rests;  /* OS-thread carrier: it waits for go, on its own frames */
    void *tls_image;     /* its thread-local storage as it was when new */
    uint64_t tls_low, tls_size;
};

/* What is known of the program's ways to the world; see inputs.h. */
struct pl_input_state {
    bool clocks;                /* in a replay: times and random numbers are in the recording */
    struct pl_divergence early; /* before the root: it counts for every execution */
    struct {
        bool stream;    /* what goes through it is recorded, or fed */
        bool inherited; /* was open at the start, and not used yet */
        int16_t number; /* as recorded */
    } fds[PL_FD_LOW];
    struct {
        const void *file; /* a FILE; NULL: the entry is free */
        int fd;
    } streams[PL_INPUT_STREAMS];
    unsigned n_watches;
    struct {
        int16_t epoll, fd;
        uint64_t data;
    } watches[PL_INPUT_WATCHES];
    uint32_t names[PL_INPUT_NAMES]; /* hashes of environment variables that are recorded */
    struct {
        bool known;
        bool aside;     /* what the thread calls is libc's own business */
        uint32_t times; /* of that record, if it holds times, that have been fed */
        uint64_t at;    /* offset of the record to be fed next; 0: there is none */
    } threads[PL_THREADS_MAX];
};

enum { PL_OBSERVERS = 12 };

/* Who is told what; see core/observer.h. */
struct pl_observing {
    uint32_t wanted; /* bit per observer, and the highest: the lists are made of them */
    uint8_t n_announced, n_chosen, n_performed, n_last;
    void (*announced[PL_OBSERVERS])(struct pl_thread *t, struct pl_operation *op);
    void (*chosen[PL_OBSERVERS])(const struct pl_thread *t, bool switched);
    void (*performed[PL_OBSERVERS])(struct pl_thread *t, const struct pl_operation *op);
    void (*last[PL_OBSERVERS])(void);
};

enum { PL_PREDICTED = 512 };

/* Noise in this execution; the same for all threads once it has begun.  See noise.c. */
struct pl_noising {
    bool on;        /* something is disturbed */
    bool may_raise; /* a nice value that was raised may be lowered again */
    struct pl_disturb_asks asks;
    unsigned n_predicted;
    uint64_t predicted[PL_PREDICTED]; /* places that detectors have named, sorted */
};

struct pl_stage {
    bool rooted;
    uint32_t n_noted; /* findings that were noted before the root */
    bool runner;      /* this process executes */
    bool rolling;     /* the execution will be put back; see rollback.h */
    bool watched;     /* the vault is there and system calls are shown */
    bool scanned_shadow;
    bool unprotected;       /* shared memory is no longer watched */
    unsigned scanned;       /* donors when memory was last looked at, plus 1 */
    bool has_children;      /* the program had started processes before the root */
    uint64_t default_stack; /* of threads that ask for nothing */
    bool plain_modules;     /* none has destructors; see libc_process.c */
    uint64_t n_exit_handlers;
    bool marked;       /* the program says itself where executions begin */
    bool testing;      /* in plait_test(): the keeper goes on when the search is over */
    uint32_t sections; /* calls of plait_test() so far */
    bool alone;        /* found something before the root: there is no keeper */
    uint64_t root_error_size;
    uint64_t tls_size;
    uint64_t own_start, own_end; /* of libplait.so */
    bool instrumented;
    uint32_t busy; /* inside the runtime: hooks fall through; one thread runs at a time */

    pl_tid current;
    pl_tid n_threads; /* ever created in this execution */
    unsigned n_alive;
    unsigned n_unjoined; /* alive, or ended but not joined: their accesses count as concurrent */
    uint64_t now;        /* virtual nanoseconds since the epoch */
    uint64_t turns;      /* switches so far */
    uint64_t digest;     /* of the operations performed so far */
    bool told;           /* the strategy has been told what was left at the end */
    bool class_overflow;
    uint64_t n_cells;
    unsigned n_parked;
    unsigned n_held_back;    /* threads that only the limit stops, when last looked at */
    uint32_t probation;      /* rounds granted to spinning threads since the last progress */
    uint64_t in_a_row;       /* points of the current thread without a switch */
    uint64_t rng;            /* of everything random that the program asks for */
    uint64_t shared_applied; /* entries of common->shared[] in the shadow */
    unsigned n_donors;
    uint64_t donor_next;
    bool have_wrfsbase;
    bool signals_sent; /* only its address means something: an object for detectors */

    bool seeking;                                  /* orders are sought; see sought.c */
    unsigned (*leads)(const struct pl_view *view); /* who asks the strategy between threads */
    bool feeding, feeding_alone; /* detectors look at accesses; also at those of a single thread */
    uint32_t n_early;            /* operations before the root, see cover.c */
    uint64_t early[PL_EARLY];    /* their places */
    uint64_t detect_used;        /* of detect_memory */
    void *stacks;                /* see feed.c */

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
    uint32_t near_buckets[PL_BUCKETS_NEAR];
    struct pl_cover_run cover;
    struct pl_direct direct; /* with `seeking`, */
    struct pl_sought_run sought;
    struct pl_cell cells[PL_CELLS];
    uint32_t buckets[PL_BUCKETS];
    struct pl_cover_cell cover_cells[PL_COVER_FAR];

    struct pl_held far_held[PL_THREADS_MAX][PL_HELD_MAX - PL_HELD_NEAR];
    struct pl_frame far_frames[PL_THREADS_MAX][PL_FRAMES_MAX - PL_FRAMES_NEAR];
    struct {
        bool open, used, empty_pipe; /* at the root */
        int64_t offset, flags;
    } fds[PL_FDS_MAX];
    struct pl_key keys[PL_KEYS_MAX];
    struct pl_semaphore semaphores[PL_SEMAPHORES];
    struct pl_file_lock file_locks[PL_FILE_LOCKS];
    struct pl_input_state inputs;

    struct pl_noising noise;
    struct pl_disturber disturbers[PL_THREADS_MAX]; /* each is its thread's own */
    unsigned n_native_held;
    uint64_t native_held[PL_NATIVE_HELD];
    _Alignas(64) struct pl_native_site native_sites[PL_THREADS_MAX][PL_NATIVE_SITES];

    _Alignas(4096) unsigned char detect_memory[PL_DETECT_MEMORY];

    /* Means something only within one call or between two points; not put back by rollback. */
    _Alignas(4096) struct pl_scratch {
        struct pl_thread *ready[PL_THREADS_MAX];
        const struct pl_operation *next[PL_THREADS_MAX];
        const struct pl_operation *waiters[PL_THREADS_MAX];
        const struct pl_operation *blocked[PL_THREADS_MAX];
        const struct pl_operation *allowed[PL_THREADS_MAX]; /* see sought.c */
        unsigned may[PL_THREADS_MAX];
        unsigned n_blocked;
        uint64_t n_unseen, unseen[PL_UNSEEN]; /* granules accessed since the last point */
    } scratch;
};

__attribute__((unused)) static struct pl_stage *const pl_stage =
    (struct pl_stage *)PL_STAGE_ADDRESS;

/* See runtime/free/free.h. */
extern bool pl_free;
extern _Thread_local struct pl_thread *pl_free_self __attribute__((tls_model("initial-exec")));

static inline struct pl_thread *pl_thread_self(void)
{
    return __builtin_expect(pl_free, 0) ? pl_free_self : &pl_stage->threads[pl_stage->current];
}

static inline struct pl_thread *pl_thread_by_id(pl_tid id)
{
    return &pl_stage->threads[id];
}

/* The thread that the kernel calls so, if it is alive. */
static inline pl_tid pl_thread_by_os(int32_t os_tid)
{
    for (pl_tid i = 0; os_tid != 0 && i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->os_tid == os_tid && pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            return i;
    }
    return PL_TID_NONE;
}

/* Whether it is to act on a cancellation. */
static inline bool pl_thread_cancel_due(const struct pl_thread *t)
{
    return t->cancel_pending && !t->cancel_disabled && !t->exiting;
}

/* The thread's own stack is part of its state, and nobody else's business. */
static inline bool pl_thread_owns(const struct pl_thread *t, uint64_t addr)
{
    uint64_t frame = (uint64_t)(t->entry + 7);

    return t->entry != NULL && frame >= t->stack_low && frame < t->stack_high &&
           addr >= (uint64_t)t->entry && addr < t->stack_high;
}

/* Whether the user wants this detector. */
static inline bool pl_detect_wants(enum pl_detector detector)
{
    return (pl_board->settings.detect >> detector & 1) != 0;
}

/* How many of its locks are in the list. */
static inline unsigned pl_thread_listed(const struct pl_thread *t)
{
    return t->n_held - t->n_unlisted;
}

/* The i-th lock that a thread holds, of those in the list. */
static inline struct pl_held *pl_thread_held(struct pl_thread *t, unsigned i)
{
    return i < PL_HELD_NEAR ? &t->near_held[i] : &pl_stage->far_held[t->id][i - PL_HELD_NEAR];
}

/* The i-th frame of a thread, outermost first. */
static inline struct pl_frame *pl_thread_frame(const struct pl_thread *t, unsigned i)
{
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
