/* SPDX-License-Identifier: MIT */
/*
 * What the analyser (src/static) knows of a program before it runs: its sites, the pairs of sites
 * whose operations may conflict in different threads, the roots of its threads, and from where
 * which site can still be reached.
 *
 * All of it is one piece of memory, a struct pl_pair_table with what it refers to behind it, by
 * offsets: as a file (what the analyser writes and `plait pairs` prints) and in the common, where
 * strategies look.  The two differ in nothing but the addresses in `places`, which the tool makes
 * those of the process before any worker goes on from its root.
 *
 * A *site* is a call in the analysed code that the runtime sees as an operation: of a hook before
 * an access to memory, of a function of pthreads, of a function of libc that touches memory.  Its
 * return address is the `pc` of the operation.  One site may have several such addresses, since
 * the compiler copies code; no address has two sites.  A *position* is a site, or a call of any
 * other function: where a thread can stand, at the top of its stack or below.
 *
 * The list of pairs is sound: operations of two threads that conflict in some execution, at sites,
 * are in a pair.  The answers of pl_pair_reaches() are: false means never.
 *
 * docs/design/value-schedules.md says how it is made.
 */
#ifndef PL_MODEL_PAIR_H
#define PL_MODEL_PAIR_H

#include "model/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_PAIR_MAGIC UINT64_C(0x7372696170746c70) /* "pltpairs" */
#define PL_PAIR_VERSION 3
#define PL_PAIR_CODE ".debug_plait_code" /* the section with what the analyser reads */
#define PL_PAIR_NONE UINT32_MAX          /* no site, position, row, ... */

enum {
    PL_PAIR_ROOTS = 64, /* roots that are told apart; the last one stands for all beyond it */
    PL_PAIR_FRAMES = 64 /* of a stack that are looked at: a deeper one reaches everything */
};

enum pl_pair_kind {
#define PL_PAIR(name, text, priority, phrase) PL_PAIR_##name,
#include "model/pair.def"
#undef PL_PAIR
    PL_PAIR_KINDS
};

/* What the analysis had to do without. */
enum pl_pair_lacks {
    PL_PAIR_COARSE_POINTERS = 1, /* not all objects are told apart */
    PL_PAIR_COARSE_ROWS = 2,     /* there are no rows: every site can be reached from everywhere */
    PL_PAIR_CUT = 4,             /* there are more pairs than the table has */
    PL_PAIR_PARTLY = 8, /* code of the program was built without --whole: it may do anything to what
                           it can get hold of, and its own accesses are in no pair */
    PL_PAIR_BY_PLACE = 16, /* sites were matched by their places in the source */
};

/* Of a site. */
enum pl_pair_site_flags {
    PL_PAIR_READS = 1,  /* its object */
    PL_PAIR_WRITES = 2, /* likewise, or may */
    PL_PAIR_IS_ATOMIC = 4,
    PL_PAIR_MANY = 8,      /* one thread may come here several times */
    PL_PAIR_UNPLACED = 16, /* no code was made of it: it has no address */
    PL_PAIR_HOOKED = 32,   /* it is a hook before a plain access, */
    PL_PAIR_UNHOOKED = 64, /* which has been turned off: no other thread can meet it there */
    PL_PAIR_MORE = 128,    /* there are pairs of it with others of these that the table lacks */
};

/* Of a pair. */
enum pl_pair_flags {
    PL_PAIR_MUST = 1, /* the same object at both sites, whenever they are executed */
    /*
     * The addresses at both sites are settled (`base`): if they differ once, they differ whenever
     * the same two threads come there.
     */
    PL_PAIR_FIXED = 2,
    PL_PAIR_PERMUTED = 4, /* both orders are a schedule's choice; without it one follows from locks
                             that both hold, and the pair is about who of them comes first */
};

struct pl_pair_site {
    uint64_t key;  /* the same in another build of the same source */
    uint8_t op;    /* enum pl_op_kind: what is announced there as a rule */
    uint8_t flags; /* enum pl_pair_site_flags */
    uint16_t size; /* bytes, of memory; 0: not known */
    uint32_t line, column;
    uint32_t file, function; /* texts */
    uint32_t caller;         /* text: where the function is called, if that is one place; or 0 */
    uint32_t position;
    uint32_t target; /* its bit in rows, or PL_PAIR_NONE: it is in no pair and creates no thread */
    /*
     * What its address is computed from, if that does not change while its thread lives: sites with
     * the same base have, in one thread, addresses that differ by their offsets.  Or 0.
     */
    uint32_t base;
    int32_t offset;
    uint64_t roots;               /* bits: in threads of which roots it may be executed */
    uint64_t creates;             /* bits: threads of which roots it may create */
    uint32_t first_pair, n_pairs; /* of pl_pair_members(): pairs that it is in */
};

struct pl_pair {
    uint32_t a, b;             /* sites, a <= b */
    uint8_t kind;              /* enum pl_pair_kind */
    uint8_t flags;             /* enum pl_pair_flags */
    uint16_t priority;         /* greater first: of the kind, and must before may */
    uint32_t object;           /* text: what they meet at */
    uint32_t locks_a, locks_b; /* texts: what threads hold there for sure; "" */
    uint64_t roots_a, roots_b; /* bits: threads of which roots execute a, b while the other may */
};

/* A function that threads begin with; root 0 is main(). */
struct pl_pair_root {
    uint32_t function; /* text */
    uint32_t created;  /* the site that creates them, or PL_PAIR_NONE: main, several, or unknown */
    uint32_t row;      /* what its threads can reach from their beginning, or PL_PAIR_NONE */
    bool many;         /* there may be several of its threads at a time */
};

/* What can be reached from a position; a row is a set of targets, PL_PAIR_NONE all of them. */
struct pl_pair_position {
    uint32_t site; /* or PL_PAIR_NONE: a call of another function */
    uint32_t at;   /* row: before it is performed, itself included */
    uint32_t past; /* row: once it has been, or the call has returned, in the same function */
};

/* A return address. */
struct pl_pair_place {
    uint64_t pc;
    uint32_t position;
    uint32_t module;
};

/* An executable or library that was analysed. */
struct pl_pair_module {
    uint32_t name; /* text: the file's last name; "" is the executable */
};

struct pl_pair_table {
    uint64_t magic;
    uint32_t version;
    uint32_t lacks;  /* enum pl_pair_lacks */
    uint64_t size;   /* bytes, all of it */
    uint64_t build;  /* hash of the code that was analysed */
    uint64_t placed; /* hash of the modules that pcs are of; 0: they are as in the files */
    uint32_t n_sites, n_pairs, n_members, n_roots, n_positions, n_places, n_modules;
    uint32_t n_rows, n_targets, row_words;
    uint32_t n_unmatched; /* sites without a place, but code was made of their function */
    uint32_t n_lost;      /* with PL_PAIR_BY_PLACE: hooks and calls that are at no site */
    uint32_t milliseconds;
    uint64_t sites_at, pairs_at, members_at, roots_at, positions_at, places_at, modules_at;
    uint64_t rows_at, targets_at, texts_at, texts_size;
};

const char *pl_pair_text(unsigned kind);
const char *pl_pair_phrase(unsigned kind);
unsigned pl_pair_priority(unsigned kind);
unsigned pl_pair_find_kind(const char *text); /* PL_PAIR_KINDS: none is called so */

/* The kind of pair that two operations on one object of pthreads would be, in different threads;
 * PL_PAIR_KINDS: none. */
unsigned pl_pair_kind_of(unsigned a, unsigned b);

/* Whether `size` bytes are such a table, whole and with all its indices in range. */
bool pl_pair_is_sound(const struct pl_pair_table *t, uint64_t size);

#define PL_PAIR_PART(name, type)                                                    \
    static inline const struct type *pl_pair_##name(const struct pl_pair_table *t)  \
    {                                                                               \
        return (const struct type *)(const void *)((const char *)t + t->name##_at); \
    }
PL_PAIR_PART(sites, pl_pair_site)
PL_PAIR_PART(pairs, pl_pair)
PL_PAIR_PART(roots, pl_pair_root)
PL_PAIR_PART(positions, pl_pair_position)
PL_PAIR_PART(places, pl_pair_place)
PL_PAIR_PART(modules, pl_pair_module)
#undef PL_PAIR_PART

/* Numbers of pairs, those of site s from its first_pair on, the greatest priority first. */
static inline const uint32_t *pl_pair_members(const struct pl_pair_table *t)
{
    return (const uint32_t *)(const void *)((const char *)t + t->members_at);
}

/* The site of each target. */
static inline const uint32_t *pl_pair_targets(const struct pl_pair_table *t)
{
    return (const uint32_t *)(const void *)((const char *)t + t->targets_at);
}

static inline const char *pl_pair_string(const struct pl_pair_table *t, uint32_t text)
{
    return (const char *)t + t->texts_at + (text < t->texts_size ? text : 0);
}

/* The partner of site s in pair p. */
static inline uint32_t pl_pair_other(const struct pl_pair *p, uint32_t site)
{
    return p->a == site ? p->b : p->a;
}

/* ---- where a thread is ---- */

/* The position with this return address; PL_PAIR_NONE: the code there was not analysed. */
uint32_t pl_pair_position_at(const struct pl_pair_table *t, uint64_t pc);

/*
 * The site of an operation: that of its own pc, or, if libraries lie between, of the first caller
 * that is in analysed code.  pcs[0] is the operation's, the others are return addresses of callers,
 * innermost first.  PL_PAIR_NONE: in no analysed code, or not at a site.
 */
uint32_t pl_pair_site_at(const struct pl_pair_table *t, const uint64_t *pcs, unsigned n);

/* Whether an operation of this kind at the site is what the pair is about: a wait is two. */
bool pl_pair_concerns(unsigned pair_kind, unsigned op_kind);

/*
 * Whether a thread whose stack is pcs[0..n) can still come to the site without another thread's
 * help but for what it waits for.  `performed`: the call at pcs[0] lies behind it; while it has
 * another operation to come, as a wait that has not been woken, it does not.
 * `whole`: the stack reaches down to the thread's beginning; else the answer is true.
 */
bool pl_pair_reaches(const struct pl_pair_table *t, const uint64_t *pcs, unsigned n, bool whole,
                     bool performed, uint32_t site);

/* The same for a thread that has not begun, of one of these roots. */
bool pl_pair_root_reaches(const struct pl_pair_table *t, uint64_t roots, uint32_t site);

#endif /* PL_MODEL_PAIR_H */
