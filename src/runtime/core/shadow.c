/* SPDX-License-Identifier: MIT */
/*
 * Which memory is shared?  Only accesses to granules (8 bytes) that two threads
 * touch, one of them writing, need to be points.
 *
 * Two bytes of shadow per granule say who touched it first in this execution
 * and how.  A granule that turns out shared is noted on the board, from there
 * goes to the common when the execution is over, and stays shared in all later
 * executions: addresses are deterministic.  Accesses made before that were no
 * points, so an exhaustive strategy is told to start over.
 *
 * A thread that ends the execution, say by a failing assertion, may hide that
 * memory is shared: somebody who would have changed what it has just read never
 * came to it.  So what it has accessed since its last point is suspect, and from
 * then on such accesses are points, too.  They touch nothing in the sense of the
 * dependency relation until the memory turns out to be shared in fact.
 *
 * Operations on mutexes and the like are points in any case: as long as nothing else touches
 * the granule where the object has its state, it need not count as shared.  A plain access of
 * another thread makes it so: somebody assigns to a mutex that others may hold.
 *
 * A granule that a wide access and another thread's operation are about to touch at the same
 * time is split as well, and stays so like one that is shared: from then on such accesses are
 * made in pieces there (ground/wide.h).  Two that a lock keeps apart are never about to happen at
 * the same time, and stay one step each.
 *
 * The same goes for all accesses, but those to a thread's own stack, of the first
 * execution of a strategy that is `curious`: nothing is known yet, and what is shared
 * would show only after it has been accessed.
 */
#include "runtime/core/shadow.h"

#include "base/assert.h"
#include "model/common.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

enum {
    OWNER = 0x0fff, /* thread id plus 1 */
    MULTI = 0x1000,
    WRITTEN = 0x2000,
    SUSPECT = 0x4000,
    SHARED = 0x8000,
    ENDLESS = 0x0002,           /* of code, which is marked as shared: a loop has its head there */
    SPLIT = 0x0001,             /* of one that is shared, whose owner nobody asks for */
    LASTING = SUSPECT | SHARED, /* what outlives the execution */
    OBJECT = MULTI | WRITTEN,   /* both, and not SHARED: used by operations on an object alone, */
    MANY = OWNER,               /* and by more than one thread */
    SUSPECT_TAG = 1,            /* in lists of granules, whose addresses are multiples of 8 */
    SPLIT_TAG = 2,
    ENDLESS_TAG = 4,
};

_Static_assert(PL_THREADS_MAX < MANY, "each thread can be an owner");

static inline uint16_t *shadow(uint64_t addr)
{
    return (uint16_t *)(PL_SHADOW_ADDRESS + (addr >> 3) * 2);
}

/* A change that belongs to this execution. */
static inline void set(uint16_t *s, uint16_t value)
{
    if (pl_stage->rolling)
        pl_vault_log(s);
    *s = value;
}

static void note(uint64_t addr, unsigned tag)
{
    PL_ASSERT(pl_board->n_grown <= PL_BOARD_SHARED);
    pl_board->shared_grew = true;
    if (pl_board->n_grown < PL_BOARD_SHARED)
        pl_board->grown[pl_board->n_grown++] = (addr & ~UINT64_C(7)) | tag;
}

static void learn(uint64_t addr, uint16_t mark, unsigned tag)
{
    if (addr >> 47 != 0)
        return; /* no memory: files and the like have numbers above all addresses */
    uint16_t *s = shadow(addr);

    if (*s & (mark | SHARED))
        return;
    PL_ASSERT((mark & ~LASTING) == 0);
    set(s, mark & SHARED ? SHARED : *s | mark);
    note(addr, tag);
}

void pl_shadow_share(uint64_t addr)
{
    learn(addr, SHARED, 0);
}

void pl_shadow_split(uint64_t addr, uint64_t size)
{
    if (addr >> 47 != 0)
        return;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t *s = shadow(g << 3);

        if (*s == (SHARED | SPLIT))
            continue;
        pl_shadow_share(g << 3);
        set(s, SHARED | SPLIT);
        note(g << 3, SPLIT_TAG);
    }
}

void pl_shadow_endless(uint64_t pc)
{
    if (pl_shadow_is_endless(pc) || pc >> 47 != 0)
        return;
    set(shadow(pc), SHARED | ENDLESS);
    note(pc, ENDLESS_TAG);
}

bool pl_shadow_is_endless(uint64_t pc)
{
    return pc >> 47 == 0 && *shadow(pc) == (SHARED | ENDLESS);
}

bool pl_shadow_is_untouched(uint64_t addr)
{
    return addr >> 47 == 0 && *shadow(addr) == 0;
}

bool pl_shadow_split_grew(void)
{
    for (uint64_t i = 0; i < pl_board->n_grown; i++) {
        if (pl_board->grown[i] & SPLIT_TAG)
            return true;
    }
    return false;
}

bool pl_shadow_is_split(uint64_t addr, uint64_t size)
{
    if (addr >> 47 != 0)
        return false;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        if (*shadow(g << 3) == (SHARED | SPLIT))
            return true;
    }
    return false;
}

/* An access that is no point. */
void pl_shadow_saw(uint64_t addr, uint64_t size, const struct pl_thread *t)
{
    struct pl_scratch *s = &pl_stage->scratch;

    if (addr >> 47 != 0 || pl_thread_owns(t, addr))
        return;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        if (s->n_unseen < PL_UNSEEN)
            s->unseen[s->n_unseen] = g << 3;
        s->n_unseen++;
    }
}

void pl_shadow_suspect_unseen(void)
{
    struct pl_scratch *s = &pl_stage->scratch;

    for (unsigned i = 0; i < s->n_unseen && i < PL_UNSEEN; i++)
        learn(s->unseen[i], SUSPECT, SUSPECT_TAG);
    if (s->n_unseen > PL_UNSEEN)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OVERLOOKED);
    s->n_unseen = 0;
}

bool pl_shadow_suspect(uint64_t addr, uint64_t size)
{
    bool suspect = pl_board->curious > 0;

    if (addr >> 47 != 0)
        return false;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t v = *shadow(g << 3);

        if (v & SHARED)
            return false;
        suspect |= (v & SUSPECT) != 0;
    }
    return suspect;
}

bool pl_shadow_known(uint64_t addr)
{
    return addr >> 47 == 0 && (*shadow(addr) & SHARED) != 0;
}

/* Whether the access is a point because nothing is known. */
static inline bool is_curious(uint64_t addr, const struct pl_thread *t)
{
    if (pl_board->curious <= 1 || pl_thread_owns(t, addr))
        return false;
    pl_board->curious--; /* not to 0: what was announced is still to be told from shared memory */
    return true;
}

/* Whether nobody but this thread has used the granule, and for an object. */
static bool is_own_object(uint16_t v, uint16_t me)
{
    return (v & OBJECT) == OBJECT && (v & OWNER) == me;
}

/*
 * A handler that came of itself is as good as another thread: what both use is shared.  So is what
 * two handlers use of which one may come while the other runs.  Beyond the numbers that there are
 * nobody is the same twice.
 */
static uint16_t handler_as_owner(const struct pl_thread *t)
{
    enum { FIRST = PL_THREADS_MAX + 1, LAST = MANY - 3 };
    unsigned number = FIRST + t->id * PL_HANDLERS_APART + (t->signals.apart - 1u);

    return (uint16_t)(number <= LAST ? number : MANY - 2 + (t->op.ordinal & 1));
}

static inline uint16_t owner(const struct pl_thread *t)
{
    return t->signals.apart ? handler_as_owner(t) : (uint16_t)(t->id + 1u);
}

/* Whether other processes under control have the memory as well, of which nothing is seen here. */
static bool is_of_company(uint64_t addr)
{
    return __builtin_expect(pl_stage->process.company, 0) && pl_alias_mapping(addr).size != 0;
}

/* Note an access; true when it is to shared memory. */
bool pl_shadow_shared(uint64_t addr, uint64_t size, bool write, struct pl_thread *t)
{
    uint16_t me = owner(t);
    bool shared = pl_board->settings.points_all;

    PL_CHECK(t->id < pl_stage->n_threads);
    if (addr >> 47 != 0)
        return false;
    shared = shared || is_curious(addr, t) || is_of_company(addr);
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t *s = shadow(g << 3);
        uint16_t v = *s;

        if (v & SHARED) {
            shared = true;
            continue;
        }
        shared |= (v & SUSPECT) != 0;
        if ((v & OWNER) == 0) {
            set(s, (uint16_t)((v & SUSPECT) | me | (write ? WRITTEN : 0)));
            continue;
        }
        if ((v & OWNER) != me)
            v |= MULTI;
        if (write)
            v |= WRITTEN;
        if ((v & OBJECT) == OBJECT && is_own_object(*s, me)) {
            set(s, v & (uint16_t)~MULTI);
            continue;
        }
        if (v != *s)
            set(s, v);
        if ((v & OBJECT) == OBJECT) {
            pl_shadow_share(g << 3);
            if (pl_ports.exposed != NULL)
                pl_ports.exposed(g << 3);
            shared = true;
        }
    }
    return shared;
}

void pl_shadow_object(uint64_t addr, const struct pl_thread *t)
{
    uint16_t me = (uint16_t)(t->id + 1);

    if (addr >> 47 != 0)
        return;
    uint16_t *s = shadow(addr), v = *s;

    if (v & SHARED)
        return;
    if ((v & OWNER) == 0)
        set(s, (uint16_t)((v & SUSPECT) | OBJECT | me));
    else if ((v & OBJECT) == OBJECT && (v & OWNER) != me && (v & OWNER) != MANY)
        set(s, v | MANY);
    else if ((v & OBJECT) != OBJECT && ((v & OWNER) != me || (v & MULTI) != 0))
        pl_shadow_share(addr); /* it has been accessed as memory */
    else if ((v & WRITTEN) == 0)
        set(s, v | WRITTEN);
}

typedef uint64_t __attribute__((may_alias)) four; /* the shadow of as many granules */

/* The first granule from g on that somebody has touched, or that is near one; or a later one. */
static inline uint64_t touched_from(uint64_t g, uint64_t last)
{
    while (g % 4 == 0 && g < last && *(const four *)shadow(g << 3) == 0)
        g += 4;
    return g;
}

bool pl_shadow_ends(uint64_t addr, uint64_t size, const struct pl_thread *t)
{
    uint16_t me = (uint16_t)(t->id + 1);
    bool shared = pl_board->settings.points_all;
    uint64_t last = (addr + size - 1) >> 3;

    if (addr >> 47 != 0)
        return false;
    for (uint64_t g = addr >> 3; g <= last; g++) {
        if (size > PL_SHADOW_REMEMBERED && (g = touched_from(g, last)) > last)
            break;
        uint16_t *s = shadow(g << 3);
        uint16_t v = *s;

        bool mine =
            (v & OWNER) == me && (v & SHARED) == 0 && ((v & MULTI) == 0 || (v & OBJECT) == OBJECT);

        if (mine) {
            if ((v & WRITTEN) == 0)
                set(s, v | WRITTEN);
        } else if (v != 0) {
            pl_shadow_share(g << 3);
            shared = true;
        } else if (size <= PL_SHADOW_REMEMBERED) {
            set(s, me | WRITTEN); /* whoever comes to it later shares it */
        }
    }
    return shared;
}

void pl_shadow_narrow(uint64_t *addr, uint64_t *size)
{
    uint64_t end = (*addr + *size - 1) >> 3, first = UINT64_MAX, last = 0;

    if (*size == 0 || *addr >> 47 != 0)
        return;
    for (uint64_t g = *addr >> 3; (g = touched_from(g, end)) <= end; g++) {
        if ((*shadow(g << 3) & SHARED) == 0)
            continue;
        first = first == UINT64_MAX ? g : first;
        last = g;
    }
    if (first == UINT64_MAX)
        return;
    uint64_t from = first << 3 > *addr ? first << 3 : *addr;
    uint64_t to = (last + 1) << 3 < *addr + *size ? (last + 1) << 3 : *addr + *size;

    *addr = from;
    *size = to - from;
}

/* ---- children ---- */

/* A granule that the child has read; most that come one after the other follow each other. */
static void note_copied(uint64_t addr, pl_tid maker)
{
    uint32_t *last =
        &pl_stage->process.copied; /* the range that this child has noted last, plus 1 */
    struct pl_copied *range = *last > 0 ? &pl_board->copied[*last - 1] : NULL;

    if (range != NULL && range->addr + 8 * (uint64_t)range->granules == addr) {
        range->granules++;
        return;
    }
    uint32_t n = pl_board->n_copied < PL_BOARD_COPIED ? pl_board->n_copied++ : PL_BOARD_COPIED;

    if (n >= PL_BOARD_COPIED) {
        pl_board->n_copied = PL_BOARD_COPIED + 1;
        return;
    }
    pl_board->copied[n] = (struct pl_copied){addr, 1, maker};
    *last = n + 1;
}

/* The child's own shadow is a copy, of use for nothing else: what it has told is marked there. */
void pl_shadow_in_child(uint64_t addr, uint64_t size, bool write)
{
    const struct pl_thread *t = pl_thread_self();

    if (addr >> 47 != 0 || t == NULL || pl_thread_owns(t, addr))
        return;
    for (uint64_t g = addr >> 3; g <= (addr + size - 1) >> 3; g++) {
        uint16_t *s = shadow(g << 3);
        bool whole = addr <= g << 3 && (g << 3) + 8 <= addr + size;

        if ((*s & SHARED) != 0 || (write && !whole))
            continue;
        *s = SHARED;
        if (!write) /* else what it reads there from now on is its own */
            note_copied(g << 3, t->id);
    }
}

void pl_shadow_take_copied(void)
{
    uint32_t n = pl_board->n_copied;

    if (n == 0)
        return;
    if (n > PL_BOARD_COPIED)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OVERLOOKED);
    for (uint32_t i = 0; i < n && i < PL_BOARD_COPIED; i++) {
        const struct pl_copied *range = &pl_board->copied[i];

        if (range->maker < pl_stage->n_threads)
            pl_shadow_shared(range->addr, 8 * (uint64_t)range->granules, false,
                             pl_thread_by_id(range->maker));
    }
    pl_board->n_copied = 0;
}

/* Fresh memory: what was there before has nothing to do with it. */
void pl_shadow_clear(uint64_t addr, uint64_t size)
{
    uint64_t last = (addr + size - 1) >> 3;

    PL_ASSERT(addr >> 47 == 0);
    for (uint64_t g = touched_from(addr >> 3, last); g <= last; g = touched_from(g + 1, last)) {
        uint16_t *s = shadow(g << 3);

        if ((*s & SHARED) == 0 && (*s & ~LASTING) != 0)
            set(s, *s & LASTING);
    }
}

/* Bring the shadow up to date with what was known when the execution was planned. */
void pl_shadow_apply(void)
{
    PL_ASSERT(pl_stage->shared_applied <= pl_board->shared_known &&
              pl_board->shared_known <= PL_BOARD_SHARED);
    if (pl_stage->shared_applied == pl_board->shared_known)
        return;
    for (; pl_stage->shared_applied < pl_board->shared_known; pl_stage->shared_applied++) {
        uint64_t entry = pl_common->shared[pl_stage->shared_applied];
        uint16_t *s = shadow(entry);

        if (entry & ENDLESS_TAG) {
            *s = SHARED | ENDLESS;
            pl_stage->fair.endless = true;
            pl_ports.restart->commit(&pl_stage->fair.endless, sizeof(pl_stage->fair.endless));
        } else if (entry & SPLIT_TAG)
            *s = SHARED | SPLIT;
        else if ((*s & SHARED) == 0)
            *s = entry & SUSPECT_TAG ? *s | SUSPECT : SHARED;
        pl_ports.restart->commit(s, sizeof(*s));
    }
    pl_ports.restart->commit(&pl_stage->shared_applied, sizeof(pl_stage->shared_applied));
}
