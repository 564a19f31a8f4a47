/* SPDX-License-Identifier: MIT */
#include "runtime/restart/own.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/vault.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/carried.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/shown.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>

/* What a thread has said about itself: bits of pl_own_thread_state.set. */
enum { PROCESSORS = 1, NICE = 2, POLICY = 4 };

static struct pl_own_state *own(void)
{
    return &pl_stage->process.own;
}

/* ---- numbers ---- */

/* In a child of the program: the process that made it, and what the program calls that. */
static int32_t forked_from, shown_as;

/* Its own number, unless it is fed, and was told another. */
void pl_own_init(void)
{
    int32_t recorded = pl_board->inputs.feeding ? pl_board->inputs.process : 0;

    own()->pid = recorded > 0 ? recorded : (int32_t)pl_sys(SYS_getpid);
    own()->parent = (int32_t)pl_sys(SYS_getppid);
}

int32_t pl_own_process(void)
{
    PL_ASSERT(own()->pid > 0);
    return own()->pid;
}

int32_t pl_own_tell_process(void)
{
    if (forked_from == 0)
        pl_inputs_told_process(own()->pid);
    return own()->pid;
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
        pl_rollback_touch(to, size);
        return pl_sys(SYS_sched_getaffinity, 0, size, to);
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
    int bare = policy & ~SCHED_RESET_ON_FORK, before = 0;
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
    get_policy(t, &before);
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

/* The thread that a call is about: 0 is the calling one. */
static struct pl_thread *meant(uint64_t number)
{
    return (int32_t)number == 0 ? pl_thread_self() : pl_own_find((int32_t)number);
}

/* ---- the limit of processor time ---- */

/*
 * One process makes many executions, and what they take together is not what the program is
 * allowed; so the limit is remembered and not set.
 */
long pl_own_limit(const struct rlimit *new, struct rlimit *old)
{
    struct pl_own_state *o = own();
    struct rlimit now = {o->processor_time[0], o->processor_time[1]};

    if (!o->limited)
        pl_sys(SYS_prlimit64, 0, RLIMIT_CPU, NULL, &now);
    if (new != NULL &&new->rlim_cur > new->rlim_max)
        return -EINVAL;
    if (new != NULL &&new->rlim_max > now.rlim_max && pl_sys(SYS_geteuid) != 0)
        return -EPERM;
    if (new != NULL) {
        o->processor_time[0] = new->rlim_cur;
        o->processor_time[1] = new->rlim_max;
        o->limited = true;
    }
    if (old != NULL)
        *old = now;
    return 0;
}

static bool about_limit(long number, const uint64_t a[6], long *result)
{
    if (number == SYS_prlimit64 && a[1] == RLIMIT_CPU && a[0] == 0)
        *result = pl_own_limit((const struct rlimit *)a[2], (struct rlimit *)a[3]);
    else if (number == SYS_setrlimit && a[0] == RLIMIT_CPU)
        *result = pl_own_limit((const struct rlimit *)a[1], NULL);
    else if (number == SYS_getrlimit && a[0] == RLIMIT_CPU)
        *result = pl_own_limit(NULL, (struct rlimit *)a[1]);
    else
        return false;
    return true;
}

static bool about_thread(long number, uint64_t a[6], long *result)
{
    struct pl_thread *t = NULL;
    int priority = 0;

    switch (number) {
    case SYS_prctl:
        if (a[0] == PR_SET_PDEATHSIG && a[1] <= 64) {
            own()->death_signal = (int)a[1]; /* whoever started the process outlives it */
            *result = 0;
            return true;
        }
        if (a[0] == PR_GET_PDEATHSIG) {
            *(int *)a[1] = own()->death_signal;
            *result = 0;
            return true;
        }
        if (a[0] != PR_SET_NAME && a[0] != PR_GET_NAME)
            return false;
        *result = name_thread(pl_thread_self(), a[0], (char *)a[1]);
        return true;
    case SYS_getpriority:
    case SYS_setpriority:
        t = a[0] == PRIO_PROCESS ? meant(a[1]) : NULL;
        break;
    case SYS_sched_setaffinity:
    case SYS_sched_getaffinity:
    case SYS_sched_setscheduler:
    case SYS_sched_getscheduler:
    case SYS_sched_setparam:
    case SYS_sched_getparam:
        t = meant(a[0]);
        break;
    default:
        return false;
    }
    if (t == NULL || t->state != PL_THREAD_ALIVE)
        return false; /* another process, or nobody: the kernel knows */
    switch (number) {
    case SYS_getpriority:
        *result = 20 - nice_of(t);
        break;
    case SYS_setpriority:
        *result = set_nice(t, (int)a[2]);
        break;
    case SYS_sched_setaffinity:
        *result = set_processors(t, a[1], a[2]);
        break;
    case SYS_sched_getaffinity:
        *result = get_processors(t, a[1], (void *)a[2]);
        break;
    case SYS_sched_setscheduler:
        *result = set_policy(t, (int)a[1], (const struct sched_param *)a[2]);
        break;
    case SYS_sched_getscheduler:
        *result = get_policy(t, &priority);
        break;
    case SYS_sched_setparam:
        *result = set_policy(t, (int)get_policy(t, &priority), (const struct sched_param *)a[1]);
        break;
    default:
        get_policy(t, &priority);
        *result = a[1] != 0 ? 0 : -EINVAL;
        if (a[1] != 0)
            ((struct sched_param *)a[1])->sched_priority = priority;
        break;
    }
    return true;
}

/* ---- numbers in arguments ---- */

/* By itself: 0 where the kernel takes that for the caller, else the process that executes. */
static void translate(uint64_t *number, bool zero)
{
    if ((int32_t)*number > 0 && pl_own_find((int32_t)*number) != NULL)
        *number = zero ? 0 : (uint64_t)pl_sys(SYS_getpid);
}

static void translate_arguments(long number, uint64_t a[6])
{
    switch (number) {
    case SYS_prlimit64:
    case SYS_getpgid:
    case SYS_getsid:
    case SYS_setpgid:
    case SYS_sched_rr_get_interval:
    case SYS_sched_setattr:
    case SYS_sched_getattr:
    case SYS_get_robust_list:
        translate(&a[0], true);
        break;
    case SYS_ioprio_get:
    case SYS_ioprio_set:
        translate(&a[1], true);
        break;
    case SYS_kcmp:
        translate(&a[1], false);
        translate(&a[0], false);
        break;
    case SYS_pidfd_open:
    case SYS_process_vm_readv:
    case SYS_process_vm_writev:
    case SYS_migrate_pages:
    case SYS_move_pages:
        translate(&a[0], false);
        break;
    case SYS_fcntl:
        if (a[1] == F_SETOWN)
            translate(&a[2], false);
        break;
    default:
        break;
    }
}

/* ---- paths below /proc ---- */

static const char *number_in(const char *s, uint64_t *n)
{
    const char *p = s;

    *n = 0;
    while (*p >= '0' && *p <= '9' && p - s < 10)
        *n = *n * 10 + (uint64_t)(*p++ - '0');
    return p > s && (*p == '\0' || *p == '/') ? p : NULL;
}

/* What the path is called for the kernel; NULL when it is the same. */
static const char *real_path(const char *path, char to[PL_OWN_PATH])
{
    const char *rest = path, *after;
    const struct pl_thread *t;
    bool changed = false;
    uint64_t n;

    if (path == NULL || !pl_text_starts(path, "/proc/"))
        return NULL;
    rest = path + pl_text_length("/proc/");
    if ((after = number_in(rest, &n)) != NULL) {
        t = pl_own_find((int32_t)n);
        if (t == NULL)
            return NULL;
        changed = true;
    } else if (pl_text_starts(rest, "self/")) {
        after = rest + pl_text_length("self");
    } else {
        return NULL;
    }
    rest = after;
    if (pl_text_starts(rest, "/task/") &&
        (after = number_in(rest + pl_text_length("/task/"), &n)) != NULL &&
        (t = pl_own_find((int32_t)n)) != NULL && t->state == PL_THREAD_ALIVE) {
        int32_t os = pl_free || t->free.os_tid != 0 ? t->free.os_tid : (int32_t)pl_sys(SYS_getpid);

        pl_text_format(to, PL_OWN_PATH, "/proc/self/task/%d%s", (int)os, after);
        return to;
    }
    if (!changed || pl_text_length(rest) + 16 > PL_OWN_PATH)
        return NULL;
    pl_text_format(to, PL_OWN_PATH, "/proc/self%s", rest);
    return to;
}

/* Which argument of the call is a path. */
static int path_argument(long number)
{
    switch (number) {
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_readlink:
    case SYS_chdir:
        return 0;
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_readlinkat:
    case SYS_faccessat:
    case SYS_faccessat2:
        return 1;
    default:
        return -1;
    }
}

static void show_link(const char *path, char *to, uint64_t size, long *result)
{
    char text[64];
    int32_t pid = pl_own_process();
    long n;

    if (pl_text_equal(path, "/proc/self"))
        n = (long)pl_text_format(text, sizeof(text), "%d", (int)pid);
    else if (pl_text_equal(path, "/proc/thread-self"))
        n = (long)pl_text_format(text, sizeof(text), "%d/task/%d", (int)pid,
                                 (int)pl_own_thread(pl_thread_self()));
    else
        return;
    *result = n < (long)size ? n : (long)size;
    pl_memory_copy(to, text, (uint64_t)*result);
}

/* ---- numbers in messages ---- */

/* With what a message says about its sender: `from` is `to` for the other side. */
static void translate_sender(const struct msghdr *m, int32_t from, int32_t to)
{
    uint64_t at = 0;

    while (m->msg_control != NULL && at + sizeof(struct cmsghdr) <= m->msg_controllen) {
        struct cmsghdr *c = (struct cmsghdr *)((char *)m->msg_control + at);
        struct ucred *sender = (struct ucred *)CMSG_DATA(c);

        if (c->cmsg_len < sizeof(*c))
            return;
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS &&
            c->cmsg_len >= CMSG_LEN(sizeof(*sender)) && sender->pid == from) {
            pl_rollback_touch(sender, sizeof(*sender));
            sender->pid = to;
        }
        at += CMSG_ALIGN(c->cmsg_len);
    }
}

/* The process has the kernel's number while the message is sent. */
static void show_sender(long number, const uint64_t a[6], bool real)
{
    int32_t kernel = (int32_t)pl_sys(SYS_getpid), shown = pl_own_process();

    if ((number == SYS_sendmsg || number == SYS_recvmsg) && kernel != shown)
        translate_sender((const struct msghdr *)a[1], real ? shown : kernel, real ? kernel : shown);
}

/* ---- what is listed ---- */

/* A folder about this process: "task" has its threads, "fd" and "fdinfo" its descriptors. */
static bool lists(int fd, const char *what)
{
    char path[40], target[40] = {0}, wanted[40];
    long n;

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    n = pl_sys(SYS_readlink, path, target, sizeof(target) - 1);
    pl_text_format(wanted, sizeof(wanted), "/proc/%d/%s", (int)pl_sys(SYS_getpid), what);
    return n > 0 && (pl_text_equal(target, wanted) ||
                     (pl_text_starts(target, wanted) && pl_text_equal(target + n - 4, "info")));
}

struct entry {
    uint64_t inode;
    int64_t next;
    uint16_t size;
    uint8_t type;
    char name[];
};

/* "." and "..", then threads by number; the position of the open file says how far that has come.
 */
static long list_threads(int fd, uint64_t to, uint64_t size)
{
    long at = pl_sys(SYS_lseek, fd, 0, SEEK_CUR);
    uint64_t used = 0;
    char name[16];

    for (; at >= 0 && at < 2 + (long)pl_stage->n_threads; at++) {
        const struct pl_thread *t = at < 2 ? NULL : pl_thread_by_id((pl_tid)(at - 2));

        if (t != NULL && t->state != PL_THREAD_ALIVE)
            continue;
        if (t == NULL)
            pl_text_copy(name, sizeof(name), at == 0 ? "." : "..");
        else
            pl_text_format(name, sizeof(name), "%d", (int)pl_own_thread(t));
        uint64_t need = (sizeof(struct entry) + pl_text_length(name) + 1 + 7) & ~UINT64_C(7);
        struct entry *e = (struct entry *)(to + used);

        if (used + need > size)
            break;
        *e = (struct entry){(uint64_t)(at + 1), at + 1, (uint16_t)need, DT_DIR};
        pl_text_copy(e->name, pl_text_length(name) + 1, name);
        used += need;
    }
    if (at < 0)
        return at;
    pl_sys(SYS_lseek, fd, at, SEEK_SET);
    return used == 0 && at < 2 + (long)pl_stage->n_threads ? -EINVAL : (long)used;
}

static int number_of(const char *name)
{
    int number = 0;

    for (const char *s = name; *s >= '0' && *s <= '9'; s++)
        number = number * 10 + (*s - '0');
    return number;
}

bool pl_own_hides(int folder, const char *name)
{
    return pl_fd_is_own(number_of(name)) && lists(folder, "fd");
}

/* Leave out plait's own; the program is to find no descriptor that it has not opened. */
static long list_descriptors(int fd, uint64_t to, uint64_t size)
{
    long n, kept = 0;

    do {
        n = pl_sys(SYS_getdents64, fd, to, size);
        kept = 0;
        for (long at = 0; at < n;) {
            const struct entry *e = (const struct entry *)(to + (uint64_t)at);
            uint16_t length = e->size;

            if (!pl_fd_is_own(number_of(e->name))) {
                pl_memory_move((void *)(to + (uint64_t)kept), e, length);
                kept += length;
            }
            at += length;
        }
    } while (n > 0 && kept == 0);
    return n > 0 ? kept : n;
}

/* ---- the calls ---- */

/* A number that the kernel has told. */
static void tell(int32_t *pid)
{
    if (*pid == (int32_t)pl_sys(SYS_getpid))
        *pid = pl_own_process();
}

/* Who has used an object of System V last. */
static void tell_users(long number, const uint64_t a[6], long *result)
{
    bool all = a[1] == IPC_STAT;

    if (number == SYS_msgctl && all) {
        tell(&((struct msqid_ds *)a[2])->msg_lspid);
        tell(&((struct msqid_ds *)a[2])->msg_lrpid);
    } else if (number == SYS_shmctl && all) {
        tell(&((struct shmid_ds *)a[2])->shm_cpid);
        tell(&((struct shmid_ds *)a[2])->shm_lpid);
    } else if (number == SYS_semctl && a[2] == GETPID) {
        int32_t pid = (int32_t)*result;

        tell(&pid);
        *result = pid;
    }
}

/* A number of plait's own, unless a call that has begun goes on with it. */
static bool is_none(int fd)
{
    const struct pl_files *f = &pl_stage->process.files;

    if (!pl_fd_is_own(fd))
        return false;
    for (unsigned i = 0; i < f->n_kept; i++) {
        if (f->kept[i].held == fd && f->kept[i].tid == pl_thread_self()->id)
            return false;
    }
    return true;
}

/* Whether it is about a descriptor of plait's own. */
static bool asks_for_own(long number, const uint64_t a[6])
{
    switch (number) {
    case SYS_dup2:
    case SYS_dup3:
        return is_none((int)a[0]) || is_none((int)a[1]);
    case SYS_close:
    case SYS_dup:
    case SYS_fcntl:
    case SYS_fstat:
    case SYS_ioctl:
    case SYS_lseek:
    case SYS_read:
    case SYS_write:
        return is_none((int)a[0]);
    default:
        return false;
    }
}

bool pl_own_call(long number, uint64_t a[6], char path[PL_OWN_PATH], long *result)
{
    int at = path_argument(number);
    const char *real;

    if (asks_for_own(number, a)) {
        *result = -EBADF;
        return true;
    }
    switch (number) {
    case SYS_getpid:
        *result = pl_own_process();
        return true;
    case SYS_gettid:
        *result = pl_own_thread(pl_thread_self());
        return true;
    case SYS_getppid:
        *result = pl_own_parent();
        return true;
    case SYS_getdents64:
        if (lists((int)a[0], "task")) {
            pl_rollback_touch((void *)a[1], a[2]);
            *result = list_threads((int)a[0], a[1], a[2]);
            return true;
        }
        if (!lists((int)a[0], "fd"))
            return false;
        pl_rollback_touch((void *)a[1], a[2]);
        *result = list_descriptors((int)a[0], a[1], a[2]);
        return true;
    default:
        break;
    }
    if (at >= 0 && (real = real_path((const char *)a[at], path)) != NULL)
        a[at] = (uint64_t)real;
    pl_carried_call(number, a);
    if (number == SYS_sendmsg)
        show_sender(number, a, true);
    translate_arguments(number, a);
    return about_limit(number, a, result) || about_thread(number, a, result);
}

void pl_own_made(long number, const uint64_t a[6], const char *path, long *result)
{
    if (number == SYS_sendmsg || (number == SYS_recvmsg && *result >= 0))
        show_sender(number, a, false);
    if (*result < 0)
        return;
    if ((number == SYS_open || number == SYS_openat) &&
        (a[number == SYS_open ? 1 : 2] & (O_ACCMODE | O_DIRECTORY | O_PATH)) == O_RDONLY)
        pl_shown_opened(path, (int)*result);
    else if (number == SYS_readlink)
        show_link(path, (char *)a[1], a[2], result);
    else if (number == SYS_readlinkat)
        show_link(path, (char *)a[2], a[3], result);
    else if (number == SYS_fcntl && a[1] == F_GETLK)
        tell(&((struct flock *)a[2])->l_pid);
    else if (number == SYS_fcntl && a[1] == F_GETOWN && *result == pl_sys(SYS_getpid))
        *result = pl_own_process();
    else if (number == SYS_fcntl && a[1] == F_GETOWN_EX)
        tell(&((struct f_owner_ex *)a[2])->pid);
    else if (number == SYS_getsockopt && a[1] == SOL_SOCKET && a[2] == SO_PEERCRED)
        tell(&((struct ucred *)a[3])->pid);
    else
        tell_users(number, a, result);
}
