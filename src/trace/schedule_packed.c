/* SPDX-License-Identifier: MIT */
/* See schedule_packed.h.  A file may be hostile: whatever it has, the tables keep their bounds. */
#include "trace/schedule_packed.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/name.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 4096, LEAST_REPEATS = 8 };

static uint64_t hash_of(const struct pl_schedule_line *l)
{
    uint64_t h = pl_hash_add(pl_name_parse(l->thread), l->target ? pl_name_parse(l->target) : 0);

    return pl_hash_add(h, (uint64_t)l->kind << 48 ^ (uint64_t)l->op << 40 ^
                              (uint64_t)l->taken << 16 ^ l->options);
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same(const struct pl_schedule_line *a, const struct pl_schedule_line *b)
{
    return a->kind == b->kind && a->op == b->op && a->taken == b->taken &&
           a->options == b->options && is_same_text(a->thread, b->thread) &&
           is_same_text(a->target, b->target);
}

/* Twice as much room for an array of the schedule's; false when there is none. */
static bool grow(struct pl_schedule *s, void *array, size_t n, size_t *room, size_t size)
{
    void *old, *bigger;

    if (n < *room)
        return true;
    memcpy(&old, array, sizeof(old));
    bigger = realloc(old, (*room ? 2 * *room : FIRST_ROOM) * size);
    if (!bigger) {
        s->failed = true;
        return false;
    }
    memcpy(array, &bigger, sizeof(bigger));
    *room = *room ? 2 * *room : FIRST_ROOM;
    return true;
}

/* The slot of a shape, or the empty one where it belongs. */
static uint32_t *slot_of(struct pl_schedule *s, const struct pl_schedule_line *line)
{
    uint64_t mask = 2 * PL_PACKED_SHAPES - 1, at = hash_of(line);

    PL_ASSERT(s->n_shapes <= PL_PACKED_SHAPES);
    while (s->shape_slots[at & mask] != 0 &&
           !is_same(&s->shapes[s->shape_slots[at & mask] - 1], line))
        at++;
    return &s->shape_slots[at & mask];
}

uint32_t pl_packed_shape(struct pl_schedule *s, const struct pl_schedule_line *line)
{
    if (!s->shape_slots)
        s->shape_slots = calloc(2 * PL_PACKED_SHAPES, sizeof(*s->shape_slots));
    if (!s->shape_slots || !grow(s, &s->shapes, s->n_shapes, &s->room_shapes, sizeof(*s->shapes))) {
        s->failed = true;
        return UINT32_MAX;
    }
    uint32_t *slot = slot_of(s, line);

    if (*slot != 0)
        return *slot - 1;
    if (s->n_shapes == PL_PACKED_SHAPES) {
        s->failed = true;
        return UINT32_MAX;
    }
    struct pl_schedule_line shape = {.is_choice = true,
                                     .kind = line->kind,
                                     .op = line->op,
                                     .taken = line->taken,
                                     .options = line->options,
                                     .thread = pl_schedule_keep(s, line->thread),
                                     .target = pl_schedule_keep(s, line->target)};

    if (s->failed)
        return UINT32_MAX;
    s->shapes[s->n_shapes] = shape;
    *slot = (uint32_t)++s->n_shapes;
    return *slot - 1;
}

/* Another choice, in the group that is open or in a new one. */
static bool add(struct pl_schedule *s, uint32_t shape, uint32_t ordinal, bool begins)
{
    PL_ASSERT(shape < s->n_shapes);
    if (s->n_packed + s->n_choices >= PL_SCHEDULE_CHOICES_MAX) {
        s->failed = true;
        return false;
    }
    if (!grow(s, &s->packed, s->n_packed, &s->room_packed, sizeof(*s->packed)) ||
        !grow(s, &s->groups, s->n_groups, &s->room_groups, sizeof(*s->groups)))
        return false;
    if (begins)
        s->n_groups++;
    s->packed[s->n_packed++] = (struct pl_schedule_packed){shape, ordinal};
    s->groups[s->n_groups - 1].end = s->n_packed;
    return true;
}

static size_t start_of(const struct pl_schedule *s, size_t group)
{
    return group > 0 ? s->groups[group - 1].end : 0;
}

/* Whether a replay must know the digest of this choice to find its place. */
static bool needs_digest(const struct pl_schedule_line *line)
{
    return pl_operation_is(line->op, PL_ROLE_ENDS);
}

void pl_schedule_pack_choice(struct pl_schedule *s, const struct pl_schedule_line *choice)
{
    uint32_t shape = pl_packed_shape(s, choice);

    PL_ASSERT(s->n_lines == 0); /* what is packed comes first */
    if (shape == UINT32_MAX)
        return;
    bool begins = s->n_groups == 0 ||
                  s->n_packed - start_of(s, s->n_groups - 1) == PL_PACKED_LINE ||
                  needs_digest(&s->shapes[s->packed[s->n_packed - 1].shape]);

    if (add(s, shape, choice->ordinal, begins))
        s->groups[s->n_groups - 1].digest = choice->digest;
}

struct pl_step pl_schedule_packed_step(const struct pl_schedule *s, size_t i, size_t *group)
{
    PL_ASSERT(i < s->n_packed);
    const struct pl_schedule_line *shape = &s->shapes[s->packed[i].shape];

    while (s->groups[*group].end <= i)
        ++*group;
    return (struct pl_step){
        .at = pl_name_parse(shape->thread),
        .target = shape->target ? pl_name_parse(shape->target) : 0,
        .digest = s->groups[*group].end == i + 1 ? s->groups[*group].digest : 0,
        .ordinal = s->packed[i].ordinal,
        .taken = shape->taken,
        .kind = shape->kind,
        .op = shape->op,
    };
}

/* ---- as text ---- */

static int compare_names(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

int pl_packed_open(struct pl_packed_state *state, const struct pl_schedule *s)
{
    uint64_t *names = calloc(s->n_shapes + 1, sizeof(*names));
    size_t n = 0;

    *state = (struct pl_packed_state){calloc(s->n_shapes + 1, sizeof(*state->threads)),
                                      calloc(s->n_shapes + 1, sizeof(*state->last))};
    if (!names || !state->threads || !state->last) {
        free(names);
        return -1;
    }
    for (size_t i = 0; i < s->n_shapes; i++)
        names[i] = pl_name_parse(s->shapes[i].thread);
    qsort(names, s->n_shapes, sizeof(*names), compare_names);
    for (size_t i = 0; i < s->n_shapes; i++) {
        if (i == 0 || names[i] != names[n - 1])
            names[n++] = names[i];
    }
    for (size_t i = 0; i < s->n_shapes; i++) {
        uint64_t name = pl_name_parse(s->shapes[i].thread);
        const uint64_t *found = bsearch(&name, names, n, sizeof(*names), compare_names);

        state->threads[i] = (uint32_t)(found - names);
    }
    free(names);
    return 0;
}

void pl_packed_close(struct pl_packed_state *state)
{
    free(state->threads);
    free(state->last);
    *state = (struct pl_packed_state){NULL, NULL};
}

/* A choice as it is written. */
struct token {
    uint32_t shape;
    int64_t more;
};

static bool is_same_token(const struct token *a, const struct token *b)
{
    return a->shape == b->shape && a->more == b->more;
}

/* How many tokens from `at` on are as those `period` before them. */
static size_t count_again(const struct token *t, size_t n, size_t at, size_t period)
{
    size_t k = at;

    while (k < n && is_same_token(&t[k], &t[k - period]))
        k++;
    return k - at;
}

/* The period of which most comes again at `at`, in whole; 0 when none is worth it. */
static size_t find_period(const struct token *t, size_t n, size_t at, size_t *times)
{
    size_t best = 0, most = 0;

    for (size_t p = 1; p <= PL_PACKED_PERIOD && p <= at; p++) {
        size_t whole = is_same_token(&t[at], &t[at - p]) ? count_again(t, n, at, p) / p : 0;

        if (whole * p > most) {
            most = whole * p;
            best = p;
            *times = whole;
        }
    }
    return most >= LEAST_REPEATS ? best : 0;
}

size_t pl_packed_print(const struct pl_schedule *s, struct pl_packed_state *state, size_t group,
                       char *to)
{
    struct token tokens[PL_PACKED_LINE];
    size_t start = start_of(s, group), n = s->groups[group].end - start, length = 0, times = 0;

    PL_ASSERT(n >= 1 && n <= PL_PACKED_LINE);
    for (size_t i = 0; i < n; i++) {
        const struct pl_schedule_packed *c = &s->packed[start + i];
        uint32_t *last = &state->last[state->threads[c->shape]];

        tokens[i] = (struct token){c->shape, (int64_t)c->ordinal - (int64_t)*last};
        *last = c->ordinal;
    }
    for (size_t i = 0; i < n;) {
        size_t period = find_period(tokens, n, i, &times);

        if (period > 0)
            length += (size_t)snprintf(to + length, PL_PACKED_TOKEN, " *%zux%zu", period, times);
        else
            length += (size_t)snprintf(to + length, PL_PACKED_TOKEN, " %" PRIu32 "%+" PRId64,
                                       tokens[i].shape, tokens[i].more);
        i += period > 0 ? period * times : 1;
    }
    return length;
}

/* A number of at most 10 digits; NULL when there is none. */
static const char *take_number(const char *p, uint64_t *value)
{
    const char *start = p;

    for (*value = 0; *p >= '0' && *p <= '9' && p - start < 11; p++)
        *value = *value * 10 + (uint64_t)(*p - '0');
    return p > start && p - start < 11 ? p : NULL;
}

/* One that is written out. */
static const char *take_token(const struct pl_schedule *s, const char *p, struct token *to)
{
    uint64_t shape, more;

    p = take_number(p, &shape);
    if (!p || shape >= s->n_shapes || (*p != '+' && *p != '-'))
        return NULL;
    bool less = *p == '-';

    p = take_number(p + 1, &more);
    if (p)
        *to = (struct token){(uint32_t)shape, less ? -(int64_t)more : (int64_t)more};
    return p;
}

/* The last ones once more. */
static const char *take_again(const char *p, struct token *tokens, size_t *n)
{
    uint64_t period, times;

    p = take_number(p, &period);
    if (!p || *p != 'x' || (p = take_number(p + 1, &times)) == NULL)
        return NULL;
    if (period == 0 || period > *n || times == 0 || times > PL_PACKED_LINE ||
        *n + period * times > PL_PACKED_LINE)
        return NULL;
    for (uint64_t i = 0; i < period * times; i++, ++*n)
        tokens[*n] = tokens[*n - period];
    return p;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

const char *pl_packed_parse(struct pl_schedule *s, struct pl_packed_state *state, uint64_t digest,
                            const char *p)
{
    struct token tokens[PL_PACKED_LINE];
    size_t n = 0;

    for (p = skip_blanks(p); *p != '\0'; p = skip_blanks(p)) {
        if (*p == '*')
            p = take_again(p + 1, tokens, &n);
        else
            p = n < PL_PACKED_LINE ? take_token(s, p, &tokens[n++]) : NULL;
        if (!p || (*p != ' ' && *p != '\t' && *p != '\0'))
            return "it has a word that means nothing there";
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *last = &state->last[state->threads[tokens[i].shape]];
        int64_t ordinal = (int64_t)*last + tokens[i].more;

        if (ordinal < 0 || ordinal > UINT32_MAX)
            return "a number is out of range";
        *last = (uint32_t)ordinal;
        if (!add(s, tokens[i].shape, *last, i == 0))
            return "there are too many choices";
    }
    if (n == 0)
        return "it has no choices";
    s->groups[s->n_groups - 1].digest = digest;
    return NULL;
}
