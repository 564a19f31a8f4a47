/* SPDX-License-Identifier: MIT */
/*
 * What has been covered, by name: for files, for merging, for people.
 *
 * Names hold on other machines, at other addresses and after a rebuild: a
 * function is its module, its name and its source file; a statement is its
 * function, where in it, what it does, and where the function was called.
 *
 * A task remembers where it was shown first: a campaign, and the number of an
 * execution in it.  Campaigns come one after the other in the order of their
 * beginnings.  So merging is a union with the earlier first of two: in
 * whatever order it is done, and however often, it gives the same.
 *
 * Statements have one list of orders: what executions have shown (M3), what predecessor
 * sets have learned, what a search has tried in vain, and what follows from these.
 *
 * A file that is no coverage file, or one of a later version, is refused.
 */
#ifndef PL_TRACE_COVERED_H
#define PL_TRACE_COVERED_H

#include "base/err.h"
#include "model/coverage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_COVERED_FILE "coverage.json"

/* Where a task was shown first; execution 0: nowhere. */
struct pl_covered_first {
    uint32_t campaign; /* index */
    uint64_t execution;
};

struct pl_covered_campaign {
    char *id; /* no other campaign has it */
    uint64_t started_ms;
    uint64_t executions;
};

struct pl_covered_function {
    char *module, *name, *file;
    bool alone;    /* executed while there was one thread */
    bool executed; /* executed while there were several */
    struct pl_covered_first interrupted, whole;
    /* The build of which every interleaving was executed: what that has not shown cannot be. */
    char *searched; /* or NULL */
};

/* M1: whether a task of an executed function can be, as far as is known. */
static inline bool pl_covered_is_task(const struct pl_covered_function *f,
                                      struct pl_covered_first first)
{
    return f->executed && (first.execution != 0 || f->searched == NULL);
}

/* Function a was interrupted by function b; or statement a came before statement b. */
struct pl_covered_task {
    uint32_t a, b; /* indices */
    struct pl_covered_first first;
};

/* place, operation, caller: texts; pc and caller_pc: offsets in the module of that build, or 0. */
struct pl_covered_statement {
    uint32_t function;
    char *place, *operation, *caller;
    char *build;
    uint64_t pc, caller_pc;
};

/* A thread by its name, what it ran, and with which others it was alive. */
struct pl_covered_thread {
    uint64_t name;
    size_t n_functions, n_together;
    uint32_t *functions, *together; /* indices, without repetition */
};

struct pl_covered {
    size_t n_campaigns, n_functions, n_switches, n_statements, n_threads;
    struct pl_covered_campaign *campaigns;
    struct pl_covered_function *functions;
    struct pl_covered_task *switches; /* M2 */
    struct pl_covered_statement *statements;
#define PL_COVERED_LIST(list, one, version) \
    size_t n_##list;                        \
    struct pl_covered_task *list;
#include "trace/covered.def"
#undef PL_COVERED_LIST
    struct pl_covered_thread *threads;
    char *program; /* its path; "": of several, NULL: not said */
    bool lost;     /* something did not fit */
    void *indices; /* see covered.c */
};

/* Begin with {0}.  All of these find or add and return an index; texts are copied. */
uint32_t pl_covered_campaign(struct pl_covered *to, const char *id, uint64_t started_ms);
uint32_t pl_covered_function(struct pl_covered *to, const char *module, const char *name,
                             const char *file);
uint32_t pl_covered_statement(struct pl_covered *to, const struct pl_covered_statement *statement);
uint32_t pl_covered_thread(struct pl_covered *to, uint64_t name);

/* It is coverage of this program; of several, when it was of another. */
void pl_covered_of(struct pl_covered *to, const char *program);

/* A task has been shown there.  True when that is new. */
bool pl_covered_interrupted(struct pl_covered *to, uint32_t function, struct pl_covered_first at);
bool pl_covered_whole(struct pl_covered *to, uint32_t function, struct pl_covered_first at);
bool pl_covered_switch(struct pl_covered *to, uint32_t a, uint32_t b, struct pl_covered_first at);
#define PL_COVERED_LIST(list, one, version)                              \
    bool pl_covered_##one(struct pl_covered *to, uint32_t a, uint32_t b, \
                          struct pl_covered_first at);
#include "trace/covered.def"
#undef PL_COVERED_LIST

/* Every interleaving of this build, in hex, was executed; NULL: that is no longer so. */
void pl_covered_searched(struct pl_covered *to, uint32_t function, const char *build);

/* Whether there is a statement of that name. */
bool pl_covered_has_statement(struct pl_covered *covered, const struct pl_covered_statement *s);

/* Whether a is in the predecessor set of b; whether an execution that failed had that. */
bool pl_covered_has_predecessor(struct pl_covered *covered, uint32_t a, uint32_t b);
bool pl_covered_has_failed(struct pl_covered *covered, uint32_t a, uint32_t b);

/* Thread `thread` ran that function; was alive together with that thread. */
void pl_covered_ran(struct pl_covered *to, uint32_t thread, uint32_t function);
void pl_covered_together(struct pl_covered *to, uint32_t thread, uint32_t other);

void pl_covered_free(struct pl_covered *covered);

/* Put all of `from` in. */
void pl_covered_merge(struct pl_covered *to, const struct pl_covered *from);

/*
 * Add what a file holds.  -1 with err when there is none (err->class PL_ERR_USER and
 * *missing) or it is not one of ours; then nothing has been added.
 */
int pl_covered_read(struct pl_covered *to, const char *path, bool *missing, struct pl_err *err);

/* Replace the file at once, or not at all.  Equal sets make equal files. */
int pl_covered_write(const struct pl_covered *covered, const char *path, struct pl_err *err);

/* ---- what it comes to ---- */

enum { PL_COVERED_MODELS = PL_COVER_MODELS };

struct pl_covered_sum {
    uint64_t executions;
    uint64_t covered[PL_COVERED_MODELS], total[PL_COVERED_MODELS];
    uint64_t latest; /* position of the execution that showed a new task last; 0: none */
};

/* total counts tasks that could be covered as far as is known. */
struct pl_covered_sum pl_covered_sum(const struct pl_covered *covered);

/* Position of an execution among all, from 1; 0 when there is none. */
uint64_t pl_covered_position(const struct pl_covered *covered, struct pl_covered_first first);

/* ---- orders of statements: covered_orders.c ---- */

enum pl_covered_state {
    PL_COVERED_SHOWN, /* an execution has shown it */
    PL_COVERED_OPEN,  /* none has; its opposite is known */
    PL_COVERED_NEVER, /* none can, as far as is known */
};
enum { PL_COVERED_STATES = 3 };

/* Why none can. */
enum pl_covered_why {
    PL_COVERED_WHY_NOT, /* nothing says so */
    PL_COVERED_HELD,    /* whoever has a lock unlocks it before somebody else has it */
    PL_COVERED_APART,   /* both hold a lock, and what its holder does comes between them */
    PL_COVERED_ORDERED, /* the threads' creation or end has ordered them each time */
    PL_COVERED_VAIN,    /* guided search has tried */
};

/* Statement a, then statement b of another thread. */
struct pl_covered_order {
    uint32_t a, b;
    enum pl_covered_state state;
    enum pl_covered_why why;
    bool pair;                     /* it, or its opposite, is one of M3: it counts there */
    bool seen;                     /* it is one of M3 itself */
    bool good;                     /* it is in a predecessor set: a good execution has shown it */
    bool failed;                   /* an execution that failed has shown it */
    bool tried;                    /* guided search has made an execution for it */
    struct pl_covered_first first; /* that has shown it */
    /* Of orders that are PL_COVERED_APART: statements that took the lock for a and for b. */
    uint32_t locks[2];
    bool preceded; /* the thread of b has always written there before; or that of a comes back */
};

struct pl_covered_orders {
    size_t n;
    struct pl_covered_order *items; /* by a, then by b */
};

void pl_covered_orders(struct pl_covered_orders *orders, const struct pl_covered *covered);
void pl_covered_orders_free(struct pl_covered_orders *orders);

/* ---- statements within holds of locks (model/hold.h): covered_holds.c ---- */

struct pl_covered_hold {
    uint32_t lock; /* a statement that took the lock; UINT32_MAX: none did */
    bool without, first, last, lasting;
};

/* By statement; to be freed.  Nothing is known where something did not fit. */
struct pl_covered_hold *pl_covered_holds(const struct pl_covered *covered);

/*
 * Whether b never comes directly after a.  `touched`: an access of the own thread in between
 * takes the place of one that reads; else only a change does.  *preceded as in struct
 * pl_covered_order.
 */
bool pl_covered_apart(const struct pl_covered_hold *a, const struct pl_covered_hold *b,
                      bool touched, bool *preceded);

/* The reason in words: the rest of a sentence. */
void pl_covered_describe_apart(const struct pl_covered *covered, const uint32_t locks[2],
                               bool preceded, char *to, size_t size);

/* ---- pairs of functions ---- */

/* Which functions could be interrupted by which: those that ran in threads alive at a time. */
struct pl_covered_possible {
    size_t n;
    uint64_t total;      /* pairs that are possible, or were seen */
    uint32_t *functions; /* row to index */
    uint32_t *rows; /* index to row; UINT32_MAX: it never ran while there were several threads */
    /* Functions that the same threads ran are of one sort; see covered_possible.c. */
    size_t n_sorts, n_more;
    uint32_t *sorts;            /* of rows */
    uint32_t *starts, *members; /* rows of sort k: members[starts[k]] up to starts[k + 1] */
    uint64_t *bits, *more;
};

void pl_covered_possible(struct pl_covered_possible *possible, const struct pl_covered *covered);
void pl_covered_possible_free(struct pl_covered_possible *possible);

/* Whether functions of a sort could be interrupted by those of another one. */
bool pl_covered_related(const struct pl_covered_possible *p, size_t sort, size_t other);

/* Whether the function in row a could be interrupted by that in row b, or was. */
bool pl_covered_can(const struct pl_covered_possible *p, size_t a, size_t b);

/* Of two firsts of one task, whether the one comes before the other. */
bool pl_covered_earlier(const struct pl_covered *covered, struct pl_covered_first a,
                        struct pl_covered_first b);

#endif /* PL_TRACE_COVERED_H */
