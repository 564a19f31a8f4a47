/* SPDX-License-Identifier: MIT */
/* See pairs.h. */
#include "report/pairs.h"

#include "base/assert.h"
#include "base/hash.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const struct pl_pair_site *site_at(const struct pl_pair_table *t, uint32_t site)
{
    PL_ASSERT(site < t->n_sites);
    return &pl_pair_sites(t)[site];
}

/* ---- which ---- */

bool pl_pairs_site_is_at(const struct pl_pair_table *t, uint32_t site, const char *at)
{
    const struct pl_pair_site *s = site_at(t, site);
    const char *file = pl_pair_string(t, s->file), *colon = strrchr(at, ':');
    size_t n = colon ? (size_t)(colon - at) : 0, length = strlen(file);

    if (colon == NULL || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return strcmp(pl_pair_string(t, s->function), at) == 0;
    bool named = length >= n && strncmp(file + length - n, at, n) == 0 &&
                 (length == n || file[length - n - 1] == '/');

    return named && (uint32_t)strtoul(colon + 1, NULL, 10) == s->line;
}

static bool has_open(const struct pl_pair_table *t, uint32_t pair, const struct pl_pairs_filter *f);

bool pl_pairs_wanted(const struct pl_pair_table *t, uint32_t pair, const struct pl_pairs_filter *f)
{
    const struct pl_pair *p = &pl_pair_pairs(t)[pair];

    PL_ASSERT(pair < t->n_pairs);
    if (f->kinds != 0 && (f->kinds >> p->kind & 1) == 0)
        return false;
    if (f->must && (p->flags & PL_PAIR_MUST) == 0)
        return false;
    if (f->open && !has_open(t, pair, f))
        return false;
    if (f->at[0] == NULL)
        return true;
    bool a = pl_pairs_site_is_at(t, p->a, f->at[0]), b = pl_pairs_site_is_at(t, p->b, f->at[0]);

    if (f->at[1] == NULL)
        return a || b;
    return (a && pl_pairs_site_is_at(t, p->b, f->at[1])) ||
           (b && pl_pairs_site_is_at(t, p->a, f->at[1]));
}

/* ---- what campaigns came to ---- */

/* NULL: nothing is known. */
static const struct pl_known_order *order_of(const struct pl_pair_table *t, uint32_t pair,
                                             unsigned direction, const struct pl_pairs_filter *f)
{
    const struct pl_pair *p = &pl_pair_pairs(t)[pair];
    uint32_t first = direction == 0 ? p->a : p->b, second = direction == 0 ? p->b : p->a;

    if (f->known == NULL)
        return NULL;
    return pl_known_find(f->known, p->kind, site_at(t, first)->key, site_at(t, second)->key);
}

static unsigned directions_of(const struct pl_pair *p)
{
    return p->a == p->b ? 1 : 2;
}

static bool has_open(const struct pl_pair_table *t, uint32_t pair, const struct pl_pairs_filter *f)
{
    for (unsigned d = 0; d < directions_of(&pl_pair_pairs(t)[pair]); d++) {
        const struct pl_known_order *o = order_of(t, pair, d, f);

        if (o == NULL || o->status == PL_KNOWN_OPEN)
            return true;
    }
    return false;
}

/* ---- words ---- */

static void print_roots(FILE *to, const struct pl_pair_table *t, uint64_t roots)
{
    enum { NAMED = 8 };
    unsigned n = 0;

    for (uint32_t i = 0; i < t->n_roots && i < PL_PAIR_ROOTS; i++) {
        const struct pl_pair_root *r = &pl_pair_roots(t)[i];

        if ((roots >> i & 1) == 0)
            continue;
        if (n < NAMED)
            fprintf(to, "%s%s%s", n > 0 ? ", " : "", pl_pair_string(t, r->function),
                    r->many ? "*" : "");
        n++;
    }
    if (n > NAMED)
        fprintf(to, " and %u more", n - NAMED);
}

/* What it does there, in few words. */
static const char *action_of(const struct pl_pair_site *s, unsigned kind)
{
    if (s->op == PL_OP_NONE || kind == PL_PAIR_WM || kind == PL_PAIR_WW) {
        if (pl_operation_is(s->op, PL_ROLES(GIVES_UP)))
            return "wakes up from a wait";
        if (s->op == PL_OP_NONE)
            return "calls a library";
    }
    bool both = (s->flags & PL_PAIR_READS) != 0 && (s->flags & PL_PAIR_WRITES) != 0;

    if ((s->op == PL_OP_WRITE || s->op == PL_OP_READ) && both)
        return "read, write";
    return pl_operation_text(s->op);
}

static void print_side(FILE *to, const struct pl_pair_table *t, uint32_t site, uint64_t roots,
                       uint32_t locks, unsigned kind)
{
    const struct pl_pair_site *s = site_at(t, site);
    const char *held = pl_pair_string(t, locks), *caller = pl_pair_string(t, s->caller);

    fprintf(to, "      %s:%u  %s  in %s", last_name(pl_pair_string(t, s->file)), s->line,
            action_of(s, kind), pl_pair_string(t, s->function));
    if (caller[0])
        fprintf(to, ", called at %s", last_name(caller));
    fputs("  [", to);
    print_roots(to, t, roots);
    fputs("]", to);
    if (held[0])
        fprintf(to, "  holds %s", held);
    fputs("\n", to);
}

static void print_lacks(FILE *to, const struct pl_pair_table *t)
{
    if ((t->lacks & PL_PAIR_COARSE_POINTERS) != 0)
        fputs("The program is large: what very many pointers lead to was not told apart.\n", to);
    if ((t->lacks & PL_PAIR_COARSE_ROWS) != 0 && (t->lacks & PL_PAIR_BY_PLACE) == 0)
        fputs("Which statements can still be reached from where is not known: the program is "
              "large, or uses longjmp().\n",
              to);
    if ((t->lacks & PL_PAIR_CUT) != 0)
        fputs("There are more pairs than these.\n", to);
    if ((t->lacks & PL_PAIR_PARTLY) != 0)
        fputs("Part of the program was built without --whole or without hooks; its own accesses "
              "are in no pair.\n",
              to);
    if ((t->lacks & PL_PAIR_BY_PLACE) != 0)
        fprintf(to,
                "The program was built by gcc: what is at one line is one statement, and which can "
                "still be reached is not known; %u of its hooks and calls are at none of them.\n",
                t->n_lost);
    if (t->n_unmatched > 0)
        fprintf(to, "%u of the statements have no place in the program's code.\n", t->n_unmatched);
}

/* Statements whose hooks are turned off. */
static uint32_t count_unhooked(const struct pl_pair_table *t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n_sites; i++)
        n += (pl_pair_sites(t)[i].flags & PL_PAIR_UNHOOKED) != 0;
    return n;
}

/* Statements that the compiler has put a hook before: plain accesses, but for those of libc's. */
static uint32_t count_hooks(const struct pl_pair_table *t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n_sites; i++)
        n += (pl_pair_sites(t)[i].flags & PL_PAIR_HOOKED) != 0;
    return n;
}

/* What is printed of the list. */
struct shown {
    uint32_t pairs, families; /* families: 0 if each pair is printed */
};

static void print_summary(FILE *to, const struct pl_pair_table *t, struct shown shown)
{
    uint32_t n[PL_PAIR_KINDS] = {0}, paired = 0, unhooked = count_unhooked(t);
    const char *between = ": ";

    for (uint32_t i = 0; i < t->n_pairs; i++)
        n[pl_pair_pairs(t)[i].kind]++;
    for (uint32_t i = 0; i < t->n_sites; i++)
        paired += pl_pair_sites(t)[i].n_pairs > 0;
    fprintf(to, "%s%u pair%s", shown.pairs > 0 ? "\n" : "", t->n_pairs, t->n_pairs == 1 ? "" : "s");
    for (unsigned k = 0; k < PL_PAIR_KINDS; k++) {
        if (n[k] > 0) {
            fprintf(to, "%s%u %s", between, n[k], pl_pair_text(k));
            between = ", ";
        }
    }
    if (shown.pairs != t->n_pairs)
        fprintf(to, "; %u shown", shown.pairs);
    if (shown.families > 0)
        fprintf(to, ", as %u famil%s (--all lists each pair)", shown.families,
                shown.families == 1 ? "y" : "ies");
    fprintf(to, "\n%u statements, %u of them in pairs; %u kind%s of threads; %.2f s\n", t->n_sites,
            paired, t->n_roots, t->n_roots == 1 ? "" : "s", t->milliseconds / 1000.0);
    if (unhooked > 0)
        fprintf(to, "%u of %u hooks are off: no other thread can meet what they announce\n",
                unhooked, count_hooks(t));
    print_lacks(to, t);
}

/* What became of one statement before the other. */
static void print_order(FILE *to, const struct pl_pair_table *t, uint32_t pair, unsigned direction,
                        const struct pl_known_order *o)
{
    const struct pl_pair *p = &pl_pair_pairs(t)[pair];

    fprintf(to, "      %s  %s", direction == 0 ? "a->b" : "b->a",
            o != NULL ? pl_known_text(o->status) : "open");
    if (o != NULL && o->status == PL_KNOWN_FAILED && o->schedule[0] != '\0')
        fprintf(to, ": plait replay %s", o->schedule);
    else if (o != NULL && o->why[0] != '\0')
        fprintf(to, ": %s", o->why);
    if (o != NULL && o->attempts > 0)
        fprintf(to, "  (%llu attempt%s)", (unsigned long long)o->attempts,
                o->attempts == 1 ? "" : "s");
    fputs("\n", to);
    PL_ASSERT(direction < directions_of(p));
}

/* ---- families ---- */

enum { MANY = 100 }; /* pairs, from which on families are shown */

/* A pair that is wanted, and what it has in common with others. */
struct member {
    uint64_t family;
    uint32_t pair;
    uint32_t more; /* of the first of its family: how many follow it in the list of members */
};

static int by_family(const void *x, const void *y)
{
    const struct member *a = x, *b = y;

    if (a->family != b->family)
        return a->family > b->family ? 1 : -1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

static int by_pair(const void *x, const void *y)
{
    const struct member *a = *(const struct member *const *)x,
                        *b = *(const struct member *const *)y;

    return (a->pair > b->pair) - (a->pair < b->pair);
}

/* The same whichever of two functions is a's. */
static uint64_t family_of(const struct pl_pair_table *t, const struct pl_pair *p)
{
    uint64_t a = pl_hash_text(pl_pair_string(t, site_at(t, p->a)->function));
    uint64_t b = pl_hash_text(pl_pair_string(t, site_at(t, p->b)->function));
    uint64_t h = pl_hash_add(p->kind, pl_hash_text(pl_pair_string(t, p->object)));

    return pl_hash_add(pl_hash_add(h, a < b ? a : b), a < b ? b : a);
}

static uint32_t find_members(const struct pl_pair_table *t, const struct pl_pairs_filter *f,
                             struct member *members)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        if (pl_pairs_wanted(t, i, f))
            members[n++] = (struct member){.family = family_of(t, &pl_pair_pairs(t)[i]), .pair = i};
    }
    for (uint32_t i = 0; i < n && (f->all || n <= MANY); i++)
        members[i].family = i;
    qsort(members, n, sizeof(*members), by_family);
    return n;
}

static void print_pair(FILE *to, const struct pl_pair_table *t, uint32_t i,
                       const struct pl_pairs_filter *f)
{
    const struct pl_pair *p = &pl_pair_pairs(t)[i];

    fprintf(to, "P%u  %s  %s%s\n", i + 1, pl_pair_text(p->kind), pl_pair_string(t, p->object),
            (p->flags & PL_PAIR_MUST) != 0    ? ""
            : (p->flags & PL_PAIR_FIXED) != 0 ? "  (may be others, but one per thread)"
                                              : "  (may be others)");
    print_side(to, t, p->a, p->roots_a, p->locks_a, p->kind);
    print_side(to, t, p->b, p->roots_b, p->locks_b, p->kind);
    for (unsigned d = 0; f->known != NULL && d < directions_of(p); d++)
        print_order(to, t, i, d, order_of(t, i, d, f));
}

/* The other members of a family, and what campaigns came to for their orders. */
static void print_more(FILE *to, const struct pl_pair_table *t, const struct member *first,
                       const struct pl_pairs_filter *f)
{
    uint32_t n[PL_KNOWN_STATUSES] = {0};
    const char *between = ": orders ";

    fprintf(to, "      and %u more, from P%u on, in the same functions", first->more,
            first[1].pair + 1);
    for (uint32_t i = 1; i <= first->more; i++) {
        for (unsigned d = 0; d < directions_of(&pl_pair_pairs(t)[first[i].pair]); d++) {
            const struct pl_known_order *o = order_of(t, first[i].pair, d, f);

            n[o != NULL ? o->status : PL_KNOWN_OPEN]++;
        }
    }
    for (unsigned k = PL_KNOWN_STATUSES; k-- > 0 && f->known != NULL;) {
        if (n[k] == 0)
            continue;
        fprintf(to, "%s%u %s", between, n[k], pl_known_text((enum pl_known_status)k));
        between = ", ";
    }
    fputs("\n", to);
}

void pl_pairs_print(FILE *to, const struct pl_pair_table *t, const struct pl_pairs_filter *f)
{
    struct member *members = pl_err_must(malloc((t->n_pairs + 1) * sizeof(*members)));
    struct member **firsts = pl_err_must(malloc((t->n_pairs + 1) * sizeof(struct member *)));
    uint32_t n = find_members(t, f, members), n_firsts = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || members[i].family != members[i - 1].family)
            firsts[n_firsts++] = &members[i];
        else
            firsts[n_firsts - 1]->more++;
    }
    qsort(firsts, n_firsts, sizeof(struct member *), by_pair);
    for (uint32_t i = 0; i < n_firsts; i++) {
        print_pair(to, t, firsts[i]->pair, f);
        if (firsts[i]->more > 0)
            print_more(to, t, firsts[i], f);
    }
    print_summary(to, t, (struct shown){.pairs = n, .families = n_firsts < n ? n_firsts : 0});
    free(members);
    free(firsts);
}

/* ---- JSON ---- */

static json_t *json_roots(const struct pl_pair_table *t, uint64_t roots)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < t->n_roots && i < PL_PAIR_ROOTS; i++) {
        const struct pl_pair_root *r = &pl_pair_roots(t)[i];

        if ((roots >> i & 1) != 0)
            json_array_append_new(list, json_pack("{s:s,s:b}", "function",
                                                  pl_pair_string(t, r->function), "many", r->many));
    }
    return list;
}

static json_t *json_side(const struct pl_pair_table *t, uint32_t site, uint64_t roots,
                         uint32_t locks)
{
    const struct pl_pair_site *s = site_at(t, site);
    char key[32];

    snprintf(key, sizeof(key), "%016" PRIx64, s->key);
    return json_pack("{s:i,s:s,s:s,s:i,s:i,s:s,s:s,s:s,s:s,s:o}", "site", (int)site, "key", key,
                     "file", pl_pair_string(t, s->file), "line", (int)s->line, "column",
                     (int)s->column, "function", pl_pair_string(t, s->function), "caller",
                     pl_pair_string(t, s->caller), "operation", pl_operation_text(s->op), "holds",
                     pl_pair_string(t, locks), "threads", json_roots(t, roots));
}

/* Both, a before b first; null: nothing is known. */
static json_t *json_orders(const struct pl_pair_table *t, uint32_t pair,
                           const struct pl_pairs_filter *f)
{
    json_t *list = json_array();

    for (unsigned d = 0; d < directions_of(&pl_pair_pairs(t)[pair]); d++) {
        const struct pl_known_order *o = order_of(t, pair, d, f);

        json_array_append_new(list, o == NULL ? json_null()
                                              : json_pack("{s:s,s:I,s:s,s:s}", "status",
                                                          pl_known_text(o->status), "attempts",
                                                          (json_int_t)o->attempts, "why", o->why,
                                                          "schedule", o->schedule));
    }
    return list;
}

void pl_pairs_json(FILE *to, const struct pl_pair_table *t, const struct pl_pairs_filter *f)
{
    json_t *pairs = json_array();

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        const struct pl_pair *p = &pl_pair_pairs(t)[i];

        if (!pl_pairs_wanted(t, i, f))
            continue;
        json_array_append_new(
            pairs,
            json_pack("{s:i,s:s,s:b,s:b,s:s,s:i,s:o,s:o,s:o}", "id", (int)i + 1, "kind",
                      pl_pair_text(p->kind), "must", (p->flags & PL_PAIR_MUST) != 0, "fixed",
                      (p->flags & PL_PAIR_FIXED) != 0, "object", pl_pair_string(t, p->object),
                      "priority", p->priority, "a", json_side(t, p->a, p->roots_a, p->locks_a), "b",
                      json_side(t, p->b, p->roots_b, p->locks_b), "orders", json_orders(t, i, f)));
    }
    json_t *all = json_pack(
        "{s:s,s:i,s:o,s:i,s:i,s:i,s:i,s:i,s:i,s:b,s:b,s:b,s:b,s:o}", "format", "plait-pairs",
        "version", 1, "pairs", pairs, "statements", (int)t->n_sites, "hooks", (int)count_hooks(t),
        "unhooked", (int)count_unhooked(t), "unplaced", (int)t->n_unmatched, "lost", (int)t->n_lost,
        "milliseconds", (int)t->milliseconds, "coarse", (t->lacks & PL_PAIR_COARSE_POINTERS) != 0,
        "cut", (t->lacks & PL_PAIR_CUT) != 0, "partly", (t->lacks & PL_PAIR_PARTLY) != 0,
        "by_place", (t->lacks & PL_PAIR_BY_PLACE) != 0, "threads", json_roots(t, UINT64_MAX));

    json_dumpf(all, to, JSON_INDENT(1));
    fputs("\n", to);
    json_decref(all);
}
