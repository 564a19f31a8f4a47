/* SPDX-License-Identifier: MIT */
/*
 * What a user gets without asking: a search that finishes where that is
 * possible, and samples where it is not.
 *
 * Executions are shared out among members, each a strategy with memory of its
 * own.  The first is dpor.  When it comes to its end, everything has been seen,
 * and auto ends, too; unless some of its executions were no whole answer, such as one in which a
 * loop was cut short: then the time that is left belongs to the others.  These sample, for auto:
 * hapset is a search as well, but its end means nothing here.
 *
 * The opening goes by a list, with what needs the fewest executions for most bugs.
 * The first execution is the one that is least like those that the program has when
 * left alone, and all accesses are points in it, since nothing is known yet of what is
 * shared.  Then the search has every third execution.  Later it gets most of them if the
 * samples say that there is little to see, because most show what others did, and few
 * if they do not.  It never gets none, unless the program does not
 * repeat itself: then it is given up until it starts over.
 *
 * Which member samples is drawn, in proportion to what its executions have
 * brought lately: orders of conflicting operations that nobody had shown,
 * classes that nobody had.  The pairs of conflicting operations are noted
 * whoever executes, so that `pairs` knows what all have seen; what is read from whom
 * is noted for `rff` in the opening.
 *
 * A worker whose colleague has the search samples only.  With one worker an
 * execution depends on the seed and on the executions before it.
 */
#include "base/text.h"
#include "strategy/rff/rff.h"
#include "strategy/samplers/pairs.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

enum member { SEARCH, GUIDED, LOCKSTEP, RFF, PAIRS, POS, SURW, PCT, RANDOM, MEMBERS };

static const struct {
    const struct pl_strategy *strategy;
    const char *parameters;
    unsigned weight; /* by what took long: bugs that the opening misses are mostly found by pos */
} members[MEMBERS] = {
    [SEARCH] = {&pl_dpor, "", 0},       [GUIDED] = {&pl_hapset, "", 0},
    [LOCKSTEP] = {&pl_lockstep, "", 0}, [RFF] = {&pl_rff, "", 4},
    [PAIRS] = {&pl_pairs, "", 3},       [POS] = {&pl_pos, "", 36},
    [SURW] = {&pl_surw, "", 2},         [PCT] = {&pl_pct, "2", 1},
    [RANDOM] = {&pl_random, "", 2},
};

/* Who makes the first executions; from then on the last few take turns. */
static const enum member opening[] = {LOCKSTEP, LOCKSTEP, RFF,    RFF,  RFF,    RFF,
                                      RFF,      RFF,      RFF,    RFF,  SEARCH, GUIDED,
                                      SEARCH,   SURW,     SEARCH, PAIRS};

enum {
    SLICE = 1 << 20,      /* bytes for a member that samples */
    TURNS = 6,            /* as many of the opening come again */
    OPENING = 48,         /* executions that go by it */
    EARLY = 256,          /* executions of which the search makes every third */
    BLOCK = 64,           /* later they take turns in blocks, so that the search can resume */
    ENOUGH = 100,         /* samples to conclude anything from */
    LEAST_AFTER = 1000,   /* where the search has ended but for its bounds, */
    TIMES_AFTER = 10,     /* and so many for each of its executions, if some fail too early */
    FULL_SCORE = 1 << 16, /* of a member that brings something new each time */
    LEAST_SCORE = FULL_SCORE / 8,
};

/* What an execution of the search may lack that samples can show. */
enum {
    FLAWS =
        PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_SLOW | PL_INCOMPLETE_CLOCK | PL_INCOMPLETE_PREEMPTED,
    /* What a bound of the search has left out: rounds of loops that samples go on with, time-outs
     * that come earlier than in samples.  There is an end to looking for that. */
    BOUNDS = PL_INCOMPLETE_ROUNDS | PL_INCOMPLETE_UNTIMELY
};

/* Of the executions of a block, how many are the search's. */
enum { MOST = BLOCK * 7 / 8, FEW = BLOCK / 8 };

struct state {
    uint64_t executions; /* of this worker */
    uint64_t searched;   /* those of the search since it last started over, */
    uint64_t samples;    /* and the others */
    enum member current, next;
    bool watched;   /* rff is told what is done */
    bool open;      /* an execution has begun and has not been ended */
    bool stopped;   /* the search cannot go on, */
    uint32_t lacks; /* why its executions are no whole answers, */
    bool ended;     /* and so it came to its end without having seen everything */
    bool over;      /* it has come to its end */
    bool guided;    /* so has the guided one */
    uint32_t scores[MEMBERS];
    struct pl_strategy_context contexts[MEMBERS];
    struct pl_settings settings[MEMBERS];
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

/* A slice for each that samples, more for the one that is guided; the search gets the rest. */
static void divide(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);
    uint64_t at = (sizeof(*s) + 4095) & ~UINT64_C(4095);

    for (unsigned i = MEMBERS; i-- > 0;) {
        s->contexts[i] = *c;
        s->contexts[i].settings = &s->settings[i];
        s->contexts[i].aims = NULL; /* it is our own samples that are led */
        s->contexts[i].arena = c->arena + at;
        s->contexts[i].arena_size = i == SEARCH   ? c->arena_size - at
                                    : i == GUIDED ? (c->arena_size / 4) & ~UINT64_C(4095)
                                                  : SLICE;
        at += s->contexts[i].arena_size;
    }
    PL_ASSERT(at == c->arena_size); /* nobody has what is not there */
}

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);
    const char *bad = NULL;

    if (c->settings->parameters[0] != '\0')
        return "auto has no parameters: leave them out.";
    divide(c);
    s->next = opening[0];
    for (unsigned i = 0; i < MEMBERS && bad == NULL; i++) {
        s->settings[i] = *c->settings;
        pl_text_copy(s->settings[i].parameters, sizeof(s->settings[i].parameters),
                     members[i].parameters);
        s->scores[i] = FULL_SCORE;
        bad = members[i].strategy->start(&s->contexts[i]);
    }
    return bad;
}

/* ---- who is next ---- */

/* Whether most samples showed what others had: then there is not much to see. */
static bool is_small(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    return s->samples >= ENOUGH && 2 * c->seen.once < s->samples;
}

static uint64_t share_of_search(const struct pl_strategy_context *c)
{
    return c->helped || is_small(c) ? MOST : FEW;
}

/* The searches let time-outs expire at any point: with another rule there are samples only. */
static bool is_barred(const struct pl_strategy_context *c)
{
    return c->settings->time_outs == PL_TIME_OUTS_LAST;
}

static bool is_turn_of_search(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    if (s->stopped || is_barred(c))
        return false;
    if (s->executions < EARLY)
        return s->executions % 3 == 0;
    return s->executions % BLOCK < share_of_search(c);
}

static uint64_t weight_of(const struct state *s, unsigned member)
{
    return (uint64_t)members[member].weight * (s->scores[member] + LEAST_SCORE);
}

/* Who makes the next sample. */
static enum member draw(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);
    uint64_t rng = pl_hash_add(c->settings->seed, s->executions), total = 0;
    unsigned i = RFF;

    for (unsigned k = RFF; k < MEMBERS; k++)
        total += weight_of(s, k);
    uint64_t at = (uint64_t)(((unsigned __int128)pl_rng_next(&rng) * total) >> 64);

    for (; at >= weight_of(s, i); i++)
        at -= weight_of(s, i);
    PL_ASSERT(i < MEMBERS && members[i].weight > 0);
    return (enum member)i;
}

/* Who has its turn in the opening; the guided search may have come to its end. */
static enum member turn_of_opening(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);
    const uint64_t n = sizeof(opening) / sizeof(opening[0]);
    enum member m =
        opening[s->executions < n ? s->executions : n - TURNS + (s->executions - n) % TURNS];

    if ((m == GUIDED && (s->guided || is_barred(c))) ||
        (m == SEARCH && (s->stopped || is_barred(c))))
        return RFF;
    return m;
}

static void plan(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    if (s->executions < OPENING)
        s->next = turn_of_opening(c);
    else
        s->next = is_turn_of_search(c) ? SEARCH : draw(c);
}

/* ---- an execution ---- */

/* The context of the member whose execution it is, with what is true now. */
static struct pl_strategy_context *current(const struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    PL_ASSERT(s->current < MEMBERS);
    pl_strategy_tell(c, &s->contexts[s->current]);
    return &s->contexts[s->current];
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    if ((s->next == SEARCH || s->next == GUIDED) && c->helping)
        s->next = draw(c);
    PL_ASSERT(s->next < MEMBERS);
    s->current = s->next;
    for (unsigned i = 0; i < MEMBERS; i++) {
        s->contexts[i].profile = c->profile;
        s->contexts[i].measure = c->measure;
        s->contexts[i].attempt = c->attempt;
        s->contexts[i].impossible = false;
    }
    if (s->current != PAIRS)
        pl_pairs_watch(&s->contexts[PAIRS]);
    s->watched = s->current == RFF || s->executions < OPENING;
    if (s->current != RFF && s->watched)
        pl_rff_watch(&s->contexts[RFF], n);
    members[s->current].strategy->begin(&s->contexts[s->current], n);
    s->open = true;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);

    PL_ASSERT(s->open);
    struct pl_strategy_context *own = current(c);
    unsigned taken = members[s->current].strategy->choose(own, view);

    c->impossible = s->current == SEARCH && own->impossible;
    return taken;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);
    const struct pl_strategy *m = members[s->current].strategy;

    struct pl_strategy_context *own = current(c);

    if (m->observe != NULL)
        m->observe(own, op);
    c->impossible = s->current == SEARCH && own->impossible;
    if (s->current != PAIRS)
        pl_pairs.observe(&s->contexts[PAIRS], op);
    if (s->current != RFF && s->watched)
        pl_rff.observe(&s->contexts[RFF], op);
}

static bool idle(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t from)
{
    struct state *s = state_of(c);
    const struct pl_strategy *m = members[s->current].strategy;

    return m->idle != NULL && m->idle(current(c), op, from);
}

static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct state *s = state_of(c);
    const struct pl_strategy *m = members[s->current].strategy;

    if (m->last != NULL)
        m->last(current(c), next, n);
}

/* ---- what came of it ---- */

/* The score is a mean that forgets: the last eight or so executions count most. */
static void reward(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);
    bool order = pl_pairs_fresh(&s->contexts[PAIRS]) > 0;
    uint32_t *score = &s->scores[s->current];
    uint32_t brought = order ? FULL_SCORE : c->seen.fresh ? FULL_SCORE / 2 : 0;

    *score = *score - *score / 8 + brought / 8;
    PL_ASSERT(*score <= FULL_SCORE);
}

/* The search is at its beginning. */
static void forget(struct state *s)
{
    s->searched = s->samples = 0;
    s->stopped = s->over = s->guided = s->ended = false;
    s->lacks = 0;
}

static void conclude(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct state *s = state_of(c);
    bool strayed = c->divergence->happened;
    bool more = members[s->current].strategy->end(&s->contexts[s->current], outcome, false);

    if (s->current != RFF && s->watched)
        pl_rff.end(&s->contexts[RFF], outcome, false);
    s->guided |= s->current == GUIDED && !more;
    reward(c);
    s->samples += s->current != SEARCH;
    if (s->current != SEARCH)
        return;
    PL_ASSERT(!c->helping); /* whose the search is */
    s->searched++;
    if (c->board != NULL)
        s->lacks |= c->board->incomplete & (FLAWS | BOUNDS);
    s->ended = !more && !strayed && s->lacks != 0;
    s->stopped = strayed || s->ended;
    s->over = !more && !s->stopped;
}

/*
 * Samples keep to few early time-outs.  They may show that those are enough for what the search has
 * shown with more; and they go round loops more often than the search does.  But where nothing else
 * is missing, there is an end to that.
 */
static bool have_tried(const struct state *s)
{
    uint64_t times = (s->lacks & PL_INCOMPLETE_UNTIMELY) != 0 ? TIMES_AFTER : 0;

    return s->ended && (s->lacks & FLAWS) == 0 && s->samples >= LEAST_AFTER + times * s->searched;
}

static void state_coverage(struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    *c->coverage = (struct pl_coverage){
        .known = true,
        .pairs = pl_pairs_count(&s->contexts[PAIRS]),
        .searched = s->searched,
        .stopped = s->stopped,
        .ended = s->ended,
    };
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);

    if (outcome == PL_OUTCOME_LOST && !again) {
        members[s->current].strategy->end(&s->contexts[s->current], outcome, false);
        return true; /* the same once more */
    }
    if (again) {
        for (unsigned i = 0; i < MEMBERS; i++)
            members[i].strategy->end(&s->contexts[i], outcome, true);
        forget(s);
    } else if (s->open) {
        conclude(c, outcome);
    }
    if (s->open) {
        s->executions++;
        plan(c);
        s->open = false;
    }
    state_coverage(c);
    return !s->over && !have_tried(s);
}

static unsigned callers(const struct pl_strategy_context *c)
{
    return pl_rff.callers(&state_of(c)->contexts[RFF]);
}

static bool sample(const struct pl_strategy_context *c)
{
    return state_of(c)->current != SEARCH;
}

static const struct pl_strategy *member(const struct pl_strategy_context *c)
{
    return members[state_of(c)->current].strategy;
}

/* Only the search comes back to where it was. */
static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    return s->current == SEARCH && s->next == SEARCH
               ? pl_dpor.resumes->repeats(&s->contexts[SEARCH])
               : 0;
}

static uint64_t place(const struct pl_strategy_context *c)
{
    return pl_dpor.resumes->place(&state_of(c)->contexts[SEARCH]);
}

static uint64_t departs(const struct pl_strategy_context *c)
{
    return pl_dpor.resumes->departs(&state_of(c)->contexts[SEARCH]);
}

static void resume(struct pl_strategy_context *c, uint64_t n, uint64_t at)
{
    pl_dpor.resumes->resume(&state_of(c)->contexts[SEARCH], n, at);
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    struct state *s = state_of(c);

    pl_dpor.search->adopt(&s->contexts[SEARCH], part, size);
    pl_hapset.search->adopt(&s->contexts[GUIDED], NULL, 0);
    forget(s);
}

static const struct pl_strategy_resumes resumes = {
    .repeats = repeats, .place = place, .departs = departs, .resume = resume};
static const struct pl_strategy_search search = {.adopt = adopt};

const struct pl_strategy pl_auto = {
    .name = "auto",
    .traits = PL_TRAITS_OF_auto,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .idle = idle,
    .last = last,
    .end = end,
    .resumes = &resumes,
    .search = &search,
    .callers = callers,
    .sample = sample,
    .member = member,
};
