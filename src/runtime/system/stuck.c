/* SPDX-License-Identifier: MIT */
/* See stuck.h. */
#include "runtime/system/stuck.h"

#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/system/processes.h"

#include <linux/futex.h>
#include <sys/wait.h>

enum { ARGUMENTS = 6, DEPTH = 4, PATH = 96 };

/* A process that is looked at, and what has been seen of it. */
struct look {
    long pid;
    unsigned depth;
    uint64_t seen; /* of all its threads: what each waits for, and how often it has waited before */
};

/* ---- memory ---- */

/* Whether the word is the process's alone; one that has become another program has no board. */
static bool is_private(long pid, uint64_t addr)
{
    char path[PATH] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/maps", pid);
    return pl_maps_at(path, addr) == PL_MAPS_PRIVATE &&
           pl_maps_at(path, (uint64_t)pl_board) == PL_MAPS_SHARED;
}

/* ---- threads ---- */

static bool is_stuck(struct look *l);

static bool child_goes_on(void *arg, long pid)
{
    const struct look *l = arg;
    struct look child = {.pid = pid, .depth = l->depth + 1};

    return l->depth + 1 >= DEPTH || !is_stuck(&child);
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
    if (number == SYS_futex) {
        uint64_t command = a[1] & FUTEX_CMD_MASK;

        return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
                command == FUTEX_LOCK_PI) &&
               a[3] == 0 && is_private(l->pid, a[0]);
    }
    if ((number != SYS_wait4 && number != SYS_waitid) ||
        (a[number == SYS_wait4 ? 2 : 3] & WNOHANG) != 0)
        return false;
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", l->pid, tid);
    return !pl_processes_any_listed(path, child_goes_on, l);
}

/* Whether the thread may go on; what it waits for is added to what was seen. */
static bool goes_on(void *arg, long tid)
{
    struct look *l = arg;
    char path[PATH] = {0}, text[2048] = {0}; /* so that the kernel may write there */

    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/syscall", l->pid, tid);
    if (!pl_processes_read(path, text, sizeof(text)) || !waits_for_ever(l, tid, text))
        return true;
    l->seen = pl_hash_add(l->seen, pl_hash_text(text));
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/status", l->pid, tid);
    if (!pl_processes_read(path, text, sizeof(text)))
        return true;
    l->seen = pl_hash_add(l->seen, pl_hash_text(text)); /* how often it has given way, too */
    return false;
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
