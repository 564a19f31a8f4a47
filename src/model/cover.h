/* SPDX-License-Identifier: MIT */
/*
 * What interleavings have been seen, in three models of growing size:
 *
 * M1  per function two tasks: a thread was interrupted in it; it was executed
 *     from its first event to its end without that.
 * M2  task (A, B): while a thread stood in A, before its next event, another
 *     thread had an event in B.
 * M3  task (a, b): statement a, then statement b of another thread, on the same
 *     bytes of memory or the same lock, condition, ...; at least one changes
 *     them, and no change of them lies between.
 *
 * A thread stands in the function whose next event it has come to, or else in that of
 * its last event until it leaves it.  It is interrupted there when another thread
 * has an event.
 *
 * struct pl_cover is shared by all workers of a campaign and only ever grows: all
 * words that are tasks are written with atomic operations, and a process may die
 * between any two of them.  struct pl_cover_run and pl_cover_thread belong to
 * one execution (cover_run.c).  Functions and statements are numbers here, by
 * addresses of this campaign; the tool gives them names (engine/coverage/cover_campaign.h).
 *
 * A statement is a place in the code with what it does and where its function was
 * called from.  Statement i is statements[i]; pairs[] is the set of (i, j).
 */
#ifndef PL_MODEL_COVER_H
#define PL_MODEL_COVER_H

#include "model/coverage.h"
#include "model/hold.h"
#include "model/operation.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PL_COVER_RANGES = 1 << 16,     /* stretches of code */
    PL_COVER_FUNCTIONS = 65535,    /* numbered from 1; 0 is code of no interest */
    PL_COVER_STATEMENTS = 1 << 16, /* slots; not all of them are used */
    PL_COVER_BLOCK = 128,          /* of them: about a page */
    PL_COVER_SWITCHES = 1 << 18,
    PL_COVER_PAIRS = 1 << 18,
    PL_COVER_USES = 5, /* of a cell that are remembered */
    PL_COVER_RECENT = 256,
    PL_COVER_LOG = 1 << 20,
    PL_COVER_THREADS = 256,   /* kinds of threads */
    PL_COVER_SLOTS = 64,      /* threads of an execution that are alive at a time */
    PL_COVER_RELATED = 30,    /* threads whose order by creation and join is known, */
    PL_COVER_ROW = 32,        /* in a row of so many */
    PL_COVER_DEPTHS = 32,     /* calls within each other that are told apart */
    PL_COVER_CELLS_NEAR = 32, /* of an execution, while it has few */
    PL_COVER_CELLS = 1 << 17, /* and at most */
    PL_COVER_CALLERS = 4,     /* that tell statements apart, where more than one is asked for */
    PL_COVER_CONTEXTS = 1 << 14,
};
/* Cells beyond the near ones: tables of which each is 8 times as large as the one before. */
#define PL_COVER_FAR \
    (PL_COVER_CELLS + PL_COVER_CELLS / 8 + PL_COVER_CELLS / 64 + PL_COVER_CELLS / 512)
#define PL_COVER_NOTHING UINT32_MAX /* no statement */
/* A caller that is none, but several: the number of a context and this bit, which no address has.
 */
#define PL_COVER_DEEP (UINT64_C(1) << 63)

/* What is known of a function: bits of its word in marks[]. */
enum {
    PL_COVER_ALONE = 1,       /* executed while there was one thread */
    PL_COVER_EXECUTED = 2,    /* executed while there were several */
    PL_COVER_INTERRUPTED = 4, /* M1 */
    PL_COVER_WHOLE = 8,       /* M1: executed without being interrupted */
};

/* The models, as bits. */
enum { PL_COVER_M1 = 1, PL_COVER_M2 = 2, PL_COVER_M3 = 4 };

/*
 * A task in the log: what it is, and above that the function (M1), the place in switches[]
 * (M2) or in pairs[] (M3), plus 1 for these two.
 */
enum pl_cover_task {
    PL_COVER_TASK_INTERRUPTED,
    PL_COVER_TASK_WHOLE,
    PL_COVER_TASK_SWITCH,
    PL_COVER_TASK_LOWER, /* of a pair: the lower one came first */
    PL_COVER_TASK_HIGHER,
    PL_COVER_TASK_CONCURRENT, /* no task, but news about a pair */
};
enum { PL_COVER_TASK_BITS = 3 };

/* Code from start up to end; sorted by it. */
struct pl_cover_range {
    uint64_t start, end;
    uint32_t function;
};

struct pl_cover_statement {
    _Atomic uint64_t key;  /* 0: a free slot */
    uint64_t pc;           /* a return address */
    uint64_t caller;       /* where its function was called, as a return address; 0: not known */
    _Atomic uint32_t info; /* function, kind of operation, facts (model/hold.h); 0 while it is */
                           /* being written */
    _Atomic int32_t open;  /* partners that have only been seen after it */
};

/* Where a function was called, where its caller was, and so on; 0 at the end. */
struct pl_cover_context {
    _Atomic uint64_t key; /* 0: a free slot */
    uint64_t callers[PL_COVER_CALLERS];
};

/* In which order two statements were seen; the same shifted for executions of this campaign. */
enum {
    PL_COVER_LOWER_FIRST = 1,
    PL_COVER_HIGHER_FIRST = 2,
    PL_COVER_NOW_SHIFT = 2,
};

/* Two statements, in one order or in both. */
struct pl_cover_pair {
    _Atomic uint64_t key;      /* the lower one and the higher one; 0: a free slot */
    _Atomic uint32_t seen;     /* PL_COVER_LOWER_FIRST | ... */
    _Atomic uint64_t first[2]; /* executions that showed it first */
    _Atomic uint64_t met;      /* that had both without an order by creation or join; 0: none */
};

/* Function a was interrupted by function b. */
struct pl_cover_switch {
    _Atomic uint64_t key; /* a, b; 0: a free slot */
    _Atomic uint64_t first;
};

struct pl_cover {
    /* By the tool, before any worker goes on from its root. */
    uint64_t modules; /* hash of those that it was made for; 0: not yet */
    uint64_t before;  /* executions of earlier campaigns */
    uint32_t n_ranges, n_functions;
    struct pl_cover_range ranges[PL_COVER_RANGES];

    /* By workers. */
    _Atomic uint64_t counts[PL_COVER_MODELS]; /* tasks covered */
    _Atomic uint64_t latest;                  /* execution that showed a new task last */
    _Atomic uint32_t n_log;
    _Atomic uint32_t log[PL_COVER_LOG]; /* new tasks, see below; 0: being written */
    _Atomic uint64_t lost;              /* what did not fit, each time it came up */
    _Atomic uint32_t marks[PL_COVER_FUNCTIONS + 1];
    _Atomic uint32_t n_executed;
    _Atomic uint32_t order[PL_COVER_FUNCTIONS + 1]; /* in which they were first executed, from 1 */
    _Atomic bool looping[PL_COVER_THREADS];         /* it went back to a function before */
    _Atomic uint64_t interrupted[PL_COVER_FUNCTIONS + 1]; /* first executions */
    _Atomic uint64_t whole[PL_COVER_FUNCTIONS + 1];
    struct pl_cover_switch switches[PL_COVER_SWITCHES];
    _Atomic uint32_t n_statements;
    _Atomic uint64_t
        used[PL_COVER_STATEMENTS / PL_COVER_BLOCK / 64]; /* bit per block: it has some */
    struct pl_cover_statement statements[PL_COVER_STATEMENTS];
    struct pl_hold_statement holds[PL_COVER_STATEMENTS]; /* of them */
    struct pl_cover_context contexts[PL_COVER_CONTEXTS];
    struct pl_cover_pair pairs[PL_COVER_PAIRS];
    _Atomic uint64_t sharing[PL_COVER_STATEMENTS]; /* places of statements in pairs */
    /* Of switches and pairs some that are known, so that most looks stay within a page. */
    _Atomic uint32_t recent_switches[PL_COVER_RECENT], recent_pairs[PL_COVER_RECENT];

    /* Threads by their names (model/name.h), the last one for those beyond the others. */
    _Atomic uint64_t threads[PL_COVER_THREADS];
    _Atomic uint64_t together[PL_COVER_THREADS][PL_COVER_THREADS / 64]; /* alive at a time */
    _Atomic uint64_t ran[PL_COVER_THREADS][(PL_COVER_FUNCTIONS + 1) / 64];
};

/* Where the keys of sets belong. */
static inline uint64_t pl_cover_statement_key(uint64_t pc, uint64_t caller, unsigned kind)
{
    return ((pc * UINT64_C(0x9fb21c651e98df25)) ^
            ((caller + ((uint64_t)kind << 56)) * UINT64_C(0x9e3779b97f4a7c15))) |
           1;
}

/* Neighbours in the code are neighbours here: a program's statements fill few pages. */
static inline uint32_t pl_cover_statement_place(uint64_t pc, uint64_t caller)
{
    return (uint32_t)((pc >> 3) + (caller >> 3) % 8) % PL_COVER_STATEMENTS;
}

static inline uint32_t pl_cover_switch_place(uint32_t key)
{
    return key * UINT32_C(0x9e3779b1) >> 14;
}

static inline uint32_t pl_cover_pair_place(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9fb21c651e98df25) >> 46);
}

static inline uint64_t pl_cover_pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | (b + 1) : (uint64_t)b << 32 | (a + 1);
}

/* The function of a return address, from 1; 0 when it is of no interest. */
uint32_t pl_cover_function(const struct pl_cover *cover, uint64_t pc);

/* The statement, which is new if need be; PL_COVER_NOTHING when there is no room. */
uint32_t pl_cover_statement(struct pl_cover *cover, uint64_t pc, uint64_t caller, unsigned kind);

/*
 * The first slot from i on that may have a statement, or PL_COVER_STATEMENTS: blocks that have
 * none are not looked at, since looking would make pages of them.
 */
static inline uint32_t pl_cover_from(const struct pl_cover *cover, uint32_t i)
{
    for (uint32_t block = i / PL_COVER_BLOCK; i < PL_COVER_STATEMENTS;
         block++, i = block * PL_COVER_BLOCK) {
        if ((cover->used[block / 64] >> (block % 64) & 1) != 0)
            return i;
    }
    return PL_COVER_STATEMENTS;
}

/* Several callers as one, the innermost first; the innermost alone when there is no room. */
uint64_t pl_cover_context(struct pl_cover *cover, const uint64_t *callers, unsigned n);

static inline uint32_t pl_cover_function_of(const struct pl_cover *cover, uint32_t statement)
{
    return cover->statements[statement].info & 0xffff;
}

static inline unsigned pl_cover_kind_of(const struct pl_cover *cover, uint32_t statement)
{
    return cover->statements[statement].info >> 16 & 0xff;
}

/* A task has been shown by an execution; it may have been before. */
void pl_cover_mark(struct pl_cover *cover, uint32_t function, uint32_t mark, uint64_t execution);
void pl_cover_switch(struct pl_cover *cover, uint32_t a, uint32_t b, uint64_t execution);
/* `concurrent`: neither creation nor join of their threads has put a before b. */
void pl_cover_pair(struct pl_cover *cover, uint32_t a, uint32_t b, bool concurrent,
                   uint64_t execution);

/* Whether a was interrupted by b; whether a came before b. */
bool pl_cover_switched(const struct pl_cover *cover, uint32_t a, uint32_t b);
bool pl_cover_paired(const struct pl_cover *cover, uint32_t a, uint32_t b);
/* The same, shown by an execution of this campaign: one whose number is not 0. */
bool pl_cover_shown(const struct pl_cover *cover, uint32_t a, uint32_t b);
bool pl_cover_sharing(const struct pl_cover *cover, uint64_t pc);

/* The number of a kind of threads. */
unsigned pl_cover_thread(struct pl_cover *cover, uint64_t name);
void pl_cover_together(struct pl_cover *cover, unsigned a, unsigned b);

static inline bool pl_cover_ran(const struct pl_cover *cover, unsigned thread, uint32_t function)
{
    return (cover->ran[thread][function / 64] >> (function % 64) & 1) != 0;
}

void pl_cover_run_in(struct pl_cover *cover, unsigned thread, uint32_t function);

/* ---- one execution: cover_run.c ---- */

/*
 * Who used an object, or 8 bytes of memory, last: what changed it, and looks since then.  A cell
 * stays with its object for the whole execution.
 */
struct pl_cover_cell {
    _Atomic uint64_t key; /* 0: free */
    /* The last one first: statement, thread and time, plus 1; bytes; whether it changes them. */
    _Atomic uint64_t uses[PL_COVER_USES];
    struct pl_hold_cell hold;
};

struct pl_cover_run {
    bool on;
    bool crowd;                  /* several threads may be in here at once */
    uint8_t last;                /* slot of whoever came or was here last; not with a crowd */
    uint32_t holds;              /* of locks, so far; not with a crowd */
    uint32_t direct;             /* models that pl_cover_run_interest() looks at */
    struct pl_cover_cell *far;   /* PL_COVER_FAR of them, all 0 */
    struct pl_cover_cell *cells; /* those in use */
    uint32_t capacity;           /* how many they are, a power of 2 */
    _Atomic uint32_t n_cells;
    _Atomic uint64_t slots;                    /* those in use */
    _Atomic uint32_t standing[PL_COVER_SLOTS]; /* the thread's function, and a bit */
    uint8_t kinds[PL_COVER_SLOTS];             /* of threads */
    /*
     * Time is counted in threads created.  What thread x did before time before[y][x] comes before
     * all that y does now, by creation and join; for the first threads, one at a time.
     */
    uint8_t births;
    uint8_t before[PL_COVER_RELATED][PL_COVER_ROW];
    struct pl_cover_cell near[PL_COVER_CELLS_NEAR];
    struct pl_hold_pending pending; /* where nothing is new it is empty */
};

struct pl_cover_thread {
    uint8_t slot; /* of standing[] in the run, plus 1; 0: none */
    uint8_t kind;
    bool known, ended;
    uint64_t pc;        /* of the event that it has come to; 0: it has had it */
    uint32_t statement; /* that it has come to, or had last */
    uint32_t order;     /* of the function it was in last */
    uint32_t function;  /* it stands in; 0: it has left it */
    uint32_t depth;     /* of its last event: frames */
    uint32_t open;      /* bit per depth: the function there has had events, */
    uint32_t broken;    /* and was interrupted */
    uint16_t functions[PL_COVER_DEPTHS];
    struct pl_hold_thread hold;
};

/* What an operation does not say about itself. */
struct pl_cover_event {
    uint64_t caller; /* of the function, as a return address; 0: not known */
    uint64_t execution;
    uint32_t depth; /* frames of the thread; 0 in code without hooks */
    bool several;   /* threads are there */
};

/*
 * Threads may come from several processors at once if run->crowd says so; a thread's own
 * state is its own.  A thread comes to its next event (at), stands there for a while, and
 * has it (see), which must have been said before.
 */
void pl_cover_run_begin(struct pl_cover_run *run, struct pl_cover_cell *far, bool crowd);
void pl_cover_run_at(struct pl_cover *cover, struct pl_cover_run *run, struct pl_cover_thread *t,
                     const struct pl_operation *op, const struct pl_cover_event *event);
/*
 * The same at once, for a thread that stays in its function, and a statement that is where it
 * belongs.  False when it is otherwise; then nothing has been said.
 */
static inline bool pl_cover_run_stays(const struct pl_cover *cover, struct pl_cover_thread *t,
                                      const struct pl_operation *op, uint64_t caller,
                                      uint32_t depth)
{
    uint32_t at = pl_cover_statement_place(op->pc, caller);
    const struct pl_cover_statement *s = &cover->statements[at];
    uint32_t info = atomic_load_explicit(&s->info, memory_order_acquire);

    if (s->pc != op->pc || s->caller != caller || t->function == 0 ||
        (info & 0xffffff) != ((uint32_t)op->kind << 16 | t->function) || depth != t->depth ||
        t->slot == 0 || t->ended || pl_operation_is(op->kind, PL_ROLES(BEGINS, ENDS)))
        return false;
    t->statement = at;
    t->pc = op->pc;
    return true;
}

void pl_cover_run_see(struct pl_cover *cover, struct pl_cover_run *run, struct pl_cover_thread *t,
                      const struct pl_operation *op, bool several, uint64_t execution);

/* A thread has created another, which has done nothing yet; has waited for the end of another. */
void pl_cover_run_created(struct pl_cover_run *run, pl_tid creator, pl_tid created);
void pl_cover_run_joined(struct pl_cover_run *run, pl_tid joiner, pl_tid joined);

/* A thread has taken a lock by what it had last, unless that has no number; it gives it back. */
static inline void pl_cover_run_took(struct pl_cover_run *run, struct pl_cover_thread *t,
                                     uint64_t lock, bool shared)
{
    if (!run->crowd && t->statement != PL_COVER_NOTHING)
        pl_hold_begin(&t->hold, lock, shared, t->statement, ++run->holds);
}

static inline void pl_cover_run_gave(struct pl_cover *cover, struct pl_cover_run *run,
                                     struct pl_cover_thread *t, uint64_t lock, uint64_t execution)
{
    if (t->hold.n_locks > 0)
        pl_hold_end(cover, &run->pending, &t->hold, lock, execution);
}

/* Whether the thread has not said that it has come to this. */
static inline bool pl_cover_run_unsaid(const struct pl_cover_thread *t,
                                       const struct pl_operation *op, bool several)
{
    return t->pc != op->pc || t->slot == 0 || (several && t->function == 0);
}

/* The thread leaves the function at this depth. */
void pl_cover_run_left(struct pl_cover *cover, struct pl_cover_run *run, struct pl_cover_thread *t,
                       uint32_t depth, uint64_t execution);

static inline bool pl_cover_run_leaves(const struct pl_cover_thread *t, uint32_t depth)
{
    return (t->function != 0 && t->depth == depth) ||
           (depth < PL_COVER_DEPTHS && (t->open >> depth & 1) != 0);
}

/* If a thread waited where it stands, what would come of it? */
enum pl_cover_interest {
    PL_COVER_DULL,     /* nothing new */
    PL_COVER_PREPARES, /* others may come to where something new could be shown */
    PL_COVER_NEW,      /* a new task could be shown at once */
};
enum pl_cover_interest pl_cover_run_interest(const struct pl_cover *cover,
                                             const struct pl_cover_run *run,
                                             const struct pl_cover_thread *t);

/* How many tasks of M3 would be new in this campaign if the thread had this event, to which it has
 * come, now. */
unsigned pl_cover_run_risk(const struct pl_cover *cover, const struct pl_cover_run *run,
                           const struct pl_cover_thread *t, const struct pl_operation *op);

#endif /* PL_MODEL_COVER_H */
