/* SPDX-License-Identifier: MIT */
/*
 * Spin loops: a thread that goes round a loop without changing anything is parked
 * until something that it has read is written.
 *
 * An iteration that changed nothing is recognised exactly.  One of the operations of a loop serves
 * as anchor: its place, object and stack pointer make the key; its callee-saved registers and the
 * whole stack above make the hash.  Those are all of a thread's state at a call, except memory, and
 * a write to memory other than the own stack is progress and forgets the anchor.  When the thread
 * comes back to the anchor with the same hash, it has gone round for nothing.  Should the anchor
 * not come back, a new one is taken after twice as many operations (Brent's cycle finding).
 *
 * Time is no state: a loop that looks at the clock and computes a new deadline in every
 * iteration still does the same.  Words that hold a time which the thread has been told are left
 * out, in an iteration that has looked at the clock; in any other nothing can have changed because
 * time has passed.
 *
 * A loop that polls under a lock must not be parked while it holds the lock:
 * the operation with the fewest locks held becomes the anchor.
 *
 * When only parked threads are left, they get more iterations: memory may have been
 * changed by code that is not instrumented.  After GRANTS iterations without progress it is a
 * livelock; after TIMELY ones if they look at the clock, whose time may come.
 */
#include "runtime/core/spin.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "model/depend.h"
#include "runtime/core/clock.h"
#include "runtime/core/fair.h"
#include "runtime/core/recur.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"

enum {
    GRANTS = 60,
    TIMELY = 5000,
    FIRST_LIMIT = 4,
    LAST_LIMIT = 1 << 14,
    STACK_MAX = 64 << 10,
    LEFT = 4096,   /* bytes of frames that the runtime has left, */
    CLEARING = 64, /* points for which they are cleared, */
    FUTILE = 5,    /* unless rounds differ all the same, so many of them, */
    ROOM = 16384,  /* or there is less of the stack */
};

#define SECOND UINT64_C(1000000000)

static uint64_t filter_bit(uint64_t addr)
{
    return UINT64_C(1) << ((addr >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* Apart from the thread: most have none. */
static struct pl_spin_clock *clock_of(const struct pl_thread *t)
{
    return &pl_stage->spin_clocks[t->id];
}

/* Addresses lie between times in milliseconds and in microseconds. */
static inline bool may_be_time(uint64_t x)
{
    return x >= 1000 &&
           (x <= (PL_CLOCK_REAL + PL_CLOCK_SPAN) * 1000 || x >= PL_CLOCK_BOOT * 1000000);
}

/*
 * A time that the thread has asked for or waits until, in seconds, milli-, micro- or nanoseconds,
 * or its fraction of a second.  No other number is one, however it looks.
 */
static bool is_time(uint64_t x, const struct pl_spin_clock *c)
{
    for (unsigned k = 0; may_be_time(x) && k < PL_SPIN_TIMES; k++) {
        for (unsigned u = 0; u < PL_SPIN_UNITS; u++) {
            if (x == c->known[k].in[u])
                return true;
        }
    }
    return false;
}

/* Words do not wait for each other: two are mixed with their place, then all are added up. */
static inline uint64_t mix_words(uint64_t x, uint64_t y, uint64_t place)
{
    unsigned __int128 m =
        (unsigned __int128)(x ^ (place * UINT64_C(0x9e3779b97f4a7c15) + UINT64_C(0x2545f491))) *
        (y ^ (place * UINT64_C(0x9fb21c651e98df25) + UINT64_C(0x9fb21c65)));

    return (uint64_t)(m >> 64) ^ (uint64_t)m;
}

/* Whether the thread keeps a time in one of the two words from here on, or between such places. */
static inline bool is_near_times(const uint64_t *word, const struct pl_spin_clock *c)
{
    return (uint64_t)(word + 2) > c->low && (uint64_t)word < c->high;
}

/* The word, 0 if it is a time. */
static uint64_t without_time(const uint64_t *word, const struct pl_spin_clock *c)
{
    for (unsigned k = 0; k < 4; k++) {
        if ((uint64_t)word >= c->times[k].low && (uint64_t)word < c->times[k].high)
            return 0;
    }
    return is_time(*word, c) ? 0 : *word;
}

/* The words as they are in `all`; without times in `plain`. */
static struct pl_spin_state hash_words(struct pl_spin_state h, const uint64_t *p, uint64_t n,
                                       const struct pl_thread *t)
{
    if (t->spin.n_known == 0) { /* the thread has not heard of time */
        for (uint64_t i = 0; i + 1 < n; i += 2)
            h.all += mix_words(p[i], p[i + 1], i + 1);
        if (n % 2 != 0)
            h.all += mix_words(p[n - 1], 0, n);
        h.all = h.plain = pl_hash_mix(h.all);
        return h;
    }
    const struct pl_spin_clock *c = clock_of(t);

    for (uint64_t i = 0; i < n; i += 2) {
        bool two = i + 1 < n;
        uint64_t x = p[i], y = two ? p[i + 1] : 0, both = mix_words(x, y, i + 1);

        h.all += both;
        if (may_be_time(x) || may_be_time(y) || is_near_times(&p[i], c))
            both = mix_words(without_time(&p[i], c), two ? without_time(&p[i + 1], c) : 0, i + 1);
        h.plain += both;
    }
    return (struct pl_spin_state){pl_hash_mix(h.all), pl_hash_mix(h.plain)};
}

/* A time that the thread has asked for or waits until lies here. */
void pl_spin_ignore(struct pl_thread *t, const void *time, uint64_t size, uint64_t ns)
{
    struct pl_spin_clock *c = clock_of(t);
    uint64_t low = (uint64_t)time;
    unsigned k = 0;

    while (k < 4 && c->times[k].low != low)
        k++;
    PL_ASSERT(c->next_time < 4);
    if (k == 4) {
        k = c->next_time;
        c->next_time = (c->next_time + 1) % 4;
    }
    c->times[k].low = low;
    c->times[k].high = low + size;
    c->low = UINT64_MAX;
    c->high = 0;
    for (k = 0; k < 4; k++) {
        if (c->times[k].high != 0 && c->times[k].low < c->low)
            c->low = c->times[k].low;
        if (c->times[k].high > c->high)
            c->high = c->times[k].high;
    }
    pl_spin_know(t, ns);
}

void pl_spin_know(struct pl_thread *t, uint64_t ns)
{
    struct pl_spin *s = &t->spin;
    struct pl_spin_clock *c = clock_of(t);
    const struct pl_spin_time *last = &c->known[(s->n_known - 1) % PL_SPIN_TIMES];

    if (s->n_known == 0 || last->in[0] != ns)
        c->known[s->n_known++ % PL_SPIN_TIMES] = (struct pl_spin_time){
            {ns, ns / 1000, ns / 1000000, ns / SECOND, ns % SECOND, ns % SECOND / 1000}};
}

static bool is_trapped(const struct pl_thread *t)
{
    return t->trapped != NULL && t->trapped == t->entry;
}

/*
 * The caller's registers.  Where a function that is interposed makes a system call, they are those
 * at its entry: what is below is the runtime's and libc's, and is left behind with the call.
 */
static const uint64_t *registers_of(const struct pl_thread *t)
{
    return is_trapped(t) && t->called != NULL ? t->called : t->entry;
}

/* The caller's stack: behind its registers, or where an access in pieces or a trapped call says. */
static const uint64_t *frame_of(const struct pl_thread *t)
{
    const uint64_t *registers = registers_of(t);

    if (is_trapped(t) && registers == t->entry)
        return (const uint64_t *)(t->entry[7] & ~UINT64_C(7));
    return t->frame != NULL ? t->frame : registers + 7;
}

/* Which of the operations of one call this is: they are no loop. */
static uint64_t part_of(const struct pl_thread *t)
{
    return registers_of(t) != t->entry ? t->called[-1] + 1 : t->part;
}

static bool on_own_stack(const struct pl_thread *t)
{
    uint64_t frame = (uint64_t)frame_of(t);

    return frame >= t->stack_low && frame < t->stack_high;
}

static struct pl_spin_state state_hash(const struct pl_thread *t)
{
    PL_CHECK(t->entry != NULL);
    const uint64_t *frame = frame_of(t);
    uint64_t size = t->stack_high - (uint64_t)frame;

    if (!on_own_stack(t))
        size = 0; /* before main's first frame, or on a foreign stack: registers only */
    else if (size > STACK_MAX)
        size = STACK_MAX;
    return hash_words(hash_words((struct pl_spin_state){1, 1}, registers_of(t), 6, t), frame,
                      size / 8, t);
}

uint64_t pl_spin_hash(const struct pl_thread *t)
{
    return state_hash(t).all;
}

/* What an operation is about: a thread, and all files, have no address. */
static uint64_t object_of(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLES(OF_THREAD, OF_FILES)) ? pl_depend_object(op)
                                                                    : op->addr;
}

static void add_read(struct pl_spin *s, const struct pl_operation *op)
{
    uint64_t first = object_of(op), last = first + (op->size > 0 ? op->size - 1 : 0);

    if (first == 0 || !pl_operation_ends_rounds(op->kind))
        return;
    PL_CHECK(s->n_reads <= PL_SPIN_READS);
    for (uint64_t g = first >> 3; g <= last >> 3; g++) {
        bool known = false;

        for (unsigned i = 0; i < s->n_reads && !known; i++)
            known = s->reads[i] == g << 3;
        if (known)
            continue;
        s->filter |= filter_bit(g << 3);
        if (s->n_reads == PL_SPIN_READS) {
            s->overflow = true;
            return;
        }
        s->reads[s->n_reads++] = g << 3;
    }
}

/* An iteration begins with this operation. */
static void begin(struct pl_spin *s, const struct pl_operation *op)
{
    s->dirty = s->overflow = s->failed = s->released = s->waited = s->early = false;
    s->n_reads = 0;
    s->filter = 0;
    s->steps = 0;
    s->opened[0] = 0;
    s->weak = 0;
    add_read(s, op);
}

static void anchor(struct pl_thread *t, const struct pl_operation *op, uint64_t key,
                   struct pl_spin_state state)
{
    struct pl_spin *s = &t->spin;

    s->armed = true;
    s->held = (uint16_t)t->n_held;
    s->from = op->ordinal;
    s->chain = t->chain;
    s->classed = t->classed;
    s->key = key;
    s->pc = op->pc;
    s->state = state;
    s->looks = t->clock_looks;
    s->weak_again = 0;
    begin(s, op);
}

/* The thread is about to do `op`: whether it has gone round a loop for nothing. */
enum pl_spin_came pl_spin_visit(struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_spin *s = &t->spin;

    if (__builtin_expect(s->unjudged, 0))
        pl_spin_judge(t, PL_SPIN_CHANGED);
    if (t->entry == NULL) { /* no anchor; but the iteration has got further */
        if (s->armed) {
            s->steps++;
            add_read(s, op);
        }
        return PL_SPIN_NOT;
    }
    /* What one call of a library function reads twice, such as memcmp(p, p, n), is no loop. */
    uint64_t key = (op->pc ^ ((uint64_t)op->kind << 56)) * UINT64_C(0x9e3779b97f4a7c15) +
                   (op->addr ^ (uint64_t)t->entry) + (part_of(t) << 48);

    if (!s->armed && pl_operation_is(op->kind, PL_ROLE_ADVANCES) && !pl_thread_owns(t, op->addr))
        return PL_SPIN_NOT; /* an iteration that begins here would end here */
    if (!s->armed || t->n_held < s->held) {
        if (!s->armed) { /* otherwise it is still the same loop, maybe a long one */
            s->limit = FIRST_LIMIT;
            s->differed = s->astray = 0;
        }
        anchor(t, op, key, state_hash(t));
        return PL_SPIN_NOT;
    }
    PL_CHECK(s->limit >= FIRST_LIMIT && s->limit <= LAST_LIMIT);
    if (op->pc < s->pc)
        s->pc = op->pc;
    if (key == s->key && t->n_held == s->held) {
        struct pl_spin_state now = state_hash(t);

        s->timely = s->looks != t->clock_looks;
        if (now.all == s->state.all)
            s->differed = 0;
        else if (s->differed < FUTILE)
            s->differed++;
        s->clearing = s->differed < FUTILE && (s->differed | s->clearing) != 0 ? CLEARING : 0;
        if (now.plain == s->state.plain && s->failed && s->released)
            pl_fair_backed_off(t, s->steps + 1);
        if ((s->timely ? now.plain != s->state.plain : now.all != s->state.all) ||
            s->opened[0] != 0) {
            anchor(t, op, key, now);
            /* Between a look at the clock and the wait that follows there is a deadline that nobody
             * has been told yet: somewhere else in the round there is none. */
            s->armed = !s->timely || ++s->astray < FUTILE;
            return PL_SPIN_NOT;
        }
        bool dirty = s->dirty || s->weak != 0;

        s->astray = 0;
        s->weak_again = s->dirty ? 0 : s->weak;
        s->idle_from = s->from;
        s->from = op->ordinal;
        if (dirty) {
            s->looks = t->clock_looks;
            begin(s, op);
            return PL_SPIN_ROUND;
        }
        s->any = s->n_reads == 0;
        s->iterations++;
        return PL_SPIN_IDLE;
    }
    if (++s->steps > s->limit) {
        if (s->limit < LAST_LIMIT)
            s->limit *= 2;
        anchor(t, op, key, state_hash(t));
        return PL_SPIN_NOT;
    }
    add_read(s, op);
    return PL_SPIN_NOT;
}

bool pl_spin_clear_left(struct pl_thread *t)
{
    unsigned char left[LEFT];

    PL_ASSERT(t->spin.clearing > 0);
    t->spin.clearing--;
    if ((uint64_t)left < t->stack_low + ROOM || (uint64_t)left >= t->stack_high)
        return false;
    pl_memory_fill(left, 0, sizeof(left));
    __asm__ volatile("" : : "r"(left) : "memory"); /* somebody looks at it, in other frames */
    return true;
}

/* An access that is no point: part of the iteration all the same. */
void pl_spin_saw(struct pl_thread *t, uint64_t addr, uint64_t size, bool write, uint64_t pc)
{
    struct pl_spin *s = &t->spin;
    const struct pl_operation op = {.kind = PL_OP_READ, .addr = addr, .size = (uint32_t)size};

    if (!s->armed)
        return;
    if (pc < s->pc)
        s->pc = pc;
    if (!write && !s->overflow && !pl_thread_owns(t, addr))
        add_read(s, &op);
}

void pl_spin_share_looks(const struct pl_thread *t)
{
    const struct pl_spin *s = &t->spin;

    for (unsigned i = 0; i < s->n_reads; i++) {
        if (!pl_thread_owns(t, s->reads[i]))
            pl_shadow_share(s->reads[i]);
    }
}

void pl_spin_park(struct pl_thread *t)
{
    struct pl_spin *s = &t->spin;

    PL_ASSERT(s->armed && !s->parked && pl_stage->n_parked < pl_stage->n_threads);
    s->parked = true;
    s->parked_at = pl_stage->fair.idle;
    pl_stage->n_parked++;
    pl_spin_share_looks(t);
}

void pl_spin_park_idle(const struct pl_thread *next)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t != next && t->state == PL_THREAD_ALIVE && t->announced && t->spin.idle &&
            t->spin.armed && !t->spin.parked && !t->spin.timely)
            pl_spin_park(t);
    }
}

void pl_spin_again(struct pl_thread *t)
{
    t->spin.idle = false;
    t->spin.looks = t->clock_looks;
    begin(&t->spin, &t->op);
}

/* Go on from the anchor, which is the operation it is parked at: a new iteration begins. */
void pl_spin_unpark(struct pl_thread *t)
{
    PL_ASSERT(t->spin.parked && pl_stage->n_parked > 0);
    t->spin.parked = false;
    pl_stage->n_parked--;
    pl_spin_again(t);
}

bool pl_spin_is_parked(uint64_t name)
{
    pl_tid by = pl_stage->current;
    uint32_t wake = pl_thread_by_id(by)->op.ordinal;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->name == name)
            return t->state == PL_THREAD_ALIVE &&
                   (t->spin.parked || (t->op.waker == by && t->op.wake == wake));
    }
    return false;
}

/* The thread has changed something. */
void pl_spin_progress(struct pl_thread *t)
{
    t->spin.armed = false;
    t->spin.iterations = t->spin.counted = 0;
    t->clock_step = 0;
    pl_stage->fair.idle = 0;
    if (pl_stage->probation > 0) {
        /* Something hidden ended the loop after all; the iterations before were not chosen. */
        pl_stage->probation = 0;
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
    }
}

/*
 * What thread `by` is doing may end the loop.  Seldom: whoever looks for such loops stays small.
 *
 * It need not be what ends it: another one may write something else before the thread looks again.
 * A search that asks for what made the look possible finds all of them by the round before it.
 */
__attribute__((noinline)) static void let_go(struct pl_thread *t, pl_tid by)
{
    bool anything = t->spin.any || t->spin.overflow;

    pl_spin_unpark(t);
    t->op.waker = by;
    t->op.wake = pl_thread_by_id(by)->op.ordinal;
    t->op.round = anything ? PL_ROUND_OF_ANYTHING : t->spin.idle_from + 1;
}

/* Whether the thread has read one of these granules since the anchor. */
static bool has_read(const struct pl_spin *s, uint64_t first, uint64_t last)
{
    for (uint64_t g = first; g <= last; g++) {
        if ((s->filter & filter_bit(g << 3)) == 0)
            continue;
        for (unsigned r = 0; r < s->n_reads; r++) {
            if (s->reads[r] == g << 3)
                return true;
        }
    }
    return false;
}

/* The same for a thread that may have read it, or waits for anything. */
__attribute__((noinline)) static void touch(struct pl_thread *t, uint64_t addr, uint64_t size,
                                            pl_tid by)
{
    struct pl_spin *s = &t->spin;
    uint64_t first = addr >> 3, last = (addr + (size > 0 ? size - 1 : 0)) >> 3;

    if (t->id == by || t->state != PL_THREAD_ALIVE ||
        !(s->overflow || (s->parked && s->any) || has_read(s, first, last)))
        return;
    s->dirty = true;
    s->idle = false;
    if (s->parked)
        let_go(t, by);
}

/* Memory or an object has been changed by thread `by`. */
void pl_spin_touch(uint64_t addr, uint64_t size, pl_tid by)
{
    uint64_t first = addr >> 3, last = (addr + (size > 0 ? size - 1 : 0)) >> 3, bits = 0;
    struct pl_thread *end = pl_stage->threads + pl_stage->n_threads;

    for (uint64_t g = first; g <= last && ~bits != 0; g++)
        bits |= filter_bit(g << 3);
    for (struct pl_thread *t = pl_stage->threads; t < end; t++) {
        const struct pl_spin *s = &t->spin;

        /* One that is dirty already can become nothing else, unless it is parked. */
        if (s->armed && ((s->filter & bits) != 0 || (s->overflow | s->any)) &&
            !(s->dirty && !s->parked))
            touch(t, addr, size, by);
    }
}

/*
 * A thread's own stack is part of its state, so what it reads there is in no list as long as it is
 * known to nobody else.  From now on such reads are operations.
 */
void pl_spin_exposed(uint64_t addr)
{
    pl_tid by = pl_stage->current;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        struct pl_spin *s = &t->spin;

        if (i == by || t->state != PL_THREAD_ALIVE || !s->armed || addr < t->stack_low ||
            addr >= t->stack_high)
            continue;
        s->dirty = true;
        s->idle = false;
        if (s->parked)
            let_go(t, by);
    }
}

/* A system call that has changed nothing. */
static bool only_looks(const struct pl_operation *op)
{
    return pl_operation_is(op->kind, PL_ROLE_CALLS) && op->effect == PL_EFFECT_READ &&
           op->other_effect != PL_EFFECT_WRITE;
}

/* Time has passed, or is to pass: nobody else could wait for that. */
static bool only_waits(const struct pl_thread *t)
{
    return pl_operation_is(t->op.kind, PL_ROLE_OUTSIDE) &&
           (t->op.way == PL_WAY_TIMEOUT || t->call.idle);
}

/* What it was told by the call may end the loop when it is another. */
static void saw_call(struct pl_thread *t)
{
    pl_spin_saw(t, t->op.addr, 1, false, t->op.pc);
    if (t->op.other != 0)
        pl_spin_saw(t, t->op.other, 1, false, t->op.pc);
}

/* Whether what it has done concerns nobody who goes round a loop. */
__attribute__((noinline)) static bool is_idle(struct pl_thread *t)
{
    if (only_waits(t))
        return true;
    if (!only_looks(&t->op))
        return pl_operation_is(t->op.kind, PL_ROLE_IDLE);
    saw_call(t);
    return true;
}

/* All files may have been changed: whoever looks at any of them is concerned. */
static void touch_files(pl_tid by)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_spin *s = &pl_thread_by_id(i)->spin;

        for (unsigned r = 0; s->armed && r < s->n_reads; r++) {
            if ((s->reads[r] >> 56) >= PL_DEPEND_FILES >> 56 && s->reads[r] < PL_DEPEND_THREADS)
                pl_spin_touch(s->reads[r], 1, by);
        }
    }
}

static void have_changed(struct pl_thread *t, bool progress)
{
    const struct pl_operation *op = &t->op;
    bool releases = pl_operation_is(op->kind, PL_ROLE_RELEASES);
    uint64_t object = object_of(op);

    if (progress && !releases && !pl_thread_owns(t, op->addr))
        pl_spin_progress(t);
    pl_spin_touch(object, releases ? 1 : op->size, t->id);
    if (op->other != 0 && op->other_effect > PL_EFFECT_READ)
        pl_spin_touch(op->other, 1, t->id);
    if (object == PL_DEPEND_FILES)
        touch_files(t->id);
    else if (pl_operation_object(op->kind) == PL_OBJECT_FILE)
        pl_spin_touch(PL_DEPEND_FILES, 1, t->id); /* who looks at several looks at all */
}

void pl_spin_judge(struct pl_thread *t, enum pl_spin_change change)
{
    if (!t->spin.unjudged)
        return;
    t->spin.unjudged = false;
    if (change != PL_SPIN_UNCHANGED)
        have_changed(t, change == PL_SPIN_CHANGED);
    if (change != PL_SPIN_CHANGED)
        saw_call(t);
}

/* Where it is in the list, or its end. */
static unsigned opened_at(const struct pl_spin *s, uint64_t file)
{
    unsigned i = 0;

    while (i + 1 < PL_SPIN_OPENED && s->opened[i] != 0 && s->opened[i] != file)
        i++;
    return i;
}

bool pl_spin_has_opened(const struct pl_thread *t, uint64_t file)
{
    return file != 0 && t->spin.opened[opened_at(&t->spin, file)] == file;
}

bool pl_spin_open(struct pl_thread *t, uint64_t file)
{
    unsigned end = opened_at(&t->spin, 0);

    if (file == 0 || end + 1 == PL_SPIN_OPENED || !t->spin.armed)
        return false;
    t->spin.opened[end] = file;
    t->spin.opened[end + 1] = 0;
    return true;
}

void pl_spin_close(struct pl_thread *t, uint64_t file)
{
    unsigned at = opened_at(&t->spin, file), last = opened_at(&t->spin, 0);

    PL_ASSERT(at < last);
    t->spin.opened[at] = t->spin.opened[last - 1];
    t->spin.opened[last - 1] = 0;
}

/* What the operation just performed means for this thread's loop and for others'. */
void pl_spin_performed(struct pl_thread *t)
{
    const struct pl_operation *op = &t->op;
    uint64_t roles = pl_operation_traits(op->kind)->roles;
    bool releases = (roles & PL_ROLE_RELEASES) != 0;

    t->spin.released |= releases;
    if ((roles & PL_ROLE_TRIES) != 0)
        t->spin.failed |= op->effect == PL_EFFECT_READ;
    t->spin.idle = false;
    if (t->spin.steps == 0)
        t->spin.dirty = false; /* the iteration begins: nothing has been read before */
    if ((roles & PL_ROLES(OUTSIDE, CALLS)) != 0 ? !is_idle(t) : (roles & PL_ROLE_IDLE) == 0) {
        t->spin.unjudged = t->call.judged;
        if (!t->call.judged)
            have_changed(t, true);
    } /* an atomic update is judged after it, by whether it changed the value */
    if (__builtin_expect(pl_stage->n_parked > 0, 0))
        pl_spin_other(t->id);
}

/* Loops about which nothing is known may be ended by anything that another thread does. */
__attribute__((noinline)) void pl_spin_other(pl_tid by)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (i != by && t->state == PL_THREAD_ALIVE && t->spin.parked && t->spin.any &&
            pl_thread_by_id(by)->spin.iterations == 0)
            let_go(t, by);
    }
}

/* After how many iterations without progress those that are parked get nowhere. */
static unsigned patience(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->spin.parked && t->spin.timely)
            return TIMELY;
    }
    return GRANTS;
}

/* Whether memory that no hook has touched is as it was when this was asked before. */
static bool is_same_again(bool again)
{
    struct pl_fair_state *s = &pl_stage->fair;
    uint64_t digest = pl_recur_digest(), before = s->digest;
    bool known = s->digest_known && again;

    s->digest = digest;
    s->digest_known = true;
    return known && digest == before;
}

uint64_t pl_spin_wait(const struct pl_thread *t)
{
    return pl_hash_mix(t->op.pc + (uint64_t)t->entry + (t->deadline - t->waits_since));
}

/* It goes round for nothing, and waits where it did, and as long; or is parked. */
static bool goes_round(const struct pl_thread *t)
{
    const struct pl_spin *s = &t->spin;

    return s->iterations > 0 && (s->parked || s->wait == pl_spin_wait(t));
}

/*
 * Whether nobody is left but who waits for others, and threads that have gone round for nothing so
 * often since the last time that this was so that their time would have come.
 */
static bool all_go_round(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);
        const struct pl_spin *s = &t->spin;

        if (t->state == PL_THREAD_ALIVE && (s->parked || !pl_fair_is_at_rest(t)) &&
            (!goes_round(t) || s->iterations - s->counted < TIMELY))
            return false;
    }
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        t->fair.recurs = t->state == PL_THREAD_ALIVE && goes_round(t);
        t->spin.counted = t->spin.iterations;
    }
    return true;
}

void pl_spin_time_passes(void)
{
    struct pl_fair_state *s = &pl_stage->fair;

    if (s->idle < s->idle_seen)
        s->idle_seen = 0; /* somebody has got on */
    if (s->idle - s->idle_seen < TIMELY || !all_go_round() || pl_ports.process->wait_child())
        return;
    if (is_same_again(s->idle_seen > 0) && pl_detect_wants(PL_DETECT_LIVELOCK))
        pl_ports.findings->stuck(true);
    s->idle_seen = s->idle;
}

/* Nobody can go on.  Grant the parked threads another iteration; false when there are none. */
bool pl_spin_grant(void)
{
    bool any = false;

    if (pl_stage->n_parked == 0)
        return false;
    if (++pl_stage->probation % patience() == 0) {
        if (pl_ports.process->wait_child())
            pl_stage->probation = 1; /* that may be what they wait for */
        else if (is_same_again(pl_stage->probation > patience()) &&
                 pl_detect_wants(PL_DETECT_LIVELOCK))
            pl_ports.findings->stuck(true);
    }
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->spin.parked) {
            pl_spin_unpark(t);
            any = true;
        }
    }
    PL_ASSERT(any && pl_stage->n_parked == 0);
    return any;
}
