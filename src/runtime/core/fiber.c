/* SPDX-License-Identifier: MIT */
/*
 * Carriers: what a thread of the program runs on.
 *
 * Fibers: all threads share one OS thread and are switched in user space.  So
 * that errno, thread_local, the stack protector, pthread_self() and exceptions
 * work, a fiber borrows the thread control block of a real pthread, its donor,
 * which was started once on a stack of ours, published its thread pointer and
 * waits for ever.  The fiber runs on the donor's stack, below its frames.
 *
 * OS threads: the donor itself runs the thread; a switch hands the turn over
 * through a futex.  One runs at a time, so everything else is the same.  On the
 * free carrier (free.h) donors run threads, too, but nobody is ever switched.
 *
 * Stacks lie in slots at fixed addresses, so both carriers, and all executions,
 * see the same addresses.  Donors are used in the order of thread creation;
 * one is used again only when all have been, its thread-local storage reset.
 */
#include "runtime/core/fiber.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/users.h"

#include <asm/prctl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>

void pl_fiber_entry(void);

void (*pl_fiber_body)(void) __attribute__((visibility("hidden")));

enum {
    PAGE = 4096,
    DONORS_BEFORE_REUSE = 600,
    FRAME_ROOM = 1024,
    SIGNAL_STACK = 64 << 10,
    DONOR_STACK = 8 << 20
};

static uint64_t slot_top(unsigned i)
{
    return PL_STACKS_ADDRESS + (i + 1) * PL_STACK_SLOT;
}

struct pl_thread *pl_fiber_owner(uint64_t addr, bool *local)
{
    PL_CHECK(pl_fiber_is_stack(addr));
    const struct pl_donor *d = &pl_stage->donors[(addr - PL_STACKS_ADDRESS) / PL_STACK_SLOT];

    if (d->user >= pl_stage->n_threads)
        return NULL;
    struct pl_thread *t = pl_thread_by_id(d->user);

    *local = addr - d->tls_low < d->tls_size;
    return *local || (t->stack_low < addr && addr < t->stack_high) ? t : NULL;
}

void pl_fiber_set_pointer(void *tp)
{
    if (pl_stage->fibers.have_wrfsbase)
        __asm__ volatile("wrfsbase %0" : : "r"(tp) : "memory");
    else
        pl_sys(SYS_arch_prctl, ARCH_SET_FS, tp);
}

uint64_t pl_fiber_gs(void)
{
    uint64_t base = 0;

    if (pl_stage->fibers.have_wrfsbase)
        __asm__ volatile("rdgsbase %0" : "=r"(base));
    else
        pl_sys(SYS_arch_prctl, ARCH_GET_GS, &base);
    return base;
}

void pl_fiber_set_gs(uint64_t base)
{
    if (pl_stage->fibers.have_wrfsbase)
        __asm__ volatile("wrgsbase %0" : : "r"(base) : "memory");
    else
        pl_sys(SYS_arch_prctl, ARCH_SET_GS, base);
}

void pl_fiber_init(void)
{
    uint64_t size = PL_STACK_SLOT * PL_THREADS_MAX;
    long p = pl_sys(SYS_mmap, PL_STACKS_ADDRESS, size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    PL_ASSERT((uint64_t)p == PL_STACKS_ADDRESS);
}

static void wait_for(_Atomic uint32_t *word)
{
    while (*word == 0)
        pl_sys(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void wake(_Atomic uint32_t *word)
{
    *word = 1;
    pl_sys(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* The thread-local storage below the thread pointer, to be put back when the donor is used again.
 */
static void remember_tls(struct pl_donor *d)
{
    uint64_t tp = (uint64_t)d->tp;
    uint64_t low =
        pl_stage->modules.tls_size < PL_STACK_SLOT / 2 ? tp - pl_stage->modules.tls_size : tp;

    d->tls_low = low;
    d->tls_size = tp - low;
    d->tls_image = pl_heap_allocate(d->tls_size + 8, 16, 0);
    pl_memory_copy(d->tls_image, (void *)low, d->tls_size);
}

static _Atomic uint32_t published;

__attribute__((noreturn)) static void *donor_main(void *arg)
{
    struct pl_donor *d = arg;
    void *tp;

    __asm__("mov %%fs:0, %0" : "=r"(tp));
    d->tp = tp;
    d->sp = (char *)__builtin_frame_address(0) - FRAME_ROOM;
    wake(&published);
    while (pl_board->settings.carrier == PL_CARRIER_FIBER)
        pl_sys(SYS_pause);
    stack_t alt = {.ss_sp = d->signal_stack, .ss_size = SIGNAL_STACK};

    pl_sys(SYS_sigaltstack, &alt, NULL);
    if (pl_stage->restart.watched)
        pl_ports.restart->watch();
    for (;;) {
        d->rests = true;
        wait_for(&d->go);
        d->go = 0;
        d->rests = false;
        pl_free_self = pl_thread_by_id(d->user);
        pl_free_self->free.os_tid = (int32_t)pl_sys(SYS_gettid);
        pl_fiber_swap(&d->loop_sp, pl_thread_by_id(d->user)->sp);
    }
}

/*
 * An OS thread gets signals only while it is a thread of the program, on that one's stack: the
 * frame of a handler on the donor's would lie on what is prepared for the next.
 */
void pl_fiber_began(const struct pl_thread *t)
{
    if (pl_board->settings.carrier != PL_CARRIER_FIBER) {
        pl_mask_set(t->mask);
        pl_fiber_set_gs(t->gs); /* the donor has that of whoever was there before */
    }
    if (pl_board->settings.carrier == PL_CARRIER_THREAD)
        pl_users_follow();
}

void pl_fiber_rest(struct pl_thread *t)
{
    pl_mask_set(~UINT64_C(0));
    pl_fiber_swap(&t->sp, pl_stage->donors[t->donor].loop_sp);
    __builtin_unreachable();
}

void pl_fiber_wait_until_left(const struct pl_thread *t)
{
    while (pl_board->settings.carrier != PL_CARRIER_FIBER && !t->main &&
           !pl_stage->donors[t->donor].rests)
        pl_sys(SYS_sched_yield);
}

/* Nested functions of gcc have code on the stack. */
static int protection(void)
{
    return PROT_READ | PROT_WRITE | (pl_stage->modules.stack_code ? PROT_EXEC : 0);
}

/* What a thread may do with a page of a stack that is open. */
static int open_protection(uint64_t page)
{
    bool watched = pl_stage->rolling && !pl_ports.restart->is_hot(page);

    return watched ? protection() & ~PROT_WRITE : protection();
}

/* Open the slot down to the stack size asked for and put the guard page below it. */
static void set_guard(struct pl_donor *d, unsigned i, uint64_t size)
{
    uint64_t low = (slot_top(i) - size) & ~(uint64_t)(PAGE - 1);
    uint64_t base = slot_top(i) - PL_STACK_SLOT;

    PL_ASSERT(d == &pl_stage->donors[i]);
    if (low < base + PAGE)
        low = base + PAGE;
    if (d->guard == low - PAGE)
        return;
    if (d->guarded)
        pl_sys(SYS_mprotect, d->guard, PAGE, open_protection(d->guard));
    d->guard = low - PAGE;
    d->guarded = low > d->lowest;
    if (d->guarded) {
        pl_ports.restart->guard(d->guard, 0);
        pl_sys(SYS_mprotect, d->guard, PAGE, PROT_NONE);
    } else {
        pl_ports.restart->guard(d->guard, d->lowest - low);
        pl_sys(SYS_mprotect, low, d->lowest - low, protection());
        d->lowest = low;
    }
    PL_ASSERT(d->guard >= base && d->guard % PAGE == 0);
    PL_ASSERT(d->guarded == (d->guard >= d->lowest));
}

static void start_donor(unsigned i)
{
    struct pl_donor *d = &pl_stage->donors[i];
    uint64_t top = slot_top(i);
    pthread_attr_t attr;
    uint64_t all, old;

    PL_ASSERT(i < PL_THREADS_MAX && !d->started);
    if (pl_stage->rolling)
        pl_ports.restart->spoil(PL_RESTART_ROLLBACK, "it has more threads than before");
    pl_enter();
    d->lowest = top - DONOR_STACK;
    d->guard = d->lowest - PAGE;
    pl_sys(SYS_mprotect, d->lowest, DONOR_STACK, protection());
    pl_real.pthread_attr_init(&attr);
    pl_real.pthread_attr_setstack(&attr, (void *)d->lowest, DONOR_STACK);
    all = ~pl_mask_open();
    pl_sys(SYS_rt_sigprocmask, SIG_BLOCK, &all, &old, 8);
    if (pl_board->settings.carrier != PL_CARRIER_FIBER)
        d->signal_stack = pl_heap_allocate(SIGNAL_STACK, 16, 0);
    published = 0;
    int rc = pl_real.pthread_create(&d->handle, &attr, donor_main, d);

    PL_ASSERT(rc == 0);
    pl_ports.restart->watch_again();
    wait_for(&published);
    PL_ASSERT((uint64_t)d->sp > d->lowest && (uint64_t)d->sp < top);
    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, 8);
    remember_tls(d);
    set_guard(d, i, pl_stage->fibers.default_stack + (top - (uint64_t)d->sp));
    d->started = true;
    d->user = (pl_tid)(i + 1); /* as long as no donor is used again */
    pl_leave();
}

void pl_fiber_reserve(unsigned n)
{
    if (n > DONORS_BEFORE_REUSE)
        n = DONORS_BEFORE_REUSE;
    while (pl_stage->fibers.n_donors < n)
        start_donor(pl_stage->fibers.n_donors++);
}

void pl_fiber_forked(pl_tid first)
{
    pl_stage->fibers.next = pl_stage->fibers.n_donors;
    for (unsigned i = 0; i < pl_stage->fibers.n_donors; i++)
        pl_stage->donors[i].user = first; /* which does not end before its process */
}

static unsigned take_donor(void)
{
    uint64_t next = pl_stage->fibers.next++;

    if (next < DONORS_BEFORE_REUSE) {
        pl_fiber_reserve((unsigned)next + 1);
        return (unsigned)next;
    }
    for (unsigned i = 0; i < pl_stage->fibers.n_donors; i++) {
        unsigned d = (unsigned)((next + i) % pl_stage->fibers.n_donors);
        struct pl_donor *donor = &pl_stage->donors[d];

        PL_ASSERT(donor->started && donor->user < PL_THREADS_MAX);
        if (pl_thread_by_id(donor->user)->state == PL_THREAD_GONE) {
            pl_fiber_wait_until_left(pl_thread_by_id(donor->user));
            pl_memory_copy((void *)donor->tls_low, donor->tls_image, donor->tls_size);
            return d;
        }
    }
    if (pl_stage->fibers.n_donors < PL_THREADS_MAX) {
        start_donor(pl_stage->fibers.n_donors++);
        return pl_stage->fibers.n_donors - 1;
    }
    return PL_THREADS_MAX;
}

/* A stack that ends at `top` and on which a switch begins at `entry`. */
void *pl_fiber_frame(uint64_t top, void (*entry)(void))
{
    uint64_t *sp = (uint64_t *)top;

    PL_ASSERT(top % 16 == 0);
    *--sp = 0;
    *--sp = (uint64_t)entry;
    for (int r = 0; r < 6; r++)
        *--sp = 0;
    *--sp = UINT64_C(0x0000037f00001f80); /* x87 control word, mxcsr: their defaults */
    return sp;
}

/* A thread begins with the floating-point control words of its creator, who is running. */
static void inherit_controls(void *frame)
{
    uint32_t *mxcsr = frame;
    uint16_t *x87 = (uint16_t *)(mxcsr + 1);

    __asm__ volatile("stmxcsr %0" : "=m"(*mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(*x87));
}

bool pl_fiber_attach(struct pl_thread *t, uint64_t stack_size, void *user_stack, uint64_t user_size)
{
    unsigned i = take_donor();

    if (i >= PL_THREADS_MAX)
        return false;
    struct pl_donor *d = &pl_stage->donors[i];
    uint64_t top = (uint64_t)d->sp;

    if (d->user != t->id) /* it was foreseen: a page that is not written need not be put back */
        d->user = t->id;
    t->donor = i;
    t->tp = d->tp;
    if (user_stack != NULL) {
        top = (uint64_t)user_stack + user_size;
        t->stack_low = (uint64_t)user_stack;
    } else {
        /* What the donor's own frames and control block take is given on top. */
        set_guard(d, i, stack_size + (slot_top(i) - (uint64_t)d->sp));
        t->stack_low = d->guard + PAGE;
    }
    top &= ~UINT64_C(15);
    PL_ASSERT(t->tp != NULL && t->stack_low < top);
    t->stack_high = top;
    t->sp = pl_fiber_frame(top, pl_fiber_entry);
    inherit_controls(t->sp);
    t->gs = pl_fiber_gs();
    return true;
}

void pl_fiber_start(struct pl_thread *t)
{
    PL_ASSERT(pl_board->settings.carrier != PL_CARRIER_FIBER && t->donor < PL_THREADS_MAX);
    wake(&pl_stage->donors[t->donor].go);
}

void pl_fiber_switch_to(struct pl_thread *from, struct pl_thread *to)
{
    uint32_t busy = pl_stage->busy; /* how deep this thread is inside the runtime */

    PL_CHECK(to != from && to->state == PL_THREAD_ALIVE && pl_stage->current == from->id);
    pl_stage->current = to->id;
    pl_stage->turns++;
    if (pl_board->settings.carrier == PL_CARRIER_THREAD) {
        from->go = 0;
        wake(to->main || to->started ? &to->go : &pl_stage->donors[to->donor].go);
        if (from->state != PL_THREAD_ALIVE && !from->main)
            pl_fiber_rest(from);
        wait_for(&from->go);
        pl_users_follow();
    } else {
        if (pl_stage->signals.kernel_mask != to->mask)
            pl_mask_set(to->mask);
        pl_fiber_set_pointer(to->tp);
        from->gs = pl_fiber_gs();
        if (to->gs != from->gs)
            pl_fiber_set_gs(to->gs);
        pl_fiber_swap(&from->sp, to->sp);
    }
    PL_CHECK(pl_stage->current == from->id && from->state == PL_THREAD_ALIVE);
    pl_stage->busy = busy;
}
