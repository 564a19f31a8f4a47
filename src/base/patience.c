/* SPDX-License-Identifier: MIT */
/* See patience.h.  Both the tool and the keeper inside the program under test use it. */
#include "base/patience.h"

#include "base/sys.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <time.h>

enum { AWAKE_PART = 4 /* of the time: one that has had less may have been asleep */ };

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;

    if (pl_sys(SYS_clock_gettime, clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The processor time of another process, all of its threads; 0 when it cannot be had. */
static uint64_t processor_time(int32_t pid)
{
    return read_clock((clockid_t)((~(uint32_t)pid << 3) | 2));
}

/* The letter for what a thread does, from "PID (name) S ..."; 0 when it is gone. */
static char state_of(int32_t pid, const char *tid)
{
    char path[64], text[256];

    pl_text_format(path, sizeof(path), "/proc/%d/task/%s/stat", pid, tid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    long n = pl_sys(SYS_read, fd, text, sizeof(text));

    pl_sys(SYS_close, fd);
    while (n > 0 && text[n - 1] != ')')
        n--;
    return n > 0 && n + 1 < (long)sizeof(text) ? text[n + 1] : 0;
}

/* Whether a thread of the process wants a processor, waits for a disk, or is stopped. */
static bool is_kept_waiting(int32_t pid)
{
    _Alignas(struct dirent64) char list[4096];
    char path[32];
    bool found = false;
    long n;

    pl_text_format(path, sizeof(path), "/proc/%d/task", pid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return false;
    while (!found && (n = pl_sys(SYS_getdents64, fd, list, sizeof(list))) > 0) {
        for (long at = 0; at < n && !found;) {
            const struct dirent64 *e = (const struct dirent64 *)(list + at);
            char state = e->d_name[0] == '.' ? 'S' : state_of(pid, e->d_name);

            found = state == 'R' || state == 'D' || state == 'T' || state == 't';
            at += e->d_reclen;
        }
    }
    pl_sys(SYS_close, fd);
    return found;
}

/* Whether somebody looks at the process with a debugger. */
static bool is_traced(int32_t pid)
{
    static const char key[] = "\nTracerPid:\t";
    char path[32], text[1024] = {0};

    pl_text_format(path, sizeof(path), "/proc/%d/status", pid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    long n = pl_sys(SYS_read, fd, text, sizeof(text) - 1);

    pl_sys(SYS_close, fd);
    for (long i = 0; i + (long)sizeof(key) < n; i++) {
        if (pl_text_starts(text + i, key))
            return text[i + (long)sizeof(key) - 1] != '0';
    }
    return false;
}

uint64_t pl_patience_look(struct pl_patience *p, int32_t pid)
{
    uint64_t wall = read_clock(CLOCK_MONOTONIC), cpu = processor_time(pid);
    struct pl_patience before = *p;

    *p = (struct pl_patience){pid, wall, cpu};
    if (before.pid != pid || is_traced(pid)) /* time spent in a debugger is nobody's */
        return 0;
    uint64_t passed = wall - before.wall_ns, used = cpu > before.cpu_ns ? cpu - before.cpu_ns : 0;

    if (used >= passed) /* by several threads */
        return passed;
    return used >= passed / AWAKE_PART || is_kept_waiting(pid) ? used : passed;
}
