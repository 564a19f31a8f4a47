/* SPDX-License-Identifier: MIT */
/*
 * Noise: threads that run freely are held up before and after their operations.
 *
 * What is to be done is decided in strategy/noise/disturb.h, and how much of it the user pays for
 * in strategy/noise/cost.h; here it is done.  All of this runs on the thread that is disturbed,
 * outside any lock of plait, while other threads run: it writes nothing but the thread's own
 * disturber.  System calls are made directly, since the program's own are interposed.
 */
#include "runtime/free/noise.h"

#include "base/assert.h"
#include "base/sys.h"
#include "model/common.h"
#include "runtime/free/environment.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/aim.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/marks.h"

#include <errno.h>
#include <stdatomic.h>

#include "strategy/noise/noise.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

enum {
    SECOND = 1000000000,
    SPIN_BELOW = 4000, /* nanoseconds that no sleep is short enough for */
    HALT_STEP = 20000, /* nanoseconds between two looks at the others */
    HALT_THREADS = 64, /* that are looked at */
};

static struct pl_noise_state *state(void)
{
    return (struct pl_noise_state *)pl_board->arena;
}

const struct pl_disturb_plan *pl_noise_plan(void)
{
    return pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE) ? &state()->plan : NULL;
}

void pl_noise_start(void)
{
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE))
        pl_board->settings.record = state()->plan.record;
}

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;

    pl_sys(SYS_clock_gettime, clock, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- where ---- */

/* Keeps the list sorted. */
static void add_predicted(uint64_t pc)
{
    unsigned i = pl_stage->noise.n_predicted;

    PL_ASSERT(i <= PL_PREDICTED);
    if (pc == 0 || i == PL_PREDICTED)
        return;
    while (i > 0 && pl_stage->noise.predicted[i - 1] >= pc)
        i--;
    if (i < pl_stage->noise.n_predicted && pl_stage->noise.predicted[i] == pc)
        return;
    for (unsigned j = pl_stage->noise.n_predicted++; j > i; j--)
        pl_stage->noise.predicted[j] = pl_stage->noise.predicted[j - 1];
    pl_stage->noise.predicted[i] = pc;
}

static void add_finding(const struct pl_finding *f)
{
    if (!pl_finding_is(f->kind, PL_FINDING_IS_PREDICTED))
        return;
    for (unsigned i = 0; i < f->n_accesses && i < 2; i++)
        add_predicted(f->accesses[i].pc);
    for (unsigned i = 0; i < f->n_rows && i < PL_FINDING_ROWS; i++) {
        add_predicted(f->rows[i].pc);
        add_predicted(f->rows[i].since);
    }
}

/* As is_predicted() needs them. */
static bool are_sorted(void)
{
    for (unsigned i = 1; i < pl_stage->noise.n_predicted; i++) {
        if (pl_stage->noise.predicted[i - 1] >= pl_stage->noise.predicted[i])
            return false;
    }
    return true;
}

static void learn_predicted(void)
{
    uint32_t n = atomic_load_explicit(&pl_common->n_found, memory_order_acquire);

    pl_stage->noise.n_predicted = 0;
    for (uint32_t i = 0; i < n && i < PL_COMMON_FINDINGS; i++)
        add_finding(&pl_common->found[i].finding);
    PL_CHECK(are_sorted());
}

static bool is_predicted(uint64_t pc)
{
    unsigned low = 0, high = pl_stage->noise.n_predicted;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (pl_stage->noise.predicted[middle] < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pl_stage->noise.n_predicted && pl_stage->noise.predicted[low] == pc;
}

static bool is_access(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_MEMORY;
}

/* Whether the user wants noise at this operation; as long as nothing is predicted, where
 * memory is shared. */
static bool is_open(const struct pl_operation *op)
{
    unsigned at = state()->plan.at;

    if (pl_board->marked[PL_MARK_NOISE].n > 0 && !pl_marks_at(PL_MARK_NOISE, op->pc))
        return false;
    if (at == PL_DISTURB_AT_PREDICTED && pl_stage->noise.n_predicted > 0)
        return is_predicted(op->pc);
    if (at == PL_DISTURB_AT_SHARED || at == PL_DISTURB_AT_PREDICTED)
        return !is_access(op) || pl_cover_shares(op->pc);
    return true;
}

static unsigned models_of(unsigned direct)
{
    static const uint8_t models[] = {
        [PL_DISTURB_M1] = PL_COVER_M1,
        [PL_DISTURB_M2] = PL_COVER_M2,
        [PL_DISTURB_M3] = PL_COVER_M3,
        [PL_DISTURB_ALL_MODELS] = PL_COVER_M1 | PL_COVER_M2 | PL_COVER_M3,
    };

    PL_ASSERT(direct < sizeof(models));
    return models[direct];
}

static enum pl_cover_interest interest(const struct pl_operation *op)
{
    enum pl_cover_interest found = pl_cover_interest(pl_thread_by_id(op->tid), op);

    /* Coverage knows what executions came near; the analyser, what they did not. */
    return found == PL_COVER_DULL && pl_aim_waits(op) ? PL_COVER_NEW : found;
}

/* ---- the execution ---- */

/* Whether the kernel lets us take back that a thread is nicer than others. */
static bool may_raise(void)
{
    long nice = 20 - pl_sys(SYS_getpriority, PRIO_PROCESS, 0);

    if (pl_sys(SYS_setpriority, PRIO_PROCESS, 0, nice - 1) != 0)
        return false;
    pl_sys(SYS_setpriority, PRIO_PROCESS, 0, nice);
    return true;
}

static unsigned count_processors(void)
{
    uint64_t set[16] = {0};
    long size = pl_sys(SYS_sched_getaffinity, 0, sizeof(set), set);
    unsigned n = 0;

    for (long i = 0; i < size / 8; i++) {
        for (uint64_t left = set[i]; left != 0; left &= left - 1)
            n++;
    }
    return n > 0 ? n : 1;
}

void pl_noise_begin(void)
{
    struct pl_noise_state *s = state();
    bool open = pl_board->marked[PL_MARK_NOISE].n == 0 &&
                (s->plan.at == PL_DISTURB_AT_ALL || s->plan.at == PL_DISTURB_AT_SYNC);

    pl_stage->noise.on =
        pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE) && (!s->run.silent || s->plan.like != 0);
    if (!pl_stage->noise.on)
        return;
    pl_stage->noise.asks.open = open ? NULL : is_open;
    pl_stage->noise.asks.interest = interest;
    pl_cover_direct(models_of(s->plan.direct));
    if (pl_stage->modules.image == 0) /* places that others name are those of the first program */
        pl_aim_learn();
    if (s->plan.at == PL_DISTURB_AT_PREDICTED && pl_stage->modules.image == 0)
        learn_predicted();
    if (s->plan.kind == PL_DISTURB_PRIORITY || s->plan.kind == PL_DISTURB_MIXED)
        pl_stage->noise.may_raise = may_raise();
    pl_environment_begin(s);
    if (s->limit.rate <= 0)
        s->limit.rate = count_processors();
    pl_sys(SYS_prctl, PR_SET_TIMERSLACK, 1); /* or the shortest sleep is 50 microseconds */
    pl_noise_thread(pl_thread_by_id(pl_stage->process.first));
}

void pl_noise_count(void)
{
    struct pl_times *t = &pl_board->times;

    if (!pl_noise_ran(pl_board, (enum pl_outcome)pl_board->outcome))
        return;
    t->alive[pl_board->most_alive < PL_TIMES_ALIVE ? pl_board->most_alive : PL_TIMES_ALIVE]++;
    if (state()->run.silent && state()->plan.like == 0) {
        t->n_quiet++;
        t->quiet_ns += pl_board->took_ns;
    } else {
        t->n_disturbed++;
        t->disturbed_ns += pl_board->took_ns;
    }
}

void pl_noise_thread(const struct pl_thread *t)
{
    struct pl_noise_state *s = state();

    PL_ASSERT(t->id < pl_stage->n_threads);
    if (pl_stage->noise.on)
        pl_disturb_thread(&s->plan, &s->run, t->name, (uint64_t)__builtin_frame_address(0),
                          &pl_stage->disturbers[t->id]);
}

/* ---- disturbances ---- */

static void sleep_for(uint64_t ns)
{
    struct timespec t = {(time_t)(ns / SECOND), (long)(ns % SECOND)};

    while (pl_sys(SYS_nanosleep, &t, &t) == -EINTR) {
    }
}

static void spin_for(uint64_t ns)
{
    uint64_t until = read_clock(CLOCK_MONOTONIC) + ns;

    while (read_clock(CLOCK_MONOTONIC) < until)
        __builtin_ia32_pause();
}

/* How many events the others have had; they go on meanwhile, so it may be anything between. */
static uint64_t count_others(pl_tid self)
{
    unsigned n = pl_stage->n_threads < HALT_THREADS ? pl_stage->n_threads : HALT_THREADS;
    uint64_t sum = 0;

    for (unsigned i = 0; i < n; i++) {
        if (i != self)
            sum += __atomic_load_n(&pl_stage->threads[i].ordinal, __ATOMIC_RELAXED);
    }
    return sum;
}

/* They may wait for us: hence the time. */
static void halt(pl_tid self, uint32_t events, uint64_t ns)
{
    uint64_t until = read_clock(CLOCK_MONOTONIC) + ns, enough = count_others(self) + events;

    while (count_others(self) < enough && read_clock(CLOCK_MONOTONIC) < until)
        sleep_for(HALT_STEP);
}

/* A thread that may not become less nice again only ever gets nicer. */
static void change_priority(unsigned nice)
{
    long now = 20 - pl_sys(SYS_getpriority, PRIO_PROCESS, 0);

    if (pl_stage->noise.may_raise || (long)nice > now)
        pl_sys(SYS_setpriority, PRIO_PROCESS, 0, nice);
}

static void perform(pl_tid self, const struct pl_disturbance *what, uint64_t ns)
{
    switch (what->kind) {
    case PL_DISTURB_SLEEP:
        if (ns < SPIN_BELOW)
            spin_for(ns);
        else
            sleep_for(ns);
        break;
    case PL_DISTURB_YIELD:
        pl_sys(SYS_sched_yield);
        break;
    case PL_DISTURB_PRIORITY:
        change_priority(what->nice);
        break;
    case PL_DISTURB_BUSY:
        spin_for(ns);
        break;
    case PL_DISTURB_HALT:
        halt(self, what->events, ns);
        break;
    default:
        break;
    }
}

/* Do it, or as much of it as the user pays for. */
static void perform_granted(struct pl_noise_state *s, const struct pl_thread *t,
                            const struct pl_disturbance *what)
{
    uint64_t since = read_clock(CLOCK_MONOTONIC), now = since - pl_board->began_ns;
    uint64_t cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t ns = pl_cost_grant(&s->limit, what->ns, s->plan.cap_ns, now, cpu);

    if (ns == 0 && (double)now >= s->limit.from_ns)
        pl_disturb_hush(&s->run, &pl_stage->disturbers[t->id]);
    if (ns == 0)
        return;
    perform(t->id, what, ns);
    __atomic_fetch_add(&s->run.spent_ns, read_clock(CLOCK_MONOTONIC) - since, __ATOMIC_RELAXED);
}

void pl_noise_disturb(struct pl_thread *t, const struct pl_operation *op, bool before)
{
    struct pl_noise_state *s = state();
    struct pl_disturber *d = &pl_stage->disturbers[t->id];
    struct pl_disturbance what;

    if (!pl_stage->noise.on)
        return;
    if (s->plan.like != 0)
        pl_environment_event(s, t, op, before);
    if (!pl_disturb_event(&s->plan, &s->run, d, op, before, &pl_stage->noise.asks, &what))
        return;
    if (before && pl_native) /* others say it of every event */
        pl_cover_at(t, op);
    perform_granted(s, t, &what);
}
