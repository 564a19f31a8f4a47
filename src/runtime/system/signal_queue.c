/* SPDX-License-Identifier: MIT */
/*
 * See signal_queue.h.  The queues are lists through one array on the stage, in the order in which
 * signals were sent; a word of bits beside each says which numbers are in it.
 */
#include "runtime/system/signal_queue.h"

#include "runtime/system/signalfd.h"

#include "base/assert.h"
#include "runtime/core/descriptor.h"
#include "runtime/ground/unmodelled.h"

enum { FIRST_REAL_TIME = 32 };

enum pl_signal_fate pl_signal_queue_fate(int signo)
{
    const struct pl_action *a = &pl_stage->signals.actions[signo];

    PL_ASSERT(signo >= 1 && signo <= PL_SIGNALS);
    if (signo == SIGKILL || signo == SIGSTOP)
        return PL_SIGNAL_DEADLY;
    if ((uint64_t)a->handler == (uint64_t)SIG_IGN)
        return PL_SIGNAL_IGNORED;
    if (pl_signal_is_handler(a))
        return PL_SIGNAL_HANDLED;
    return signo == SIGCHLD || signo == SIGURG || signo == SIGWINCH || signo == SIGCONT
               ? PL_SIGNAL_IGNORED
               : PL_SIGNAL_DEADLY;
}

static struct pl_signal *entry(uint16_t place)
{
    PL_ASSERT(place > 0 && place <= PL_SIGNALS_QUEUED);
    return &pl_stage->signals.queued[place - 1];
}

/* The place of an entry that is free; 0 when there is none. */
static uint16_t allocate(void)
{
    struct pl_signals_state *s = &pl_stage->signals;
    uint16_t place = s->free;

    if (place != 0) {
        s->free = entry(place)->next;
        return place;
    }
    return s->n_used < PL_SIGNALS_QUEUED ? ++s->n_used : 0;
}

static uint16_t *queue_of(struct pl_thread *t, uint64_t **pending)
{
    *pending = t != NULL ? &t->signals.pending : &pl_stage->signals.pending;
    return t != NULL ? &t->signals.first : &pl_stage->signals.first;
}

/* Whether a standard signal is in the queue already, sent to the same: the thread, or the process.
 */
static bool is_known(uint16_t place, int signo, bool shared)
{
    for (; signo < FIRST_REAL_TIME && place != 0; place = entry(place)->next) {
        if (entry(place)->info.si_signo == signo && entry(place)->shared == shared)
            return true;
    }
    return false;
}

/* The signal of the same timer that is in the queue; a timer has no second one there. */
static struct pl_signal *same_timer(uint16_t place, const siginfo_t *info)
{
    for (; info->si_code == SI_TIMER && place != 0; place = entry(place)->next) {
        const siginfo_t *other = &entry(place)->info;

        if (other->si_code == SI_TIMER && other->si_timerid == info->si_timerid)
            return entry(place);
    }
    return NULL;
}

bool pl_signal_queue_put(struct pl_thread *t, const siginfo_t *info, bool shared, pl_tid sender,
                         uint32_t sent)
{
    uint64_t *pending, bit = pl_signal_bit(info->si_signo);
    uint16_t *at = queue_of(t, &pending);
    struct pl_signal *same = same_timer(*at, info);

    if (same != NULL) {
        same->info.si_overrun++;
        return true;
    }
    if (is_known(*at, info->si_signo, shared))
        return true; /* it is pending, and that is all that there is to it */
    uint16_t place = allocate();

    if (place == 0)
        return false;
    while (*at != 0)
        at = &entry(*at)->next;
    *at = place;
    *entry(place) = (struct pl_signal){.sender = sender,
                                       .goes_on = t != NULL && pl_signal_queue_leaves(t),
                                       .shared = shared,
                                       .sent = sent,
                                       .number = ++pl_stage->signals.n_sent,
                                       .info = *info};
    *pending |= bit;
    pl_signalfd_look();
    return true;
}

bool pl_signal_queue_goes_on(const struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    return d->enabled == NULL || d->enabled(t);
}

bool pl_signal_queue_leaves(const struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    return pl_signal_queue_goes_on(t) || (t->timed && (d->may_leave == NULL || d->may_leave(t)));
}

/* Whether the signal is in the queue from here on. */
static bool is_in(uint16_t place, int signo)
{
    for (; place != 0; place = entry(place)->next) {
        if (entry(place)->info.si_signo == signo)
            return true;
    }
    return false;
}

/* Take the first one with this number out of the queue. */
static void take_out(struct pl_thread *t, int signo, siginfo_t *info)
{
    uint64_t *pending;
    uint16_t *first = queue_of(t, &pending), *at = first;

    while (entry(*at)->info.si_signo != signo)
        at = &entry(*at)->next;
    uint16_t place = *at;

    *info = entry(place)->info;
    if (info->si_code == SI_TIMER && (unsigned)info->si_timerid < PL_TIMERS)
        pl_stage->signals.timers[info->si_timerid].overrun = info->si_overrun;
    *at = entry(place)->next;
    entry(place)->next = pl_stage->signals.free;
    pl_stage->signals.free = place;
    if (!is_in(*first, signo))
        *pending &= ~pl_signal_bit(signo);
}

static void look(struct pl_thread *t)
{
    uint64_t open = pl_signal_queue_pending(t) & ~t->mask & ~t->waits_for;

    t->signals.due = open != 0 && !t->signals.looks;
}

/*
 * Of several that wait for a signal of the process the kernel wakes one; if another has taken it by
 * then, the call fails, as if a handler had run.  Here all wait on.
 */
static void taken_from(const struct pl_thread *t, int signo)
{
    if (!pl_free && t->state == PL_THREAD_ALIVE && (t->waits_for & pl_signal_bit(signo)) != 0 &&
        t->signals.interruption == PL_INTERRUPTION_ALWAYS)
        pl_unmodelled("whose signal another thread takes", PL_UNMODELLED_FUNCTION, t->op.pc);
}

int pl_signal_queue_take(struct pl_thread *t, uint64_t wanted, siginfo_t *info)
{
    uint64_t mine = t->signals.pending & wanted, all = pl_stage->signals.pending & wanted;

    if ((mine | all) == 0)
        return 0;
    int signo = __builtin_ctzll(mine != 0 ? mine : all) + 1;

    take_out(mine != 0 ? t : NULL, signo, info);
    for (pl_tid i = 0; mine == 0 && i < pl_stage->n_threads; i++) { /* it was there for all */
        look(pl_thread_by_id(i));
        if (i != t->id)
            taken_from(pl_thread_by_id(i), signo);
    }
    pl_signalfd_look();
    return signo;
}

uint64_t pl_signal_queue_pending(const struct pl_thread *t)
{
    return t->signals.pending | pl_stage->signals.pending;
}

static uint64_t sent_until(uint16_t place, uint64_t number, pl_tid sender)
{
    uint64_t bits = 0;

    for (; place != 0; place = entry(place)->next) {
        if (entry(place)->number <= number || entry(place)->sender == sender)
            bits |= pl_signal_bit(entry(place)->info.si_signo);
    }
    return bits;
}

uint64_t pl_signal_queue_pending_until(const struct pl_thread *t, uint64_t number)
{
    return sent_until(t->signals.first, number, t->id) |
           sent_until(pl_stage->signals.first, number, t->id);
}

static const struct pl_signal *earliest(uint16_t place, uint64_t wanted)
{
    for (; place != 0; place = entry(place)->next) {
        if ((pl_signal_bit(entry(place)->info.si_signo) & wanted) != 0)
            return entry(place);
    }
    return NULL;
}

const struct pl_signal *pl_signal_queue_earliest(const struct pl_thread *t, uint64_t wanted)
{
    const struct pl_signal *mine = earliest(t->signals.first, wanted);
    const struct pl_signal *all = earliest(pl_stage->signals.first, wanted);

    return mine == NULL || (all != NULL && all->number < mine->number) ? all : mine;
}

bool pl_signal_queue_has_several(const struct pl_thread *t, uint64_t wanted)
{
    const struct pl_signal *mine = earliest(t->signals.first, wanted);
    const struct pl_signal *all = earliest(pl_stage->signals.first, wanted);

    return (mine != NULL && (all != NULL || earliest(mine->next, wanted) != NULL)) ||
           (all != NULL && earliest(all->next, wanted) != NULL);
}

static void forget_in(struct pl_thread *t, int signo)
{
    siginfo_t info;
    uint64_t *pending;

    queue_of(t, &pending);
    while ((*pending & pl_signal_bit(signo)) != 0)
        take_out(t, signo, &info);
}

void pl_signal_queue_forget(int signo)
{
    forget_in(NULL, signo);
    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        forget_in(pl_thread_by_id(i), signo);
}

static void forget_timer_in(struct pl_thread *t, int timer)
{
    uint64_t *pending;
    uint16_t *first = queue_of(t, &pending), *at = first;

    while (*at != 0) {
        struct pl_signal *s = entry(*at);
        uint16_t place = *at;
        int signo = s->info.si_signo;

        bool comes = t != NULL && (t->mask & pl_signal_bit(signo)) == 0; /* in the next moment */

        if (s->info.si_code != SI_TIMER || s->info.si_timerid != timer || comes) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        s->next = pl_stage->signals.free;
        pl_stage->signals.free = place;
        if (!is_in(*first, signo))
            *pending &= ~pl_signal_bit(signo);
    }
}

void pl_signal_queue_forget_timer(int timer)
{
    forget_timer_in(NULL, timer);
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        forget_timer_in(pl_thread_by_id(i), timer);
        look(pl_thread_by_id(i));
    }
    pl_signalfd_look();
}

void pl_signal_queue_forked(struct pl_thread *t)
{
    for (int signo = 1; signo <= PL_SIGNALS; signo++) {
        forget_in(NULL, signo);
        forget_in(t, signo);
    }
    pl_stage->signals.n_seen = pl_stage->signals.n_arrived;
    look(t);
    pl_signalfd_forked(true);
    pl_signalfd_look();
}

/* Out of the queue, without a gap. */
static struct pl_signal *unlink_at(struct pl_thread *t, uint16_t *at)
{
    uint64_t *pending;
    uint16_t *first = queue_of(t, &pending);
    struct pl_signal *s = entry(*at);
    int signo = s->info.si_signo;

    *at = s->next;
    s->next = 0;
    if (!is_in(*first, signo))
        *pending &= ~pl_signal_bit(signo);
    return s;
}

void pl_signal_queue_return(struct pl_thread *t, uint64_t unwanted)
{
    uint16_t *at = &t->signals.first;

    while (*at != 0) {
        uint16_t place = *at, *end = &pl_stage->signals.first;
        uint64_t bit = pl_signal_bit(entry(place)->info.si_signo);

        if (!entry(place)->shared || (bit & unwanted) == 0) {
            at = &entry(place)->next;
            continue;
        }
        struct pl_signal *s = unlink_at(t, at);

        if (s->info.si_signo < FIRST_REAL_TIME && (pl_stage->signals.pending & bit) != 0) {
            s->next = pl_stage->signals.free;
            pl_stage->signals.free = place;
            continue;
        }
        while (*end != 0 && entry(*end)->number < s->number)
            end = &entry(*end)->next;
        s->next = *end;
        *end = place;
        pl_stage->signals.pending |= bit;
        for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
            struct pl_thread *other = pl_thread_by_id(i);

            if (other != t && other->state == PL_THREAD_ALIVE && !other->timer)
                look(other);
        }
    }
}

void pl_signal_queue_look(struct pl_thread *t)
{
    if ((t->signals.pending & t->mask & ~t->waits_for) != 0)
        pl_signal_queue_return(t, t->mask & ~t->waits_for);
    look(t);
}
