/* SPDX-License-Identifier: MIT */
/*
 * Eraser (Savage et al., 1997): is there a lock that is held at every access to
 * a piece of memory?
 *
 * Memory begins virgin.  The first thread to touch it has it for itself, locks
 * or not, since that is how data are initialised.  When a second one comes, the
 * locks it has are the candidates; each later access leaves of them those that
 * its thread holds, on a read in any mode, on a write for writing.  Memory that
 * is only read after that is shared; once it is written by somebody, no
 * candidate left means that no lock protects it, and that is said, once; of an
 * array whose elements are accessed at the same two places, for one of them.
 *
 * Of each piece the last accesses of two threads are kept, for the report.
 * Atomic accesses are no business of locks: they neither count nor are judged.
 * Nor is giving memory back an access; when it is allocated again it is virgin.
 * Nor are those to a pointer to a virtual table: constructors and destructors
 * write it, when nobody else has the object.
 *
 * A piece is what is always accessed together within a granule of eight bytes;
 * when accesses differ, each byte is a piece of its own.  Cells of granules lie
 * densely and are found through a table that is small at first, so that an execution
 * changes few pages.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "detect/detector.h"
#include "detect/host.h"
#include "detect/index.h"
#include "detect/locks.h"
#include "model/board.h"

enum {
    GRANULE = 8,
    SLOTS_FIRST = 1 << 9,
    PAGE = 4096,
    PAGES = 1 << 10, /* words of the filter for pages */
    CELLS = 1 << 21,
    SPLIT = 1 << 18, /* granules whose bytes are told apart */
    SITES = 1 << 18,
};

enum state { VIRGIN, EXCLUSIVE, SHARED, MODIFIED };

/* An access without its address: who, how, where, with which locks. */
struct site {
    uint64_t pc, size;
    uint32_t stack, held;
    pl_tid tid;
    uint8_t flags;
};

/* An access to a piece. */
struct seen {
    uint32_t site;  /* index plus 1; 0: none */
    int32_t behind; /* where it began, from the granule on */
};

struct piece {
    uint8_t state; /* enum state */
    bool said;
    pl_tid owner; /* EXCLUSIVE */
    uint32_t set; /* SHARED, MODIFIED: the candidates */
    struct seen last[2];
};

struct cell {
    uint64_t granule;
    uint32_t bytes; /* index plus 1 of what its bytes are; 0: they are all the same */
    uint8_t offset, size;
    struct piece piece; /* those bytes, while they are the same */
};

/* Two places in the program whose accesses were reported. */
struct pair {
    uint64_t low, high;
};

struct lockset {
    struct pl_locks *locks;
    uint32_t n_said;
    struct pair said[PL_BOARD_NOTED];
    uint32_t n_cells, n_split, n_sites;
    struct pl_table cell_table, site_table;
    uint64_t pages[PAGES]; /* a bit for each page that may have cells */
    struct site sites[SITES];
    struct cell cells[CELLS];
    struct piece split[SPLIT][GRANULE];
};

static struct lockset *all; /* in the host's memory; set once, before anything is told */

static void start(void)
{
    struct pl_locks *locks = pl_locks_open();

    all = locks != NULL ? pl_host_allocate(sizeof(*all)) : NULL;
    if (all == NULL || !pl_index_start(&all->cell_table, SLOTS_FIRST, true) ||
        !pl_index_start(&all->site_table, SLOTS_FIRST, false)) {
        all = NULL;
        pl_host_full();
        return;
    }
    all->locks = locks;
}

/* Cells */

/* Neighbours have neighbouring slots, for they are often accessed one after the other. */
static uint64_t hash_of(uint64_t granule)
{
    return pl_hash_near(granule / GRANULE);
}

/* The word of a page's bit in the filter, and the bit. */
static uint64_t *filter_of(uint64_t addr, uint64_t *bit)
{
    uint64_t h = addr / PAGE * UINT64_C(0x9e3779b97f4a7c15);

    *bit = UINT64_C(1) << (h >> 58);
    return &all->pages[(h >> 32) % PAGES];
}

static struct cell *find_cell(uint64_t granule)
{
    PL_TABLE_EACH(i, &all->cell_table, hash_of(granule))
    {
        if (all->cells[i].granule == granule)
            return &all->cells[i];
    }
    return NULL;
}

/* NULL when there is no room for another. */
static struct cell *make_cell(uint64_t granule)
{
    uint32_t index = all->n_cells;
    uint64_t bit, *filter = filter_of(granule, &bit);

    if (index == CELLS || !pl_index_add(&all->cell_table, hash_of(granule), index))
        return NULL;
    if ((*filter & bit) == 0)
        *filter |= bit;
    PL_ASSERT(all->cell_table.n == index + 1);
    all->cells[index].granule = granule;
    all->n_cells++;
    return &all->cells[index];
}

/* Accesses differ in what they cover: false when there is no room to tell bytes apart. */
static bool split(struct cell *c)
{
    PL_ASSERT(c->bytes == 0 && c->offset + c->size <= GRANULE);
    if (all->n_split == SPLIT)
        return false;
    for (unsigned i = c->offset; i < c->offset + c->size; i++)
        all->split[all->n_split][i] = c->piece;
    c->bytes = ++all->n_split;
    return true;
}

/* Sites */

static bool is_site(const struct site *s, const struct site *like)
{
    return s->pc == like->pc && s->stack == like->stack && s->held == like->held &&
           s->tid == like->tid && s->size == like->size && s->flags == like->flags;
}

/* Index plus 1; 0 when there is no room. */
static uint32_t site_of(const struct pl_access *a)
{
    struct site s = {.pc = a->pc,
                     .size = a->size,
                     .stack = pl_host_stack(a->tid),
                     .held = pl_locks_held(all->locks, a->tid),
                     .tid = a->tid,
                     .flags = a->flags & (PL_ACCESS_READ | PL_ACCESS_WRITE)};
    uint64_t h = pl_hash_quick(pl_hash_quick(s.pc, s.stack), (uint64_t)s.held << 16 | s.tid);

    PL_TABLE_EACH(i, &all->site_table, h)
    {
        if (is_site(&all->sites[i], &s))
            return i + 1;
    }
    if (all->n_sites == SITES || !pl_index_add(&all->site_table, h, all->n_sites))
        return 0;
    all->sites[all->n_sites] = s;
    return ++all->n_sites;
}

static inline const struct site *site_at(const struct seen *seen)
{
    PL_CHECK(seen->site > 0 && seen->site <= all->n_sites);
    return &all->sites[seen->site - 1];
}

static bool writes(const struct site *s)
{
    return (s->flags & PL_ACCESS_WRITE) != 0;
}

/* Reports */

static uint64_t address_of(const struct seen *seen, uint64_t granule)
{
    return granule + (uint64_t)(int64_t)seen->behind;
}

static void fill(struct pl_finding_access *to, const struct seen *seen, uint64_t granule)
{
    const struct site *s = site_at(seen);

    to->tid = s->tid;
    to->flags = s->flags;
    to->size = s->size > UINT32_MAX ? UINT32_MAX : (uint32_t)s->size;
    to->addr = address_of(seen, granule);
    to->pc = s->pc;
    to->n_frames = (uint8_t)pl_host_frames(s->stack, to->frames, PL_FINDING_FRAMES);
    to->n_locks = (uint8_t)pl_locks_list(all->locks, s->held, to->locks, PL_FINDING_LOCKS);
    to->place = pl_host_place(to->addr, PL_OBJECT_MEMORY);
}

/* An access by another thread, of two rather one that conflicts with this one. */
static const struct seen *earlier(const struct piece *p, const struct site *now)
{
    const struct seen *first = &p->last[0], *second = &p->last[1];

    if (site_at(first)->tid == now->tid)
        return second;
    if (second->site == 0 || site_at(second)->tid == now->tid || writes(now) ||
        writes(site_at(first)))
        return first;
    return writes(site_at(second)) ? second : first;
}

/* True for the first accesses at these two places that are reported. */
static bool is_new(uint64_t pc, uint64_t other)
{
    struct pair p = {pc < other ? pc : other, pc < other ? other : pc};

    for (uint32_t i = 0; i < all->n_said; i++) {
        if (all->said[i].low == p.low && all->said[i].high == p.high)
            return false;
    }
    if (all->n_said < PL_BOARD_NOTED)
        all->said[all->n_said++] = p;
    return true;
}

/* The memory, in terms that are the same in every execution: that is what the finding is about. */
static uint64_t signature_of(const struct pl_place *place)
{
    uint64_t h = pl_hash_add(PL_FINDING_LOCKSET, place->kind);

    if (place->kind == PL_PLACE_STACK)
        h = pl_hash_add(h, pl_host_name(place->tid));
    return pl_hash_add(pl_hash_add(h, pl_host_relative(place->site)), place->offset);
}

static void say(const struct piece *p, const struct seen *now, uint64_t granule)
{
    const struct seen *then = earlier(p, site_at(now));
    const struct seen *common = then->behind > now->behind ? then : now;
    struct pl_place place = pl_host_place(address_of(common, granule), PL_OBJECT_MEMORY);

    if (!is_new(site_at(now)->pc, site_at(then)->pc))
        return;
    struct pl_finding *f = pl_host_note(PL_FINDING_LOCKSET, signature_of(&place));

    if (f == NULL)
        return;
    fill(&f->accesses[0], then, granule);
    fill(&f->accesses[1], now, granule);
    f->n_accesses = 2;
    f->object = place;
    f->tid = f->accesses[1].tid;
    f->pc = f->accesses[1].pc;
    f->n_frames = f->accesses[1].n_frames;
    for (unsigned i = 0; i < f->n_frames; i++)
        f->frames[i] = f->accesses[1].frames[i];
}

/* The state machine */

static void refine(struct piece *p, const struct site *s)
{
    uint32_t held =
        writes(s) ? pl_locks_writing(all->locks, s->held) : pl_locks_any(all->locks, s->held);
    uint32_t set = pl_locks_common(all->locks, p->set, held);

    PL_ASSERT(p->state == SHARED || p->state == MODIFIED);
    if (set != p->set)
        p->set = set;
}

/* Of a thread's accesses in a row its last write is kept, for it is the one that conflicts. */
static void remember(struct piece *p, struct seen now)
{
    unsigned at = p->last[0].site != 0 && site_at(&p->last[0])->tid != site_at(&now)->tid;

    if (p->last[at].site != 0 && site_at(&p->last[at])->tid == site_at(&now)->tid &&
        writes(site_at(&p->last[at])) && !writes(site_at(&now)))
        now = p->last[at];
    if (at == 1)
        p->last[1] = p->last[0];
    if (p->last[0].site != now.site || p->last[0].behind != now.behind)
        p->last[0] = now;
}

static void visit(struct piece *p, struct seen now, uint64_t granule)
{
    const struct site *s = site_at(&now);

    if (p->state == VIRGIN) {
        p->state = EXCLUSIVE;
        p->owner = s->tid;
    } else if (p->state != EXCLUSIVE || p->owner != s->tid) {
        if (p->state != MODIFIED)
            p->state = writes(s) ? MODIFIED : SHARED;
        refine(p, s);
        if (p->state == MODIFIED && p->set == PL_LOCKS_NONE && !p->said) {
            p->said = true;
            say(p, &now, granule);
        }
    }
    remember(p, now);
}

/* The part of an access that lies in one granule; false when there is no room. */
static bool visit_granule(uint64_t granule, unsigned offset, unsigned size, struct seen now)
{
    struct cell *c = find_cell(granule);

    PL_ASSERT(granule % GRANULE == 0 && size > 0 && offset + size <= GRANULE);
    if (c == NULL && (c = make_cell(granule)) == NULL)
        return false;
    if (c->size == 0 && c->bytes == 0) {
        c->offset = (uint8_t)offset;
        c->size = (uint8_t)size;
    } else if (c->bytes == 0 && (c->offset != offset || c->size != size) && !split(c)) {
        return false;
    }
    if (c->bytes == 0) {
        visit(&c->piece, now, granule);
        return true;
    }
    for (unsigned i = offset; i < offset + size; i++)
        visit(&all->split[c->bytes - 1][i], now, granule);
    return true;
}

/* Clipped, for an access that began very long before. */
static int32_t behind(uint64_t from, uint64_t granule)
{
    int64_t n = (int64_t)(from - granule);

    return n < INT32_MIN ? INT32_MIN : (int32_t)n;
}

static void on_access(const struct pl_access *a)
{
    if (all == NULL || (a->flags & (PL_ACCESS_ATOMIC | PL_ACCESS_FREE | PL_ACCESS_VPTR)) != 0)
        return;
    uint32_t site = site_of(a);
    uint64_t end = a->addr + a->size;

    if (site == 0)
        pl_host_full();
    for (uint64_t at = a->addr; site != 0 && at < end;) {
        uint64_t granule = at & ~(uint64_t)(GRANULE - 1);
        uint64_t to = granule + GRANULE < end ? granule + GRANULE : end;
        struct seen now = {site, behind(a->addr, granule)};

        if (!visit_granule(granule, (unsigned)(at - granule), (unsigned)(to - at), now)) {
            pl_host_full();
            return;
        }
        at = to;
    }
}

static void on_sync(const struct pl_sync *s)
{
    if (all != NULL && (s->kind == PL_SYNC_LOCK || s->kind == PL_SYNC_UNLOCK))
        pl_locks_changed(all->locks, s->tid);
}

/* Memory that is fresh */

static void forget(struct cell *c, uint64_t from, uint64_t to)
{
    uint64_t low = c->granule + c->offset, high = low + c->size;

    if (c->bytes == 0 && (low >= to || high <= from || c->size == 0))
        return;
    if (c->bytes == 0 && from <= low && high <= to) {
        c->piece = (struct piece){0};
        c->offset = c->size = 0;
        return;
    }
    if (c->bytes == 0 && !split(c))
        return;
    for (unsigned i = 0; i < GRANULE; i++) {
        if (c->granule + i >= from && c->granule + i < to)
            all->split[c->bytes - 1][i] = (struct piece){0};
    }
}

/* Of the granules up to `to` what lies between `low` and `high`. */
static void forget_granules(uint64_t granule, uint64_t to, uint64_t low, uint64_t high)
{
    for (; granule < to; granule += GRANULE) {
        struct cell *c = find_cell(granule);

        if (c != NULL)
            forget(c, low, high);
    }
}

static void on_fresh(uint64_t addr, uint64_t size)
{
    uint64_t end = addr + size, first = addr & ~(uint64_t)(GRANULE - 1);

    if (all == NULL)
        return;
    if ((end - first) / GRANULE > all->n_cells) { /* a whole stack: there are fewer cells */
        for (uint32_t i = 0; i < all->n_cells; i++) {
            if (all->cells[i].granule >= first && all->cells[i].granule < end)
                forget(&all->cells[i], addr, end);
        }
        return;
    }
    for (uint64_t at = first; at < end; at = (at / PAGE + 1) * PAGE) {
        uint64_t bit, *filter = filter_of(at, &bit), next = (at / PAGE + 1) * PAGE;

        if ((*filter & bit) != 0)
            forget_granules(at, next < end ? next : end, addr, end);
    }
}

const struct pl_detector_part pl_lockset = {
    .detector = PL_DETECT_LOCKSET,
    .start = start,
    .access = on_access,
    .sync = on_sync,
    .fresh = on_fresh,
    .alone = true,
};
