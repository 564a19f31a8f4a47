/* SPDX-License-Identifier: MIT */
/*
 * The path of a depth-first search: the stack of choices that lead to the
 * current execution, for every strategy that searches that way.
 *
 * An execution repeats the stack, then takes the first of the ways to be tried
 * at every new choice.  Afterwards the deepest choice with a way left takes it.
 * Ways are numbered in the order of trying; which option of the view is the
 * n-th, and how many of them are to be tried at all, is the strategy's business.
 * So a strategy is its start() and its choose(), which calls pl_path_take(); the
 * other entries of its table are the functions below.
 *
 * A strategy may have a price on the ways and a bound on their sum: it counts
 * in `used`, which is 0 when an execution begins and right when one is resumed.
 * Ways that are too expensive are left out, and the next round has a bound that
 * is larger by 1.
 *
 * Ways that would show something new (context.risk) are tried before the others.  Which
 * they are is asked once, when the choice is first met, and kept with it: what has been shown
 * by then has its part in the order, and the order must be the same whenever it is looked at.
 *
 * When an execution shows that more memory is shared than was known, choices
 * were missing from earlier ones, so the search starts over.  The set of shared
 * memory only grows, so this ends.
 *
 * A part for another worker is cut off where it is largest, at the shallowest
 * choice with ways left: half of them, behind the path that leads there.
 * Choices on that path are not the other's to change: they end at what was
 * taken.
 */
#ifndef PL_STRATEGY_SHARED_PATH_H
#define PL_STRATEGY_SHARED_PATH_H

#include "strategy/shared/strategy.h"

enum { PL_PATH_ROUNDS = 60000, PL_PATH_RISKY = 32, PL_PATH_WEIGHED = 8, PL_PATH_LONGEST = 256 };

struct pl_path_frame {
    uint16_t order; /* position in the order of trying, not the option's index */
    uint16_t end;   /* orders from here on are left out, somebody else's, or do not exist */
    uint16_t options;
    uint16_t spent; /* `used` before this choice */
    uint32_t risky; /* bit per way of the strategy's order: it comes before those that are not */
    /* For estimates, if it is between few threads: by way, who would go on and how far that one has
     * come. */
    bool weighed;
    uint8_t threads[PL_PATH_WEIGHED];
    uint32_t events[PL_PATH_WEIGHED];
};

/* In the arena; what start() sets is set once, the rest is zero at first. */
struct pl_path {
    uint64_t n;     /* frames of the path to repeat */
    uint64_t depth; /* choices made in this execution */
    uint64_t capacity;
    uint64_t last_round;               /* at most PL_PATH_ROUNDS */
    bool open;                         /* the execution that was begun has not been ended */
    bool adopted;                      /* the path is another's: the last execution was not on it */
    bool left_out;                     /* since adopt(): something was too expensive */
    bool early_costs;                  /* so does a time-out that comes early (pcb.c) */
    uint16_t bound;                    /* on `used`: the round that this is */
    uint16_t used;                     /* by the choices of this execution so far */
    uint64_t pending;                  /* the next path as one word, while it is being set up */
    uint64_t split_depth;              /* what split() has written last: the frame, */
    uint16_t split_end;                /* and where it ends when that is gone */
    bool estimates;                    /* frames are weighed */
    uint32_t longest[PL_PATH_LONGEST]; /* by thread: how far it has come in any execution */
    struct pl_path_frame path[];
};

/* The option that is the order-th for the strategy. */
typedef unsigned pl_path_option(const struct pl_view *view, unsigned order);

static inline struct pl_path *pl_path_of(const struct pl_strategy_context *c)
{
    return (struct pl_path *)c->arena;
}

/* In start(): how long a path may be. */
void pl_path_start(struct pl_strategy_context *c);

/* In start() of a bounded search: also its parameter `bound`; NULL or `refusal`. */
const char *pl_path_start_bounded(struct pl_strategy_context *c, const char *refusal);

/* Entries of a strategy's table. */
void pl_path_begin(struct pl_strategy_context *c, uint64_t n);
bool pl_path_end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again);
bool pl_path_left_out(const struct pl_strategy_context *c);
uint64_t pl_path_last_round(const struct pl_strategy_context *c);
extern const struct pl_strategy_resumes pl_path_resumes;
extern const struct pl_strategy_divides pl_path_divides;
extern const struct pl_strategy_search pl_path_search;     /* cannot tell how much is left */
extern const struct pl_strategy_search pl_path_estimating; /* can: all ways are tried */

/* The program did not repeat itself: take what is there, count from here. */
void pl_path_stray(struct pl_strategy_context *c, struct pl_path_frame *f,
                   const struct pl_view *view, unsigned end);

/* Note for estimates who can go on at the choice. */
void pl_path_weigh(struct pl_path *s, struct pl_path_frame *f, const struct pl_view *view,
                   pl_path_option *option);

/* Of the first `end` ways those that would show something new. */
uint32_t pl_path_risky(const struct pl_strategy_context *c, const struct pl_view *view,
                       unsigned end, pl_path_option *option);
/* The way that the frame has come to, if some come before others. */
unsigned pl_path_way(const struct pl_path_frame *f);

/*
 * Which of the ways is taken at the choice that is due, of which the first
 * `end` are to be tried.
 */
static inline unsigned pl_path_take(struct pl_strategy_context *c, const struct pl_view *view,
                                    unsigned end, pl_path_option *option)
{
    struct pl_path *s = pl_path_of(c);

    PL_ASSERT(end > 0 && end <= view->options);
    if (s->depth >= s->capacity) {
        /* Ways that nobody will come back to. */
        pl_strategy_stray(c, "made more choices than can be remembered");
        return 0;
    }
    struct pl_path_frame *f = &s->path[s->depth++];

    if (s->depth > s->n) {
        *f = (struct pl_path_frame){
            .end = (uint16_t)end, .options = (uint16_t)view->options, .spent = s->used};
        if (s->estimates && view->kind == PL_CHOICE_THREAD)
            pl_path_weigh(s, f, view, option);
        if (c->risk != NULL && end > 1)
            f->risky = pl_path_risky(c, view, end, option);
        if (end < view->options)
            s->left_out = true;
        PL_STORE(s->n, s->depth);
    } else if (f->options != view->options) {
        pl_path_stray(c, f, view, end);
    }
    PL_ASSERT(f->order < f->options);
    return f->risky == 0 ? f->order : pl_path_way(f);
}

#endif /* PL_STRATEGY_SHARED_PATH_H */
