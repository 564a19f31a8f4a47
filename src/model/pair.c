/* SPDX-License-Identifier: MIT */
/* See pair.h. */
#include "model/pair.h"

#include "base/assert.h"
#include "base/text.h"

static const struct {
    const char *text, *phrase;
    unsigned priority;
} kinds[PL_PAIR_KINDS] = {
#define PL_PAIR(name, text, priority, phrase) {text, phrase, priority},
#include "model/pair.def"
#undef PL_PAIR
};

const char *pl_pair_text(unsigned kind)
{
    PL_ASSERT(kind < PL_PAIR_KINDS);
    return kinds[kind].text;
}

const char *pl_pair_phrase(unsigned kind)
{
    PL_ASSERT(kind < PL_PAIR_KINDS);
    return kinds[kind].phrase;
}

unsigned pl_pair_priority(unsigned kind)
{
    PL_ASSERT(kind < PL_PAIR_KINDS);
    return kinds[kind].priority;
}

unsigned pl_pair_find_kind(const char *text)
{
    for (unsigned i = 0; i < PL_PAIR_KINDS; i++) {
        if (pl_text_equal(kinds[i].text, text))
            return i;
    }
    return PL_PAIR_KINDS;
}

unsigned pl_pair_kind_of(unsigned a, unsigned b)
{
    bool a_takes = pl_operation_is(a, PL_ROLES(ACQUIRES));
    bool b_takes = pl_operation_is(b, PL_ROLES(ACQUIRES));
    bool a_tries = a_takes && pl_operation_is(a, PL_ROLES(TRIES, TIMED));
    bool b_tries = b_takes && pl_operation_is(b, PL_ROLES(TRIES, TIMED));
    bool both_share = pl_operation_is(a, PL_ROLES(SHARES)) && pl_operation_is(b, PL_ROLES(SHARES));
    bool a_frees = pl_operation_is(a, PL_ROLES(RELEASES));
    bool b_frees = pl_operation_is(b, PL_ROLES(RELEASES));

    bool a_regains = pl_operation_is(a, PL_ROLES(REGAINS));
    bool b_regains = pl_operation_is(b, PL_ROLES(REGAINS));

    if (pl_operation_object(a) != pl_operation_object(b) && !(a_takes && b_takes))
        return PL_PAIR_KINDS;
    if (a_regains && b_regains)
        return PL_PAIR_WW;
    if ((a_regains && b_takes) || (b_regains && a_takes))
        return a_tries || b_tries ? PL_PAIR_TRY : PL_PAIR_WM;
    if (both_share)
        return PL_PAIR_KINDS;
    if ((a_tries && (b_takes || b_frees)) || (b_tries && (a_takes || a_frees)))
        return PL_PAIR_TRY;
    if (a_takes && b_takes)
        return PL_PAIR_MM;
    if (a_frees || b_frees)
        return PL_PAIR_KINDS;
    bool a_wakes = pl_operation_is(a, PL_ROLES(WAKES)),
         b_wakes = pl_operation_is(b, PL_ROLES(WAKES));

    switch (pl_operation_object(a)) {
    case PL_OBJECT_COND:
        return a_wakes && b_wakes ? PL_PAIR_NN : a_wakes || b_wakes ? PL_PAIR_WN : PL_PAIR_KINDS;
    case PL_OBJECT_SEM:
        return a == PL_OP_SEM_POST && b == PL_OP_SEM_POST ? PL_PAIR_KINDS : PL_PAIR_SEM;
    case PL_OBJECT_BARRIER:
        return PL_PAIR_BARRIER;
    case PL_OBJECT_ONCE:
        return PL_PAIR_ONCE;
    default:
        return PL_PAIR_KINDS;
    }
}

/* ---- whether it is one ---- */

static bool fits(const struct pl_pair_table *t, uint64_t at, uint64_t n, uint64_t each)
{
    return at % 8 == 0 && at >= sizeof(*t) && at <= t->size && n <= (t->size - at) / each;
}

static bool has_all_parts(const struct pl_pair_table *t)
{
    return fits(t, t->sites_at, t->n_sites, sizeof(struct pl_pair_site)) &&
           fits(t, t->pairs_at, t->n_pairs, sizeof(struct pl_pair)) &&
           fits(t, t->members_at, t->n_members, sizeof(uint32_t)) &&
           fits(t, t->roots_at, t->n_roots, sizeof(struct pl_pair_root)) &&
           fits(t, t->positions_at, t->n_positions, sizeof(struct pl_pair_position)) &&
           fits(t, t->places_at, t->n_places, sizeof(struct pl_pair_place)) &&
           fits(t, t->modules_at, t->n_modules, sizeof(struct pl_pair_module)) &&
           fits(t, t->targets_at, t->n_targets, sizeof(uint32_t)) &&
           fits(t, t->texts_at, t->texts_size, 1) && t->texts_size > 0 &&
           t->row_words == (t->n_targets + 63) / 64 &&
           (t->row_words == 0 ||
            fits(t, t->rows_at, t->n_rows, (uint64_t)t->row_words * sizeof(uint64_t)));
}

/* `none`: whether it may be PL_PAIR_NONE. */
static bool is_index(uint32_t i, uint32_t n, bool none)
{
    return i < n || (none && i == PL_PAIR_NONE);
}

static bool sites_fit(const struct pl_pair_table *t)
{
    const struct pl_pair_site *s = pl_pair_sites(t);

    for (uint32_t i = 0; i < t->n_sites; i++) {
        if (!is_index(s[i].position, t->n_positions, true) ||
            !is_index(s[i].target, t->n_targets, true) || s[i].first_pair > t->n_members ||
            s[i].n_pairs > t->n_members - s[i].first_pair)
            return false;
    }
    for (uint32_t i = 0; i < t->n_targets; i++) {
        if (!is_index(pl_pair_targets(t)[i], t->n_sites, false))
            return false;
    }
    return true;
}

static bool pairs_fit(const struct pl_pair_table *t)
{
    const struct pl_pair *p = pl_pair_pairs(t);

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        if (p[i].a >= t->n_sites || p[i].b >= t->n_sites || p[i].kind >= PL_PAIR_KINDS)
            return false;
    }
    for (uint32_t i = 0; i < t->n_members; i++) {
        if (pl_pair_members(t)[i] >= t->n_pairs)
            return false;
    }
    return true;
}

static bool positions_fit(const struct pl_pair_table *t)
{
    const struct pl_pair_position *p = pl_pair_positions(t);
    const struct pl_pair_root *r = pl_pair_roots(t);

    for (uint32_t i = 0; i < t->n_positions; i++) {
        if (!is_index(p[i].site, t->n_sites, true) || !is_index(p[i].at, t->n_rows, true) ||
            !is_index(p[i].past, t->n_rows, true))
            return false;
    }
    for (uint32_t i = 0; i < t->n_places; i++) {
        if (!is_index(pl_pair_places(t)[i].position, t->n_positions, false))
            return false;
    }
    for (uint32_t i = 0; i < t->n_roots; i++) {
        if (!is_index(r[i].row, t->n_rows, true) || !is_index(r[i].created, t->n_sites, true))
            return false;
    }
    return true;
}

static bool texts_end(const struct pl_pair_table *t)
{
    return ((const char *)t)[t->texts_at + t->texts_size - 1] == '\0';
}

bool pl_pair_is_sound(const struct pl_pair_table *t, uint64_t size)
{
    return size >= sizeof(*t) && t->magic == PL_PAIR_MAGIC && t->version == PL_PAIR_VERSION &&
           t->size == size && has_all_parts(t) && sites_fit(t) && pairs_fit(t) &&
           positions_fit(t) && texts_end(t);
}

/* ---- where a thread is ---- */

uint32_t pl_pair_position_at(const struct pl_pair_table *t, uint64_t pc)
{
    const struct pl_pair_place *places = pl_pair_places(t);
    uint32_t from = 0, to = t->n_places;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (places[middle].pc < pc)
            from = middle + 1;
        else
            to = middle;
    }
    return from < t->n_places && places[from].pc == pc ? places[from].position : PL_PAIR_NONE;
}

uint32_t pl_pair_site_at(const struct pl_pair_table *t, const uint64_t *pcs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t position = pl_pair_position_at(t, pcs[i]);

        if (position != PL_PAIR_NONE)
            return pl_pair_positions(t)[position].site;
    }
    return PL_PAIR_NONE;
}

bool pl_pair_concerns(unsigned pair_kind, unsigned op_kind)
{
    bool waits = pl_operation_is(op_kind, PL_ROLES(GIVES_UP));
    bool regains = pl_operation_is(op_kind, PL_ROLES(REGAINS));

    PL_ASSERT(pair_kind < PL_PAIR_KINDS);
    switch (pair_kind) {
    case PL_PAIR_WN:
        return !regains;
    case PL_PAIR_WM:
    case PL_PAIR_WW:
        return !waits;
    default:
        return true;
    }
}

static bool is_in(const struct pl_pair_table *t, uint32_t row, uint32_t target)
{
    if (row == PL_PAIR_NONE)
        return true;
    const uint64_t *words = (const uint64_t *)(const void *)((const char *)t + t->rows_at);

    return (words[(uint64_t)row * t->row_words + target / 64] >> (target % 64) & 1) != 0;
}

bool pl_pair_reaches(const struct pl_pair_table *t, const uint64_t *pcs, unsigned n, bool whole,
                     bool performed, uint32_t site)
{
    uint32_t target = site < t->n_sites ? pl_pair_sites(t)[site].target : PL_PAIR_NONE;

    if (target == PL_PAIR_NONE || !whole || n > PL_PAIR_FRAMES)
        return true;
    for (unsigned i = 0; i < n; i++) {
        uint32_t at = pl_pair_position_at(t, pcs[i]);

        /* Where the function below called code that was not analysed is not known; but what begins
         * a thread may be such code. */
        if (at == PL_PAIR_NONE && (i == 0 || i + 1 < n))
            return true;
        if (at == PL_PAIR_NONE)
            continue;
        const struct pl_pair_position *p = &pl_pair_positions(t)[at];
        bool before = i == 0 && !performed;

        if (is_in(t, before ? p->at : p->past, target))
            return true;
    }
    return false;
}

bool pl_pair_root_reaches(const struct pl_pair_table *t, uint64_t roots, uint32_t site)
{
    uint32_t target = site < t->n_sites ? pl_pair_sites(t)[site].target : PL_PAIR_NONE;

    if (target == PL_PAIR_NONE)
        return true;
    for (uint32_t i = 0; i < t->n_roots; i++) {
        unsigned bit = i < PL_PAIR_ROOTS ? i : PL_PAIR_ROOTS - 1;

        if ((roots >> bit & 1) != 0 && is_in(t, pl_pair_roots(t)[i].row, target))
            return true;
    }
    return false;
}
