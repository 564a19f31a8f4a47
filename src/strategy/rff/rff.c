/* SPDX-License-Identifier: MIT */
/*
 * Reads-from fuzzing (Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox fuzzing for
 * concurrency testing, ASPLOS 2024).
 *
 * What an execution does depends on who reads what from whom.  So a schedule says just
 * that: a few constraints, each that one statement reads what another one wrote, or never
 * does (strategy/rff/constraints.h).  An execution follows the schedule where it can, and
 * partial order sampling (strategy/samplers/pos.c) for the rest: who would violate a constraint
 * waits as long as anybody else can go on.  If the execution shows a pair of write and read that no
 * execution has shown, its schedule is kept, and later ones are made from it: by one more
 * constraint, by one less, by another one, by the opposite of one.  Kept schedules whose
 * executions are rare have the most children (strategy/rff/corpus.h).
 *
 * What departs from the paper:
 *
 * - Taking a lock, waiting and signalling are reads and writes of their objects, so that who has
 *   a lock after whom can be asked for.
 * - Constraints that were not met are left out of a schedule when it is kept.
 * - A new constraint is not just any: pairs that were never shown and were
 *   tried least come first.
 * - A constraint may let the read pass a few times: what is wanted may come in a later iteration of
 * a loop.
 * - The read that meets a constraint comes when it is its turn: since nobody else writes before, it
 * need not come at once.
 *
 * Workers have schedules of their own, but know of each other which pairs were shown and tried.
 * So an execution depends on those before it, and with several workers on their timing.
 */
#include "strategy/rff/rff.h"

#include "base/claimed.h"
#include "base/text.h"
#include "model/cover.h"
#include "strategy/rff/corpus.h"
#include "strategy/samplers/pos.h"
#include "strategy/shared/parameters.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

enum { PAIRS = 1 << 12 }; /* different ones of an execution; more are left out */
enum { SLOTS = 2 * PAIRS, SLOTS_KEPT = PAIRS / 2 };

struct state {
    uint64_t callers;
    uint64_t planned; /* the execution that the schedule is for */
    uint32_t attempt; /* and which try of it */
    bool watching;    /* another strategy chooses */
    bool open;        /* an execution has begun and has not been ended */
    bool several;     /* there are: what was written before is the first value */
    pl_tid first;     /* whose operation came first; PL_TID_NONE: there was none */
    struct pl_strategy_context base;
    struct pl_settings settings;
    struct pl_schedule schedule;
    struct pl_constraints constraints;
    struct pl_sources sources;
    struct pl_corpus corpus;
    /* Pairs, and what of them the execution has shown. */
    uint64_t signature;
    uint32_t n_pairs, n_slots, stamp;
    uint16_t pairs[PAIRS]; /* slots */
    struct slot {
        uint64_t pair;  /* plus 1; 0: a free slot */
        uint32_t stamp; /* of the execution that showed it last */
        uint32_t place; /* in the common, plus 1; 0: not known */
    } slots[SLOTS];
    struct pending {
        uint64_t state; /* of the constraints */
        uint32_t ordinal;
        uint16_t against; /* constraints because of which it is to wait */
        uint8_t way;
        bool idle;
    } pending[PL_THREADS_MAX];
    const struct pl_operation *allowed[PL_THREADS_MAX];
    uint16_t options[PL_THREADS_MAX]; /* which option each of them is */
    _Alignas(64) unsigned char pos[PL_POS_ROOM];
};

_Static_assert(sizeof(struct state) <= 1 << 20, "it is to fit where auto has its members");

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static const char *start(struct pl_strategy_context *c)
{
    static const char *const keys[] = {"constraints", "context"};
    struct state *s = state_of(c);
    uint64_t most = 4;

    s->callers = 1;
    if (!pl_parameters_known(c->settings->parameters, keys, 2, false) ||
        !pl_parameter_number(c->settings->parameters, "constraints", false, &most) ||
        !pl_parameter_number(c->settings->parameters, "context", false, &s->callers) || most < 1 ||
        most > PL_CONSTRAINTS_MOST || s->callers > PL_COVER_CALLERS)
        return "rff takes constraints=N from 1 to 8 and context=N up to 4: write "
               "rff:constraints=4,context=1, or leave them out.";
    pl_corpus_start(&s->corpus, (unsigned)most);
    s->settings = *c->settings;
    s->settings.parameters[0] = '\0';
    s->base = *c;
    s->base.settings = &s->settings;
    s->base.arena = s->pos;
    s->base.arena_size = sizeof(s->pos);
    return pl_pos.start(&s->base);
}

static unsigned callers(const struct pl_strategy_context *c)
{
    return (unsigned)state_of(c)->callers;
}

/* ---- an execution ---- */

/* Once per execution: if it is lost, more is known when it is done again, but not to be used. */
static void plan(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);
    uint64_t rng = pl_hash_mix(pl_sampling_seed(c, n));

    if (s->planned == n && s->attempt == c->attempt)
        return;
    s->schedule = pl_corpus_child(&s->corpus, c->reads_from, &rng);
    s->attempt = c->attempt;
    PL_STORE(s->planned, n);
}

/* Slots are kept from one execution to the next, as long as there will be enough. */
static void make_room(struct state *s)
{
    if (s->n_slots <= SLOTS_KEPT)
        return;
    for (unsigned i = 0; i < SLOTS; i++)
        s->slots[i] = (struct slot){0};
    s->n_slots = 0;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    plan(c, n);
    pl_constraints_begin(&s->constraints, &s->schedule);
    pl_sources_begin(&s->sources);
    make_room(s);
    s->stamp++;
    s->n_pairs = 0;
    s->signature = 0;
    s->several = false;
    s->first = PL_TID_NONE;
    s->base.attempt = c->attempt;
    pl_pos.begin(&s->base, n);
    PL_ASSERT(s->n_slots <= SLOTS_KEPT); /* with all pairs of an execution one is free */
    s->open = true;
    s->watching = false;
}

void pl_rff_watch(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    begin(c, n);
    s->schedule.n = 0;
    pl_constraints_begin(&s->constraints, &s->schedule);
    s->watching = true;
}

/* The start of a thread and the like, which nobody can tell from its not having happened. */
static bool is_idle(const struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL && pl_operation_object(op->kind) == PL_OBJECT_THREAD &&
           pl_operation_is(op->kind, PL_ROLE_UNNOTICED);
}

/* What is known of what a thread is about to do: it mostly is at the next choice, too. */
static inline const struct pending *pending_of(struct state *s, const struct pl_operation *op)
{
    struct pending *p = &s->pending[op->tid];

    if (p->state == s->constraints.state && p->ordinal == op->ordinal && p->way == op->way)
        return p;
    p->ordinal = op->ordinal;
    p->way = op->way;
    p->idle = is_idle(op);
    p->against = (uint16_t)pl_constraints_against(&s->constraints, op);
    PL_STORE(p->state, s->constraints.state);
    return p;
}

/* Collect the threads that no constraint holds back. */
static unsigned collect(struct state *s, const struct pl_view *view)
{
    unsigned n = 0;

    for (unsigned i = 0; i < view->options; i++) {
        PL_ASSERT(view->next[i]->tid < PL_THREADS_MAX);
        unsigned against = s->pending[view->next[i]->tid].against;

        if (against != 0 && pl_constraints_hold(&s->constraints, against))
            continue;
        s->allowed[n] = view->next[i];
        s->options[n++] = (uint16_t)i;
    }
    return n;
}

static unsigned choose_thread(struct state *s, const struct pl_view *view)
{
    unsigned n = view->options, against = 0;

    for (unsigned i = 0; i < n; i++) {
        const struct pending *p = pending_of(s, view->next[i]);

        if (p->idle)
            return i;
        against |= p->against;
    }
    if (against != 0)
        n = collect(s, view);
    if (n == 0 || n == view->options) /* if all would have to wait, nobody has to */
        return pl_pos_choose(&s->base, view->next, view->options);
    return s->options[pl_pos_choose(&s->base, s->allowed, n)];
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);

    return view->kind == PL_CHOICE_THREAD ? choose_thread(s, view) : pl_pos.choose(&s->base, view);
}

static inline void show(struct state *s, uint32_t writer, uint32_t reader)
{
    uint64_t pair = (uint64_t)writer << 32 | reader, hash = pl_hash_mix(pair + 1);
    struct slot *slot = pl_claimed_slot(PL_CLAIMED_ALONE(s->slots), hash, pair + 1);

    PL_ASSERT(slot != NULL);
    if (slot->stamp == s->stamp || s->n_pairs == PAIRS)
        return;
    PL_ASSERT(s->n_pairs < PAIRS && s->n_slots < SLOTS);
    if (slot->pair == 0) {
        s->n_slots++;
        slot->pair = pair + 1;
    }
    slot->stamp = s->stamp;
    s->pairs[s->n_pairs++] = (uint16_t)(slot - s->slots);
    s->signature += hash; /* in whatever order they come */
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    if (s->first == PL_TID_NONE)
        s->first = op->tid;
    s->several |= pl_operation_is(op->kind, PL_ROLE_CREATES) || op->tid != s->first;
    if (!s->several || !pl_constraints_counts(op) || op->effect == PL_EFFECT_NONE ||
        op->statement == PL_COVER_NOTHING)
        return;
    pl_constraints_see(&s->constraints, op);
    for (struct pl_sources_piece p = pl_sources_piece(op, 0); p.size > 0;
         p = pl_sources_piece(op, p.addr)) {
        uint32_t from[PL_SOURCES_GRANULE];
        unsigned n = pl_sources_see(&s->sources, op, p, from);

        for (unsigned i = 0; i < n; i++)
            show(s, from[i], op->statement);
        pl_corpus_note(&s->corpus, op, p);
    }
}

/* ---- what came of it ---- */

/* True if no execution had. */
static bool has_shown(struct pl_strategy_context *c, struct slot *slot, enum pl_outcome outcome)
{
    struct pl_reads_from *r = c->reads_from;
    PL_ASSERT(slot->pair != 0);
    uint64_t pair = slot->pair - 1;

    if (slot->place == 0) {
        struct pl_reads_from_pair *p =
            pl_reads_from_place(r, (uint32_t)(pair >> 32), (uint32_t)pair);

        if (p == NULL)
            return false;
        slot->place = (uint32_t)(p - r->pairs) + 1;
    }
    return pl_reads_from_show(r, &r->pairs[slot->place - 1], outcome == PL_OUTCOME_DONE,
                              state_of(c)->planned);
}

static void conclude(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct state *s = state_of(c);
    struct pl_schedule met = pl_constraints_met(&s->constraints);
    bool fresh = false;

    for (uint32_t i = 0; i < s->n_pairs; i++)
        fresh |= has_shown(c, &s->slots[s->pairs[i]], outcome);
    for (unsigned i = 0; i < s->schedule.n; i++) {
        const struct pl_constraint *k = &s->schedule.constraints[i];

        if (k->fresh)
            pl_reads_from_try(c->reads_from, k->write, k->read);
    }
    pl_reads_from_count(c->reads_from, s->signature);
    if (fresh)
        pl_corpus_keep(&s->corpus, c->reads_from, &met, s->signature);
    if (!s->watching)
        pl_corpus_spend(&s->corpus, c->reads_from);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);

    if (!s->open || outcome == PL_OUTCOME_LOST)
        return true; /* the same once more */
    s->open = false;
    conclude(c, outcome);
    return true;
}

const struct pl_strategy pl_rff = {
    .name = "rff",
    .traits = PL_TRAITS_OF_rff,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .end = end,
    .callers = callers,
};
