/* SPDX-License-Identifier: MIT */
/*
 * The program's heap: the same addresses for the same schedule, freed blocks
 * poisoned and kept out of use for a while, every address traceable to its
 * block.
 *
 * The heap is cut into regions, one per size class, each an array of equal
 * slots: header, then the block.  So the slot of any address is a division.
 * Large blocks have a region of their own with a table.  What the runtime
 * itself needs (pl_enter() is in force) comes from a part that is never freed,
 * so that it does not move the program's addresses.
 */
#include "runtime/ground/heap.h"

#include "base/assert.h"
#include "base/claimed.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <stdatomic.h>
#include <sys/mman.h>

enum {
    CLASSES = 60,
    LARGE_MAX = 1 << 14,
    SITES = 1 << 14,
    SITE_PROBES = 32, /* where more are taken, a block has no number */
    RECENT = 8,       /* freed blocks of a class that may be asked for again */
    POISON = 0xdd,
    LIVE = 0x6576696c,
    FREED = 0x64656166,
};

#define REGION (UINT64_C(2) << 30)
#define LARGE_ADDRESS (PL_HEAP_ADDRESS + (UINT64_C(128) << 30))
#define LARGE_SIZE (UINT64_C(96) << 30)
#define META_ADDRESS (LARGE_ADDRESS + LARGE_SIZE)
#define OWN_ADDRESS (META_ADDRESS + (UINT64_C(8) << 30))
#define OWN_END (PL_HEAP_ADDRESS + PL_HEAP_SIZE)

struct block {
    uint32_t state; /* LIVE, FREED, or 0 for a slot never used */
    pl_tid tid;
    uint16_t kind : 4;      /* enum pl_heap_kind */
    uint16_t freed_by : 12; /* the thread */
    uint32_t count;         /* the how many-th block of this thread from this site */
    uint32_t next; /* slot index plus 1 in the list of freed ones; while in use, enum reach */
    uint64_t size;
    uint64_t site, freed_at; /* while in use and reached: the one to look at after it */
    uint64_t user;           /* the pointer that the program has */
    /* In use: the freed block at whose address malloc() might have put it, or 0.  Freed: the block
     * that might be there now. */
    uint64_t stands_for;
};

enum reach { UNREACHED, REACHED, FROM_LOST };

#define HEADER ((uint64_t)PL_HEAP_HEADER)
_Static_assert(sizeof(struct block) <= HEADER, "the header must fit");
_Static_assert(PL_THREADS_MAX < 1 << 12, "each thread can have freed it");

struct class
{
    uint64_t slot;  /* bytes, header included */
    uint32_t used;  /* slots ever handed out */
    uint32_t freed; /* in quarantine */
    uint32_t first, last;
    uint32_t n_recent, recent[RECENT]; /* slots, the newest one at n_recent - 1 */
};

struct site {
    uint64_t key;
    uint32_t count;
};

struct meta {
    bool ready;
    bool has_new;
    struct class classes[CLASSES];
    uint32_t n_large;
    uint64_t large_end; /* offset */
    struct block large[LARGE_MAX];
    uint64_t large_at[LARGE_MAX], large_room[LARGE_MAX];
    uint64_t own_used;
    uint64_t in_use;  /* bytes that the program has, with what goes with each block */
    uint64_t reached; /* the first block to look at, or 0 */
    struct site sites[SITES];
};

#define meta ((struct meta *)META_ADDRESS)

static void prepare(void)
{
    uint64_t size = 16;

    for (unsigned i = 0; i < CLASSES; i++) {
        meta->classes[i].slot = size + HEADER;
        size += size < 128 ? 16 : (UINT64_C(1) << (61 - __builtin_clzll(size)));
        size = (size + 15) & ~UINT64_C(15);
    }
    meta->ready = true;
}

static unsigned class_of(uint64_t size)
{
    unsigned low = 0, high = CLASSES;

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (meta->classes[mid].slot - HEADER < size)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t quarantine(uint64_t slot)
{
    return slot <= 4096 ? 64 : slot <= 65536 ? 16 : 4;
}

static struct block *slot_at(unsigned c, uint32_t i)
{
    PL_CHECK(c < CLASSES);
    return (struct block *)(PL_HEAP_ADDRESS + c * REGION + i * meta->classes[c].slot);
}

/* The number of the slot of that class in which the address lies. */
static uint32_t slot_of(unsigned c, uint64_t addr)
{
    return (uint32_t)((addr - PL_HEAP_ADDRESS - c * REGION) / meta->classes[c].slot);
}

static struct block *take_slot(unsigned c)
{
    struct class *k = &meta->classes[c];

    if (k->freed > quarantine(k->slot)) {
        struct block *b = slot_at(c, k->first - 1);

        k->first = b->next;
        k->freed--;
        return b;
    }
    PL_ASSERT(k->freed <= k->used && k->used * k->slot <= REGION);
    if ((k->used + 1) * k->slot > REGION)
        return NULL;
    return slot_at(c, k->used++);
}

/* How many blocks this thread has had from this site. */
static uint32_t count_site(uint64_t site, pl_tid tid)
{
    const struct pl_claimed sites = {.entries = meta->sites,
                                     .size = sizeof(struct site),
                                     .mask = SITES - 1,
                                     .probes = SITE_PROBES,
                                     .alone = true};
    uint64_t key = pl_hash_add(site, tid) | 1;
    bool fresh;
    struct site *s = pl_claimed_place(sites, key, key, &fresh);

    PL_ASSERT(!fresh || s->count == 0);
    return s != NULL ? ++s->count : 0;
}

static pl_tid current_thread(void)
{
    return pl_free_self != NULL ? pl_thread_self()->id : pl_stage->current;
}

/* Large blocks: first fit among the freed ones, oldest first, then at the end. */
static struct block *take_large(uint64_t size, uint64_t align, uint64_t *user)
{
    uint64_t room = (size + 8191) & ~UINT64_C(4095);
    uint32_t freed = 0, found = LARGE_MAX;

    PL_ASSERT(meta->n_large <= LARGE_MAX && meta->large_end <= LARGE_SIZE);
    for (uint32_t i = 0; i < meta->n_large; i++) {
        if (meta->large[i].state != FREED)
            continue;
        freed++;
        if (found == LARGE_MAX && align <= 4096 && meta->large_room[i] >= room &&
            meta->large_room[i] <= room + room / 4)
            found = i;
    }
    if (found == LARGE_MAX || freed < 4) {
        uint64_t at = (meta->large_end + align - 1) & ~(align - 1);

        if (meta->n_large == LARGE_MAX || at + room > LARGE_SIZE)
            return NULL;
        found = meta->n_large++;
        meta->large_at[found] = LARGE_ADDRESS + at;
        meta->large_room[found] = room;
        meta->large_end = at + room;
        if (pl_stage->rolling)
            pl_ports.restart->open_large(pl_heap_large_end());
    }
    *user = meta->large_at[found];
    return &meta->large[found];
}

uint64_t pl_heap_in_use(void)
{
    return meta->ready ? meta->in_use : 0;
}

uint64_t pl_heap_large_end(void)
{
    return LARGE_ADDRESS + meta->large_end;
}

static void *allocate_own(uint64_t size, uint64_t align)
{
    uint64_t at = (OWN_ADDRESS + meta->own_used + 16 + align - 1) & ~(align - 1);

    if (at + size > OWN_END)
        return NULL;
    ((uint64_t *)at)[-1] = size;
    PL_ASSERT(at + size - OWN_ADDRESS >= meta->own_used);
    meta->own_used = at + size - OWN_ADDRESS;
    return (void *)at;
}

static void *hand_out(struct block *b, uint64_t user, uint64_t size, uint64_t site)
{
    pl_tid self = current_thread();

    meta->in_use += size + HEADER;
    *b = (struct block){
        .state = LIVE,
        .tid = self,
        .count = count_site(site, self),
        .size = size,
        .site = site,
        .user = user,
    };
    if (pl_active && size > 0)
        pl_ports.findings->fresh(user, size);
    return (void *)user;
}

static void *allocate(uint64_t size, uint64_t align, uint64_t site)
{
    uint64_t user;
    struct block *b;

    if (!meta->ready)
        prepare();
    if (align < 16)
        align = 16;
    if (size > LARGE_SIZE || align > LARGE_SIZE)
        return NULL;
    if (pl_inside())
        return allocate_own(size, align);
    uint64_t need = size + (align > 16 ? align : 0);
    unsigned c = class_of(need == 0 ? 1 : need);

    if (c < CLASSES && align <= 65536) {
        b = take_slot(c);
        if (b == NULL)
            return NULL;
        user = ((uint64_t)b + HEADER + align - 1) & ~(align - 1);
    } else {
        b = take_large(size, align, &user);
        if (b == NULL)
            return NULL;
    }
    return hand_out(b, user, size, site);
}

void pl_heap_clear(void *p, uint64_t size)
{
    uint64_t addr = (uint64_t)p;

    if (addr < LARGE_ADDRESS || addr >= LARGE_ADDRESS + LARGE_SIZE)
        pl_memory_fill(p, 0, size);
}

/* On the free carrier several threads may want memory at once, and in a child on its own. */
static _Atomic uint32_t held;

static bool is_alone(void)
{
    return !pl_free && pl_active;
}

void pl_heap_lock(void)
{
    while (!is_alone() && atomic_exchange_explicit(&held, 1, memory_order_acquire) != 0) {
        for (int i = 0; held != 0 && i < 100; i++)
            __builtin_ia32_pause();
        if (held != 0)
            pl_sys(SYS_sched_yield);
    }
}

void pl_heap_unlock(void)
{
    PL_ASSERT(is_alone() || held != 0);
    if (!is_alone())
        atomic_store_explicit(&held, 0, memory_order_release);
}

void *pl_heap_allocate(uint64_t size, uint64_t align, uint64_t site)
{
    pl_heap_lock();
    void *p = allocate(size, align, site);

    pl_heap_unlock();
    return p;
}

/* The block that an address lies in or just behind, or NULL. */
static struct block *block_of(uint64_t addr)
{
    if (addr >= OWN_ADDRESS || (addr >= META_ADDRESS && addr < OWN_ADDRESS) || !meta->ready)
        return NULL;
    if (addr >= LARGE_ADDRESS) {
        for (uint32_t i = 0; i < meta->n_large; i++) {
            if (addr - meta->large_at[i] < meta->large_room[i])
                return &meta->large[i];
        }
        return NULL;
    }
    unsigned c = (unsigned)((addr - PL_HEAP_ADDRESS) / REGION);

    if (c >= CLASSES)
        return NULL;
    uint32_t i = slot_of(c, addr);

    if (i >= meta->classes[c].used)
        return NULL;
    struct block *b = slot_at(c, i);

    return b->state == LIVE || b->state == FREED ? b : NULL;
}

uint64_t pl_heap_size(const void *p)
{
    if ((uint64_t)p >= OWN_ADDRESS)
        return ((const uint64_t *)p)[-1];
    struct block *b = block_of((uint64_t)p);

    return b != NULL ? b->size : 0;
}

static void give_back(void *p, uint64_t site)
{
    uint64_t addr = (uint64_t)p;

    if (p == NULL || (addr >= OWN_ADDRESS && addr < OWN_END))
        return;
    struct block *b = pl_heap_contains(addr) ? block_of(addr) : NULL;

    if (b == NULL || b->state != LIVE || b->user != addr) {
        pl_ports.findings->bad_free(addr, b != NULL && b->state == FREED && b->user == addr,
                                    b != NULL ? b->freed_at : 0, site);
        return;
    }
    if (pl_stage->n_alive > 1)
        pl_ports.findings->freed(b->user, b->size, site);
    PL_ASSERT(meta->in_use >= b->size + HEADER);
    meta->in_use -= b->size + HEADER;
    b->state = FREED;
    b->freed_at = site;
    b->freed_by = current_thread() & 0xfff;
    b->stands_for = 0;
    if (addr >= LARGE_ADDRESS) {
        uint64_t whole = (b->size + 4095) & ~UINT64_C(4095);

        if (pl_rollback_on() && addr < pl_vault->large_root)
            pl_ports.restart->touch(p, whole);
        if (pl_sys(SYS_madvise, addr, whole, MADV_DONTNEED) != 0)
            pl_memory_fill(p, 0, whole); /* it is locked */
        return;
    }
    pl_memory_fill(p, POISON, b->size);
    unsigned c = (unsigned)((addr - PL_HEAP_ADDRESS) / REGION);
    struct class *k = &meta->classes[c];
    uint32_t i = slot_of(c, (uint64_t)b);

    b->next = 0;
    if (k->freed++ == 0)
        k->first = i + 1;
    else
        slot_at(c, k->last - 1)->next = i + 1;
    k->last = i + 1;
    k->recent[k->n_recent++ % RECENT] = i;
}

void pl_heap_free(void *p, uint64_t site)
{
    pl_heap_lock();
    give_back(p, site);
    pl_heap_unlock();
}

/* ---- addresses that malloc() might give again ---- */

uint64_t pl_heap_class(uint64_t size)
{
    unsigned c = meta->ready ? class_of(size == 0 ? 1 : size) : CLASSES;

    return c < CLASSES ? (uint64_t)&meta->classes[c] : 0;
}

uint64_t pl_heap_again(uint64_t size, pl_tid tid)
{
    struct class *k = (struct class *)pl_heap_class(size);
    const struct block *other = NULL;

    if (k == NULL)
        return 0;
    for (uint32_t n = k->n_recent; n > 0 && k->n_recent - n < RECENT; n--) {
        const struct block *b = slot_at((unsigned)(k - meta->classes), k->recent[(n - 1) % RECENT]);

        if (b->state != FREED || b->stands_for != 0 || b->user != (uint64_t)b + HEADER)
            continue;
        if (b->freed_by == tid)
            return b->user;
        if (other == NULL)
            other = b;
    }
    return other != NULL ? other->user : 0;
}

void *pl_heap_allocate_at(uint64_t user, uint64_t size, uint64_t site)
{
    struct block *b = (struct block *)(user - HEADER);
    unsigned c = (unsigned)((user - PL_HEAP_ADDRESS) / REGION);
    struct class *k = &meta->classes[c];
    uint32_t i = slot_of(c, (uint64_t)b);
    uint32_t *link = &k->first, before = 0;

    PL_ASSERT(b->state == FREED && b->user == user && k->freed > 0);
    while (*link != i + 1) {
        PL_ASSERT(*link != 0);
        before = *link;
        link = &slot_at(c, before - 1)->next;
    }
    *link = b->next;
    if (k->last == i + 1)
        k->last = before;
    k->freed--;
    return hand_out(b, user, size, site);
}

void pl_heap_stands_for(const void *p, uint64_t user)
{
    struct block *b = block_of((uint64_t)p), *freed = (struct block *)(user - HEADER);

    PL_ASSERT(b != NULL && b->state == LIVE && freed->state == FREED);
    b->stands_for = user;
    freed->stands_for = b->user;
}

bool pl_heap_might_be(uint64_t word, struct pl_heap_freed *f)
{
    const struct block *b = block_of(word);

    if (b == NULL || b->stands_for == 0 || word - b->user > b->size)
        return false;
    bool used = b->state == LIVE;
    const struct block *freed = used ? (const struct block *)(b->stands_for - HEADER) : b;

    if (freed->state != FREED)
        return false; /* it has come out of quarantine since */
    *f = (struct pl_heap_freed){
        .addr = used ? b->stands_for + (word - b->user) : word,
        .key = (uint64_t)freed,
        .of = pl_heap_class(freed->size),
        .used = used,
        .made_by = b->tid,
        .freed_by = freed->freed_by,
    };
    return true;
}

bool pl_heap_describe(uint64_t addr, struct pl_place *place, uint64_t *freed_at)
{
    struct block *b = pl_heap_contains(addr) ? block_of(addr) : NULL;

    if (b == NULL)
        return false;
    *place = (struct pl_place){
        .kind = PL_PLACE_HEAP,
        .tid = b->tid,
        .count = b->count,
        .offset = addr - b->user,
        .site = b->site,
    };
    if (freed_at != NULL)
        *freed_at = b->state == FREED ? b->freed_at : 0;
    return true;
}

void pl_heap_set_kind(void *p, enum pl_heap_kind kind)
{
    struct block *b = p != NULL && pl_heap_contains((uint64_t)p) ? block_of((uint64_t)p) : NULL;

    if (b == NULL)
        return;
    b->kind = (uint16_t)kind;
    meta->has_new |= kind != PL_HEAP_MALLOC;
}

bool pl_heap_has_new(void)
{
    return meta->has_new;
}

enum pl_heap_kind pl_heap_kind(const void *p)
{
    const struct block *b = pl_heap_contains((uint64_t)p) ? block_of((uint64_t)p) : NULL;

    return b != NULL && b->state == LIVE && b->user == (uint64_t)p ? (enum pl_heap_kind)b->kind
                                                                   : PL_HEAP_KINDS;
}

/* The slot before that of a block, if it has one that is nearer to the address; else NULL. */
static const struct block *nearer(const struct block *b, uint64_t addr)
{
    uint64_t at = (uint64_t)b;

    if (addr >= LARGE_ADDRESS || (at - PL_HEAP_ADDRESS) % REGION == 0)
        return NULL;
    const struct block *before = block_of(at - 1);

    return before != NULL && addr - (before->user + before->size) < b->user - addr ? before : NULL;
}

/* Outside of the block that its slot is of. */
__attribute__((noinline)) static enum pl_heap_fault find_fault(const struct block *b, uint64_t addr,
                                                               struct pl_heap_verdict *v)
{
    enum pl_heap_fault fault = addr < b->user ? PL_HEAP_BEFORE : PL_HEAP_BEHIND;
    const struct block *before = fault == PL_HEAP_BEFORE ? nearer(b, addr) : NULL;

    if (before != NULL) {
        b = before;
        fault = PL_HEAP_BEHIND;
    }
    uint64_t end = b->user + b->size;

    v->user = b->user;
    v->size = b->size;
    v->freed_at = b->state == FREED ? b->freed_at : 0;
    v->distance = fault == PL_HEAP_BEFORE ? b->user - addr : addr > end ? addr - end : 0;
    return fault;
}

enum pl_heap_fault pl_heap_judge(uint64_t addr, uint64_t size, struct pl_heap_verdict *v)
{
    if (addr >= META_ADDRESS || !meta->ready)
        return PL_HEAP_FINE; /* the runtime's own */
    const struct block *b = block_of(addr);

    if (b == NULL && addr < LARGE_ADDRESS) /* behind the last one */
        b = block_of(addr - meta->classes[(addr - PL_HEAP_ADDRESS) / REGION % CLASSES].slot);
    if (b == NULL)
        return PL_HEAP_NOWHERE;
    if (addr - b->user < b->size) {
        if (b->state == FREED) {
            v->freed_at = b->freed_at;
            return PL_HEAP_FREED;
        }
        if (size <= b->size - (addr - b->user))
            return PL_HEAP_FINE;
    }
    return find_fault(b, addr, v);
}

/* ---- what can be reached ---- */

/* The block in use that a word points into, at its beginning or within it, or NULL. */
static struct block *used_at(uint64_t word)
{
    struct block *b = pl_heap_contains(word) ? block_of(word) : NULL;

    return b != NULL && b->state == LIVE && (word - b->user < b->size || word == b->user) ? b
                                                                                          : NULL;
}

void pl_heap_reach(uint64_t word)
{
    struct block *b = used_at(word);

    if (b == NULL || b->next != UNREACHED)
        return;
    b->next = REACHED;
    b->freed_at = meta->reached;
    meta->reached = (uint64_t)b;
}

bool pl_heap_reached(uint64_t *start, uint64_t *size)
{
    struct block *b = (struct block *)meta->reached;

    if (b == NULL)
        return false;
    meta->reached = b->freed_at;
    b->freed_at = 0;
    *start = b->user;
    *size = b->size;
    return true;
}

/* The next block in use that was not reached, behind `b` or from the beginning; NULL: none. */
static struct block *next_lost(unsigned *c, uint32_t *i)
{
    for (; *c < CLASSES; (*c)++, *i = 0) {
        while (*i < meta->classes[*c].used) {
            struct block *b = slot_at(*c, (*i)++);

            if (b->state == LIVE && b->next != REACHED)
                return b;
        }
    }
    while (*i < meta->n_large) {
        struct block *b = &meta->large[(*i)++];

        if (b->state == LIVE && b->next != REACHED)
            return b;
    }
    return NULL;
}

static void note_targets(const struct block *from)
{
    for (uint64_t at = (from->user + 7) & ~UINT64_C(7); at + 8 <= from->user + from->size;
         at += 8) {
        struct block *b = used_at(*(const uint64_t *)at);

        if (b != NULL && b != from && b->next == UNREACHED)
            b->next = FROM_LOST;
    }
}

bool pl_heap_lost(struct pl_heap_lost *lost)
{
    struct block *b, *first = NULL, *any = NULL;
    unsigned c = 0;
    uint32_t i = 0;

    if (!meta->ready)
        return false;
    while ((b = next_lost(&c, &i)) != NULL) {
        note_targets(b);
        if (any == NULL)
            any = b;
    }
    for (c = 0, i = 0; any != NULL && first == NULL && (b = next_lost(&c, &i)) != NULL;) {
        if (b->next == UNREACHED)
            first = b;
    }
    first = first != NULL ? first : any;
    if (first != NULL)
        *lost = (struct pl_heap_lost){first->user, first->size, first->site};
    return first != NULL;
}
