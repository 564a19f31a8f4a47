/* SPDX-License-Identifier: MIT */
/*
 * The gate's other side: plain and atomic accesses of instrumented code.
 *
 * Most accesses are to memory that only one thread touches.  They are counted
 * (a schedule places choices by counting events) and noted in the shadow; only
 * those to shared memory become points.
 */
#include "runtime/access/access.h"

#include "base/assert.h"
#include "base/memory.h"
#include "model/gate.h"
#include "runtime/access/pieces.h"
#include "runtime/access/reuse.h"
#include "runtime/access/step.h"
#include "runtime/access/unused.h"
#include "runtime/core/class.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/fair.h"
#include "runtime/core/fiber.h"
#include "runtime/core/fresh.h"
#include "runtime/core/reach.h"
#include "runtime/core/redraw.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/core/strategy.h"
#include "runtime/free/free.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/wide.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/hooks.h"
#include "runtime/observe/report.h"
#include "runtime/observe/sought.h"

#include <stdatomic.h>
#include <string.h>

enum { QUIET = 256, QUIET_ALONE = 100000, HOG = 20000, HOG_OWN = 2000000, HOG_WATCHED = 8 };

/* Besides what hooks say (model/gate.h): no hook has announced it, and it is one step. */
enum { UNHOOKED = 1 << 16, ATOMIC = 1 << 17 };

/* Bytes of the stack that coverage may have used at the end of a function. */
enum { LEFT_BELOW = 512 };

void pl_access_slow(const void *addr, size_t size, unsigned flags, void *pc);
bool pl_access_hook(const void *addr, size_t size, unsigned flags, void *pc, const uint64_t *entry);

/* An access that is no point, as others are told of it; it is not counted yet. */
static inline void see(struct pl_thread *t, uint64_t addr, size_t size, bool write, uint64_t pc)
{
    if (pl_stage->n_fresh > 0)
        pl_fresh_hurry(t);
    pl_spin_saw(t, addr, size, write, pc);
    if ((pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE) || pl_stage->seeking) &&
        pl_stage->n_unjoined > 1)
        pl_shadow_saw(addr, size, t);
}

static inline void pass(struct pl_thread *t, uint64_t addr, size_t size, bool write, uint64_t pc)
{
    see(t, addr, size, write, pc);
    t->ordinal += pl_wide_events(addr, size);
}

/* Whether a cancellation may end the thread between any two of its accesses. */
static bool ends_here(const struct pl_thread *t)
{
    return t->cancel.async && pl_thread_listens(t) && pl_shadow_known((uint64_t)&t->cancel);
}

/* Apart from the access: what it leaves on the stack is another number each time, and would lie in
 * frames of the program (core/spin.h). */
__attribute__((noinline)) static bool takes_now(const struct pl_thread *t)
{
    const struct pl_operation op = {.name = t->name, .ordinal = t->ordinal};

    return pl_strategy_takes(&op);
}

bool pl_access_is_interrupted(const struct pl_thread *t)
{
    return (t->signals.due || (t->cancel.pending && t->cancel.async)) &&
           pl_stage->context.following && takes_now(t);
}

/*
 * Whether the thread has come to no point for so long that others must get on, in case it waits for
 * them; or for a little while, when loops that go round for others are looked for.  What it does on
 * its own stack concerns nobody, unless it is to be cancelled there and goes on for long.
 */
static bool hogs(struct pl_thread *t, uint64_t addr)
{
    uint64_t accesses = t->ordinal - t->op.ordinal;

    if (accesses <= HOG_WATCHED || pl_stage->n_alive <= 1 || pl_stage->context.following ||
        (pl_thread_owns(t, addr) && !(t->cancel.async && accesses > HOG_OWN)))
        return false;
    return (accesses > HOG || pl_stage->fair.learning != 0) && pl_fair_hogs(t, accesses);
}

/* Nothing to see: the runtime's own doing, or a child process on its own. */
static inline bool off(void)
{
    return pl_stage->busy != 0 || !pl_active;
}

/*
 * A child that vfork() has made, in this memory: what it touches the thread that has made it has
 * touched.  It stores all at once as others see it, and when is not explored.
 */
static void borrow(uint64_t a, size_t size, bool write, uint64_t pc)
{
    pl_shadow_shared(a, size, write, pl_thread_self());
    if (write && pl_shadow_known(a))
        pl_unmodelled("vfork", PL_UNMODELLED_FUNCTION, pc);
}

/* Whether this is a child on its own that was made while its maker was not alone. */
static bool is_child(void)
{
    return pl_in_child() && pl_stage->n_unjoined > 1;
}

/* There is nothing to see; but what a child reads its maker has read, as far as others mind. */
__attribute__((cold, noinline)) static void missed(const void *addr, size_t size, bool write,
                                                   void *pc)
{
    if (!is_child() || size == 0)
        return;
    if (pl_stage->process.borrowing)
        borrow(pl_alias((uint64_t)addr), size, write, (uint64_t)pc);
    else
        pl_shadow_in_child(pl_alias((uint64_t)addr), size, write);
}

void pl_access_missed(uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    missed((const void *)addr, size, write, (void *)pc);
}

/* Those who look are told of an access, which happens now. */
static inline void tell(struct pl_thread *t, uint64_t addr, size_t size, unsigned flags,
                        uint64_t pc)
{
    uint64_t a = pl_alias(addr);
    bool write = (flags & PL_ACCESS_WRITE) != 0;

    if (t->fair.watched && !write)
        pl_fair_read(t, addr, size);
    if (pl_stage->feed.on && (flags & UNHOOKED) == 0)
        pl_feed_access(a, size, flags, pc);
    else if (pl_stage->feed.on && !pl_thread_owns(t, a))
        pl_feed_unhooked(a, size, flags, pc);
    if (pl_heap_contains(a)) /* now, at the time of the access, not when it was announced */
        pl_freed_check_hook(a, size, flags, pc);
    else if (pl_fiber_is_stack(a))
        pl_freed_stack(a, size, write, pc);
}

/* Decide whether the access is a point, which it tells. */
static bool announce(const void *addr, size_t size, unsigned flags, void *pc, const uint64_t *entry)
{
    struct pl_thread *t = pl_thread_self();
    uint64_t a = pl_alias((uint64_t)addr);
    bool write = (flags & PL_ACCESS_WRITE) != 0;

    if (size == 0)
        return false;
    PL_CHECK(!pl_free); /* the registers are not known where a function without a stub calls */
    t->entry = entry;
    bool shared = (pl_stage->n_unjoined > 1 && pl_shadow_shared(a, size, write, t)) || ends_here(t);
    enum pl_op_kind kind = flags & ATOMIC ? PL_OP_ATOMIC_RMW : pl_hooks_kind(flags);

    if (!shared && write && !pl_thread_owns(t, a)) {
        pl_spin_progress(t);
        t->quiet = 0;
    }
    /* A loop over memory that nobody else has touched yet: is it waiting for somebody? */
    bool quiet = !shared && t->quiet > (pl_stage->n_alive > 1 ? QUIET : QUIET_ALONE);

    if (quiet && !write) {
        struct pl_operation op = {.kind = PL_OP_READ,
                                  .tid = t->id,
                                  .size = (uint32_t)size,
                                  .addr = a,
                                  .pc = (uint64_t)pc};

        shared = !pl_stage->context.following && pl_spin_visit(t, &op);
        if (shared && !pl_thread_owns(t, a)) {
            for (uint64_t g = a >> 3; g <= (a + size - 1) >> 3; g++)
                pl_shadow_share(g << 3);
        }
    }
    if (!shared && (pl_access_is_interrupted(t) || hogs(t, a)))
        t->suspect = shared = true;
    if (shared) {
        pl_sched_point(kind, (const void *)a, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, 0,
                       (uint64_t)pc);
    } else {
        pass(t, a, size, write, (uint64_t)pc);
        if (pl_stage->seeking)
            pl_sought_pass(t, kind, a, size, (uint64_t)pc);
    }
    if (!write && (shared || size == sizeof(void *)))
        pl_reuse_read(t, addr, size);
    tell(t, (uint64_t)addr, size, flags, (uint64_t)pc);
    return shared;
}

bool pl_access_unhooked(uint64_t addr, uint64_t size, unsigned flags, bool atomic,
                        const uint64_t *entry)
{
    PL_CHECK(!pl_free && !off());
    pl_count_event(entry[6]);
    pl_thread_self()->quiet++;
    pl_thread_self()->atomic.adds = false;
    return announce((const void *)addr, size, flags | UNHOOKED | (atomic ? ATOMIC : 0),
                    (void *)entry[6], entry);
}

/* The registers are saved.  True when the access is made in pieces, from the return on. */
__attribute__((used)) bool pl_access_hook(const void *addr, size_t size, unsigned flags, void *pc,
                                          const uint64_t *entry)
{
    struct pl_thread *t = pl_thread_self();

    if ((!pl_wide_is(size) && !t->stepping) ||
        !pl_step_takes(t, (uint64_t)addr, size, flags, (uint64_t)pc, entry))
        announce(addr, size, flags, pc, entry);
    return pl_step_goes_on(t);
}

/* Count an access; true when no more is to be done for it. */
static inline bool passes(const void *addr, uint64_t size, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    pl_count_event(pc);
    t->quiet++;
    if (pl_stage->n_unjoined > 1 || t->quiet > QUIET_ALONE || pl_stage->feed.alone ||
        pl_stage->seeking || pl_heap_contains((uint64_t)addr) ||
        pl_fiber_is_stack((uint64_t)addr) || t->signals.due)
        return false;
    t->ordinal += pl_wide_events((uint64_t)addr, size);
    return true;
}

static void plain(const void *addr, size_t size, unsigned flags, void *pc)
{
    if (off()) {
        missed(addr, size, (flags & PL_ACCESS_READ) == 0, pc);
        return;
    }
    if (!passes(addr, size, (uint64_t)pc))
        pl_access_slow(addr, size, flags, pc);
}

/* Whether somebody else uses what is about to be freed, as far as is known. */
static bool is_freed_shared(uint64_t addr, uint64_t size, struct pl_thread *t)
{
    return size > PL_SHADOW_REMEMBERED ? pl_shadow_ends(addr, size, t)
                                       : pl_shadow_shared(addr, size, true, t);
}

/*
 * A large range is given back, or changed: an operation on what others use of it.  All of it would
 * be more than a search remembers of an operation.
 */
static void point_at_range(enum pl_op_kind kind, uint64_t addr, uint64_t size, uint64_t pc)
{
    enum { LARGE = 1 << 16 };

    if (size > LARGE)
        pl_shadow_narrow(&addr, &size);
    pl_sched_point(kind, (const void *)addr, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, 0,
                   pc);
}

/* A block is about to be freed. */
void pl_access_free(const void *addr, uint64_t size, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    if (size == 0 || !pl_stage->modules.instrumented)
        return;
    if (pl_free) {
        pl_free_release(addr, size, pc);
        return;
    }
    if (off())
        return;
    t->entry = NULL;
    if (pl_stage->n_unjoined > 1 && is_freed_shared((uint64_t)addr, size, t))
        point_at_range(PL_OP_FREE, (uint64_t)addr, size, pc);
    else
        t->ordinal++;
    /* Elsewhere nobody would see what it did to know that the block is no longer in use. */
    if (pl_stage->feed.on && pl_place_is_instrumented(pc))
        pl_feed_access((uint64_t)addr, size, PL_ACCESS_WRITE | PL_ACCESS_FREE, pc);
}

void pl_access_init(const void *addr, uint64_t size, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(size > 0);
    /* As other operations on the object it touches the first byte. */
    if (pl_free ||
        (pl_stage->n_unjoined > 1 && pl_shadow_shared(pl_alias((uint64_t)addr), 1, true, t)))
        pl_sched_point(PL_OP_OBJECT_INIT, addr, 1, 0, pc);
    else {
        see(t, (uint64_t)addr, size, true, pc);
        t->ordinal++;
    }
    pl_spin_progress(t);
    t->quiet = 0;
    if (pl_heap_contains((uint64_t)addr))
        pl_freed_check((uint64_t)addr, size, true, pc);
}

/* Only so much of a mapping is shown to detectors: they remember every word of it. */
enum { SHOWN = 1 << 16 };

void pl_access_mapping(const void *addr, uint64_t size, bool gone, uint64_t pc,
                       const uint64_t *entry)
{
    struct pl_thread *t = pl_thread_self();
    uint64_t a = pl_alias((uint64_t)addr);

    if (pl_free) {
        pl_free_release(addr, size, pc);
        return;
    }
    if (off())
        return;
    pl_count_event(pc);
    t->entry = entry;
    pl_stage->n_mapped++;
    if (pl_stage->n_unjoined > 1 && pl_shadow_ends(a, size, t))
        point_at_range(PL_OP_MAP, a, size, pc);
    else
        t->ordinal++;
    pl_spin_progress(t);
    t->quiet = 0;
    if (gone && pl_stage->feed.on)
        pl_feed_access(a, size < SHOWN ? size : SHOWN, PL_ACCESS_WRITE, pc);
}

/* The library's own code: a compiler may copy structs with memcpy(), which is interposed. */
static bool is_own(uint64_t pc)
{
    return pc >= pl_stage->modules.own_start && pc < pl_stage->modules.own_end;
}

bool pl_access_wanted(uint64_t pc)
{
    return pl_ready && (pl_works() || (is_child() && !pl_free)) && !pl_native &&
           pl_stage->modules.instrumented && !is_own(pc);
}

void pl_access_call(const void *addr, uint64_t size, bool write, uint64_t pc, const uint64_t *entry)
{
    if (size == 0 || !pl_stage->modules.instrumented || is_own(pc) ||
        (!write && pl_place_is_constant((uint64_t)addr)))
        return;
    if (pl_free) {
        pl_free_range(addr, size, write, pc);
        return;
    }
    if (off()) {
        missed(addr, size, write, (void *)pc);
        return;
    }
    if (passes(addr, size, pc))
        return;
    pl_thread_self()->part = pl_entry_count(entry);
    announce(addr, size, (write ? PL_ACCESS_WRITE : PL_ACCESS_READ) | PL_ACCESS_RANGE, (void *)pc,
             entry);
    pl_thread_self()->part = 0;
}

void pl_access_call_as(const void *addr, uint64_t size, bool write, uint32_t events, uint64_t pc,
                       const uint64_t *entry)
{
    if (!pl_ready || !pl_works() || size == 0) {
        pl_access_call(addr, size, write, pc, entry);
        return;
    }
    struct pl_thread *t = pl_free ? pl_free_self : pl_thread_self();
    uint32_t before = t->ordinal;

    pl_access_call(addr, size, write, pc, entry);
    if (t->ordinal != before) {
        uint32_t more = events - pl_wide_events((uint64_t)addr, size);

        t->ordinal += more;
        t->free.claimed_ordinal += more;
    }
}

/* A text that nobody else can change meanwhile, or on free threads: what is there of it. */
static uint64_t text_at_once(const struct pl_reach *r, uint64_t pc, const uint64_t *entry)
{
    uint64_t size = pl_reach_size(r);

    pl_access_call_as(r->at, size, false, pl_reach_events(r->at, size), pc, entry);
    uint64_t now = pl_free ? pl_reach_size(r) : size;

    return now < size ? now : size;
}

/* Where the next part of a text ends, besides its end. */
static void limit(struct pl_reach *r, struct pl_thread *t, bool apart)
{
    r->limit = UINT64_MAX;
    r->pieces = apart && !pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS);
    if (!apart || r->pieces)
        return;
    uint32_t units = pl_pieces_next_step(t) - t->ordinal;
    uint64_t next = pl_reach_unit(r->from, r->at) + units;

    if (units < UINT32_MAX / 2)
        r->limit = (uint64_t)(pl_reach_start(r->from, next) - r->at);
}

/* The next part is read, at a point if others use the memory: its size.  0: a signal came first, or
 * there is nothing to read. */
static uint64_t part_of_text(const struct pl_reach *r, struct pl_thread *t, unsigned n, uint64_t pc,
                             const uint64_t *entry)
{
    const unsigned how = PL_ACCESS_READ | PL_ACCESS_RANGE;
    uint64_t a = pl_alias((uint64_t)r->at), size = pl_reach_size(r);
    uint32_t before = t->ordinal;

    if (size == 0) /* the memory is gone */
        return 0;
    t->part = r->part;
    t->entry = entry;
    if (!pl_shadow_shared(a, size, false, t)) {
        announce(r->at, size, how, (void *)pc, entry);
        t->ordinal -= pl_wide_events(a, size) - 1;
    } else {
        if (!pl_sched_text(r, pc, n))
            return 0;
        uint64_t now = pl_reach_size(r);

        size = now < t->op.size ? now : t->op.size;
        if (size == 0)
            return 0;
        pl_shadow_shared(a, size, false, t); /* it may have become longer */
        tell(t, (uint64_t)r->at, size, how, pc);
    }
    PL_CHECK(t->ordinal > before);
    t->ordinal +=
        (uint32_t)(pl_reach_unit(r->from, r->at + size - 1) - pl_reach_unit(r->from, r->at));
    return size;
}

uint64_t pl_access_text(struct pl_reach *r, bool apart, uint64_t pc, const uint64_t *entry)
{
    r->limit = UINT64_MAX;
    r->pieces = false;
    if (!pl_access_wanted(pc) || pl_free || off() || pl_stage->n_unjoined <= 1 ||
        pl_stage->strategy == NULL || pl_place_is_constant((uint64_t)r->at) ||
        pl_reach_size(r) == 0)
        return text_at_once(r, pc, entry);
    struct pl_thread *t = pl_thread_self();
    uint64_t size;
    unsigned n = 0;

    pl_count_event(pc);
    t->quiet++;
    if (r->part == 0)
        r->part = pl_entry_count(entry);
    do {
        limit(r, t, apart);
        size = part_of_text(r, t, n++, pc, entry);
    } while (size == 0 && pl_reach_size(r) > 0);
    t->part = 0;
    if (size == 0)
        return 0;
    uint64_t all = (uint64_t)(r->at - r->from) + size;

    if (pl_reach_is_ended(r, size)) /* as much as it would have counted in one step */
        t->ordinal +=
            pl_reach_events(r->from, all) - (uint32_t)pl_reach_unit(r->from, r->from + all - 1) - 1;
    return size;
}

/* A library function is about to touch memory for the program; `entry` as in PL_INTERPOSE. */
void pl_access_range(const void *addr, uint64_t size, bool write, const uint64_t *entry)
{
    pl_access_call(addr, size, write, entry[6], entry);
}

void pl_access_argument(const void *addr, uint64_t size, bool write, const uint64_t *entry)
{
    if (addr == NULL || !pl_access_wanted(entry[6]))
        return;
    pl_access_range(addr, size, write, entry);
    if (!pl_free)
        pl_entry_now = entry; /* others may have come in meanwhile */
}

void pl_access_after(void *addr, uint64_t size, const uint64_t *entry)
{
    if (addr == NULL || !pl_access_wanted(entry[6]))
        return;
    if (pl_free)
        pl_monitor_open();
    pl_access_range(addr, size, true, entry);
}

static void use_state(const void *state, bool change, uint64_t pc, const uint64_t *entry)
{
    enum { SIZE = 8 };

    if (!pl_access_wanted(pc))
        return;
    if (pl_free) {
        pl_free_range(state, SIZE, change, pc);
        return;
    }
    if (off()) {
        missed(state, SIZE, false, (void *)pc);
        return;
    }
    struct pl_thread *t = pl_thread_self();

    pl_count_event(pc);
    t->entry = entry;
    t->atomic.adds = false;
    if (pl_stage->n_unjoined > 1 && pl_shadow_shared((uint64_t)state, SIZE, change, t))
        pl_sched_point(change ? PL_OP_ATOMIC_RMW : PL_OP_ATOMIC_LOAD, state, SIZE, __ATOMIC_RELAXED,
                       pc);
    else
        pass(t, (uint64_t)state, SIZE, change, pc);
    if (!change)
        return;
    pl_fair_differs(t);
    pl_spin_progress(t);
    pl_spin_touch((uint64_t)state, SIZE, t->id); /* who looks at it in a loop may go on */
    t->quiet = 0;
}

void pl_access_state(const void *state, uint64_t pc, const uint64_t *entry)
{
    use_state(state, true, pc, entry);
}

void pl_access_look(const void *state, uint64_t pc, const uint64_t *entry)
{
    use_state(state, false, pc, entry);
}

bool pl_access_object(const void *object, uint64_t size, bool write, uint64_t pc,
                      const uint64_t *entry)
{
    enum { SEEN = 8 }; /* of a loop that looks at it again and again */
    struct pl_thread *t = pl_thread_self();

    PL_CHECK(!pl_free && pl_on());
    pl_count_event(pc);
    t->entry = entry;
    if (!pl_stage->modules.instrumented ||
        (pl_stage->n_unjoined > 1 && pl_shadow_shared((uint64_t)object, size, write, t)))
        return true;
    pass(t, (uint64_t)object, SEEN, false, pc);
    return false;
}

static unsigned char before[16]; /* value before an atomic update; used within one step only */

/* Whether an addition tells its thread who came before it, result or not, and somebody minds. */
static bool orders(int order)
{
    return pl_detect_wants(PL_DETECT_RACE) && (order & 0xff) != __ATOMIC_RELAXED &&
           (order & 0xff) != __ATOMIC_RELEASE;
}

/* Whether a choice is due at an atomic operation on memory that nobody else uses. */
static bool may_fail_here(unsigned kind)
{
    return kind == PL_ATOMIC_CAS_WEAK && pl_board->settings.weak_cas && pl_stage->rooted;
}

static int atomic_before(const void *addr, size_t size, unsigned kind, int order,
                         const void *wanted, void *pc)
{
    const uint64_t *entry = pl_entry_now;

    if (off()) {
        if (kind != PL_ATOMIC_FENCE)
            missed(addr, size, kind == PL_ATOMIC_STORE, pc);
        return 0;
    }
    struct pl_thread *t = pl_thread_self();
    bool write = kind != PL_ATOMIC_LOAD && kind != PL_ATOMIC_FENCE;
    uint64_t a = pl_alias((uint64_t)addr);

    pl_count_event((uint64_t)pc);
    t->entry = entry;
    t->atomic.addr = (uint64_t)addr;
    t->atomic.pc = (uint64_t)pc;
    t->atomic.orders = (uint32_t)order;
    if (kind == PL_ATOMIC_FENCE) {
        t->ordinal++;
        pl_feed_fence((unsigned)order);
        return 0;
    }
    t->quiet++;
    bool shared = (pl_stage->n_unjoined > 1 && pl_shadow_shared(a, size, write, t)) || ends_here(t);
    enum pl_op_kind op = pl_hooks_atomic_kind(kind);

    if (!shared && t->quiet > (pl_stage->n_alive > 1 ? QUIET : QUIET_ALONE)) {
        struct pl_operation o = {.kind = (uint8_t)op,
                                 .tid = t->id,
                                 .size = (uint32_t)size,
                                 .addr = a,
                                 .pc = (uint64_t)pc};

        shared = !pl_stage->context.following && pl_spin_visit(t, &o);
        if (shared)
            pl_shadow_share(a);
    }
    if (!shared && may_fail_here(kind)) {
        pl_shadow_share(a);
        shared = true;
    }
    if (!shared && hogs(t, a))
        t->suspect = shared = true;
    if (shared) {
        t->atomic.wanted = wanted;
        t->atomic.weak = kind == PL_ATOMIC_CAS_WEAK;
        t->atomic.adds = (kind == PL_ATOMIC_ADD || kind == PL_ATOMIC_SUB) && !orders(order) &&
                         pl_unused_result((uint64_t)pc, size > sizeof(uint64_t));
        pl_sched_point(op, (const void *)a, (uint32_t)size, (uint32_t)order & 0xff, (uint64_t)pc);
    } else {
        see(t, a, size, kind == PL_ATOMIC_STORE, (uint64_t)pc);
        t->ordinal++;
        if (pl_stage->seeking)
            pl_sought_pass(t, op, a, size, (uint64_t)pc);
    }
    if (pl_heap_contains(a))
        pl_freed_check(a, size, write, (uint64_t)pc);
    if (shared && kind != PL_ATOMIC_STORE) {
        pl_reuse_read(t, addr, size);
        if (wanted != NULL)
            pl_reuse_read(t, wanted, size);
    }
    if (t->fair.watched && kind != PL_ATOMIC_STORE &&
        !((kind == PL_ATOMIC_ADD || kind == PL_ATOMIC_SUB) &&
          pl_unused_result((uint64_t)pc, size > sizeof(uint64_t))))
        pl_fair_read(t, (uint64_t)addr, size);
    if (write && size <= sizeof(before))
        pl_memory_copy(before, addr, size);
    return shared && kind == PL_ATOMIC_CAS_WEAK && t->op.way == PL_WAY_SPURIOUS;
}

/* An update that leaves the value as it was changes nothing: a lock that was taken before. */
static void atomic_after(const void *addr, size_t size, unsigned kind, int wrote)
{
    if (off())
        return;
    if (pl_stage->feed.on) {
        struct pl_thread *t = pl_thread_self();

        pl_feed_atomic(pl_alias((uint64_t)addr), size, kind, wrote, t->atomic.orders, t->atomic.pc);
    }
    if (kind == PL_ATOMIC_LOAD || kind == PL_ATOMIC_FENCE)
        return;
    bool changed = wrote && (size > sizeof(before) || pl_memory_compare(before, addr, size) != 0);

    if (changed) {
        pl_spin_progress(pl_thread_self());
        pl_thread_self()->quiet = 0;
        pl_spin_touch(pl_alias((uint64_t)addr), size, pl_stage->current);
    }
}

static void func_entry(void *caller_pc)
{
    if (off())
        return;
    struct pl_thread *t = pl_thread_self();

    t->stack_known = false;
    pl_thread_push_frame(t, (uint64_t)caller_pc, (uint64_t)__builtin_frame_address(0));
}

/*
 * What coverage leaves on the stack is not the same in every execution, and the program comes upon
 * it in frames that it does not fill: a round of a loop would then not be what the last one was.
 */
__attribute__((noinline)) static void clear_below(void)
{
    uint64_t below[LEFT_BELOW / 8];

    for (unsigned i = 0; i < LEFT_BELOW / 8; i++)
        below[i] = 0;
    __asm__ volatile("" : : "r"(below) : "memory"); /* somebody will look at it */
}

static void func_exit(void)
{
    if (off())
        return;
    struct pl_thread *t = pl_thread_self();

    t->stack_known = false;
    if (pl_hooks_leave(t))
        clear_below();
}

extern struct pl_gate plait_runtime_gate;

/* Newer clang calls these where older ones call memcpy() and its kin.  Native threads have them
 * too, with an access of their own. */
static void touch(const void *addr, size_t size, unsigned flags, void *pc)
{
    plait_runtime_gate.access(addr, size, flags | PL_ACCESS_RANGE, pc);
}

static void *copy(void *to, const void *from, size_t size, void *pc)
{
    if (pl_pieces_copy(to, from, size, (uint64_t)pc, NULL))
        return to;
    if (size > 0) {
        touch(from, size, PL_ACCESS_READ, pc);
        touch(to, size, PL_ACCESS_WRITE, pc);
    }
    return pl_memory_copy(to, from, size);
}

static void *move(void *to, const void *from, size_t size, void *pc)
{
    if (pl_pieces_move(to, from, size, (uint64_t)pc, NULL))
        return to;
    if (size > 0) {
        touch(from, size, PL_ACCESS_READ, pc);
        touch(to, size, PL_ACCESS_WRITE, pc);
    }
    return pl_memory_move(to, from, size);
}

static void *fill(void *to, int byte, size_t size, void *pc)
{
    if (pl_pieces_fill(to, byte, size, (uint64_t)pc, NULL))
        return to;
    if (size > 0)
        touch(to, size, PL_ACCESS_WRITE, pc);
    return pl_memory_fill(to, byte, size);
}

static unsigned choose(unsigned n, void *pc)
{
    struct pl_thread *t = pl_thread_self();

    if (n < 2 || !pl_active || pl_inside())
        return 0;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
    pl_ports.restart->root();
    pl_sched_point(PL_OP_CHOOSE, NULL, 0, n, (uint64_t)pc);
    pl_enter();
    unsigned taken = pl_sched_choose(PL_CHOICE_VALUE, n > 65535 ? 65535 : n, -1, NULL, &t->op);

    PL_ASSERT(taken < n);
    pl_class_note(t, taken);
    pl_leave();
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
    return taken;
}

/* The thread has come to where nothing is of interest any more: it stays there. */
static void give_up(void *pc)
{
    if (!pl_active || pl_inside())
        return;
    pl_ports.restart->root();
    if (pl_free) { /* nobody keeps free threads */
        pl_enter();
        pl_stage->told = true;
        pl_report_assumed();
    }
    if (pl_redraw_wanted()) {
        pl_enter();
        pl_redraw_plan();
        pl_stage->told = true;
        pl_report_assumed();
    }
    pl_sched_point(PL_OP_ASSUME, NULL, 0, 0, (uint64_t)pc);
    PL_ASSERT(!pl_active); /* nobody comes from there */
}

static bool never(const struct pl_thread *t)
{
    return false;
}

PL_DESCRIBE(ASSUME) = {.enabled = never};

static void attach(const void *inside)
{
    if (!pl_works()) /* a library's constructor may come before ours */
        return;
    pl_stage->modules.instrumented = true;
    pl_place_instrumented((uint64_t)inside);
    pl_ports.process->attached((uint64_t)inside);
}

/* Assertions and sections are not about accesses: the start of the runtime fills them in. */
PL_EXPORT struct pl_gate plait_runtime_gate = {
    .version = PL_GATE_VERSION,
    .size = sizeof(struct pl_gate),
    .entry = &pl_entry_now,
    .access = plain,
    .atomic_before = atomic_before,
    .atomic_after = atomic_after,
    .func_entry = func_entry,
    .func_exit = func_exit,
    .copy = copy,
    .move = move,
    .fill = fill,
    .choose = choose,
    .attach = attach,
    .give_up = give_up,
};

/* ---- what the core asks ---- */

/* Whether the compare-exchange at hand will store. */
static bool will_exchange(const struct pl_thread *t)
{
    PL_ASSERT(t->op.size <= sizeof(before));
    return t->atomic.wanted == NULL ||
           pl_memory_compare((const void *)t->atomic.addr, t->atomic.wanted, t->op.size) == 0;
}

static bool may_fail(const struct pl_thread *t)
{
    return t->atomic.weak && will_exchange(t);
}

static enum pl_effect effect_of_exchange(struct pl_thread *t, struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL && will_exchange(t) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

static enum pl_effect effect_of_update(struct pl_thread *t, struct pl_operation *op)
{
    return t->atomic.adds ? PL_EFFECT_ADD : PL_EFFECT_WRITE;
}

/* What stood there: of a semaphore, its value. */
static enum pl_effect effect_of_init(struct pl_thread *t, struct pl_operation *op)
{
    op->aux = *(const volatile uint32_t *)op->addr;
    return PL_EFFECT_WRITE;
}

PL_DESCRIBE(OBJECT_INIT) = {.effect = effect_of_init};
PL_DESCRIBE(ATOMIC_CAS) = {.effect = effect_of_exchange, .may_fail = may_fail};
PL_DESCRIBE(ATOMIC_RMW) = {.effect = effect_of_update};
