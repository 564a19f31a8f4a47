/* SPDX-License-Identifier: MIT */
#include "runtime/restart/own.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/vault.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own_calls.h"
#include "runtime/restart/rollback.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* What a thread has said about itself: bits of pl_own_thread_state.set. */
enum { PROCESSORS = 1, NICE = 2, POLICY = 4 };

static struct pl_own_state *own(void)
{
    return &pl_stage->process.own;
}

/* ---- numbers ---- */

/* In a child of the program: the process that made it, and what the program calls that. */
static int32_t forked_from, shown_as;

static uint32_t digits_of(int32_t n)
{
    uint32_t digits = 1;

    for (; n >= 10; n /= 10)
        digits++;
    return digits;
}

/*
 * A number with so many digits: a longer name is read and written in more steps, so what is made of
 * it must not have another length in a replay.  Nobody may have it: children that nobody controls
 * may send signals there.
 */
static int32_t number_with(uint32_t digits)
{
    int32_t self = (int32_t)pl_sys(SYS_getpid), n = 1;

    if (digits == 0 || digits_of(self) == digits)
        return self;
    while (digits_of(n) < digits)
        n *= 10;
    for (; digits_of(n) == digits; n++) {
        if (pl_sys(SYS_kill, n, 0) == -ESRCH)
            return n;
    }
    return self;
}

/* Its own number if that will do, unless it is fed, and was told another. */
void pl_own_init(void)
{
    int32_t recorded = pl_board->inputs.feeding ? pl_board->inputs.process : 0;
    uint32_t asked = pl_board->settings.digits > 0 ? pl_board->settings.digits : pl_board->digits;

    own()->pid = recorded > 0 ? recorded : number_with(pl_board->own_number ? 0 : asked);
    own()->parent = (int32_t)pl_sys(SYS_getppid);
}

int32_t pl_own_process(void)
{
    PL_ASSERT(own()->pid > 0);
    return own()->pid;
}

int32_t pl_own_tell_process(void)
{
    if (forked_from == 0) {
        pl_board->digits = digits_of(own()->pid);
        pl_inputs_told_process(own()->pid);
    }
    return own()->pid;
}

bool pl_own_pretends(void)
{
    int32_t real = forked_from != 0 ? forked_from : (int32_t)pl_sys(SYS_getpid);

    return pl_board->digits != 0 && real != own()->pid;
}

/* A runner is the keeper's child; the program is nobody's but of whoever started it. */
int32_t pl_own_parent(void)
{
    int32_t real = (int32_t)pl_sys(SYS_getppid);

    return real == (forked_from != 0 ? forked_from : pl_board->keeper_pid) ? own()->parent : real;
}

int32_t pl_own_thread(const struct pl_thread *t)
{
    if (t->id == pl_stage->process.first || t->main)
        return pl_own_process();
    return pl_free ? (int32_t)pl_sys(SYS_gettid) : PL_OWN_THREADS + (int32_t)t->id;
}

int32_t pl_own_tell_thread(void)
{
    int32_t tid = pl_own_thread(pl_thread_self());

    return tid == own()->pid ? pl_own_tell_process() : tid;
}

struct pl_thread *pl_own_find(int32_t tid)
{
    pl_tid os = tid > 0 ? pl_thread_by_os(tid) : PL_TID_NONE;

    if (tid == own()->pid)
        return pl_thread_by_id(pl_stage->process.first);
    if (tid > PL_OWN_THREADS && tid < PL_OWN_THREADS + (int32_t)pl_stage->n_threads)
        return pl_thread_by_id((pl_tid)(tid - PL_OWN_THREADS));
    if (os != PL_TID_NONE)
        return pl_thread_by_id(os);
    return tid == (int32_t)pl_sys(SYS_getpid) ? pl_thread_by_id(pl_stage->process.first) : NULL;
}

static void forked(void)
{
    forked_from = (int32_t)pl_sys(SYS_getppid);
    shown_as = own()->pid;
}

void pl_own_became(void)
{
    forked();
    own()->parent = own()->pid;
    own()->pid = (int32_t)pl_sys(SYS_getpid);
}

void pl_own_joined(int32_t parent, int32_t shown)
{
    forked_from = (int32_t)pl_sys(SYS_getppid);
    shown_as = own()->parent = forked_from == parent ? shown : forked_from;
    own()->pid = (int32_t)pl_sys(SYS_getpid);
}

int32_t pl_own_shown(int32_t pid)
{
    return forked_from != 0 && pid == forked_from ? shown_as : pid;
}

void pl_own_show_sender(siginfo_t *info)
{
    if (info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL)
        info->si_pid = pl_own_shown(info->si_pid);
}

int32_t pl_own_real(int32_t pid)
{
    return forked_from != 0 && pid == shown_as ? forked_from : pid;
}

/* ---- what a thread says about itself ---- */

static struct pl_own_thread_state *state_of(const struct pl_thread *t)
{
    return &own()->threads[t->id];
}

static bool has_said(const struct pl_thread *t, unsigned what)
{
    return own()->any && (state_of(t)->set & what) != 0;
}

static void say(const struct pl_thread *t, unsigned what)
{
    own()->any = true;
    state_of(t)->set |= (uint8_t)what;
}

void pl_own_inherit(struct pl_thread *t, const struct pl_thread *creator)
{
    if (creator->title[0] != '\0')
        pl_memory_copy(t->title, creator->title, sizeof(t->title));
    if (own()->any && state_of(creator)->set != 0)
        *state_of(t) = *state_of(creator);
}

/* The kernel decides what is allowed and what comes of it, on an OS thread that gets back what it
 * had. */
static long set_processors(const struct pl_thread *t, uint64_t size, uint64_t set)
{
    uint64_t before[PL_OWN_PROCESSORS] = {0}, after[PL_OWN_PROCESSORS] = {0};
    long n = pl_sys(SYS_sched_getaffinity, 0, sizeof(before), before), m;
    long rc = n > 0 ? pl_sys(SYS_sched_setaffinity, 0, size, set) : n;

    if (rc != 0)
        return rc;
    m = pl_sys(SYS_sched_getaffinity, 0, sizeof(after), after);
    pl_sys(SYS_sched_setaffinity, 0, n, before);
    if (m < 0)
        return m;
    pl_memory_copy(state_of(t)->processors, after, sizeof(after));
    state_of(t)->size = (uint16_t)m;
    say(t, PROCESSORS);
    return 0;
}

static long get_processors(const struct pl_thread *t, uint64_t size, void *to)
{
    const struct pl_own_thread_state *s = state_of(t);

    if (!has_said(t, PROCESSORS)) {
        uint64_t all[PL_OWN_PROCESSORS] = {0}; /* so that the kernel may write there */
        long n = pl_sys(SYS_sched_getaffinity, 0, size < sizeof(all) ? size : sizeof(all), all);

        if (n > 0)
            pl_memory_copy(to, all, (uint64_t)n);
        return n;
    }
    if (size < s->size || size % sizeof(uint64_t) != 0)
        return -EINVAL;
    pl_memory_copy(to, s->processors, s->size);
    return s->size;
}

int pl_own_processor(void)
{
    uint64_t allowed[PL_OWN_PROCESSORS] = {0};
    long size = get_processors(pl_thread_self(), sizeof(allowed), allowed);

    for (long i = 0; i < size * 8; i++) {
        if ((allowed[i / 64] >> i % 64 & 1) != 0)
            return (int)i;
    }
    return 0;
}

static int nice_of(const struct pl_thread *t)
{
    return has_said(t, NICE) ? state_of(t)->nice
                             : 20 - (int)pl_sys(SYS_getpriority, PRIO_PROCESS, 0);
}

/* Who wants more than it has must be allowed to, which is tried. */
static long set_nice(const struct pl_thread *t, int wanted)
{
    int nice = wanted < -20 ? -20 : wanted > 19 ? 19 : wanted, now = nice_of(t);
    int real = 20 - (int)pl_sys(SYS_getpriority, PRIO_PROCESS, 0);

    if (nice < now && nice < real) {
        long rc = pl_sys(SYS_setpriority, PRIO_PROCESS, 0, nice);

        if (rc != 0)
            return rc;
        pl_sys(SYS_setpriority, PRIO_PROCESS, 0, real);
    }
    state_of(t)->nice = (int8_t)nice;
    say(t, NICE);
    return 0;
}

static long get_policy(const struct pl_thread *t, int *priority)
{
    struct sched_param param = {0}; /* so that the kernel may write there */

    if (has_said(t, POLICY)) {
        *priority = state_of(t)->priority;
        return state_of(t)->policy;
    }
    pl_sys(SYS_sched_getparam, 0, &param);
    *priority = param.sched_priority;
    return pl_sys(SYS_sched_getscheduler, 0);
}

static long set_policy(const struct pl_thread *t, int policy, const struct sched_param *param)
{
    int bare = policy & ~SCHED_RESET_ON_FORK;
    bool timely = bare == SCHED_FIFO || bare == SCHED_RR;

    if (bare < 0 || (bare > SCHED_RR && bare != SCHED_BATCH && bare != SCHED_IDLE) || param == NULL)
        return -EINVAL;
    if (timely ? param->sched_priority < 1 || param->sched_priority > 99
               : param->sched_priority != 0)
        return -EINVAL;
    if (timely) {
        const struct sched_param wanted = *param;
        long was = pl_sys(SYS_sched_getscheduler, 0);
        struct sched_param old = {0};
        long rc = pl_sys(SYS_sched_getparam, 0, &old);

        rc = rc == 0 ? pl_sys(SYS_sched_setscheduler, 0, policy, &wanted) : rc;
        if (rc != 0)
            return rc;
        pl_sys(SYS_sched_setscheduler, 0, was, &old);
    }
    state_of(t)->policy = (uint8_t)bare;
    state_of(t)->priority = (int8_t)param->sched_priority;
    say(t, POLICY);
    return 0;
}

static long name_thread(struct pl_thread *t, uint64_t option, char *name)
{
    char process[16] = "";

    if (option == PR_SET_NAME) {
        pl_memory_fill(t->title, 0, sizeof(t->title));
        pl_text_copy(t->title, sizeof(t->title), name);
        return 0;
    }
    if (t->title[0] == '\0')
        pl_sys(SYS_prctl, PR_GET_NAME, process);
    pl_memory_fill(name, 0, sizeof(t->title));
    pl_text_copy(name, sizeof(t->title), t->title[0] == '\0' ? process : t->title);
    return 0;
}

void pl_own_forked(const struct pl_thread *t)
{
    const struct pl_own_thread_state *s = state_of(t);
    const struct sched_param param = {.sched_priority = s->priority};

    forked();
    if (pl_free)
        return; /* the kernel knows */
    if (t->title[0] != '\0')
        pl_sys(SYS_prctl, PR_SET_NAME, t->title);
    if (has_said(t, PROCESSORS))
        pl_sys(SYS_sched_setaffinity, 0, s->size, s->processors);
    if (has_said(t, POLICY))
        pl_sys(SYS_sched_setscheduler, 0, s->policy, &param);
    if (has_said(t, NICE))
        pl_sys(SYS_setpriority, PRIO_PROCESS, 0, s->nice);
}

/* Free threads run as the kernel has them: it is asked. */
static long set_policy_of(const struct pl_thread *t, int policy, const struct sched_param *param)
{
    return pl_free ? -PL_FALLBACK(pthread_setschedparam)((pthread_t)t->tp, policy, param)
                   : set_policy(t, policy, param);
}

static long set_processors_of(const struct pl_thread *t, const cpu_set_t *set)
{
    return pl_free ? -PL_FALLBACK(pthread_setaffinity_np)((pthread_t)t->tp, sizeof(*set), set)
                   : set_processors(t, sizeof(*set), (uint64_t)set);
}

int pl_own_ask(const struct pl_thread *t, const pthread_attr_t *attr)
{
    int inherits = PTHREAD_INHERIT_SCHED, policy = SCHED_OTHER;
    struct sched_param param = {0};
    cpu_set_t set, all;
    long rc = 0;

    pl_real.pthread_attr_getinheritsched(attr, &inherits);
    if (inherits == PTHREAD_EXPLICIT_SCHED) {
        pl_real.pthread_attr_getschedpolicy(attr, &policy);
        pl_real.pthread_attr_getschedparam(attr, &param);
        rc = set_policy_of(t, policy, &param);
    }
    pl_memory_fill(&all, 0xff, sizeof(all)); /* as libc says where nothing was asked for */
    if (rc == 0 && pl_real.pthread_attr_getaffinity_np(attr, sizeof(set), &set) == 0 &&
        pl_memory_compare(&set, &all, sizeof(set)) != 0)
        rc = set_processors_of(t, &set);
    if (rc != 0 && own()->any)
        state_of(t)->set = 0; /* whoever has this number next has asked for nothing */
    return (int)-rc;
}

/* ---- limits ---- */

/*
 * One process makes many executions, and what they take together is not what the program is
 * allowed; and most of the memory of the process is the runtime's.  So these limits are remembered
 * and not set.
 */
bool pl_own_keeps_limit(int which)
{
    return which == RLIMIT_CPU || which == RLIMIT_AS || which == RLIMIT_DATA;
}

/*
 * A hard limit that is lowered cannot be raised again by everybody.  So while the execution is to
 * be put back the kernel's stays as it is, and what it was lowered to is remembered.
 */
static bool lowers(int which, const struct rlimit *new)
{
    struct rlimit now = {0}; /* so that the kernel may write there */

    return pl_stage->rolling && new != NULL &&pl_maps_has_memory((uint64_t) new) &&
           pl_maps_has_memory((uint64_t)(new + 1) - 1) &&
           pl_sys(SYS_prlimit64, 0, which, NULL, &now) == 0 && new->rlim_max < now.rlim_max;
}

static long set_soft(int which, const struct rlimit *new, uint64_t hard)
{
    struct rlimit set = {new->rlim_cur, new->rlim_max > hard ? new->rlim_max : hard};

    if (pl_stage->rolling)
        pl_undo_limit((unsigned)which, (const uint64_t *)&set);
    return pl_sys(SYS_prlimit64, 0, which, &set, NULL);
}

long pl_own_limit(int which, const struct rlimit *new, struct rlimit *old)
{
    struct pl_own_limit *l = &own()->limits[which];
    struct rlimit real = {0}; /* so that the kernel may write there */

    pl_sys(SYS_prlimit64, 0, which, NULL, &real);
    struct rlimit now = l->set ? (struct rlimit){l->value[0], l->value[1]} : real;

    if (new != NULL &&new->rlim_cur > new->rlim_max)
        return -EINVAL;
    if (new != NULL &&new->rlim_max > now.rlim_max && pl_sys(SYS_geteuid) != 0)
        return -EPERM;
    long rc = new != NULL && !pl_own_keeps_limit(which) ? set_soft(which, new, real.rlim_max) : 0;

    if (new != NULL && rc == 0)
        *l = (struct pl_own_limit){true, {new->rlim_cur, new->rlim_max}};
    if (old != NULL && rc == 0)
        *old = now;
    return rc;
}

uint64_t pl_own_most(int which)
{
    const struct pl_own_limit *l = &own()->limits[which];

    return l->set ? l->value[0] : RLIM_INFINITY;
}

/* Of another program the kernel looks at those of memory; its time is counted on from here. */
static bool is_handed_over(int which)
{
    return own()->limits[which].set && which != RLIMIT_CPU;
}

bool pl_own_limited(bool memory)
{
    bool any = false;

    for (int i = 0; i < PL_OWN_LIMITS; i++)
        any |= is_handed_over(i) && (!memory || i == RLIMIT_AS || i == RLIMIT_DATA);
    return any;
}

void pl_own_limits_text(char to[PL_OWN_LIMITS_TEXT])
{
    size_t n = 0;

    to[0] = '\0';
    for (int i = 0; i < PL_OWN_LIMITS; i++) {
        const struct pl_own_limit *l = &own()->limits[i];

        if (is_handed_over(i))
            n += pl_text_format(to + n, PL_OWN_LIMITS_TEXT - n, "%d=%lu:%lu,", i,
                                (unsigned long)l->value[0], (unsigned long)l->value[1]);
    }
}

/* `before`: for when it did not become one. */
void pl_own_hand_over_limits(struct rlimit before[PL_OWN_LIMITS])
{
    for (int i = 0; i < PL_OWN_LIMITS; i++) {
        if (is_handed_over(i))
            pl_sys(SYS_prlimit64, 0, i, own()->limits[i].value, &before[i]);
    }
}

void pl_own_take_back_limits(const struct rlimit before[PL_OWN_LIMITS])
{
    for (int i = 0; i < PL_OWN_LIMITS; i++) {
        if (is_handed_over(i))
            pl_sys(SYS_prlimit64, 0, i, &before[i], NULL);
    }
}

/* Whether the kernel is not asked, for it does not know the limit as the program does. */
static bool is_known_here(uint64_t which, const struct rlimit *new)
{
    return which < PL_OWN_LIMITS &&
           (pl_own_keeps_limit((int)which) || own()->limits[which].set || lowers((int)which, new));
}

bool pl_answer_prlimit(uint64_t a[6], long *result)
{
    if (a[0] != 0 || !is_known_here(a[1], (const struct rlimit *)a[2]))
        return false;
    *result = pl_own_limit((int)a[1], (const struct rlimit *)a[2], (struct rlimit *)a[3]);
    return true;
}

bool pl_answer_setrlimit(uint64_t a[6], long *result)
{
    if (!is_known_here(a[0], (const struct rlimit *)a[1]))
        return false;
    *result = pl_own_limit((int)a[0], (const struct rlimit *)a[1], NULL);
    return true;
}

bool pl_answer_getrlimit(uint64_t a[6], long *result)
{
    if (!is_known_here(a[0], NULL))
        return false;
    *result = pl_own_limit((int)a[0], NULL, (struct rlimit *)a[1]);
    return true;
}

/* ---- calls about a thread ---- */

bool pl_answer_getpid(uint64_t a[6], long *result)
{
    *result = pl_filter_refuses(SYS_getpid);
    if (*result == 0)
        *result = pl_own_tell_process();
    return true;
}

bool pl_answer_gettid(uint64_t a[6], long *result)
{
    *result = pl_filter_refuses(SYS_gettid);
    if (*result == 0)
        *result = pl_own_tell_thread();
    return true;
}

bool pl_answer_getppid(uint64_t a[6], long *result)
{
    *result = pl_filter_refuses(SYS_getppid);
    if (*result == 0)
        *result = pl_own_parent();
    return true;
}

bool pl_answer_prctl(uint64_t a[6], long *result)
{
    *result = 0;
    if (a[0] == PR_SET_PDEATHSIG && a[1] <= 64)
        own()->death_signal = (int)a[1]; /* whoever started the process outlives it */
    else if (a[0] == PR_GET_PDEATHSIG)
        *(int *)a[1] = own()->death_signal;
    else if (a[0] == PR_SET_NAME || a[0] == PR_GET_NAME)
        *result = name_thread(pl_thread_self(), a[0], (char *)a[1]);
    else
        return false;
    return true;
}

/* The thread that a call is about: 0 is the calling one.  NULL: another process, or nobody, which
 * the kernel knows. */
static struct pl_thread *meant(uint64_t number)
{
    struct pl_thread *t = (int32_t)number == 0 ? pl_thread_self() : pl_own_find((int32_t)number);

    return t != NULL && t->state == PL_THREAD_ALIVE ? t : NULL;
}

bool pl_answer_getpriority(uint64_t a[6], long *result)
{
    const struct pl_thread *t = a[0] == PRIO_PROCESS ? meant(a[1]) : NULL;

    if (t != NULL)
        *result = 20 - nice_of(t);
    return t != NULL;
}

bool pl_answer_setpriority(uint64_t a[6], long *result)
{
    const struct pl_thread *t = a[0] == PRIO_PROCESS ? meant(a[1]) : NULL;

    if (t != NULL)
        *result = set_nice(t, (int)a[2]);
    return t != NULL;
}

bool pl_answer_sched_setaffinity(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);

    if (t != NULL)
        *result = set_processors(t, a[1], a[2]);
    return t != NULL;
}

bool pl_answer_sched_getaffinity(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);

    if (t != NULL)
        *result = get_processors(t, a[1], (void *)a[2]);
    return t != NULL;
}

bool pl_answer_sched_setscheduler(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);

    if (t != NULL)
        *result = set_policy(t, (int)a[1], (const struct sched_param *)a[2]);
    return t != NULL;
}

bool pl_answer_sched_getscheduler(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);
    int priority;

    if (t != NULL)
        *result = get_policy(t, &priority);
    return t != NULL;
}

bool pl_answer_sched_setparam(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);
    int priority;

    if (t != NULL)
        *result = set_policy(t, (int)get_policy(t, &priority), (const struct sched_param *)a[1]);
    return t != NULL;
}

bool pl_answer_sched_getparam(uint64_t a[6], long *result)
{
    const struct pl_thread *t = meant(a[0]);

    *result = a[1] != 0 ? 0 : -EINVAL;
    if (t != NULL && a[1] != 0)
        get_policy(t, &((struct sched_param *)a[1])->sched_priority);
    return t != NULL;
}
