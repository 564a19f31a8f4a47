/* SPDX-License-Identifier: MIT */
/* See processes.h. */
#include "runtime/system/processes.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/config.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"
#include "runtime/system/stuck.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- what /proc says ---- */

bool pl_processes_read(const char *path, char *to, uint64_t size)
{
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    long n = fd < 0 ? -1 : pl_sys(SYS_read, fd, to, size - 1);

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    to[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* "123 (name) R ..." */
char pl_processes_state(long pid)
{
    char path[64] = {0}, text[512] = {0}; /* so that the kernel may write there */
    const char *state = NULL;

    pl_text_format(path, sizeof(path), "/proc/%ld/stat", pid);
    if (!pl_processes_read(path, text, sizeof(text)))
        return '\0';
    for (const char *s = text; *s != '\0'; s++)
        state = *s == ')' ? s : state;
    return state != NULL && state[1] == ' ' ? state[2] : '\0';
}

/* "12 34 " */
bool pl_processes_any_listed(const char *path, pl_processes_is *is, void *arg)
{
    char text[1024] = {0}; /* so that the kernel may write there */
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    long pid = 0, n;
    bool found = false;

    while (!found && fd >= 0 && (n = pl_sys(SYS_read, fd, text, sizeof(text))) > 0) {
        for (long i = 0; i < n && !found; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                pid = pid * 10 + (text[i] - '0');
                continue;
            }
            found = pid != 0 && is(arg, pid);
            pid = 0;
        }
    }
    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return found;
}

bool pl_processes_any_in(const char *folder, pl_processes_is *is, void *arg)
{
    long fd = pl_sys(SYS_openat, AT_FDCWD, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = pl_about_any(fd, is, arg);

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return found;
}

/* ---- children ---- */

static bool has_one_that_runs(unsigned which, long id, bool *ended)
{
    siginfo_t info = {0};
    long rc = pl_sys(SYS_waitid, which, id, &info, WEXITED | WNOHANG | WNOWAIT, 0);

    *ended = rc == 0 && info.si_pid != 0;
    return rc == 0 && info.si_pid == 0;
}

static bool goes_on(void *unused, long pid)
{
    bool ended;

    (void)unused;
    return has_one_that_runs(P_PID, pid, &ended) && !pl_stuck_is(pid);
}

/* The children of an OS thread of this process. */
struct made {
    pl_processes_is *is;
    void *arg;
};

static bool any_of(void *arg, long tid)
{
    const struct made *m = arg;
    char path[64] = {0};

    pl_text_format(path, sizeof(path), "/proc/self/task/%ld/children", tid);
    return pl_processes_any_listed(path, m->is, m->arg);
}

/* Whether one of the children of all threads is what is looked for. */
static bool any_own(pl_processes_is *is, void *arg)
{
    struct made m = {.is = is, .arg = arg};

    return pl_processes_any_in("/proc/self/task", any_of, &m);
}

/* The kernel says at once when there is none; else each is asked. */
static bool own_one_runs(void)
{
    bool ended, found = has_one_that_runs(P_ALL, 0, &ended);

    return (found || ended) && any_own(goes_on, NULL);
}

/* ---- orphans ---- */

/*
 * Whether a process that the tool has adopted comes from this program: it has the board, or, if it
 * has become another program, at least one of the memory files that the program writes to.
 */
static bool is_descendant(long pid)
{
    const int theirs[] = {pl_fd(PL_FD_BOARD), 1, 2},
              ours[] = {pl_fd(PL_FD_BOARD), pl_fd(PL_FD_STDOUT), pl_fd(PL_FD_STDERR)};
    struct stat one = {0}, other = {0}; /* so that the kernel may write there */
    char path[64] = {0};

    for (unsigned i = 0; i < sizeof(theirs) / sizeof(theirs[0]); i++) {
        pl_text_format(path, sizeof(path), "/proc/%ld/fd/%d", pid, theirs[i]);
        if (pl_sys(SYS_newfstatat, AT_FDCWD, path, &one, 0) != 0)
            continue;
        for (unsigned k = 0; k < sizeof(ours) / sizeof(ours[0]); k++) {
            if (pl_sys(SYS_fstat, ours[k], &other) == 0 && one.st_dev == other.st_dev &&
                one.st_ino == other.st_ino)
                return true;
        }
    }
    return false;
}

static bool is_orphan(long pid)
{
    return pid != pl_sys(SYS_getpid) && pid != pl_sys(SYS_getppid) &&
           pl_processes_state(pid) != 'Z' && is_descendant(pid);
}

static bool orphan_goes_on(void *unused, long pid)
{
    (void)unused;
    return is_orphan(pid) && !pl_stuck_is(pid);
}

static bool is_wanted_orphan(void *arg, long pid)
{
    const struct made *m = arg;

    return is_orphan(pid) && m->is(m->arg, pid);
}

/* A child whose parent has ended is the tool's, which adopts orphans; see engine/worker/worker.h.
 */
static bool any_adopted(pl_processes_is *is, void *arg)
{
    char path[96] = {0};
    long tool = pl_own_parent();

    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", tool, tool);
    return pl_processes_any_listed(path, is, arg);
}

/* ---- both ---- */

bool pl_processes_run(void)
{
    return own_one_runs() || (pl_stage->process.forked && any_adopted(orphan_goes_on, NULL));
}

bool pl_processes_any(pl_processes_is *is, void *arg)
{
    struct made m = {.is = is, .arg = arg};

    return any_own(is, arg) || any_adopted(is_wanted_orphan, &m);
}

/* A thread that is about to go on by itself. */
struct busy {
    long tid;
    uint64_t ran; /* nanoseconds */
    bool told;    /* the system has said so */
};

/* "123456 789 10": the first is how long it has had a processor. */
static struct busy time_of(long tid)
{
    char path[64] = {0}, text[96] = {0}; /* so that the kernel may write there */
    struct busy b = {.tid = tid};

    pl_text_format(path, sizeof(path), "/proc/%ld/schedstat", tid);
    b.told = pl_processes_read(path, text, sizeof(text));
    for (const char *s = text; *s >= '0' && *s <= '9'; s++)
        b.ran = b.ran * 10 + (uint64_t)(*s - '0');
    return b;
}

static bool is_one(void *unused, long pid)
{
    (void)unused;
    return pid > 0;
}

/* Who has called vfork() waits as for the disk; what that child does is another question. */
static bool has_child(long tid)
{
    char path[96] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", tid, tid);
    return pl_processes_any_listed(path, is_one, NULL);
}

/* It uses a processor, would if there were one, or waits for the disk or for memory. */
static bool is_on_its_way(void *arg, long tid)
{
    char state = pl_processes_state(tid);

    if (state != 'R' && (state != 'D' || has_child(tid)))
        return false;
    *(struct busy *)arg = time_of(tid);
    return true;
}

struct look {
    struct busy *busy;
    unsigned depth;
};

/*
 * Whether the process is about to go on, or one that it has made.  All of its threads are looked
 * at: the first may have ended while others still are about to, and files are closed by the last of
 * them.
 */
static bool is_busy(void *arg, long pid)
{
    enum { DEPTH = 4 };
    struct look deeper = *(struct look *)arg;
    char path[96] = {0};

    pl_text_format(path, sizeof(path), "/proc/%ld/task", pid);
    if (pl_processes_any_in(path, is_on_its_way, deeper.busy))
        return true;
    deeper.depth++;
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
    return deeper.depth < DEPTH && pl_processes_any_listed(path, is_busy, &deeper);
}

/*
 * How long that may take is counted in looks between which a child has had a processor: how soon it
 * gets one is the machine's business.
 */
void pl_processes_rest(void)
{
    enum { STEPS = 400, MOST = 20000, PATIENCE = 3 };
    const struct timespec step = {.tv_nsec = 50000};
    /* A schedule that is followed goes on with what they do. */
    const unsigned steps = pl_stage->process.company ? MOST : STEPS;
    struct busy now, before = {0};
    struct look look = {.busy = &now};
    unsigned i = 0, used = 0;

    if (!pl_stage->process.forked || pl_free || pl_stage->process.restless == PATIENCE)
        return;
    while (i < MOST && used < steps && any_own(is_busy, &look)) {
        used += !now.told || now.tid != before.tid || now.ran != before.ran;
        before = now;
        pl_sys(SYS_nanosleep, &step, NULL);
        i++;
    }
    if (i == MOST || used == steps) /* it computes, or waits in a loop for memory to change */
        pl_stage->process.restless++;
}
