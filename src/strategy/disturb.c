/* SPDX-License-Identifier: MIT */
/* See disturb.h. */
#include "strategy/disturb.h"

#include "strategy/draw.h"
#include "strategy/parameters.h"

#include <stddef.h>

enum {
    BOOST = 4, /* directed: candidates for each disturbance that chance alone would make */
    SILENT_THREADS = 12, /* percent */
    STRETCHED_RUNS = 50,
    SHORTEST = 20000, /* nanoseconds */
    SECOND = 1000000000,
    OFTEN = 128, /* visits of a place after which it is like any other; a power of two */
};

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
        .quiet = 5,
        .random = 30,
        .cost = 300,
        .cap_ns = 20000000,
    };
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

static bool read_cost(const char *parameters, uint32_t *to)
{
    uint64_t value = *to;

    if (is_word(parameters, "cost", "off")) {
        *to = 0;
        return true;
    }
    if (!pl_parameter_decimal(parameters, "cost", &value) || value < 105 || value > 100000)
        return false;
    *to = (uint32_t)value;
    return true;
}

static bool read_length(const char *parameters, const char *key, uint64_t *to)
{
    return is_word(parameters, key, "auto") ||
           (pl_parameter_time(parameters, key, to) &&
            (*to == 0 || (*to >= 1000 && *to <= 10 * (uint64_t)SECOND)));
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
                                       "random",       "at",          "record"};

    if (!pl_parameters_known(text, keys, COUNT(keys), true))
        return "noise has the parameters kind, probability, length, cap, distribution, cost, "
               "quiet, direct, random, at and record. Give key=value with commas between them.";
    if (!read_probability(text, &p->per_10000))
        return "probability= of noise is the percentage of events that are disturbed, from 0.01 "
               "to 100, or auto.";
    if (!read_length(text, "length", &p->length_ns))
        return "length= of noise is a time from 1us to 10s such as 200us or 1.5ms, or auto.";
    if (!read_length(text, "cap", &p->cap_ns) || p->cap_ns == 0)
        return "cap= of noise is a time from 1us to 10s such as 5ms.";
    if (p->length_ns > p->cap_ns)
        return "length= of noise is beyond cap=, the longest sleep. Give a larger cap=.";
    if (!read_cost(text, &p->cost))
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

/* One event in how many is disturbed, of those that count most. */
static double draw_gap(const struct pl_disturb_plan *plan, uint64_t *rng)
{
    if (plan->per_10000 != 0)
        return 10000.0 / plan->per_10000;
    /* Half of them for programs with a handful of events. */
    return PL_DISTURB_WEIGHT *
           (pl_draw_percent(rng, 50) ? pl_draw_wide(rng, 0.5, 3) : pl_draw_wide(rng, 1, 12));
}

static double draw_length(const struct pl_disturb_plan *plan, uint64_t longest, uint64_t *rng)
{
    double length = pl_draw_wide(rng, 14.3, 21.9); /* 20 microseconds to 4 milliseconds */

    if (plan->length_ns != 0)
        return (double)plan->length_ns;
    return length < (double)longest ? length : (double)longest;
}

/* Below SHORTEST a sleep takes as long as the kernel needs for it: then fewer of them help. */
static void apply_scale(const struct pl_disturb_plan *plan, double scale,
                        struct pl_disturb_run *run)
{
    bool timed = plan->kind != PL_DISTURB_YIELD && plan->kind != PL_DISTURB_PRIORITY;
    double length = run->length_ns * (timed ? scale : 1);
    double shortest = run->length_ns < SHORTEST ? run->length_ns : SHORTEST;

    if (scale >= 1) {
        run->length_ns = length;
        return;
    }
    if (!timed)
        run->gap /= scale;
    else if (length < shortest)
        run->gap *= shortest / length;
    run->length_ns = length < shortest ? shortest : length;
}

void pl_disturb_begin(const struct pl_disturb_plan *plan, uint64_t seed, uint64_t n,
                      uint64_t longest_ns, double scale, struct pl_disturb_run *run)
{
    static const uint8_t percents[] = {0, 25, 60, 100}, factors[] = {1, 1, 4, 16};
    uint64_t rng = pl_hash_add(pl_hash_mix(seed), n);

    *run = (struct pl_disturb_run){.seed = rng, .even = plan->per_10000 != 0};
    run->silent = pl_draw_percent(&rng, plan->quiet) || plan->kind == PL_DISTURB_NONE;
    run->stretches = pl_draw_percent(&rng, STRETCHED_RUNS) && plan->quiet > 0;
    run->create = percents[pl_rng_below(&rng, COUNT(percents))];
    run->begin = percents[pl_rng_below(&rng, COUNT(percents))];
    run->beginning = factors[pl_rng_below(&rng, COUNT(factors))];
    run->gap = draw_gap(plan, &rng);
    run->length_ns = draw_length(plan, longest_ns, &rng);
    apply_scale(plan, scale, run);
}

/* ---- a thread ---- */

static void set_left(struct pl_disturber *d, double weight)
{
    d->left = weight < 1 ? 1 : weight > 1e15 ? (int64_t)1e15 : (int64_t)weight;
}

/* From here on the thread is disturbed, until the next disturbance or the end of the stretch. */
static void draw_next(struct pl_disturber *d)
{
    double gap = pl_draw_exponential(&d->rng) * d->gap;

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

void pl_disturb_thread(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                       uint64_t name, struct pl_disturber *d)
{
    *d = (struct pl_disturber){.rng = pl_hash_add(run->seed, name)};
    d->silent = run->silent || pl_draw_percent(&d->rng, plan->quiet > 0 ? SILENT_THREADS : 0);
    d->gap = run->even ? run->gap : run->gap * pl_draw_wide(&d->rng, -2, 2);
    if (plan->direct != PL_DISTURB_OFF)
        d->gap /= BOOST;
    begin_stretch(run, d, run->stretches && pl_draw_percent(&d->rng, 40));
}

/* ---- an event ---- */

static bool is_plain(unsigned kind)
{
    return kind == PL_OP_READ || kind == PL_OP_WRITE || kind == PL_OP_READ_WRITE;
}

static bool is_atomic(unsigned kind)
{
    return kind >= PL_OP_ATOMIC_LOAD && kind <= PL_OP_FENCE;
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
    bool plain = is_plain(op->kind);

    if (plain && plan->at == PL_DISTURB_AT_SYNC)
        return 0;
    struct pl_disturb_site *s = site_of(d, op->pc);
    bool open = asks->open == NULL || is_open(s, op, asks);

    s->seen = s->seen < UINT8_MAX ? s->seen + 1 : OFTEN; /* it never comes back to few */
    if (!open)
        return 0;
    if (run->even)
        return 1;
    if (!plain && !is_atomic(op->kind))
        return PL_DISTURB_WEIGHT;
    return s->seen <= 4 ? PL_DISTURB_WEIGHT : s->seen <= 32 ? 16 : s->seen < OFTEN ? 4 : 1;
}

/* Whether a candidate is taken.  What shows nothing new is not left out altogether. */
static bool accept(const struct pl_disturb_plan *plan, struct pl_disturber *d,
                   const struct pl_operation *op, const struct pl_disturb_asks *asks)
{
    static const uint8_t percents[] = {6, 50, 100};

    if (plan->direct == PL_DISTURB_OFF)
        return true;
    if (pl_draw_percent(&d->rng, plan->random) || asks->interest == NULL)
        return pl_draw_percent(&d->rng, 100 / BOOST);
    unsigned interest = asks->interest(op);

    return pl_draw_percent(&d->rng, percents[interest < 2 ? interest : 2]);
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
    return (op->kind == PL_OP_THREAD_CREATE && !before) ||
           (op->kind == PL_OP_THREAD_START && before);
}

static bool decide_beginning(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                             struct pl_disturber *d, const struct pl_operation *op,
                             const struct pl_disturb_asks *asks, struct pl_disturbance *what)
{
    if (asks->open != NULL && !asks->open(op))
        return false;
    if (!pl_draw_percent(&d->rng, op->kind == PL_OP_THREAD_CREATE ? run->create : run->begin))
        return false;
    draw_disturbance(plan, run, d, run->beginning, what);
    return true;
}

bool pl_disturb_event(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
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
    if (!accept(plan, d, op, asks))
        return false;
    draw_disturbance(plan, run, d, 1, what);
    return true;
}

void pl_disturb_hush(const struct pl_disturb_run *run, struct pl_disturber *d)
{
    begin_stretch(run, d, true);
}
