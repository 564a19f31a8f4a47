/* SPDX-License-Identifier: MIT */
/* See corpus.h. */
#include "strategy/rff/corpus.h"

#include "base/rng.h"
#include "model/depend.h"
#include "strategy/shared/strategy.h"

enum {
    DRAWN = 16,       /* pairs that are looked at for one to be taken, */
    DRAWN_LATER = 4,  /* when all have been tried and it matters less than the time it takes: */
    LATER = 500,      /* children */
    MUTATIONS = 3,    /* of one child at most */
    ENERGY_MOST = 16, /* children in a turn */
};

void pl_corpus_start(struct pl_corpus *c, unsigned most)
{
    PL_ASSERT(most > 0 && most <= PL_CONSTRAINTS_MOST);
    c->most = most;
    c->version = 1;
    c->n_kept = 1;
    c->energy = 1;
    pl_table_start(&c->table, c->slots, PL_CORPUS_SLOTS, PL_CORPUS_SLOTS);
}

/* ---- events ---- */

static uint64_t hash_of(uint64_t addr)
{
    return pl_hash_mix(addr / PL_SOURCES_GRANULE);
}

static bool is_event(const struct pl_corpus_event *e, uint32_t statement,
                     struct pl_sources_piece piece)
{
    return e->statement == statement && e->addr == piece.addr && e->size == piece.size;
}

/* The event, which is new if need be; NULL when there is no room. */
static struct pl_corpus_event *find_event(struct pl_corpus *c, uint32_t statement,
                                          struct pl_sources_piece piece)
{
    PL_TABLE_EACH(i, &c->table, hash_of(piece.addr))
    {
        PL_ASSERT(i < c->n_events);
        if (is_event(&c->events[i], statement, piece))
            return &c->events[i];
    }
    if (c->n_events == PL_CORPUS_EVENTS)
        return NULL;
    c->events[c->n_events] = (struct pl_corpus_event){
        .addr = piece.addr,
        .statement = statement,
        .size = (uint16_t)piece.size,
    };
    PL_ASSERT(piece.size > 0 && piece.size <= PL_SOURCES_GRANULE);
    pl_table_add(&c->table, hash_of(piece.addr), c->n_events);
    return &c->events[c->n_events++];
}

static struct pl_corpus_event *event_of(struct pl_corpus *c, uint32_t statement,
                                        struct pl_sources_piece piece)
{
    uint32_t *recent = &c->recent[(statement + piece.addr * 31) % PL_CORPUS_RECENT];

    if (*recent != 0 && is_event(&c->events[*recent - 1], statement, piece))
        return &c->events[*recent - 1];
    struct pl_corpus_event *e = find_event(c, statement, piece);

    if (e != NULL)
        *recent = (uint32_t)(e - c->events) + 1;
    return e;
}

/* What could be read from what may be different now. */
static void forget_partners(struct pl_corpus *c)
{
    c->version++;
    c->n_partners = 0;
}

void pl_corpus_note(struct pl_corpus *c, const struct pl_operation *op,
                    struct pl_sources_piece piece)
{
    uint32_t before = c->n_events;
    struct pl_corpus_event *e = event_of(c, op->statement, piece);

    if (e == NULL)
        return;
    bool fresh = c->n_events != before, writes = pl_constraints_writes(op->effect);

    if (fresh) {
        e->tid = op->tid;
        e->ordinal = op->ordinal;
    }
    if (fresh || writes > e->writes || (e->tid != op->tid && e->tid != PL_TID_NONE)) {
        e->tid = e->tid == op->tid ? e->tid : PL_TID_NONE;
        e->writes |= writes;
        forget_partners(c);
    }
    if (pl_constraints_reads(op) && !e->reads) {
        PL_ASSERT(c->n_reads < c->n_events); /* each is listed once */
        e->reads = true;
        c->reads[c->n_reads++] = (uint32_t)(e - c->events);
    }
}

/* ---- constraints ---- */

static struct pl_depend_extent extent_of(const struct pl_corpus_event *e, enum pl_effect effect)
{
    return (struct pl_depend_extent){e->addr, e->addr + e->size, effect};
}

/* Whether r, which reads, could read from w. */
static bool reads_from(const struct pl_corpus_event *r, const struct pl_corpus_event *w)
{
    struct pl_depend_extent written = extent_of(w, w->writes ? PL_EFFECT_WRITE : PL_EFFECT_NONE);
    struct pl_depend_extent read = extent_of(r, PL_EFFECT_READ);

    return pl_depend_would_conflict(&read, &written, PL_DEPEND_CHANGE);
}

/* Whether both are of one thread. */
static bool alone(const struct pl_corpus_event *w, const struct pl_corpus_event *r)
{
    return w->tid == r->tid && r->tid != PL_TID_NONE;
}

/* Turn them round. */
static void reverse(struct pl_corpus_partner *p, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        struct pl_corpus_partner other = p[n - 1 - i];

        p[n - 1 - i] = p[i];
        p[i] = other;
    }
}

/* The latest event first. */
static void find_partners(struct pl_corpus *c, struct pl_corpus_partners *p,
                          const struct pl_corpus_event *r)
{
    bool own = false; /* its own thread has written before */
    uint32_t n;

    if (c->n_partners + c->n_events + 1 > PL_CORPUS_PARTNERS)
        forget_partners(c);
    n = p->first = c->n_partners;
    PL_TABLE_EACH(i, &c->table, hash_of(r->addr))
    {
        const struct pl_corpus_event *w = &c->events[i];

        if (!reads_from(r, w))
            continue;
        if (alone(w, r))
            own |= w->ordinal < r->ordinal;
        else
            c->partners[n++] = (struct pl_corpus_partner){.write = w->statement};
    }
    reverse(&c->partners[p->first], n - p->first);
    if (!own)
        c->partners[n++] = (struct pl_corpus_partner){.write = PL_READS_FROM_INITIAL};
    PL_ASSERT(n <= PL_CORPUS_PARTNERS);
    p->n = n - p->first;
    c->n_partners = n;
    PL_STORE(p->version, c->version);
}

/* One of the writes that the read could read from, each as likely; NULL: there is none. */
static struct pl_corpus_partner *draw_partner(struct pl_corpus *c, uint32_t read, uint64_t *rng)
{
    struct pl_corpus_partners *p = &c->partners_of[read];
    uint32_t drawn = 0;

    PL_ASSERT(read < c->n_events && c->events[read].reads);
    if (p->version != c->version)
        find_partners(c, p, &c->events[read]);
    for (uint32_t i = 0; i < p->n; i++)
        drawn = pl_rng_below(rng, i + 1) == 0 ? i : drawn;
    return p->n > 0 ? &c->partners[p->first + drawn] : NULL;
}

static struct pl_reads_from_known known_of(struct pl_corpus_partner *p, uint32_t read,
                                           const struct pl_reads_from *r)
{
    if (p->place == 0) {
        const struct pl_reads_from_pair *pair = pl_reads_from_find(r, p->write, read);

        if (pair == NULL)
            return (struct pl_reads_from_known){0};
        p->place = (uint32_t)(pair - r->pairs) + 1;
    }
    return pl_reads_from_known_at(&r->pairs[p->place - 1]);
}

/* 0 half of the time, 1 half of the rest, and so on. */
static uint16_t halving(uint64_t *rng, uint16_t most)
{
    uint16_t n = 0;

    while (n < most && pl_rng_below(rng, 2) == 1)
        n++;
    return n;
}

/* How little a pair is wanted: one that was tried often, or shown often, or never in vain. */
static uint32_t score_of(struct pl_reads_from_known k)
{
    uint32_t score = k.shown ? k.tried + 1 : 2 * k.tried;

    for (uint32_t n = k.times; n > 1; n /= 4)
        score++;
    return score;
}

/* Size 0: all that was drawn was impossible. */
static struct pl_constraint draw(struct pl_corpus *c, const struct pl_reads_from *r, uint64_t *rng)
{
    PL_ASSERT(c->n_reads > 0);
    struct pl_constraint best = {.fresh = true};
    uint32_t least = UINT32_MAX;

    for (unsigned i = c->children < LATER ? 0 : DRAWN - DRAWN_LATER; i < DRAWN; i++) {
        uint32_t read = c->reads[pl_rng_below(rng, c->n_reads)];
        const struct pl_corpus_event *e = &c->events[read];
        struct pl_corpus_partner *p = draw_partner(c, read, rng);

        if (p == NULL)
            continue;
        struct pl_reads_from_known known = known_of(p, e->statement, r);
        uint32_t score = score_of(known);

        if (score >= least)
            continue;
        least = score;
        best.addr = e->addr;
        best.size = e->size;
        best.read = e->statement;
        best.write = p->write;
        best.visits = known.tried > 0;
    }
    if (best.visits > 0) /* a later iteration may be meant */
        best.visits = halving(rng, UINT16_MAX);
    return best;
}

/* ---- schedules ---- */

enum mutation { INSERT, INSERT_TOO, INSERT_ALSO, SWAP, DELETE, NEGATE, KINDS };

/* Where there is no room for one more, it takes the place of another. */
static void put(struct pl_schedule *s, unsigned at, struct pl_constraint k)
{
    PL_ASSERT(at <= s->n && at < PL_CONSTRAINTS_MOST);
    if (k.size == 0)
        return;
    s->constraints[at] = k;
    if (at == s->n)
        s->n++;
}

static void mutate(struct pl_schedule *s, struct pl_corpus *c, const struct pl_reads_from *r,
                   uint64_t *rng)
{
    enum mutation kind = s->n > 0 ? (enum mutation)pl_rng_below(rng, KINDS) : INSERT;
    unsigned at = s->n > 0 ? pl_rng_below(rng, s->n) : 0;

    switch (kind) {
    case SWAP:
        put(s, at, draw(c, r, rng));
        break;
    case DELETE:
        PL_ASSERT(s->n > 0);
        s->constraints[at] = s->constraints[--s->n];
        break;
    case NEGATE:
        s->constraints[at].negative = !s->constraints[at].negative;
        break;
    default:
        put(s, s->n < c->most ? s->n : at, draw(c, r, rng));
        break;
    }
}

struct pl_schedule pl_corpus_child(struct pl_corpus *c, const struct pl_reads_from *r,
                                   uint64_t *rng)
{
    struct pl_schedule s = c->kept[c->current].schedule;

    if (c->n_reads == 0)
        return s;
    for (unsigned n = 1 + halving(rng, MUTATIONS - 1); n > 0; n--)
        mutate(&s, c, r, rng);
    PL_ASSERT(s.n <= c->most);
    return s;
}

/* ---- who has children ---- */

static uint64_t frequency(const struct pl_corpus *c, const struct pl_reads_from *r, uint32_t i)
{
    return pl_reads_from_counted(r, c->kept[i].signature);
}

static uint64_t mean_frequency(const struct pl_corpus *c, const struct pl_reads_from *r)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < c->n_kept; i++)
        sum += frequency(c, r, i);
    return (sum + c->n_kept - 1) / c->n_kept;
}

/* The next one that is not too frequent.  One is not, unless others count at the same time. */
static void take_turns(struct pl_corpus *c, const struct pl_reads_from *r)
{
    PL_ASSERT(c->n_kept > 0 && c->n_kept <= PL_CORPUS_KEPT && c->current < c->n_kept);
    uint64_t mean = mean_frequency(c, r);

    for (uint32_t i = 0; i < c->n_kept; i++) {
        c->current = (c->current + 1) % c->n_kept;
        if (frequency(c, r, c->current) <= mean)
            break;
    }
    struct pl_corpus_kept *k = &c->kept[c->current];

    c->energy = k->turns < 5 ? 1U << k->turns : ENERGY_MOST;
    if (c->energy > ENERGY_MOST)
        c->energy = ENERGY_MOST;
    k->turns++;
}

void pl_corpus_spend(struct pl_corpus *c, const struct pl_reads_from *r)
{
    c->children++;
    if (c->energy > 0)
        c->energy--;
    if (c->energy == 0)
        take_turns(c, r);
}

/* A place for one more. */
static struct pl_corpus_kept *room(struct pl_corpus *c, const struct pl_reads_from *r)
{
    uint32_t most = 1; /* the one without constraints stays */

    if (c->n_kept < PL_CORPUS_KEPT)
        return &c->kept[c->n_kept++];
    for (uint32_t i = 2; i < c->n_kept; i++) {
        if (frequency(c, r, i) > frequency(c, r, most))
            most = i;
    }
    return &c->kept[most];
}

void pl_corpus_keep(struct pl_corpus *c, const struct pl_reads_from *r,
                    const struct pl_schedule *schedule, uint64_t signature)
{
    struct pl_corpus_kept *k = schedule->n == 0 ? &c->kept[0] : room(c, r);

    PL_ASSERT(schedule->n <= c->most);
    PL_ASSERT((k == &c->kept[0]) == (schedule->n == 0)); /* the first one has no constraint */
    k->turns = 0;
    k->signature = signature;
    k->schedule = *schedule;
    for (unsigned i = 0; i < k->schedule.n; i++)
        k->schedule.constraints[i].fresh = false;
}
