/* SPDX-License-Identifier: MIT */
/*
 * The question every strategy answers: of the threads that could go on now,
 * which one does?
 *
 * A strategy sees an execution as a sequence of choices.  It never sees pthread
 * objects, processes or files; all it may use is in the view it is handed.  So
 * a strategy is a page or two long, and a unit test can drive it with views
 * written by hand.
 *
 * Strategies run inside the program under test, between two of its
 * instructions.  They must not allocate, lock or call libc.  Their state lives
 * on the board and outlives executions.
 *
 * Several workers may explore together, each with a state of its own.  A
 * strategy that is not exhaustive needs to do nothing for that: an execution
 * depends on its number only, and every number is executed once, by whichever
 * worker takes it.  An exhaustive one begins with all of the search in one
 * worker, by adopt(), and hands parts to others by split() and cut().
 *
 * The process may die in any of these calls, and another goes on with what it
 * finds in the arena.  An execution that was cut short is done again, after an
 * end() with PL_OUTCOME_LOST.
 */
#ifndef PL_STRATEGY_SHARED_STRATEGY_H
#define PL_STRATEGY_SHARED_STRATEGY_H

#include "base/text.h"
#include "model/board.h"
#include "model/choice.h"
#include "model/coverage.h"
#include "model/cycle.h"
#include "model/estimate.h"
#include "model/hapset.h"
#include "model/judged.h"
#include "model/operation.h"
#include "model/pair.h"
#include "model/reads_from.h"
#include "model/strategy.h"

/* Nothing that the compiler may reorder: after a death only what was stored counts. */
#define PL_STORE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELEASE)

/*
 * Answers of choose() that are no option: the execution ends here, with
 * PL_OUTCOME_CUT or PL_OUTCOME_ABORTED.  It is counted, but its class is not, and
 * last() is not called.
 */
enum { PL_CHOOSE_CUT = 0x10000, PL_CHOOSE_ABORT = 0x10001 };

/* What is known when a choice is due.  Valid only during the call. */
struct pl_view {
    uint64_t depth;         /* number of choices made in this execution */
    uint8_t kind;           /* enum pl_choice_kind */
    unsigned options;       /* at least 2, unless the strategy has the trait ALWAYS */
    int running;            /* index of the option that means "go on as before", or -1 */
    struct pl_operation at; /* what the thread at the point is about to do */
    const struct pl_operation *const *next; /* THREAD and WAITER: what option i is about to do */
    /* THREAD, with the trait ALWAYS: what those who cannot go on are about to do. */
    const struct pl_operation *const *blocked;
    unsigned n_blocked;
    uint64_t digest; /* of the operations so far */
};

/* Memory that outlives executions and is zero at first. */
struct pl_strategy_context {
    const struct pl_settings *settings;
    unsigned char *arena;
    uint64_t arena_size;
    const struct pl_step *steps; /* the schedule to replay or to minimise */
    uint64_t n_steps;
    const struct pl_board *board;     /* what the execution that has ended came to; for minimize */
    struct pl_divergence *divergence; /* where a replay says that it went astray */
    bool replaying;                   /* the strategy is replay: it alone decides who goes on */
    bool following;                   /* it has steps left */
    bool stuck;                       /* the execution ended because nobody could go on */
    bool learned;    /* this execution has shown more to choose: it will not count */
    unsigned n_kept; /* told at the end, behind what threads were about to do: so many operations
                        that others kept from happening, with what they did that to as `other` */
    bool withheld;   /* a thread that could go on is not offered: it goes round and round */
    bool held_back;  /* one is not because it has had all operations that it may perform, or an
                        assumption does not hold */
    bool impossible; /* the strategy says: the order it was made for does not exist */
    bool took;       /* the last choice was a step of the schedule */
    /*
     * For strategies with the trait PROFILED: how large the program is.  NULL while that
     * is not known: then this very execution is measured.  It has to be random,
     * and as random numbers go to depend on `measure` in place of its number:
     * whichever worker comes to measure gets the same profile.
     */
    const struct pl_profile *profile;
    uint64_t measure;
    uint32_t attempt; /* of a sample: how often its number has been drawn in vain */
    uint64_t round;   /* for adopt(), from 0; see left_out() */
    /* For begin(), with the trait HELPS: the search is another worker's; it is ours, and others
     * help. */
    bool helping, helped;
    /* For end(): what was seen before it, and where a strategy says what it has covered; or NULL.
     */
    struct pl_seen seen;
    struct pl_coverage *coverage;
    struct pl_hapset *hapset; /* of all workers: orders of statements that have been shown */
    struct pl_reads_from *reads_from; /* of all workers: what has been read from which writes */
    /*
     * With the trait PAIRED or AIMS, from begin() on: what the analyser knows of the program.
     * NULL: it was not built for that, or its code is where the table does not say.
     */
    const struct pl_pair_table *pairs;
    struct pl_judgements *verdicts; /* with it, of all workers: what came of attempts; or NULL */
    /*
     * With it: where a thread is, the pc of its operation and then return addresses of callers,
     * innermost first; returns how many.  `whole`: they go down to the thread's beginning.
     */
    unsigned (*stack)(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole);
    /*
     * With the trait AIMS: whether orders of static pairs are open that a sample may be led to, as
     * the next one then is; see model/goal.h.  NULL: nobody leads it.
     */
    bool (*aims)(void);
    /*
     * In choose(), between threads: how many orders of statements the operation of an option would
     * show, if it came now, that no execution of the campaign has shown (M3 of model/cover.h).
     * The answer changes as executions are made: whoever must come to the same decision again
     * keeps it.  NULL: what is new has no part in the order of the search.
     */
    unsigned (*risk)(const struct pl_operation *op);
    /* During an execution: whether the thread of this name is in a loop, and not offered until
     * somebody writes what it looks at.  NULL: nobody ever is. */
    bool (*parked)(uint64_t name);
    /* During an execution: a deadlock that it does not come to, but that others may. */
    void (*predict)(const struct pl_cycle *cycle);
};

/*
 * What a strategy can do besides, in structs of what belongs together.  A pointer to one is
 * NULL where the strategy cannot; its functions are all there where it can, unless noted.
 */

/* Of a strategy that comes back to choices which an execution has made before. */
struct pl_strategy_resumes {
    /*
     * After end(): with how many of the choices just made the next execution
     * begins.  It may then be resumed there instead of being begun: resume() is
     * called after begin(), and the first choice asked for is that number.
     */
    uint64_t (*repeats)(const struct pl_strategy_context *c);
    /*
     * During an execution, before a thread is chosen: where it is, as the strategy counts, which
     * resume() is told beside the number of choices.  NULL: the number says it.
     */
    uint64_t (*place)(const struct pl_strategy_context *c);
    /* After end(): the place that the next execution departs from, there where place() is.  It may
     * lie before one with the same number of choices: whoever was the only one who could go on
     * need not be so next time. */
    uint64_t (*departs)(const struct pl_strategy_context *c);
    void (*resume)(struct pl_strategy_context *c, uint64_t n, uint64_t place);
};

/* It is a search that comes to an end: every strategy with the trait EXHAUSTIVE, and no other. */
struct pl_strategy_search {
    /*
     * Begin with a part that another worker has written, of `size` bytes; with
     * all there is when size is 0.  What was planned before is dropped.
     */
    void (*adopt)(struct pl_strategy_context *c, const unsigned char *part, uint64_t size);

    /*
     * Between two executions: how much of the search is left to this worker.
     * NULL: it cannot tell.
     */
    void (*estimate)(const struct pl_strategy_context *c, struct pl_estimate *e);
};

/* A search that several workers share. */
struct pl_strategy_divides {
    /*
     * Between two executions: write a part of what is left, the larger the
     * better, as at most `size` bytes, and return how many; 0 when there is
     * nothing to part with.  The part stays our own work until cut(), which
     * takes out of it what the last split() has written, and may be called
     * twice for it.
     */
    uint64_t (*split)(struct pl_strategy_context *c, unsigned char *part, uint64_t size);
    void (*cut)(struct pl_strategy_context *c);
};

/*
 * A search in rounds, of which each sees more than the one before.  When nobody has work and
 * anybody has left something out, the next round begins with the adopt() of all there is, unless
 * this was the last.
 */
struct pl_strategy_rounds {
    /* After an end() that was false: whether executions were left out since adopt() that a later
     * round has. */
    bool (*left_out)(const struct pl_strategy_context *c);
    uint64_t (*last)(const struct pl_strategy_context *c); /* the number of the last round */
    const char *bounds; /* what the number of the round is the most of, in the singular */
};

struct pl_strategy {
    const char *name; /* as in its row of model/strategies.def, and as spelled after --strategy */
    uint32_t traits;  /* what that row says: PL_TRAITS_OF_name */

    /*
     * Once per campaign.  Returns NULL or a sentence that says which parameter
     * makes no sense and what would.
     */
    const char *(*start)(struct pl_strategy_context *c);

    /* Prepare execution number n, from 1. */
    void (*begin)(struct pl_strategy_context *c, uint64_t n);

    /*
     * Return an option's index.  Equal states and equal views must give equal
     * answers on every machine, or replay breaks.
     */
    unsigned (*choose)(struct pl_strategy_context *c, const struct pl_view *view);

    /*
     * A signal or a cancellation waits for the thread that is about to do `op`, an access to
     * memory: false if it goes by a schedule that was recorded when that access was no point, so
     * that nothing came before it.  NULL: whatever waits comes at once.  The place is then a choice
     * of the kind PL_CHOICE_WAY with one option.
     */
    bool (*takes)(struct pl_strategy_context *c, const struct pl_operation *op);

    /*
     * The name of the thread that the schedule has go on at this choice of a thread, of which the
     * options are not known yet; 0: it is at its end.  What that thread waits for may be on its
     * way.  NULL: there is no schedule.
     */
    uint64_t (*wants)(const struct pl_strategy_context *c, const struct pl_view *view);

    /* The operation has been performed.  May be NULL. */
    void (*observe)(struct pl_strategy_context *c, const struct pl_operation *op);

    /*
     * The thread that is about to do `op` is in the state in which it was before its operation
     * number `from`, and has changed nothing since: as if it had not moved.  True: with that the
     * execution is like others, and ends here with PL_OUTCOME_ABORTED.  May be NULL.
     */
    bool (*idle)(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t from);

    /*
     * The execution ends here: what threads were about to do, with the way it
     * could go on.  Not called when the process is killed from outside.  May be
     * NULL.
     */
    void (*last)(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n);

    /*
     * Plan the next execution.  False when every execution of interest has been
     * seen.  `again`: more memory turned out to be shared; what was concluded
     * from earlier executions may not hold.  After a death it may be called a
     * second time for the same execution: that changes nothing more.
     */
    bool (*end)(struct pl_strategy_context *c, enum pl_outcome outcome, bool again);

    const struct pl_strategy_resumes *resumes;
    const struct pl_strategy_search *search;
    const struct pl_strategy_divides *divides; /* with `search` only */
    const struct pl_strategy_rounds *rounds;   /* with `search` only */

    /*
     * After an end() that was false: whether executions were left out for good,
     * because they would have shown no order of statements that is new.  Then the search is
     * over, but not complete.  NULL: it never does that.
     */
    bool (*pruned)(const struct pl_strategy_context *c);

    /*
     * Operations are to have their statements: how many callers make two of them
     * different, up to PL_COVER_CALLERS.  NULL: they need not.
     */
    unsigned (*callers)(const struct pl_strategy_context *c);

    /*
     * From begin() until after end(): whether the execution is a sample, which
     * does not belong to the search and says nothing about how complete that is.
     * NULL: no execution of an exhaustive strategy is.
     */
    bool (*sample)(const struct pl_strategy_context *c);

    /*
     * After begin(): whose execution it is.  NULL: its own, as of every strategy that does not
     * share executions out.
     */
    const struct pl_strategy *(*member)(const struct pl_strategy_context *c);
};

/* Whether it has any of these traits: pl_strategy_is(s, PL_TRAIT_FREE). */
static inline bool pl_strategy_is(const struct pl_strategy *strategy, uint32_t traits)
{
    return (strategy->traits & traits) != 0;
}

/* The strategy of a row. */
const struct pl_strategy *pl_strategy_at(enum pl_strategy_number number);

/* NULL when no strategy has that name. */
const struct pl_strategy *pl_strategy_find(const char *name);

/* What a strategy that has another one choose tells it of the state in which it does: what `c` says
 * may change from choice to choice, and the other has a context of its own. */
static inline void pl_strategy_tell(const struct pl_strategy_context *c,
                                    struct pl_strategy_context *other)
{
    other->stuck = c->stuck;
    other->learned = c->learned;
    other->n_kept = c->n_kept;
    other->withheld = c->withheld;
    other->held_back = c->held_back;
}

/* The execution is not what it should have been; the first reason is kept, for people. */
static inline void pl_strategy_stray(struct pl_strategy_context *c, const char *why)
{
    if (!c->divergence->happened)
        pl_text_copy(c->divergence->text, sizeof(c->divergence->text), why);
    c->divergence->happened = true;
}

/* The same, of two operations, of which either may be NULL: what was there before, and what is. */
static inline void pl_strategy_stray_at(struct pl_strategy_context *c, const char *why,
                                        const struct pl_operation *expected,
                                        const struct pl_operation *actual)
{
    static const struct pl_operation none;

    if (!c->divergence->happened) {
        c->divergence->expected = expected != NULL ? *expected : none;
        c->divergence->actual = actual != NULL ? *actual : none;
    }
    pl_strategy_stray(c, why);
}

#endif /* PL_STRATEGY_SHARED_STRATEGY_H */
