/* SPDX-License-Identifier: MIT */
/*
 * values: parts of the search for other workers.  A part is all that is left in the first frame
 * that has something left: there everything that sleeps is known.
 */
#include "base/assert.h"
#include "strategy/values/values_search.h"

/* A part: the path, then what sleeps in its last frame, then its candidates. */
struct part {
    uint32_t n, n_sleepers, n_candidates;
};

struct part_step {
    struct pl_values_candidate candidate; /* of a choice between threads */
    uint16_t order, options;
    uint8_t kind;
};

struct part_sleeper {
    struct pl_operation op;
    uint64_t name;
    uint32_t site;
    uint16_t outcome[PL_PAST_OUTCOMES];
    uint16_t flags;
    bool ends;
};

/* Whether all that is explored before the rest of the frame is known. */
static bool can_be_split(const struct pl_values *s, uint32_t i)
{
    const struct pl_values_frame *f = &s->frames[i];

    return f->kind == PL_CHOICE_THREAD && f->order + 1u < f->end && f->record != 0 &&
           (i + 1 == s->n || s->frames[i + 1].kind == PL_CHOICE_THREAD);
}

static void put_sleeper(const struct pl_values *s, struct part_sleeper *to,
                        const struct pl_values_sleeper *z)
{
    const struct pl_past_record *r = pl_values_record(s, z);

    *to = (struct part_sleeper){
        .op = r->op, .name = r->op.name, .site = z->site, .flags = z->flags, .ends = r->ends};
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        to->outcome[i] = r->outcome[i];
}

/*
 * The frame that is planned next has lost its record: it has been explored, or is about to be taken
 * for the first time.  All before it are being explored.
 */
uint64_t pl_values_path_split(struct pl_strategy_context *c, unsigned char *part, uint64_t size)
{
    struct pl_values *s = pl_values_of(c);
    struct part *head = (struct part *)part;
    struct part_step *steps = (struct part_step *)(head + 1);
    uint32_t at = 0, n = 0;

    while (at < s->n && !can_be_split(s, at))
        at++;
    if (at + 1 >= s->n)
        return 0;
    const struct pl_values_frame *f = &s->frames[at];
    uint32_t n_sleepers = f->n_sleep + 1;

    for (uint32_t node = f->done; node != 0; node = s->nodes[node].next)
        n_sleepers++;
    uint32_t n_candidates = f->end - f->order - 1u;
    uint64_t needed = sizeof(*head) + (uint64_t)(at + 1) * sizeof(*steps) +
                      n_sleepers * sizeof(struct part_sleeper) +
                      n_candidates * sizeof(struct pl_values_candidate);

    if (needed > size)
        return 0;
    for (uint32_t i = 0; i <= at; i++) {
        const struct pl_values_frame *g = &s->frames[i];

        steps[i] = (struct part_step){.order = g->order, .options = g->options, .kind = g->kind};
        if (g->kind == PL_CHOICE_THREAD)
            steps[i].candidate = s->candidates[g->candidates + g->order];
    }
    struct part_sleeper *sleepers = (struct part_sleeper *)(void *)(steps + at + 1);

    for (uint32_t i = 0; i < f->n_sleep; i++)
        put_sleeper(s, &sleepers[n++], &s->sleepers[f->sleep + i]);
    for (uint32_t node = f->done; node != 0; node = s->nodes[node].next)
        put_sleeper(s, &sleepers[n++], &s->nodes[node].of);
    put_sleeper(s, &sleepers[n++],
                &(struct pl_values_sleeper){.record = f->record, .site = f->site});
    struct pl_values_candidate *candidates = (struct pl_values_candidate *)(void *)(sleepers + n);

    for (uint32_t i = 0; i < n_candidates; i++)
        candidates[i] = s->candidates[f->candidates + f->order + 1 + i];
    PL_ASSERT(n == n_sleepers);
    *head = (struct part){.n = at + 1, .n_sleepers = n_sleepers, .n_candidates = n_candidates};
    s->split = at;
    return needed;
}

void pl_values_path_cut(struct pl_strategy_context *c)
{
    struct pl_values *s = pl_values_of(c);
    struct pl_values_frame *f = &s->frames[s->split];

    PL_ASSERT(s->split < s->n && f->kind == PL_CHOICE_THREAD);
    f->end = (uint16_t)(f->order + 1);
}

/* The last frame of the path: all that is known to sleep there, and who is to be tried. */
static void adopt_last(struct pl_values *s, const struct part *head,
                       const struct part_sleeper *sleepers, struct pl_values_frame *f)
{
    const struct pl_values_candidate *candidates =
        (const struct pl_values_candidate *)(const void *)(sleepers + head->n_sleepers);

    f->order = 0;
    f->end = (uint16_t)head->n_candidates;
    for (uint32_t i = 0; i < head->n_candidates; i++)
        s->candidates[f->candidates + i] = candidates[i];
    for (uint32_t i = 0; i < head->n_sleepers; i++) {
        struct pl_past_record r = {.op = sleepers[i].op, .known = true, .ends = sleepers[i].ends};

        r.thread = pl_past_thread(&s->past, &r.op);
        for (unsigned j = 0; j < PL_PAST_OUTCOMES; j++)
            r.outcome[j] = sleepers[i].outcome[j];
        s->sleepers[i] = (struct pl_values_sleeper){.record = pl_past_record(&s->past, &r),
                                                    .site = sleepers[i].site,
                                                    .tid = r.op.tid,
                                                    .witness = PL_VALUES_NOBODY,
                                                    .flags = sleepers[i].flags};
    }
    f->n_sleep = head->n_sleepers;
}

void pl_values_path_adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    struct pl_values *s = pl_values_of(c);
    const struct part *head = (const struct part *)part;
    const struct part_step *steps = (const struct part_step *)(head + 1);
    uint32_t candidates = 0;

    PL_ASSERT(size >= sizeof(*head) && head->n > 0 && head->n <= s->frames_max);
    for (uint32_t i = 0; i < head->n; i++) {
        struct pl_values_frame *f = &s->frames[i];

        *f = (struct pl_values_frame){.kind = steps[i].kind,
                                      .options = steps[i].options,
                                      .candidates = candidates,
                                      .order = steps[i].order,
                                      .end = (uint16_t)(steps[i].order + 1)};
        if (f->kind != PL_CHOICE_THREAD)
            continue;
        f->order = 0;
        f->end = 1;
        s->candidates[candidates++] = steps[i].candidate;
    }
    struct pl_values_frame *last = &s->frames[head->n - 1];

    adopt_last(s, head, (const struct part_sleeper *)(const void *)(steps + head->n), last);
    s->n = head->n;
    s->adopted = true;
}
