/* SPDX-License-Identifier: MIT */
/*
 * Memory as it was at the root, again and again.
 *
 * At the root all writable memory is made read-only.  The first write to a page
 * faults; then the page is copied to the vault and made writable: it is hot.
 * After each execution all hot pages are copied back without asking which of
 * them were changed this time.  After a few executions every page that matters
 * is hot and nothing faults any more: what remains is copying.
 *
 * The kernel does not fault when it writes to a read-only page; the system call
 * fails.  So whoever makes a system call that writes says where beforehand
 * (pl_rollback_touch).
 */
#include "runtime/restart/rollback.h"
#include "runtime/restart/shared.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Pages from which on it pays to look which of them change; see cool_pages(). */
enum { MANY = 64, LOOK_EVERY = 8, LOOKS = 10, KNOWN = 1024 };

#define STACK_MAX (UINT64_C(1) << 30)

/* What is not program: it changes between executions, or is constant. */
static struct pl_range keep_out[5];

bool pl_ticks_trapped;

static uint64_t page_of(uint64_t addr)
{
    return addr & ~(uint64_t)(PL_PAGE - 1);
}

static void add_region(uint64_t start, uint64_t end, bool shared, bool code)
{
    PL_ASSERT(start < end);
    for (unsigned i = 0; i < sizeof(keep_out) / sizeof(keep_out[0]); i++) {
        uint64_t low = keep_out[i].start, high = low + keep_out[i].size;

        if (low >= end || high <= start)
            continue;
        if (start < low)
            add_region(start, low, shared, code);
        if (high < end)
            add_region(high, end, shared, code);
        return;
    }
    if (pl_vault->n_regions < PL_VAULT_REGIONS)
        pl_vault->regions[pl_vault->n_regions] = (struct pl_region){
            .start = start, .end = end, .held = end, .shared = shared, .code = code};
    pl_vault->n_regions++;
}

/*
 * Behind the end of a mapped file there is no memory.  What comes there when an execution makes the
 * file longer goes with that when the journal makes it short again, so it is not put back.
 */
static uint64_t held_until(uint64_t start, uint64_t end)
{
    uint64_t low = start / PL_PAGE, high = end / PL_PAGE;

    if (pl_maps_has_memory(end - PL_PAGE))
        return end;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;

        if (pl_maps_has_memory(mid * PL_PAGE))
            low = mid + 1;
        else
            high = mid;
    }
    return low * PL_PAGE;
}

static void add_mapping(void *unused, uint64_t start, uint64_t end, const char *access)
{
    uint32_t before = pl_vault->n_regions;

    if (access[0] != 'r' || access[1] != 'w' || pl_maps_own(start, access))
        return;
    add_region(start, end, access[3] == 's', access[2] == 'x');
    if (pl_text_word(access, 4)[0] != '/')
        return;
    uint64_t held = held_until(start, end);

    for (uint32_t i = before; i < pl_vault->n_regions && i < PL_VAULT_REGIONS; i++) {
        if (pl_vault->regions[i].end > held)
            pl_vault->regions[i].held = held;
    }
}

/* As region_from() needs them. */
static bool are_sorted(void)
{
    for (unsigned i = 1; i < pl_vault->n_regions; i++) {
        if (pl_vault->regions[i].start < pl_vault->regions[i - 1].end)
            return false;
    }
    return true;
}

static bool find_regions(void)
{
    if (!pl_maps_walk(pl_vault->text, sizeof(pl_vault->text), add_mapping, NULL))
        return false;
    bool whole = pl_vault->n_regions <= PL_VAULT_REGIONS;

    if (!whole)
        pl_vault->n_regions = PL_VAULT_REGIONS;
    PL_CHECK(are_sorted());
    return whole && pl_vault->n_regions > 0;
}

/*
 * The main thread's stack grows by itself, and what has grown would have to be
 * found again; so it gets its full size now.
 */
static void grow_main_stack(void)
{
    struct rlimit limit;
    uint64_t size = 8 << 20, high = pl_thread_by_id(0)->stack_high;

    if (pl_sys(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) == 0 && limit.rlim_cur < size)
        size = limit.rlim_cur;
    if (size > 512 << 10)
        *(volatile char *)(page_of(high) - size + (256 << 10));
}

/* The first one that ends behind the address; NULL: none. */
static struct pl_region *region_from(uint64_t addr)
{
    unsigned low = 0, high = pl_vault->n_regions;

    while (low < high) {
        unsigned mid = (low + high) / 2;

        if (pl_vault->regions[mid].end <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low < pl_vault->n_regions ? &pl_vault->regions[low] : NULL;
}

static struct pl_region *region_of(uint64_t addr)
{
    struct pl_region *r = region_from(addr);

    return r != NULL && r->start <= addr ? r : NULL;
}

/* Where the page is in hot[], plus 1; 0 when it is not hot. */
static uint32_t index_of(uint64_t page)
{
    PL_ASSERT(page % PL_PAGE == 0);
    PL_TABLE_EACH(i, &pl_vault->pages, pl_hash_mix(page))
    {
        PL_ASSERT(i < pl_vault->n_hot);
        if (pl_vault->hot[i] == page)
            return i + 1;
    }
    return 0;
}

static void enter_page(uint64_t page, uint32_t index)
{
    bool entered = pl_table_add(&pl_vault->pages, pl_hash_mix(page), index);

    PL_ASSERT(entered);
}

bool pl_rollback_is_hot(uint64_t page)
{
    return index_of(page) != 0;
}

static int protection(const struct pl_region *r, bool writable)
{
    return PROT_READ | (writable ? PROT_WRITE : 0) | (r->code ? PROT_EXEC : 0);
}

static void protect(bool writable, bool shared)
{
    for (unsigned i = 0; i < pl_vault->n_regions; i++) {
        const struct pl_region *r = &pl_vault->regions[i];

        if (r->shared == shared)
            pl_sys(SYS_mprotect, r->start, r->end - r->start, protection(r, writable));
    }
}

/* Keep the page as it is at the root, and let the program write to it. */
static bool heat(uint64_t page, const struct pl_region *r)
{
    const void *image = r->shared ? pl_shared_keep(page) : (void *)page;

    PL_ASSERT(pl_vault->n_hot <= PL_VAULT_HOT);
    if (image == NULL || pl_rollback_is_hot(page))
        return false;
    if (pl_vault->n_hot == PL_VAULT_HOT) {
        pl_rollback_spoil(PL_RESTART_FORK, "its executions change more than %d MB of memory",
                          (int)(PL_VAULT_HOT >> 8));
        return false;
    }
    pl_memory_copy(pl_vault->images[pl_vault->n_hot], image, PL_PAGE);
    pl_vault->hot[pl_vault->n_hot] = page;
    enter_page(page, pl_vault->n_hot++);
    pl_sys(SYS_mprotect, page, PL_PAGE, protection(r, true));
    return true;
}

/* Where the limit allows it, the main thread's stack grows further, if it is writable. */
static bool is_stack_growth(uint64_t addr)
{
    uint64_t high = pl_thread_by_id(0)->stack_high;

    return pl_stage->current == 0 && addr < high && addr >= high - STACK_MAX;
}

/* ---- memory from before that is given back ---- */

/*
 * It must be there again in the next execution, with what was in it: so it is not given back, but
 * nobody can get at it.
 */
bool pl_rollback_unmap(uint64_t start, uint64_t size)
{
    struct pl_undo *u = &pl_vault->undo;
    const struct pl_region *r = region_of(start);

    if (r == NULL || start + size > r->end || u->n_unmapped == PL_VAULT_UNMAPPED ||
        pl_sys(SYS_mprotect, start, size, PROT_NONE) != 0)
        return false;
    u->unmapped[u->n_unmapped++] = (struct pl_range){start, size};
    return true;
}

void pl_rollback_map_again(void)
{
    struct pl_undo *u = &pl_vault->undo;

    while (u->n_unmapped > 0) {
        const struct pl_range *m = &u->unmapped[--u->n_unmapped];
        const struct pl_region *r = region_of(m->start);

        pl_sys(SYS_mprotect, m->start, m->size, protection(r, false));
        for (uint64_t page = m->start; page < m->start + m->size; page += PL_PAGE) {
            if (pl_rollback_is_hot(page))
                pl_sys(SYS_mprotect, page, PL_PAGE, protection(r, true));
        }
    }
}

static bool is_unmapped(uint64_t addr)
{
    const struct pl_undo *u = &pl_vault->undo;

    for (unsigned i = 0; i < u->n_unmapped; i++) {
        if (addr - u->unmapped[i].start < u->unmapped[i].size)
            return true;
    }
    return false;
}

bool pl_rollback_is_unmapped(uint64_t start, uint64_t size)
{
    const struct pl_undo *u = &pl_vault->undo;

    for (unsigned i = 0; pl_rollback_on() && i < u->n_unmapped; i++) {
        if (start < u->unmapped[i].start + u->unmapped[i].size &&
            u->unmapped[i].start < start + size)
            return true;
    }
    return false;
}

/* There will be no next execution in this process. */
static void unmap_at_last(void)
{
    struct pl_undo *u = &pl_vault->undo;

    for (unsigned i = 0; i < u->n_unmapped; i++)
        pl_sys(SYS_munmap, u->unmapped[i].start, u->unmapped[i].size);
    u->n_unmapped = 0;
}

static bool has_regions(void)
{
    return pl_stage->restart.scanned != 0 && pl_stage->restart.runner;
}

/* There is nothing to keep, and the program is about to find that out. */
static bool open_page(uint64_t addr, const struct pl_region *r)
{
    return pl_sys(SYS_mprotect, page_of(addr), PL_PAGE, protection(r, true)) == 0;
}

bool pl_rollback_fault(uint64_t addr)
{
    struct pl_region *r = has_regions() ? region_of(addr) : NULL;

    if (r != NULL && pl_rollback_on() && is_unmapped(addr))
        return false;
    if (r == NULL && pl_rollback_on() && is_stack_growth(addr)) {
        pl_rollback_spoil(PL_RESTART_FORK, "its main thread's stack grows beyond 8 MB");
        return true;
    }
    if (r == NULL || pl_stage->restart.unprotected)
        return false;
    if (!pl_rollback_on() && !r->shared)
        return false; /* it is not watched any more: what it is protected from is the program's */
    if (page_of(addr) >= r->held ||
        (!pl_rollback_is_hot(page_of(addr)) && !pl_maps_has_memory(addr)))
        return pl_maps_at("/proc/self/maps", addr) != PL_MAPS_CLOSED && open_page(addr, r);
    if (r->shared && pl_shared_keep(page_of(addr)) == NULL) {
        pl_stage->restart.unprotected = true;
        pl_rollback_spoil(PL_RESTART_EXEC,
                          "it writes to shared memory mapped before its first thread");
        return true;
    }
    if (!pl_rollback_on() && r->shared)
        return open_page(addr, r);
    if (!pl_rollback_on() || pl_rollback_is_hot(page_of(addr)))
        return false;
    if (heat(page_of(addr), r) && pl_board->n_hot < PL_VAULT_HOT)
        pl_board->hot[pl_board->n_hot++] = page_of(addr); /* for the runner after this one */
    return true;
}

/* The next page from this one on that belongs to a region. */
static uint64_t page_from(uint64_t page)
{
    const struct pl_region *r = has_regions() ? region_from(page) : NULL;

    return r == NULL ? UINT64_MAX : r->start > page ? page_of(r->start) : page;
}

/* A program may say any size: the kernel goes as far as there is memory, or refuses. */
void pl_rollback_touch(const void *p, uint64_t size)
{
    uint64_t end = (uint64_t)p + size;

    if ((!pl_rollback_on() && !pl_shared_any()) || p == NULL)
        return;
    for (uint64_t page = page_of((uint64_t)p); page < end;) {
        pl_rollback_fault(page);
        page += PL_PAGE;
        if (page < end)
            page = page_from(page);
    }
}

void pl_rollback_commit(const void *p, uint64_t size)
{
    if (!pl_rollback_on())
        return;
    pl_rollback_touch(p, size);
    for (uint64_t at = (uint64_t)p, end = at + size; at < end;) {
        uint64_t page = page_of(at), n = page + PL_PAGE < end ? page + PL_PAGE - at : end - at;
        uint32_t index = index_of(page);

        if (index != 0)
            pl_memory_copy(pl_vault->images[index - 1] + (at - page), (void *)at, n);
        at += n;
    }
}

void pl_rollback_open_large(uint64_t end)
{
    if (!pl_rollback_on() || end <= pl_vault->large_open)
        return;
    PL_ASSERT(pl_vault->large_open >= pl_vault->large_root);
    pl_sys(SYS_mprotect, pl_vault->large_open, end - pl_vault->large_open, PROT_READ | PROT_WRITE);
    pl_vault->large_open = end;
}

void pl_rollback_spoil(enum pl_restart restart, const char *format, ...)
{
    bool first = restart > pl_board->restart && restart > pl_board->restart_wish;
    va_list args;

    if (first) {
        pl_board->restart_wish = restart;
        va_start(args, format);
        pl_text_vformat(pl_board->restart_why, sizeof(pl_board->restart_why), format, args);
        va_end(args);
    }
    /* Once for each, before there are holes and before the program itself protects anything. */
    if (pl_stage->rolling) {
        protect(true, false);
        unmap_at_last();
    }
    pl_stage->rolling = false; /* not before: until now a write may still fault */
    /* Memory that even a fork shares is watched on where that is put back, too. */
    if (restart == PL_RESTART_EXEC && first) {
        protect(true, true);
        pl_stage->restart.unprotected = true;
    }
}

static bool is_as_before(const uint64_t *now, const uint64_t *then)
{
    uint64_t changed = 0;

    for (unsigned i = 0; i < PL_PAGE / sizeof(uint64_t) && changed == 0; i += 8) {
        for (unsigned k = 0; k < 8; k++)
            changed |= now[i + k] ^ then[i + k];
    }
    return changed == 0;
}

/*
 * A page that few executions change is cheaper to catch than to copy every
 * time.  Every LOOK_EVERY-th execution hot pages are compared before they are
 * copied; one that had not changed LOOKS times in a row is watched again.
 */
static bool look_at_pages(void)
{
    bool any = false;

    for (unsigned i = 0; i < pl_vault->n_hot; i++) {
        if (!is_as_before((const uint64_t *)pl_vault->hot[i], (uint64_t *)pl_vault->images[i]))
            pl_vault->unchanged[i] = 0;
        else if (++pl_vault->unchanged[i] == LOOKS)
            any = true;
    }
    return any;
}

static void cool(void)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < pl_vault->n_hot; i++) {
        uint64_t page = pl_vault->hot[i];

        if (pl_vault->unchanged[i] == LOOKS) {
            const struct pl_region *r = region_of(page);

            PL_ASSERT(r != NULL);
            pl_sys(SYS_mprotect, page, PL_PAGE, protection(r, false));
            continue;
        }
        if (kept != i)
            pl_memory_copy(pl_vault->images[kept], pl_vault->images[i], PL_PAGE);
        pl_vault->unchanged[kept] = pl_vault->unchanged[i];
        pl_vault->hot[kept++] = page;
    }
    PL_ASSERT(kept < pl_vault->n_hot && pl_vault->n_checkpoints == 0);
    pl_vault->n_hot = kept;
    pl_table_clear(&pl_vault->pages);
    for (unsigned i = 0; i < kept; i++)
        enter_page(pl_vault->hot[i], i);
}

static void cool_pages(void)
{
    if (pl_vault->n_hot < MANY || pl_vault->n_checkpoints > 0 || pl_vault->until_look-- > 0)
        return;
    pl_vault->until_look = LOOK_EVERY;
    if (look_at_pages())
        cool();
}

void pl_rollback_put_back(const struct pl_checkpoint *c)
{
    uint64_t large = pl_heap_large_end();

    PL_ASSERT(pl_vault->n_log <= PL_VAULT_LOG && pl_vault->pages.n == pl_vault->n_hot);
    PL_ASSERT(c == NULL || (c->n_log <= pl_vault->n_log && c->n_hot <= pl_vault->n_hot));
    if (large > pl_vault->large_root)
        pl_sys(SYS_madvise, pl_vault->large_root, large - pl_vault->large_root, MADV_DONTNEED);
    cool_pages();
    while (pl_vault->n_log > (c != NULL ? c->n_log : 0)) {
        pl_vault->n_log--;
        *pl_vault->log[pl_vault->n_log].at = pl_vault->log[pl_vault->n_log].value;
    }
    for (unsigned i = c != NULL ? c->n_hot : 0; i < pl_vault->n_hot; i++)
        pl_memory_copy((void *)pl_vault->hot[i], pl_vault->images[i], PL_PAGE);
}

/* Pages that were hot early in a runner before this one will be again. */
static void heat_known(void)
{
    uint64_t n = pl_board->n_hot < KNOWN ? pl_board->n_hot : KNOWN;

    for (uint64_t i = 0; i < n && pl_stage->rolling; i++) {
        struct pl_region *r = region_of(pl_board->hot[i]);

        if (r != NULL)
            heat(pl_board->hot[i], r);
    }
}

void pl_rollback_arm(void)
{
    PL_ASSERT(pl_vault->n_hot == 0 && pl_vault->n_log == 0 && pl_vault->n_checkpoints == 0);
    pl_vault->large_root = pl_vault->large_open = pl_heap_large_end();
    pl_stage->rolling = true;
    protect(false, false);
    protect(false, true);
    heat_known();
}

bool pl_rollback_map(void)
{
    stack_t alt;
    long p = pl_sys(SYS_mmap, PL_VAULT_ADDRESS, sizeof(struct pl_vault), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if ((uint64_t)p != PL_VAULT_ADDRESS)
        return false;
    pl_table_start(&pl_vault->pages, pl_vault->slots, PL_VAULT_FIRST, PL_VAULT_HOT * 2);
    pl_sys(SYS_sigaltstack, NULL, &alt);
    keep_out[0] = (struct pl_range){PL_VAULT_ADDRESS, sizeof(struct pl_vault)};
    keep_out[1] = (struct pl_range){(uint64_t)alt.ss_sp, alt.ss_size};
    keep_out[2] = (struct pl_range){pl_stage->modules.own_start,
                                    pl_stage->modules.own_end - pl_stage->modules.own_start};
    keep_out[3] = (struct pl_range){(uint64_t)&pl_stage->scratch, sizeof(pl_stage->scratch)};
    grow_main_stack();
    return true;
}

void pl_rollback_find(void)
{
    pl_vault->n_regions = 0;
    keep_out[4] =
        (struct pl_range){PL_SHADOW_ADDRESS, pl_board->shadow_by_pages ? 0 : PL_SHADOW_SIZE};
    pl_vault->readable = find_regions();
}

void pl_rollback_watch_shared(bool watched)
{
    protect(!watched, true);
}

bool pl_rollback_has_shared(void)
{
    unsigned i = 0;

    while (i < pl_vault->n_regions && !pl_vault->regions[i].shared)
        i++;
    return i < pl_vault->n_regions;
}
