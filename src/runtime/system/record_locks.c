/* SPDX-License-Identifier: MIT */
/* See record_locks.h. */
#include "runtime/system/record_locks.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/company.h"
#include "runtime/ground/entry.h"
#include "runtime/system/processes.h"

enum { TEXT = 16384, PROCESSES = 8 };

/* "1: POSIX  ADVISORY  WRITE 1234 08:01:56 0 0": the number of the process. */
static long holder_in(const char *line)
{
    long pid = 0;

    while (*line != '\0' && !pl_text_starts(line, "READ ") && !pl_text_starts(line, "WRITE "))
        line++;
    while (*line >= 'A' && *line <= 'Z')
        line++;
    while (*line == ' ')
        line++;
    for (; *line >= '0' && *line <= '9'; line++)
        pid = pid * 10 + (*line - '0');
    return pid;
}

/* Who has what this process waits for; 0: nobody.  Behind each lock stand those who wait for it,
 * with an arrow. */
static long awaited_by(long pid, const char *locks)
{
    long holder = 0;

    for (const char *line = locks; *line != '\0';) {
        const char *end = line;
        bool waits = false, record = false;

        for (; *end != '\0' && *end != '\n'; end++) {
            waits |= pl_text_starts(end, "->");
            record |= pl_text_starts(end, "POSIX ");
        }
        if (!waits)
            holder = record ? holder_in(line) : 0;
        else if (holder != 0 && holder_in(line) == pid)
            return holder;
        line = *end == '\n' ? end + 1 : end;
    }
    return 0;
}

/* Processes under control, none of which waits in the kernel. */
static bool closes_in_company(long pid)
{
    if (!pl_stage->process.company || pl_free)
        return false;
    if (pl_company_closes((int32_t)pid))
        return true;
    pl_company_awaits((int32_t)pid);
    return false;
}

bool pl_record_locks_refused(int fd, const struct flock *wanted)
{
    struct flock lock = *wanted;

    return !pl_free && pl_sys(SYS_fcntl, fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK &&
           pl_company_has(lock.l_pid);
}

bool pl_record_locks_close(long pid)
{
    static char locks[TEXT]; /* one thread asks at a time */
    long self = pl_sys(SYS_getpid);

    if (closes_in_company(pid))
        return true;
    if (!pl_stage->process.forked || !pl_processes_read("/proc/locks", locks, sizeof(locks)))
        return false;
    for (unsigned i = 0; i < PROCESSES && pid > 0 && pid != self; i++)
        pid = awaited_by(pid, locks);
    return pid == self;
}
