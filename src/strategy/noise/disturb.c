/* SPDX-License-Identifier: MIT */
/* See disturb.h. */
#include "strategy/noise/disturb.h"

#include "strategy/shared/draw.h"
#include "strategy/shared/parameters.h"

#include <stddef.h>

enum {
    BOOST = 4,
    SILENT_THREADS = 40, /* percent, and so are these: */
    STRETCHED_RUNS = 8,
    UNEVEN_RUNS = 8,
    QUIET_BEGINNINGS = 30,
    MANY = 16,      /* events that leave room for a quiet stretch */
    INSTANT = 2000, /* nanoseconds that a disturbance without a length takes */
    BURSTS = 75,    /* percent */
    LONGER = 8,     /* times, at most */
    SECOND = 1000000000,
    STACK = 1 << 20,      /* bytes of it that are likely to be used */
    LIKE_CAP = 100000000, /* nanoseconds that somebody who does not wait is waited for */
    OFTEN = 128,          /* visits of a place after which it is like any other; a power of two */
};

#define DULL 0.001 /* of candidates: with fewer that show something, all of them count */

/* ---- the plan ---- */

static const char *const kinds[] = {"sleep", "yield", "priority", "busy", "halt", "mixed", "none"};
static const char *const distributions[] = {"uniform", "exponential", "fixed"};
static const char *const directions[] = {"off", "m1", "m2", "m3", "all"};
static const char *const places[] = {"all", "sync", "shared", "predicted"};
static const char *const records[] = {"full", "light", "none"};

#define COUNT(words) ((unsigned)(sizeof(words) / sizeof((words)[0])))

void pl_disturb_usual(struct pl_disturb_plan *plan)
{
    *plan = (struct pl_disturb_plan){
        .kind = PL_DISTURB_SLEEP,
        .distribution = PL_DISTURB_EXPONENTIAL,
        .quiet = 4,
        .random = 15,
        .cost = 300,
        .cap_ns = 20000000,
    };
}

static const struct pl_environment environments[] = {
#define PL_ENVIRONMENT(name, starts, percent, one_core, slice_us, text) \
    {name, text, PL_STARTS_##starts, percent, one_core, slice_us},
#include "strategy/noise/environments.def"
#undef PL_ENVIRONMENT
};

const struct pl_environment *pl_disturb_environment(const struct pl_disturb_plan *plan)
{
    PL_ASSERT(plan->like <= COUNT(environments));
    return plan->like != 0 ? &environments[plan->like - 1] : NULL;
}

bool pl_disturb_at_once(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                        uint64_t name)
{
    const struct pl_environment *e = pl_disturb_environment(plan);
    uint64_t rng = pl_hash_add(run->seed, name);

    return e != NULL && e->starts == PL_STARTS_DRAWN && pl_draw_percent(&rng, e->percent);
}

static bool read_word(const char *parameters, const char *key, bool first, const char *const *words,
                      unsigned n, uint8_t *to)
{
    unsigned value = *to;
    bool good = pl_parameter_word(parameters, key, first, words, n, &value);

    *to = (uint8_t)value;
    return good;
}

static bool read_percent(const char *parameters, const char *key, uint8_t *to)
{
    uint64_t value = *to;

    if (!pl_parameter_number(parameters, key, false, &value) || value > 100)
        return false;
    *to = (uint8_t)value;
    return true;
}

/* A word that stands for the default, or a number. */
static bool is_word(const char *parameters, const char *key, const char *word)
{
    unsigned which = 0;
    const char *const words[] = {"", word};

    return pl_parameter_word(parameters, key, false, words, 2, &which) && which == 1;
}

static bool read_probability(const char *parameters, uint16_t *to)
{
    uint64_t value = UINT64_MAX;

    if (is_word(parameters, "probability", "auto"))
        return true;
    if (!pl_parameter_decimal(parameters, "probability", &value))
        return false;
    if (value == UINT64_MAX)
        return true; /* none is given */
    *to = (uint16_t)value;
    return value > 0 && value <= 10000;
}

static bool read_cost(const char *parameters, struct pl_disturb_plan *p)
{
    uint64_t value = UINT64_MAX;

    if (is_word(parameters, "cost", "off")) {
        p->cost = 0;
        return true;
    }
    if (!pl_parameter_decimal(parameters, "cost", &value))
        return false;
    if (value == UINT64_MAX)
        return true; /* none is given */
    p->cost = (uint32_t)value;
    p->strict = true;
    return value >= 105 && value <= 100000;
}

static bool read_length(const char *parameters, const char *key, uint64_t *to)
{
    return is_word(parameters, key, "auto") ||
           (pl_parameter_time(parameters, key, to) &&
            (*to == 0 || (*to >= 1000 && *to <= 10 * (uint64_t)SECOND)));
}

/* An environment as it is, unless something else is asked for as well. */
static bool read_like(struct pl_disturb_plan *p, const char *text)
{
    const char *words[COUNT(environments) + 1] = {""};

    for (unsigned i = 0; i < COUNT(environments); i++)
        words[i + 1] = environments[i].name;
    if (!read_word(text, "like", false, words, COUNT(words), &p->like))
        return false;
    if (p->like == 0)
        return true;
    p->kind = PL_DISTURB_NONE;
    p->cost = 0;
    p->cap_ns = LIKE_CAP;
    return true;
}

/* The words; see pl_disturb_read(). */
static const char *read_words(struct pl_disturb_plan *p, const char *text)
{
    if (!read_word(text, "kind", true, kinds, COUNT(kinds), &p->kind))
        return "noise is none of sleep, yield, priority, busy, halt, mixed and none. Give one of "
               "them first, as in noise:sleep.";
    if (!read_word(text, "distribution", false, distributions, COUNT(distributions),
                   &p->distribution))
        return "distribution= of noise is uniform, exponential or fixed.";
    if (!read_word(text, "direct", false, directions, COUNT(directions), &p->direct))
        return "direct= of noise is m1, m2, m3, all or off.";
    if (!read_word(text, "at", false, places, COUNT(places), &p->at))
        return "at= of noise is all, sync, shared or predicted.";
    if (!read_word(text, "record", false, records, COUNT(records), &p->record))
        return "record= of noise is full, light or none.";
    return NULL;
}

const char *pl_disturb_read(struct pl_disturb_plan *p, const char *text)
{
    static const char *const keys[] = {"kind",         "probability", "length", "cap",
                                       "distribution", "cost",        "quiet",  "direct",
                                       "random",       "at",          "record", "like"};

    if (!pl_parameters_known(text, keys, COUNT(keys), true))
        return "noise has the parameters kind, probability, length, cap, distribution, cost, "
               "quiet, direct, random, at, record and like. Give key=value with commas between "
               "them.";
    if (!read_like(p, text))
        return "like= of noise is eager, lazy, coin, one-core or slices.";
    if (!read_probability(text, &p->per_10000))
        return "probability= of noise is the percentage of events that are disturbed, from 0.01 "
               "to 100, or auto.";
    if (!read_length(text, "length", &p->length_ns))
        return "length= of noise is a time from 1us to 10s such as 200us or 1.5ms, or auto.";
    if (!read_length(text, "cap", &p->cap_ns) || p->cap_ns == 0)
        return "cap= of noise is a time from 1us to 10s such as 5ms.";
    if (p->length_ns > p->cap_ns)
        return "length= of noise is beyond cap=, the longest sleep. Give a larger cap=.";
    if (!read_cost(text, p))
        return "cost= of noise is how many times longer executions may take, from 1.05 to 1000, "
               "such as 2.0; or off.";
    if (!read_percent(text, "quiet", &p->quiet))
        return "quiet= of noise is the percentage of executions that are not disturbed, from 0 to "
               "100.";
    if (!read_percent(text, "random", &p->random))
        return "random= of noise is the percentage of decisions left to chance, from 0 to 100.";
    return read_words(p, text);
}

/* ---- the run ---- */

/* The gap that has just this probability when it is counted down event by event. */
static double even_gap(double p)
{
    if (p < 0.3)
        return 1 / (p * (1 + p * (0.5 + p / 3))); /* where the logarithm is not good enough */
    return 1 / pl_draw_logarithm((uint64_t)((1 - p) * 0x1p63) * 2 + 1);
}

/* How much events count between two disturbances: most programs have a handful of events. */
static double draw_gap(const struct pl_disturb_plan *plan, uint64_t *rng)
{
    if (plan->per_10000 != 0)
        return even_gap(plan->per_10000 / 10000.0);
    return PL_DISTURB_WEIGHT *
           (pl_draw_percent(rng, 85) ? pl_draw_wide(rng, -1.5, 1.2) : pl_draw_wide(rng, 1, 12));
}

/* Mostly a time in which others do something, and not everything. */
static double draw_length(const struct pl_disturb_plan *plan, uint64_t *rng)
{
    if (plan->length_ns != 0)
        return (double)plan->length_ns;
    if (plan->kind == PL_DISTURB_YIELD || plan->kind == PL_DISTURB_PRIORITY)
        return INSTANT;
    return pl_draw_percent(rng, 75) ? pl_draw_wide(rng, 15.6, 19.3) /* 50 to 650 microseconds */
                                    : pl_draw_wide(rng, 14.3, 22);  /* 20 to 4000 */
}

/*
 * Fit the run to what it may cost.  If that is less than all disturbances would take, there are
 * fewer of them; or they begin at some time, and the first of them use it up.  If it is more,
 * and is to be used up, they are longer.
 */
static void fit(const struct pl_disturb_plan *plan, const struct pl_disturb_means *means,
                uint64_t *rng, struct pl_disturb_run *run)
{
    double beginnings = means->threads * (run->create + run->begin) / 100 * run->beginning;
    double times = means->weight / run->gap + beginnings;
    double allowed = means->extra_ns * (means->scale > 0 ? means->scale : 1) / run->length_ns;

    if (means->weight > 0 && run->gap > means->weight && plan->per_10000 == 0)
        run->gap = means->weight * pl_draw_wide(rng, -2, 0); /* there should be one at all */
    if (means->weight <= 0 || means->extra_ns <= 0)
        return;
    if (times > allowed && pl_draw_percent(rng, BURSTS)) {
        run->late = pl_draw_percent(rng, 15) ? pl_draw_share(rng) : 0;
    } else if (times > allowed) {
        double left = allowed - beginnings;

        run->gap = means->weight / (left < allowed / 4 ? allowed / 4 : left);
    } else if (plan->strict && plan->length_ns == 0) {
        run->length_ns *= allowed / times < LONGER ? allowed / times : LONGER;
    }
}

void pl_disturb_begin(const struct pl_disturb_plan *plan, uint64_t seed, uint64_t n,
                      const struct pl_disturb_means *means, struct pl_disturb_run *run)
{
    static const uint8_t percents[] = {0, 0, 0, 30, 100}, factors[] = {1, 1, 2, 8};
    uint64_t rng = pl_hash_add(pl_hash_mix(seed), n);

    *run = (struct pl_disturb_run){.seed = rng, .even = plan->per_10000 != 0};
    run->silent = pl_draw_percent(&rng, plan->quiet) || plan->kind == PL_DISTURB_NONE;
    run->stretches = pl_draw_percent(&rng, STRETCHED_RUNS) && plan->quiet > 0 &&
                     (means->weight <= 0 || means->weight > MANY * PL_DISTURB_WEIGHT);
    run->uneven = pl_draw_percent(&rng, UNEVEN_RUNS) && plan->quiet > 0;
    run->create = percents[pl_rng_below(&rng, COUNT(percents))];
    run->begin = percents[pl_rng_below(&rng, COUNT(percents))];
    run->beginning = factors[pl_rng_below(&rng, COUNT(factors))];
    run->dull = means->news >= 0 && means->news < DULL;
    run->gap = draw_gap(plan, &rng);
    run->length_ns = draw_length(plan, &rng);
    fit(plan, means, &rng, run);
    PL_ASSERT(run->gap > 0 && run->length_ns > 0);
    PL_ASSERT(run->late >= 0 && run->late < 1);
}

double pl_disturb_weight(const struct pl_disturb_run *run)
{
    return run->made * run->gap;
}

/* ---- a thread ---- */

static void set_left(struct pl_disturber *d, double weight)
{
    d->left = weight > 1e15 ? (int64_t)1e15 : (int64_t)weight + 1;
}

/* From here on the thread is disturbed, until the next disturbance or the end of the stretch. */
static void draw_next(struct pl_disturber *d)
{
    double gap = pl_draw_exponential(&d->rng) * d->gap;

    PL_ASSERT(!d->quiet);
    if (gap > d->stretch)
        gap = d->stretch;
    set_left(d, gap);
    d->stretch -= gap;
}

static void begin_stretch(const struct pl_disturb_run *run, struct pl_disturber *d, bool quiet)
{
    double unit = run->even ? 1 : PL_DISTURB_WEIGHT;

    d->quiet = quiet;
    if (quiet) {
        set_left(d, unit * pl_draw_wide(&d->rng, 2, 12));
        return;
    }
    d->stretch = run->stretches ? unit * pl_draw_wide(&d->rng, 2, 10) : 1e15;
    draw_next(d);
}

/* There can be no more candidates than events. */
static uint8_t boost_of(const struct pl_disturb_run *run, double gap)
{
    double most = gap / (run->even ? 1 : PL_DISTURB_WEIGHT);

    return most < 1 ? 1 : most > BOOST ? BOOST : (uint8_t)most;
}

void pl_disturb_thread(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                       uint64_t name, uint64_t stack, struct pl_disturber *d)
{
    *d = (struct pl_disturber){.rng = pl_hash_add(run->seed, name), .stack = stack};
    d->silent = run->silent || (run->uneven && pl_draw_percent(&d->rng, SILENT_THREADS));
    d->gap = run->even ? run->gap : run->gap * pl_draw_wide(&d->rng, -1, 1);
    d->boost = plan->direct != PL_DISTURB_OFF ? boost_of(run, d->gap) : 1;
    PL_ASSERT(d->boost >= 1 && d->boost <= BOOST && d->gap > 0);
    d->gap /= d->boost;
    begin_stretch(run, d, run->stretches && pl_draw_percent(&d->rng, QUIET_BEGINNINGS));
}

/* ---- an event ---- */

/* Whether it is likely to be a variable of the thread's own. */
static bool is_own(const struct pl_disturber *d, uint64_t addr)
{
    return d->stack != 0 && addr - (d->stack - STACK) < 2 * STACK;
}

/*
 * How much the first events of a kind count.  A delay before a write makes every time longer in
 * which what the thread has seen before it still holds; one before a read does so only for what it
 * has written.  To end later, or to wait longer than one waits anyway, shows little.
 */
static unsigned weight_of(unsigned kind)
{
    if (pl_operation_is(kind, PL_ROLE_LOADS))
        return PL_DISTURB_WEIGHT / 4;
    if (pl_operation_is(kind, PL_ROLES(CREATES, BEGINS, ENDS, JOINS, PAUSES, QUITS)) &&
        !pl_operation_is(kind, PL_ROLE_TIMED))
        return PL_DISTURB_WEIGHT / 8;
    return PL_DISTURB_WEIGHT;
}

static struct pl_disturb_site *site_of(struct pl_disturber *d, uint64_t pc)
{
    return &d->sites[pc * UINT64_C(0x9e3779b97f4a7c15) >> 56 & (PL_DISTURB_SITES - 1)];
}

/*
 * Whether events there are looked at.  That is asked when the place is new to the thread, and
 * later now and then, since more gets known about the program.
 */
static bool is_open(struct pl_disturb_site *s, const struct pl_operation *op,
                    const struct pl_disturb_asks *asks)
{
    uint32_t tag = (uint32_t)op->pc;

    if (s->tag != tag || (s->seen & (s->seen - 1)) == 0)
        s->shut = !asks->open(op);
    s->tag = tag;
    return !s->shut;
}

/* How much the event counts; 0: it is not to be disturbed. */
static unsigned weigh(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                      struct pl_disturber *d, const struct pl_operation *op,
                      const struct pl_disturb_asks *asks)
{
    bool plain = pl_operation_is(op->kind, PL_ROLE_PLAIN);

    if (plain && plan->at == PL_DISTURB_AT_SYNC)
        return 0;
    struct pl_disturb_site *s = site_of(d, op->pc);
    bool open = asks->open == NULL || is_open(s, op, asks);

    s->seen = s->seen < UINT8_MAX ? s->seen + 1 : OFTEN; /* it never comes back to few */
    if (!open)
        return 0;
    if (run->even)
        return 1;
    if (plain && is_own(d, op->addr))
        return 1;
    unsigned weight = weight_of(op->kind);

    if ((!plain && !pl_operation_is(op->kind, PL_ROLE_ATOMIC)) || s->seen <= 4)
        return weight;
    return s->seen <= 32 ? weight / 4 : s->seen < OFTEN ? weight / 32 : 1;
}

static enum pl_cover_interest ask(struct pl_disturb_run *run, const struct pl_operation *op,
                                  const struct pl_disturb_asks *asks)
{
    enum pl_cover_interest interest = asks->interest(op);

    __atomic_fetch_add(&run->asked, 1, __ATOMIC_RELAXED);
    if (interest != PL_COVER_DULL)
        __atomic_fetch_add(&run->news, 1, __ATOMIC_RELAXED);
    return interest;
}

/*
 * Whether a candidate is taken: how many times longer than usual, or 0.  While a thread waits in
 * order to show something new, others must get somewhere: so its wait is long, and they are
 * disturbed less where there is nothing to be seen; unless there is next to nothing anywhere.
 */
static unsigned accept(const struct pl_disturb_plan *plan, struct pl_disturb_run *run,
                       struct pl_disturber *d, const struct pl_operation *op,
                       const struct pl_disturb_asks *asks)
{
    static const uint8_t percents[] = {
        [PL_COVER_DULL] = 2, [PL_COVER_PREPARES] = 60, [PL_COVER_NEW] = 100};
    static const uint8_t factors[] = {
        [PL_COVER_DULL] = 1, [PL_COVER_PREPARES] = 4, [PL_COVER_NEW] = 4};

    if (plan->direct == PL_DISTURB_OFF)
        return 1;
    if (pl_draw_percent(&d->rng, plan->random) || asks->interest == NULL)
        return pl_draw_percent(&d->rng, 100u / d->boost);
    enum pl_cover_interest interest = ask(run, op, asks);
    unsigned percent =
        interest == PL_COVER_DULL && run->dull ? 100u / d->boost : percents[interest];

    return pl_draw_percent(&d->rng, percent) ? factors[interest] : 0;
}

static double draw_sleep(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                         struct pl_disturber *d)
{
    switch (plan->distribution) {
    case PL_DISTURB_UNIFORM:
        return 2 * run->length_ns * pl_draw_share(&d->rng);
    case PL_DISTURB_EXPONENTIAL:
        return run->length_ns * pl_draw_exponential(&d->rng);
    default:
        return run->length_ns;
    }
}

/* Sleeps are the most effective, so half of a mixture are. */
static uint8_t draw_kind(const struct pl_disturb_plan *plan, struct pl_disturber *d)
{
    static const uint8_t mixture[] = {PL_DISTURB_SLEEP, PL_DISTURB_SLEEP,   PL_DISTURB_SLEEP,
                                      PL_DISTURB_SLEEP, PL_DISTURB_YIELD,   PL_DISTURB_BUSY,
                                      PL_DISTURB_HALT,  PL_DISTURB_PRIORITY};

    return plan->kind == PL_DISTURB_MIXED ? mixture[pl_rng_below(&d->rng, COUNT(mixture))]
                                          : plan->kind;
}

static void draw_disturbance(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                             struct pl_disturber *d, unsigned factor, struct pl_disturbance *what)
{
    double ns = factor * draw_sleep(plan, run, d), cap = (double)plan->cap_ns;

    what->kind = draw_kind(plan, d);
    PL_ASSERT(what->kind < PL_DISTURB_MIXED && factor > 0);
    what->ns = ns > cap ? plan->cap_ns : ns < 1000 ? 1000 : (uint64_t)ns;
    what->events = (uint32_t)pl_draw_wide(&d->rng, 0, 6);
    what->nice = (uint8_t)pl_rng_below(&d->rng, 20);
}

/*
 * Thread creation: its creator may be far ahead of a thread when that begins, or far
 * behind.  Programs are seldom prepared for both.
 */
static bool is_beginning(const struct pl_operation *op, bool before)
{
    return pl_operation_is(op->kind, before ? PL_ROLE_BEGINS : PL_ROLE_CREATES);
}

static bool decide_beginning(const struct pl_disturb_plan *plan, struct pl_disturb_run *run,
                             struct pl_disturber *d, const struct pl_operation *op,
                             const struct pl_disturb_asks *asks, struct pl_disturbance *what)
{
    __atomic_fetch_add(&run->begun, pl_operation_is(op->kind, PL_ROLE_BEGINS), __ATOMIC_RELAXED);
    if (asks->open != NULL && !asks->open(op))
        return false;
    if (!pl_draw_percent(&d->rng,
                         pl_operation_is(op->kind, PL_ROLE_CREATES) ? run->create : run->begin))
        return false;
    draw_disturbance(plan, run, d, run->beginning, what);
    return true;
}

bool pl_disturb_event(const struct pl_disturb_plan *plan, struct pl_disturb_run *run,
                      struct pl_disturber *d, const struct pl_operation *op, bool before,
                      const struct pl_disturb_asks *asks, struct pl_disturbance *what)
{
    if (run->silent)
        return false;
    if (is_beginning(op, before))
        return decide_beginning(plan, run, d, op, asks, what);
    if (d->silent)
        return false;
    d->left -= weigh(plan, run, d, op, asks);
    if (d->left > 0)
        return false;
    if (d->quiet || d->stretch < 1) {
        begin_stretch(run, d, !d->quiet);
        return false;
    }
    draw_next(d);
    unsigned factor = accept(plan, run, d, op, asks);

    if (factor == 0)
        return false;
    __atomic_fetch_add(&run->made, 1, __ATOMIC_RELAXED);
    draw_disturbance(plan, run, d, factor, what);
    return true;
}

void pl_disturb_hush(const struct pl_disturb_run *run, struct pl_disturber *d)
{
    begin_stretch(run, d, true);
}
