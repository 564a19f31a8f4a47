/* SPDX-License-Identifier: MIT */
/*
 * A little machine: a program is a list of operations for each thread, and an execution performs
 * them one at a time in the order that a strategy chooses.
 *
 * The machine does what the runtime does, but without a program under test: every thread announces
 * its next operation, those that can go on are offered to the strategy, the one that is chosen is
 * performed.  The effect of an operation on its objects depends on the state that it finds.
 *
 * Objects need no declaration.  Memory is zero at first, locks are free, semaphores are empty.
 * Mutexes are normal ones: a thread that locks one twice waits for ever.  A thread that no
 * step creates exists from the beginning; one that is created begins with its start.  Thread 0
 * stands at the first point.
 */
#ifndef PL_TESTS_MACHINE_H
#define PL_TESTS_MACHINE_H

#include "strategy/shared/strategy.h"

enum {
    MACHINE_THREADS = 24,
    MACHINE_STEPS = 24,
    MACHINE_OBJECTS = 32,
    MACHINE_LONGEST = 128, /* operations of an execution */
    MACHINE_SIZE = 8,      /* bytes of an access to memory */
    MACHINE_NAME = 100,    /* the name of thread t is MACHINE_NAME + t */
    MACHINE_ALL = 1 << 30, /* operations: as many as there are */
};

/* A comparison with `than`; values are signed here. */
enum machine_test { MACHINE_ALWAYS_NOT, MACHINE_EQUAL, MACHINE_LESS, MACHINE_NOT_LESS };

struct machine_step {
    enum pl_op_kind kind; /* PL_OP_NONE: the thread has come to its end */
    uint64_t addr;        /* the object; of what creates or joins a thread its number */
    uint64_t value;       /* written or added; of a load: who reads it fails, unless it is 0 */
    uint64_t pc;          /* where it stands; the statement has the same number */
    uint64_t other;       /* the mutex of a wait; the value that a compare-exchange wants */
    bool adds;            /* of an atomic update: nobody looks at the result */
    /* A thread knows what it loaded last. */
    bool relative;          /* what is written is that, and `value` besides */
    enum machine_test test; /* asked of what is loaded here, or was before: if it holds, */
    uint64_t than;
    unsigned skip;      /* so many of the next steps are left out, */
    uint64_t elsewhere; /* or this is the object, unless it is 0 */
};

struct machine_thread {
    struct machine_step steps[MACHINE_STEPS];
};

struct machine_program {
    unsigned n;
    struct machine_thread threads[MACHINE_THREADS];
    bool quits; /* it ends by itself once all threads have, in place of having nobody to go on */
};

/* Append a step to a thread; returns it, so that more can be said about it. */
struct machine_step *machine_add(struct machine_program *p, unsigned thread, enum pl_op_kind kind,
                                 uint64_t addr);

/*
 * A program of so many threads that is drawn: three accesses to two variables each, some of which
 * overlap, may fail or commute; or twice something with a lock or a semaphore each.
 */
enum machine_palette { MACHINE_MEMORY, MACHINE_SYNC };
struct machine_program machine_draw(unsigned threads, enum machine_palette palette, uint64_t seed);

/* An operation of this kind that does to its object what it does as a rule. */
struct pl_operation machine_operation(enum pl_op_kind kind, pl_tid tid, uint64_t addr);

/* What happened, operation by operation. */
struct machine_run {
    unsigned n;
    unsigned preemptions;
    uint8_t who[MACHINE_LONGEST];
    uint64_t addr[MACHINE_LONGEST];
    uint64_t saw[MACHINE_LONGEST]; /* the value of the object before */
};

/* Whether the same threads performed operations in the same order. */
bool machine_same(const struct machine_run *a, const struct machine_run *b);

struct machine_object {
    uint64_t addr, value;
    pl_tid owner; /* of a lock, or PL_TID_NONE */
    unsigned readers;
};

/* Where a thread is. */
struct machine_place {
    unsigned step; /* the next one */
    uint64_t loaded;
    uint32_t ordinal;
    bool exists, created; /* created: it has not started */
    pl_tid creator;
    bool waits, woken; /* at the condition of the step before */
    bool late;         /* it waits there no more, and has no mutex yet */
    pl_tid waker;
    uint32_t wake;
};

/* An execution. */
struct machine {
    const struct machine_program *program;
    struct machine_place at[MACHINE_THREADS];
    struct machine_object objects[MACHINE_OBJECTS];
    unsigned n_objects;
    struct pl_operation ops[MACHINE_THREADS]; /* announced */
    const struct pl_operation *next[MACHINE_THREADS], *blocked[MACHINE_THREADS];
    unsigned n_next, n_blocked;
    struct pl_operation here; /* what the thread at the point is about to do */
    uint64_t n_choices, digest;
    bool failed;                                    /* a load saw what it must not */
    enum pl_outcome outcome;                        /* once it has ended */
    struct pl_operation performed[MACHINE_LONGEST]; /* with effects */
    struct machine_run run;
};

/*
 * Step by step: begin, then step until that is false.  A strategy that is not begun and ended here
 * has to have choose() only.  If the context has a board, choices are recorded there.
 */
void machine_begin(struct machine *m, const struct machine_program *p);
bool machine_step(struct machine *m, const struct pl_strategy *s, struct pl_strategy_context *c);

/* What the object at this address is worth now. */
uint64_t machine_value(const struct machine *m, uint64_t addr);

/*
 * Execution n from begin() to last(), but not end(); lost after `most` operations.  A deadlock is
 * a finding, and so is a load that saw what it must not.
 */
enum pl_outcome machine_execute(struct machine *m, const struct machine_program *p,
                                const struct pl_strategy *s, struct pl_strategy_context *c,
                                uint64_t n, unsigned most);

/*
 * Measure the program as the runtime does, by one random execution; all threads descend from the
 * first.  What is given is not kept.
 */
void machine_measure(const struct machine_program *p, struct pl_profile *profile);

/*
 * The class of the execution: two have the same number if they differ only in the order of
 * operations that do not depend on each other.
 */
uint64_t machine_class(const struct machine *m);
/* Put it among n classes in ascending order; false if it is there. */
bool machine_is_new(uint64_t *classes, unsigned *n, uint64_t class);

/* All that a strategy is given besides its arena; contexts point there. */
struct machine_given {
    struct pl_settings settings;
    struct pl_divergence divergence;
    struct pl_coverage coverage;
    struct pl_hapset *hapset;
    struct pl_reads_from *reads_from;
    struct pl_board *board; /* of machine_board() */
};
extern struct machine_given given;

enum { MACHINE_ARENA = 64 << 20 };

/* A context with memory of `size` bytes, up to MACHINE_ARENA; all that is given is zero. */
struct pl_strategy_context machine_context(const char *parameters, uint64_t size);

/* The same for strategies that look at the board: settings and memory are on a fresh one. */
struct pl_strategy_context machine_board(void);

#endif /* PL_TESTS_MACHINE_H */
