/* SPDX-License-Identifier: MIT */
/*
 * A small multithreaded program as data: what generate_steps.py writes, interpret.c
 * executes and enumerate.c explores.
 *
 * A description is a text.  Words after # are comments.  First come the objects,
 *
 *     x plain atomic     variables, all 0 at first
 *     m 2                so many mutexes
 *     c 1                conditions
 *     l 1                rwlocks
 *     s 0 1              semaphores with these values
 *     b 2                barriers for so many threads
 *
 * then, for each thread, a line `thread` and one line per step (steps.def), such as
 * `cas x0 0 1 r2`.  Each thread has four registers, 0 at first.  The first thread is
 * main: it creates the others in order, makes its own steps, and joins them in order.
 */
#ifndef PL_TESTS_GENERATED_PROGRAM_H
#define PL_TESTS_GENERATED_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
#ifdef LARGE_PROGRAMS /* for those who do not keep a set of states */
    THREADS_MAX = 16,
    STEPS_MAX = 128,
    OBJECTS_MAX = 8, /* of each kind */
#else
    THREADS_MAX = 4,
    STEPS_MAX = 64,
    OBJECTS_MAX = 4,
#endif
    REGISTERS = 4,
    LOOPS_MAX = 3, /* one inside the other */
    OUTCOME_MAX = 256,
};

enum step_kind {
#define STEP(NAME, word, operands) STEP_##NAME,
#include "steps.def"
#undef STEP
    STEP_KINDS
};

struct step {
    uint8_t kind;
    uint8_t object; /* variable, mutex, condition, rwlock, semaphore or barrier */
    uint8_t mutex;  /* of a condition wait */
    uint8_t reg;
    uint8_t depth;       /* of a loop: which counter it has */
    uint8_t to;          /* where a branch goes when it is taken, or a loop begins */
    uint8_t number, new; /* operands; `new` of a compare-exchange */
};

struct thread_steps {
    unsigned n;
    struct step steps[STEPS_MAX];
};

struct program {
    unsigned n_threads;
    unsigned n_variables, n_mutexes, n_conditions, n_rwlocks, n_semaphores, n_barriers;
    bool atomic[OBJECTS_MAX];
    uint8_t value[OBJECTS_MAX];   /* of semaphores */
    uint8_t parties[OBJECTS_MAX]; /* of barriers */
    struct thread_steps threads[THREADS_MAX];
};

/* What a thread has for itself. */
struct locals {
    uint8_t at; /* the next step */
    uint8_t registers[REGISTERS];
    uint8_t loops[LOOPS_MAX]; /* rounds that are left */
};

/* The text of a file, or of standard input for "-".  Says what is wrong and exits. */
void program_read(struct program *p, const char *path);
void program_parse(struct program *p, const char *text);

/*
 * Make the step, if it concerns only the thread itself; false if it does not.  *failed is
 * set when an assertion fails, and then the thread does not go on.
 */
bool program_local(const struct thread_steps *t, struct locals *l, bool *failed);

/* One line: the variables and the registers of each thread. */
int program_outcome(const struct program *p, const int *variables, uint8_t (*registers)[REGISTERS],
                    char text[OUTCOME_MAX]);

#endif /* PL_TESTS_GENERATED_PROGRAM_H */
