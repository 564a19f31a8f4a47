/* SPDX-License-Identifier: MIT */
/*
 * What a description (program.h) does, one operation at a time: which threads could go on in a
 * state, and what an operation leaves behind.  enumerate.c tries everything; here is what is tried.
 *
 * The relation.  Each operation has on each object that it touches a label, READ, ADD or WRITE.
 * Two operations of different threads depend on each other when they touch the same
 * object, unless both labels are READ or both ADD.
 *
 * An execution ends when all threads have ended, when nobody can go on, as soon as some threads
 * wait for each other's locks in a circle, or when an assertion fails.
 */
#ifndef PL_TESTS_GENERATED_MACHINE_H
#define PL_TESTS_GENERATED_MACHINE_H

#include "program.h"

enum { TOUCHES_MAX = 512 };
enum { VARIABLE, MUTEX, CONDITION, RWLOCK, SEMAPHORE, BARRIER, OWN, OBJECT_KINDS };
enum { OBJECTS = OBJECT_KINDS * OBJECTS_MAX }; /* variables come first */
enum label { LABEL_READ, LABEL_ADD, LABEL_WRITE };
enum ended { GOES_ON, FAILED, STUCK, DONE };

/* All that the future depends on. */
struct state {
    int32_t value[OBJECTS_MAX];
    struct locals l[THREADS_MAX];
    uint8_t phase[THREADS_MAX];
    uint8_t created, joined;                         /* threads, main included */
    uint8_t owner[OBJECTS_MAX], writer[OBJECTS_MAX]; /* thread plus 1 */
    uint8_t reads[OBJECTS_MAX][THREADS_MAX];
    uint8_t semaphore[OBJECTS_MAX], arrived[OBJECTS_MAX];
    uint8_t round[OBJECTS_MAX], round_before[OBJECTS_MAX]; /* of barriers: who, a bit per thread */
    uint8_t ended, failed_thread, failed_step;
};

/* One operation's doing on one object. */
struct touch {
    uint8_t object, label, thread;
    uint8_t ordinal; /* of the operation in its thread */
    uint8_t victim;  /* of a signal: thread plus 1 */
    bool is_load;
};

struct history {
    unsigned n;
    uint8_t operations[THREADS_MAX];
    struct touch touches[TOUCHES_MAX];
};

/* A decision: who goes on, and whom a signal wakes (thread plus 1, 0 for nobody). */
struct move {
    uint8_t thread, way, victim;
};

/* The rules of a search: set before it, and what it shows. */
struct machine {
    struct program program;
    enum { PRIVATE, POINT, OBJECT } role[OBJECTS_MAX]; /* of variables */
    bool suspect[OBJECTS_MAX]; /* ought to be a point at least: see machine_perform() */
    bool crowded[OBJECTS_MAX]; /* a barrier had others than in the round before */
    bool ordered[OBJECTS_MAX]; /* so that it matters who arrives first */
    bool unseen[OBJECTS_MAX];  /* accessed since the last operation, and private */
};

enum { MOVES_MAX = THREADS_MAX * THREADS_MAX };

void machine_start(struct machine *mc, struct state *s);

/* All that can be done next. */
unsigned machine_moves(const struct machine *mc, const struct state *s,
                       struct move moves[MOVES_MAX]);

/*
 * Do it, and all that the thread does up to its next operation: accesses to variables that are
 * private are no operations.  What it touches is added to the history.  If that ends the
 * execution for others who could have gone on, the private variables concerned are suspect.
 */
void machine_perform(struct machine *mc, struct state *s, struct history *h, const struct move *m);

#endif /* PL_TESTS_GENERATED_MACHINE_H */
