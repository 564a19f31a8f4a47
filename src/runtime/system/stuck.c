/* SPDX-License-Identifier: MIT */
/* See stuck.h. */
#include "runtime/system/stuck.h"

#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"
#include "runtime/system/processes.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { ARGUMENTS = 6, DEPTH = 4, PATH = 96 };

/* A process that is looked at, and what has been seen of it. */
struct look {
    long pid;
    unsigned depth;
    bool together; /* and its children with it: nobody but these and the program may let it go on */
    bool stranger; /* it, or one of its children, is another program, of which less is known */
    uint64_t seen; /* of all its threads: what each waits for, and how often it has waited before */
};

/* ---- memory ---- */

static enum pl_maps_has memory_at(long pid, uint64_t addr)
{
    char path[PATH] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/maps", pid);
    return pl_maps_at(path, addr);
}

/* One that has become another program has none. */
static bool has_board(long pid)
{
    return memory_at(pid, (uint64_t)pl_board) == PL_MAPS_SHARED;
}

/* Whether the word is the process's alone. */
static bool is_private(long pid, uint64_t addr)
{
    return memory_at(pid, addr) == PL_MAPS_PRIVATE && has_board(pid);
}

/* ---- descriptors ---- */

/* A folder of descriptors, and what one of them is looked for to lead to. */
struct leads {
    long folder;
    const char *to;
};

static bool leads_there(void *arg, long fd)
{
    const struct leads *l = arg;
    char number[16], link[PATH] = {0};

    pl_text_format(number, sizeof(number), "%ld", fd);
    return pl_sys(SYS_readlinkat, l->folder, number, link, sizeof(link) - 1) > 0 &&
           pl_text_equal(link, l->to);
}

/* Whether the process has it; so if that cannot be told. */
static bool has(long pid, const char *link)
{
    char path[PATH] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/fd", pid);
    struct leads l = {pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), link};
    bool found = l.folder < 0 || leads_there(&l, 0) || pl_about_any(l.folder, leads_there, &l);

    if (l.folder >= 0)
        pl_sys(SYS_close, l.folder);
    return found;
}

/*
 * Whether the descriptor is an end of a pipe without a name that the program or one of its
 * processes has made: what comes from outside has come through the tool, and the keeper has it.
 */
static bool is_own_pipe(long pid, uint64_t fd)
{
    char path[PATH] = {0}, link[PATH] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/fd/%ld", pid, (long)(int)fd);
    return pl_sys(SYS_readlink, path, link, sizeof(link) - 1) > 0 &&
           pl_text_starts(link, "pipe:") && !has(pl_sys(SYS_getppid), link) &&
           !has(pl_own_parent(), link);
}

/* ---- threads ---- */

static bool is_stuck(struct look *l);

static bool child_goes_on(void *arg, long pid)
{
    const struct look *l = arg;
    struct look child = {.pid = pid, .depth = l->depth + 1};

    return l->depth + 1 >= DEPTH || !is_stuck(&child);
}

/*
 * What only others can end, who are looked at as well: what comes through a pipe, a signal, the end
 * of a child.
 */
static bool waits_for_company(const struct look *l, uint64_t number, const uint64_t a[ARGUMENTS])
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
        return is_own_pipe(l->pid, a[0]);
    case SYS_pause:
    case SYS_rt_sigsuspend:
    case SYS_wait4:
    case SYS_waitid:
        return true;
    default:
        return false;
    }
}

/* "202 0x7f00 0x80 0x2 0x0 0x0 0x0 0x7ffe 0x7f01": the call, its arguments, stack and code. */
static bool waits_for_ever(struct look *l, long tid, const char *text)
{
    char path[PATH] = {0};
    uint64_t number = 0, a[ARGUMENTS] = {0};
    const char *p = text;

    if (*p < '0' || *p > '9')
        return false; /* it is running, or outside of any call */
    while (*p >= '0' && *p <= '9')
        number = number * 10 + (uint64_t)(*p++ - '0');
    for (unsigned i = 0; i < ARGUMENTS; i++) {
        if (p[0] != ' ' || p[1] != '0' || p[2] != 'x')
            return false;
        p = pl_text_hex(p + 3, &a[i]);
    }
    if (number == SYS_futex && a[0] == (uint64_t)&pl_board->company.turn)
        return true; /* of a process under control, for one of those that look */
    if (number == SYS_futex) {
        uint64_t command = a[1] & FUTEX_CMD_MASK;

        return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
                command == FUTEX_LOCK_PI) &&
               a[3] == 0 && is_private(l->pid, a[0]);
    }
    if (l->together)
        return waits_for_company(l, number, a);
    if ((number != SYS_wait4 && number != SYS_waitid) ||
        (a[number == SYS_wait4 ? 2 : 3] & WNOHANG) != 0)
        return false;
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", l->pid, tid);
    return !pl_processes_any_listed(path, child_goes_on, l);
}

/* Where a line of what /proc says of a thread begins; "": there is none. */
static const char *line_of(const char *status, const char *label)
{
    while (*status != '\0' && !pl_text_starts(status, label))
        status++;
    return status;
}

/*
 * Whether a process without the board may have asked for a signal that comes by itself: it has a
 * timer, or a handler for what timers and descriptors send.  "SigCgt:" is a set of signals.
 */
static bool may_be_signalled(const struct look *l, const char *status)
{
    static const int from_nobody[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGIO};
    static const char label[] = "SigCgt:\t";
    const char *set = line_of(status, label);
    char path[PATH] = {0}, text[8] = {0};
    uint64_t caught = 0;

    if (*set == '\0')
        return true;
    pl_text_hex(set + sizeof(label) - 1, &caught);
    for (unsigned i = 0; i < sizeof(from_nobody) / sizeof(from_nobody[0]); i++) {
        if ((caught >> (from_nobody[i] - 1) & 1) != 0)
            return true;
    }
    pl_text_format(path, sizeof(path), "/proc/%ld/timers", l->pid);
    return pl_processes_read(path, text, sizeof(text)) && text[0] != '\0';
}

static bool look_at(void *arg, long pid);

/* Whether the thread may go on; what it waits for is added to what was seen. */
static bool goes_on(void *arg, long tid)
{
    struct look *l = arg;
    char path[PATH] = {0}, text[2048] = {0}; /* so that the kernel may write there */

    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", l->pid, tid);
    if (l->together && pl_processes_any_listed(path, look_at, l))
        return true;

    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/syscall", l->pid, tid);
    if (!pl_processes_read(path, text, sizeof(text)) || !waits_for_ever(l, tid, text))
        return true;
    l->seen = pl_hash_add(l->seen, pl_hash_text(text));
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/status", l->pid, tid);
    if (!pl_processes_read(path, text, sizeof(text)))
        return true;
    /* How often it has given way, too; what comes before tells of other processes as well. */
    l->seen = pl_hash_add(l->seen, pl_hash_text(line_of(text, "voluntary_ctxt_switches:")));
    return l->stranger && may_be_signalled(l, text);
}

/*
 * Between two looks at its threads one that was seen to wait may have been woken by one that was
 * not; then it has waited once more when it is seen the second time.
 */
static bool is_stuck(struct look *l)
{
    char path[PATH] = {0};
    struct look again = *l;

    pl_text_format(path, sizeof(path), "/proc/%ld/task", l->pid);
    return !pl_processes_any_in(path, goes_on, l) && l->seen != 0 &&
           !pl_processes_any_in(path, goes_on, &again) && l->seen == again.seen;
}

/* One that the process of the look, or the program, has made, and those that it has made. */
static bool look_at(void *arg, long pid)
{
    struct look *above = arg;
    struct look l = {.pid = pid, .depth = above->depth + 1, .together = true};
    char path[PATH] = {0};

    if (pl_processes_state(pid) == 'Z')
        return false;
    pl_text_format(path, sizeof(path), "/proc/%ld/task", pid);
    l.stranger = !has_board(pid);
    if (l.depth > DEPTH || pl_processes_any_in(path, goes_on, &l) || l.seen == 0)
        return true;
    above->stranger |= l.stranger;
    above->seen = pl_hash_add(above->seen, l.seen);
    return false;
}

/* Nothing tells of an alarm that is to kill another program, so there is time for one to come. */
static bool has_been_so(uint64_t seen)
{
    enum { SECONDS = 2 };
    static uint64_t execution, before;
    static struct timespec since;
    struct timespec now = {0}; /* so that the kernel may write there */

    pl_sys(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    if (execution != pl_board->execution || before != seen) {
        execution = pl_board->execution;
        before = seen;
        since = now;
    }
    return now.tv_sec - since.tv_sec > SECONDS;
}

bool pl_stuck_all(void)
{
    struct look first = {.seen = 0}, second = {.seen = 0};

    return !pl_board->child_armed && !pl_processes_any(look_at, &first) && first.seen != 0 &&
           !pl_processes_any(look_at, &second) && first.seen == second.seen &&
           (!first.stranger || has_been_so(first.seen));
}

bool pl_stuck_is(long pid)
{
    struct look l = {.pid = pid};

    return !pl_board->child_armed && is_stuck(&l);
}

void pl_stuck_armed(void)
{
    if (pl_ready && pl_stage->process.child)
        pl_board->child_armed = true;
}
