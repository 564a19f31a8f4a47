/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that keep something between calls, or return the address of something that
 * the next call changes.  Here that something is the execution's, so that its address is known
 * before the call and its accesses can be announced; the work is done by the reentrant forms.
 *
 * Also what calls the program's functions, in which there are points: qsort() sorts a copy, so that
 * what is in the program's array changes at once, behind a point; lfind() and lsearch() are done
 * here, since they look at the number of elements again and again.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/memory.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/system/apart.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(offsetof(struct random_data, rptr) == sizeof(int32_t *), "two places come first");

typedef int compare_function(const void *, const void *, void *);
typedef int compare_two_function(const void *, const void *);
#define LOOK_FOR (const void *, void *, size_t *, size_t, compare_two_function *)

#define LIBC_FUNCTIONS                                              \
    LIBC(struct tm *, gmtime, (const time_t *))                     \
    LIBC(struct tm *, gmtime_r, (const time_t *, struct tm *))      \
    LIBC(struct tm *, localtime, (const time_t *))                  \
    LIBC(struct tm *, localtime_r, (const time_t *, struct tm *))   \
    LIBC(char *, asctime, (const struct tm *))                      \
    LIBC(char *, asctime_r, (const struct tm *, char *))            \
    LIBC(char *, ctime, (const time_t *))                           \
    LIBC(void, tzset, (void))                                       \
    LIBC(int, random_r, (struct random_data *, int32_t *))          \
    LIBC(double, drand48, (void))                                   \
    LIBC(long, lrand48, (void))                                     \
    LIBC(long, mrand48, (void))                                     \
    LIBC(void, srand48, (long))                                     \
    LIBC(unsigned short *, seed48, (unsigned short *))              \
    LIBC(void, lcong48, (unsigned short *))                         \
    LIBC(int, drand48_r, (struct drand48_data *, double *))         \
    LIBC(int, lrand48_r, (struct drand48_data *, long *))           \
    LIBC(int, mrand48_r, (struct drand48_data *, long *))           \
    LIBC(int, srand48_r, (long, struct drand48_data *))             \
    LIBC(int, seed48_r, (unsigned short *, struct drand48_data *))  \
    LIBC(int, lcong48_r, (unsigned short *, struct drand48_data *)) \
    LIBC(void *, lfind, LOOK_FOR)                                   \
    LIBC(void *, lsearch, LOOK_FOR)                                 \
    LIBC(void, insque, (void *, void *))                            \
    LIBC(void, remque, (void *))                                    \
    LIBC(void, qsort_r, (void *, size_t, size_t, compare_function *, void *))

static struct {
#define LIBC(ret, name, params) ret(*name##_) params;
    LIBC_FUNCTIONS
#undef LIBC
} libc;

void pl_statics_init(void)
{
#define LIBC(ret, name, params) *(void **)&libc.name##_ = pl_real_find(#name);
    LIBC_FUNCTIONS
#undef LIBC
}

#define READS(p, n) pl_call_touches(p, n, false, who)
#define WRITES(p, n) pl_call_touches(p, n, true, who)

/* ---- random numbers ---- */

/*
 * Unlike rand(), these have no lock: the state is read, and changed in a step of its own.  `call`
 * works on `d`, its copy.  The first word stands for all of it.
 */
#define CHANGE_48(reads, call)                                                       \
    {                                                                                \
        struct drand48_data *state = &pl_stage->process.random_48, copy, *d = &copy; \
        if (reads)                                                                   \
            READS(state, 8);                                                         \
        copy = *state;                                                               \
        call;                                                                        \
        WRITES(state, 8);                                                            \
        *state = copy;                                                               \
    }

PL_EXPOSE(double, drand48, (void))
{
    struct pl_call who = PL_CALL_EXPOSED;
    double x = 0;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(drand48)();
    CHANGE_48(true, PL_LIBC_OWN(drand48_r)(d, &x))
    return x;
}

PL_INTERPOSE(long, lrand48, (void))
{
    struct pl_call who = PL_CALL_ENTERED;
    long n = 0;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(lrand48)();
    CHANGE_48(true, PL_LIBC_OWN(lrand48_r)(d, &n))
    return n;
}

PL_INTERPOSE(long, mrand48, (void))
{
    struct pl_call who = PL_CALL_ENTERED;
    long n = 0;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(mrand48)();
    CHANGE_48(true, PL_LIBC_OWN(mrand48_r)(d, &n))
    return n;
}

PL_INTERPOSE(void, srand48, (long seed))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        PL_LIBC_OWN(srand48)(seed);
    else
        CHANGE_48(false, PL_LIBC_OWN(srand48_r)(seed, d))
}

PL_INTERPOSE(unsigned short *, seed48, (unsigned short *seed))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(seed48)(seed);
    READS(seed, 3 * sizeof(*seed));
    CHANGE_48(true, PL_LIBC_OWN(seed48_r)(seed, d))
    return pl_stage->process.random_48.__old_x;
}

PL_INTERPOSE(void, lcong48, (unsigned short *seed))
{
    struct pl_call who = PL_CALL_ENTERED;

    READS(seed, 7 * sizeof(*seed));
    if (!pl_call_wanted(who))
        PL_LIBC_OWN(lcong48)(seed);
    else
        CHANGE_48(false, PL_LIBC_OWN(lcong48_r)(seed, d))
}

/* The same place in another array. */
static int32_t *led(const int32_t *p, const int32_t *from, int32_t *to)
{
    return to + (p - from);
}

/* It draws from a copy; what that changes is one number of the table, and where it goes on. */
PL_INTERPOSE(int, random_r, (struct random_data * d, int32_t *out))
{
    enum { MOST = 64, PLACES = 2 * sizeof(int32_t *) };
    struct pl_call who = PL_CALL_ENTERED;
    int32_t words[MOST], number = 0;

    if (d == NULL || out == NULL || !pl_call_wanted(who))
        return PL_LIBC_OWN(random_r)(d, out);
    READS(d, sizeof(*d));
    struct random_data own = *d;
    bool simple = own.rand_type == 0; /* there is one number, and no place */
    int n = simple ? 1 : own.rand_deg;
    int32_t *table = own.state, *changed = simple ? table : own.fptr;

    if (table == NULL || n > MOST)
        return PL_LIBC_OWN(random_r)(d, out);
    READS(changed, sizeof(*changed));
    pl_memory_copy(words, table, (uint64_t)n * sizeof(*words));
    own.state = words;
    own.fptr = led(own.fptr, table, words);
    own.rptr = led(own.rptr, table, words);
    own.end_ptr = led(own.end_ptr, table, words);
    int failed = PL_LIBC_OWN(random_r)(&own, &number);

    pl_apart_store(changed, &words[changed - table], sizeof(*changed), who);
    pl_apart_store(out, &number, sizeof(number), who);
    own.fptr = led(own.fptr, words, table);
    own.rptr = led(own.rptr, words, table);
    if (!simple)
        pl_apart_store(d, &own, PLACES, who);
    return failed;
}

/* ---- time ---- */

static struct tm *broken_down(const time_t *t, bool local, struct pl_call who)
{
    struct tm *tm = &pl_stage->process.broken_down, found;
    PL_APART(apart, who);

    READS(t, sizeof(*t));
    const time_t at = *t;

    if (local) {
        pl_apart_hold(&apart, &pl_stage->process.library[PL_STATE_ZONE]);
        pl_call_zone(who);
        PL_LIBC_OWN(tzset)();
    }
    if ((local ? PL_LIBC_OWN(localtime_r)(&at, &found) : PL_LIBC_OWN(gmtime_r)(&at, &found)) ==
        NULL)
        return NULL;
    pl_apart_end(&apart);
    pl_apart_store(tm, &found, sizeof(found), who);
    return tm;
}

PL_INTERPOSE(struct tm *, gmtime, (const time_t *t))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) ? broken_down(t, false, who) : PL_LIBC_OWN(gmtime)(t);
}

PL_INTERPOSE(struct tm *, localtime, (const time_t *t))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) ? broken_down(t, true, who) : PL_LIBC_OWN(localtime)(t);
}

static char *as_text(const struct tm *tm, struct pl_call who)
{
    enum { USUAL = 26 };
    char *text = pl_stage->process.broken_down_text;

    READS(tm, sizeof(*tm));
    WRITES(text, USUAL);
    return PL_LIBC_OWN(asctime_r)(tm, text);
}

PL_INTERPOSE(char *, asctime, (const struct tm *tm))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) ? as_text(tm, who) : PL_LIBC_OWN(asctime)(tm);
}

PL_INTERPOSE(char *, ctime, (const time_t *t))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(ctime)(t);
    struct tm *tm = broken_down(t, true, who);

    return tm != NULL ? as_text(tm, who) : NULL;
}

/* ---- sorting ---- */

static int compare_two(const void *a, const void *b, void *compare)
{
    return ((compare_two_function *)compare)(a, b);
}

static void sort(void *base, size_t n, size_t size, compare_function *compare, void *arg,
                 struct pl_call who)
{
    enum { COPY_MOST = 1 << 20 };
    size_t bytes;
    bool fits = !__builtin_mul_overflow(n, size, &bytes) && bytes > 0 && bytes <= COPY_MOST;

    if (!pl_call_wanted(who) || !fits) {
        PL_LIBC_OWN(qsort_r)(base, n, size, compare, arg);
        return;
    }
    READS(base, bytes);
    void *copy = pl_heap_allocate(bytes, 16, who.pc);

    if (copy == NULL) {
        PL_LIBC_OWN(qsort_r)(base, n, size, compare, arg);
        return;
    }
    pl_memory_copy(copy, base, bytes);
    PL_LIBC_OWN(qsort_r)(copy, n, size, compare, arg);
    WRITES(base, bytes);
    pl_memory_copy(base, copy, bytes);
    pl_heap_free(copy, who.pc);
}

PL_INTERPOSE(void, qsort_r,
             (void *base, size_t n, size_t size, compare_function *compare, void *arg))
{
    sort(base, n, size, compare, arg, PL_CALL_ENTERED);
}

PL_INTERPOSE(void, qsort, (void *base, size_t n, size_t size, compare_two_function *compare))
{
    sort(base, n, size, compare_two, (void *)compare, PL_CALL_ENTERED);
}

/* ---- looking through an array ---- */

static size_t number_now(const size_t *n, struct pl_call who)
{
    READS(n, sizeof(*n));
    return *n;
}

/* As in glibc: others may have changed the number while an element was compared. */
static void *look_for(const void *key, const void *base, const size_t *n, size_t size,
                      compare_two_function *compare, struct pl_call who)
{
    const char *at = base;

    for (size_t i = 0; i < number_now(n, who); i++, at += size) {
        if (compare(key, at) == 0)
            return i < number_now(n, who) ? (void *)at : NULL;
    }
    return NULL;
}

PL_INTERPOSE(void *, lfind,
             (const void *key, void *base, size_t *n, size_t size, compare_two_function *compare))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) ? look_for(key, base, n, size, compare, who)
                               : PL_LIBC_OWN(lfind)(key, base, n, size, compare);
}

/* Elements of a list begin with the next one and the one before. */
struct link {
    struct link *next, *previous;
};

static struct link *next_of(struct link *l, struct pl_call who)
{
    READS(&l->next, sizeof(l->next));
    return l->next;
}

static void set(struct link **at, struct link *to, struct pl_call who)
{
    WRITES(at, sizeof(*at));
    *at = to;
}

/* Each look at a neighbour, and each change of one, is a step of its own, in libc's order. */
PL_INTERPOSE(void, insque, (void *element, void *previous))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct link *l = element, *before = previous;

    if (!pl_call_wanted(who)) {
        PL_LIBC_OWN(insque)(element, previous);
        return;
    }
    if (before == NULL) {
        set(&l->next, NULL, who);
        set(&l->previous, NULL, who);
        return;
    }
    struct link *next = next_of(before, who);

    set(&before->next, l, who);
    if (next != NULL)
        set(&next->previous, l, who);
    set(&l->next, next, who);
    set(&l->previous, before, who);
}

PL_INTERPOSE(void, remque, (void *element))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct link *l = element;

    if (!pl_call_wanted(who)) {
        PL_LIBC_OWN(remque)(element);
        return;
    }
    struct link *next = next_of(l, who);

    READS(&l->previous, sizeof(l->previous));
    struct link *previous = l->previous;

    if (next != NULL)
        set(&next->previous, previous, who);
    if (previous != NULL)
        set(&previous->next, next, who);
}

PL_INTERPOSE(void *, lsearch,
             (const void *key, void *base, size_t *n, size_t size, compare_two_function *compare))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_call_wanted(who))
        return PL_LIBC_OWN(lsearch)(key, base, n, size, compare);
    void *found = look_for(key, base, n, size, compare, who);

    if (found != NULL)
        return found;
    char *end = (char *)base + *n * size;
    PL_APART(apart, who);

    pl_apart_store(end, pl_apart(&apart, key, size, PL_APART_IN), size, who);
    const size_t more = number_now(n, who) + 1;

    pl_apart_store(n, &more, sizeof(more), who);
    return end;
}
