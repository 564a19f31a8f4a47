/* SPDX-License-Identifier: MIT */
/* See pairs.h. */
#include "trace/pairs.h"

#include "base/assert.h"
#include "base/file.h"
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts and rows that are the same are one ---- */

struct texts {
    char *bytes;
    size_t used, room;
    uint32_t *slots; /* offsets plus 1, by hash */
    size_t n, capacity;
};

static size_t text_slot(const struct texts *t, const char *text)
{
    size_t i = pl_hash_text(text) & (t->capacity - 1);

    while (t->slots[i] != 0 && strcmp(t->bytes + t->slots[i] - 1, text) != 0)
        i = (i + 1) & (t->capacity - 1);
    return i;
}

static void grow_slots(struct texts *t)
{
    struct texts more = *t;

    more.capacity = t->capacity ? 2 * t->capacity : 1024;
    more.slots = pl_err_must(calloc(more.capacity, sizeof(*more.slots)));
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i] != 0)
            more.slots[text_slot(&more, t->bytes + t->slots[i] - 1)] = t->slots[i];
    }
    free(t->slots);
    *t = more;
}

static uint32_t add_text(struct texts *t, const char *text)
{
    const char *s = text ? text : "";
    size_t length = strlen(s) + 1;

    if (2 * (t->n + 1) > t->capacity)
        grow_slots(t);
    size_t i = text_slot(t, s);

    if (t->slots[i] != 0)
        return t->slots[i] - 1;
    if (t->used + length > t->room) {
        t->room = 2 * (t->room + length);
        t->bytes = pl_err_must(realloc(t->bytes, t->room));
    }
    memcpy(t->bytes + t->used, s, length);
    t->slots[i] = (uint32_t)t->used + 1;
    t->used += length;
    t->n++;
    PL_ASSERT(t->used < UINT32_MAX);
    return t->slots[i] - 1;
}

/* Which row each row becomes; returns how many there are. */
static uint32_t share_rows(const struct pl_pairs_parts *p, size_t words, uint32_t *becomes)
{
    size_t capacity = 64;

    while (capacity < 2 * (size_t)p->n_rows)
        capacity *= 2;
    uint32_t *slots = pl_err_must(calloc(capacity, sizeof(*slots)));
    uint32_t n = 0;

    for (uint32_t r = 0; r < p->n_rows; r++) {
        const uint64_t *row = p->rows + r * words;
        size_t i = pl_hash_words(0, row, words) & (capacity - 1);

        while (slots[i] != 0 &&
               memcmp(p->rows + (slots[i] - 1) * words, row, words * sizeof(*row)) != 0)
            i = (i + 1) & (capacity - 1);
        if (slots[i] == 0) {
            slots[i] = r + 1;
            becomes[r] = n++;
        } else {
            becomes[r] = becomes[slots[i] - 1];
        }
    }
    free(slots);
    return n;
}

/* ---- the piece of memory ---- */

struct packing {
    const struct pl_pairs_parts *from;
    struct pl_pair_table head;
    struct pl_pair_table *to;
    struct texts texts;
    struct pl_pair_site *sites;
    struct pl_pair *pairs;
    uint32_t *members, *becomes;
    struct pl_pair_root *roots;
    struct pl_pair_module *modules;
};

static uint64_t reserve(struct pl_pair_table *h, uint64_t n, uint64_t each)
{
    uint64_t at = h->size;

    h->size = (at + n * each + 7) & ~UINT64_C(7);
    return at;
}

static void exchange(struct pl_pairs_pair *p)
{
    struct pl_pairs_pair q = *p;

    if (p->pair.a <= p->pair.b)
        return;
    p->pair.a = q.pair.b;
    p->pair.b = q.pair.a;
    p->pair.roots_a = q.pair.roots_b;
    p->pair.roots_b = q.pair.roots_a;
    p->locks_a = q.locks_b;
    p->locks_b = q.locks_a;
}

static void put_texts(struct packing *k)
{
    const struct pl_pairs_parts *f = k->from;

    add_text(&k->texts, "");
    for (uint32_t i = 0; i < f->n_sites; i++) {
        k->sites[i] = f->sites[i].site;
        k->sites[i].file = add_text(&k->texts, f->sites[i].file);
        k->sites[i].function = add_text(&k->texts, f->sites[i].function);
        k->sites[i].caller = add_text(&k->texts, f->sites[i].caller);
        k->sites[i].first_pair = k->sites[i].n_pairs = 0;
    }
    for (uint32_t i = 0; i < f->n_pairs; i++) {
        struct pl_pairs_pair p = f->pairs[i];

        exchange(&p);
        k->pairs[i] = p.pair;
        k->pairs[i].object = add_text(&k->texts, p.object);
        k->pairs[i].locks_a = add_text(&k->texts, p.locks_a);
        k->pairs[i].locks_b = add_text(&k->texts, p.locks_b);
    }
    for (uint32_t i = 0; i < f->n_roots; i++) {
        k->roots[i] = f->roots[i].root;
        k->roots[i].function = add_text(&k->texts, f->roots[i].function);
    }
    for (uint32_t i = 0; i < f->n_modules; i++)
        k->modules[i].name = add_text(&k->texts, f->modules[i].name);
}

static int by_priority(const void *a, const void *b, void *pairs)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct pl_pair *p = (const struct pl_pair *)pairs + x;
    const struct pl_pair *q = (const struct pl_pair *)pairs + y;

    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    return (x > y) - (x < y);
}

/* The pairs of each site; one with itself is there once. */
static uint32_t put_members(struct packing *k)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < k->from->n_pairs; i++) {
        k->sites[k->pairs[i].a].n_pairs++;
        if (k->pairs[i].b != k->pairs[i].a)
            k->sites[k->pairs[i].b].n_pairs++;
    }
    for (uint32_t i = 0; i < k->from->n_sites; i++) {
        k->sites[i].first_pair = n;
        n += k->sites[i].n_pairs;
        k->sites[i].n_pairs = 0;
    }
    k->members = pl_err_must(calloc(n + 1, sizeof(*k->members)));
    for (uint32_t i = 0; i < k->from->n_pairs; i++) {
        struct pl_pair_site *a = &k->sites[k->pairs[i].a], *b = &k->sites[k->pairs[i].b];

        k->members[a->first_pair + a->n_pairs++] = i;
        if (a != b)
            k->members[b->first_pair + b->n_pairs++] = i;
    }
    for (uint32_t i = 0; i < k->from->n_sites; i++)
        qsort_r(k->members + k->sites[i].first_pair, k->sites[i].n_pairs, sizeof(*k->members),
                by_priority, k->pairs);
    return n;
}

static void lay_out(struct packing *k, uint32_t n_members, uint32_t n_rows)
{
    const struct pl_pairs_parts *f = k->from;
    struct pl_pair_table *h = &k->head;

    *h = (struct pl_pair_table){.magic = PL_PAIR_MAGIC,
                                .version = PL_PAIR_VERSION,
                                .lacks = f->lacks,
                                .size = (sizeof(*h) + 7) & ~UINT64_C(7),
                                .build = f->build,
                                .n_sites = f->n_sites,
                                .n_pairs = f->n_pairs,
                                .n_members = n_members,
                                .n_roots = f->n_roots,
                                .n_positions = f->n_positions,
                                .n_places = f->n_places,
                                .n_modules = f->n_modules,
                                .n_rows = n_rows,
                                .n_targets = f->n_targets,
                                .row_words = (f->n_targets + 63) / 64,
                                .n_unmatched = f->n_unmatched,
                                .n_lost = f->n_lost,
                                .milliseconds = f->milliseconds,
                                .texts_size = k->texts.used};
    h->sites_at = reserve(h, f->n_sites, sizeof(struct pl_pair_site));
    h->pairs_at = reserve(h, f->n_pairs, sizeof(struct pl_pair));
    h->members_at = reserve(h, n_members, sizeof(uint32_t));
    h->roots_at = reserve(h, f->n_roots, sizeof(struct pl_pair_root));
    h->positions_at = reserve(h, f->n_positions, sizeof(struct pl_pair_position));
    h->places_at = reserve(h, f->n_places, sizeof(struct pl_pair_place));
    h->modules_at = reserve(h, f->n_modules, sizeof(struct pl_pair_module));
    h->rows_at = reserve(h, n_rows, (uint64_t)h->row_words * sizeof(uint64_t));
    h->targets_at = reserve(h, f->n_targets, sizeof(uint32_t));
    h->texts_at = reserve(h, k->texts.used, 1);
}

static void put(struct packing *k, uint64_t at, const void *from, uint64_t n, uint64_t each)
{
    if (n > 0)
        memcpy((char *)k->to + at, from, n * each);
}

static void put_rows(struct packing *k)
{
    const struct pl_pairs_parts *f = k->from;
    size_t words = k->head.row_words;
    struct pl_pair_position *p = (void *)((char *)k->to + k->head.positions_at);
    struct pl_pair_root *roots = (void *)((char *)k->to + k->head.roots_at);

    for (uint32_t r = 0; r < f->n_rows; r++)
        put(k, k->head.rows_at + k->becomes[r] * words * sizeof(uint64_t), f->rows + r * words,
            words, sizeof(uint64_t));
    for (uint32_t i = 0; i < f->n_positions; i++) {
        p[i].at = p[i].at == PL_PAIR_NONE ? PL_PAIR_NONE : k->becomes[p[i].at];
        p[i].past = p[i].past == PL_PAIR_NONE ? PL_PAIR_NONE : k->becomes[p[i].past];
    }
    for (uint32_t i = 0; i < f->n_roots; i++)
        roots[i].row = roots[i].row == PL_PAIR_NONE ? PL_PAIR_NONE : k->becomes[roots[i].row];
}

static void put_all(struct packing *k, uint32_t n_members)
{
    const struct pl_pairs_parts *f = k->from;
    const struct pl_pair_table *h = &k->head;

    k->to = pl_err_must(calloc(1, h->size));
    *k->to = *h;
    put(k, h->sites_at, k->sites, f->n_sites, sizeof(*k->sites));
    put(k, h->pairs_at, k->pairs, f->n_pairs, sizeof(*k->pairs));
    put(k, h->members_at, k->members, n_members, sizeof(*k->members));
    put(k, h->roots_at, k->roots, f->n_roots, sizeof(*k->roots));
    put(k, h->positions_at, f->positions, f->n_positions, sizeof(*f->positions));
    put(k, h->places_at, f->places, f->n_places, sizeof(*f->places));
    put(k, h->modules_at, k->modules, f->n_modules, sizeof(*k->modules));
    put(k, h->targets_at, f->targets, f->n_targets, sizeof(*f->targets));
    put(k, h->texts_at, k->texts.bytes, k->texts.used, 1);
    put_rows(k);
}

struct pl_pair_table *pl_pairs_pack(const struct pl_pairs_parts *parts)
{
    struct packing k = {.from = parts};
    size_t words = (parts->n_targets + 63) / 64;

    k.sites = pl_err_must(calloc(parts->n_sites + 1, sizeof(*k.sites)));
    k.pairs = pl_err_must(calloc(parts->n_pairs + 1, sizeof(*k.pairs)));
    k.roots = pl_err_must(calloc(parts->n_roots + 1, sizeof(*k.roots)));
    k.modules = pl_err_must(calloc(parts->n_modules + 1, sizeof(*k.modules)));
    k.becomes = pl_err_must(calloc(parts->n_rows + 1, sizeof(*k.becomes)));
    put_texts(&k);
    uint32_t n_members = put_members(&k);

    lay_out(&k, n_members, share_rows(parts, words, k.becomes));
    put_all(&k, n_members);
    pl_pairs_settle(k.to, 0);
    free(k.sites);
    free(k.pairs);
    free(k.members);
    free(k.roots);
    free(k.modules);
    free(k.becomes);
    free(k.texts.bytes);
    free(k.texts.slots);
    PL_ASSERT(pl_pair_is_sound(k.to, k.to->size));
    return k.to;
}

/* ---- addresses ---- */

void pl_pairs_move(struct pl_pair_table *t, uint32_t module, uint64_t by)
{
    struct pl_pair_place *places = (void *)((char *)t + t->places_at);

    for (uint32_t i = 0; i < t->n_places; i++) {
        if (places[i].module == module)
            places[i].pc += by;
    }
}

static int by_pc(const void *a, const void *b)
{
    uint64_t x = ((const struct pl_pair_place *)a)->pc, y = ((const struct pl_pair_place *)b)->pc;

    return (x > y) - (x < y);
}

void pl_pairs_settle(struct pl_pair_table *t, uint64_t modules)
{
    if (t->n_places > 0)
        qsort((char *)t + t->places_at, t->n_places, sizeof(struct pl_pair_place), by_pc);
    t->placed = modules;
}

/* ---- the file ---- */

#define TABLE_MOST (INT64_C(4) << 30) /* bytes */

int pl_pairs_write(const struct pl_pair_table *t, const char *path, struct pl_err *err)
{
    FILE *f = fopen(path, "wbe");
    bool written = f != NULL && fwrite(t, 1, t->size, f) == t->size;

    if (f != NULL && fclose(f) != 0)
        written = false;
    if (!written)
        return pl_err_set(err, PL_ERR_SYSTEM, "'%s' could not be written (%s). Make room there.",
                          path, strerror(errno));
    return 0;
}

struct pl_pair_table *pl_pairs_read(const char *path, struct pl_err *err)
{
    FILE *f = pl_file_open(path, TABLE_MOST);
    struct pl_pair_table *t = NULL;
    long size = -1;

    if (f != NULL && fseek(f, 0, SEEK_END) == 0)
        size = ftell(f);
    if (size >= (long)sizeof(*t) && fseek(f, 0, SEEK_SET) == 0) {
        t = pl_err_must(malloc((size_t)size));
        if (fread(t, 1, (size_t)size, f) != (size_t)size || !pl_pair_is_sound(t, (uint64_t)size)) {
            free(t);
            t = NULL;
        }
    }
    if (f != NULL)
        fclose(f);
    if (t == NULL)
        pl_err_set(err, PL_ERR_USER, "'%s' is no table of pairs. Have it made anew.", path);
    return t;
}
