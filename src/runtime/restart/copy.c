/* SPDX-License-Identifier: MIT */
#include "runtime/restart/copy.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/about.h"
#include "runtime/ground/stage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/statfs.h>

enum { RANGES = 64, RECORDS = 64 };
enum { WIPED = 1, NOT_COPIED = 2, LOCKED = 4, SPECIAL = 8 };

/* Memory that a copy would not have, or not as it is. */
static struct {
    uint64_t start, size;
    unsigned how;
} ranges[RANGES];
static unsigned n_ranges;

/* Each line of a text that may be long; false when `take` has seen enough or it cannot be read. */
static bool each_line(const char *path, bool (*take)(const char *line))
{
    static char text[4096 + 1];
    long fd = pl_sys(SYS_open, path, 0, 0), n;
    uint64_t have = 0;
    bool more = fd >= 0;

    while (more && (n = pl_sys(SYS_read, fd, text + have, sizeof(text) - 1 - have)) > 0) {
        uint64_t line = 0;

        have += (uint64_t)n;
        for (uint64_t i = 0; i < have && more; i++) {
            if (text[i] != '\n')
                continue;
            text[i] = '\0';
            more = take(text + line);
            line = i + 1;
        }
        if (line == 0 && have == sizeof(text) - 1)
            line = have; /* longer than any that matters */
        for (uint64_t i = line; i < have; i++)
            text[i - line] = text[i];
        have -= line;
    }
    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return more;
}

/* ---- record locks ---- */

static uint64_t read_number(const char *s)
{
    uint64_t n = 0;

    for (; *s >= '0' && *s <= '9'; s++)
        n = n * 10 + (uint64_t)(*s - '0');
    return n;
}

/*
 * A record lock belongs to the process that took it, and stands in the way of every other one.  So
 * the keeper gives its own back, and each copy takes them; the next execution has them again,
 * whatever the one before did to them.
 */
static struct {
    int fd;
    short type;
    uint64_t start, size; /* 0: up to the end, wherever that is */
    uint64_t hash;        /* of what the kernel says of it */
} records[RECORDS];
static unsigned n_records, n_known;

/* "1: POSIX  ADVISORY  WRITE 12 08:01:99 0 EOF": false when a copy can do nothing about it. */
static bool take_lock(const char *line)
{
    const char *kind = pl_text_word(line, 1);

    if (read_number(pl_text_word(kind, 3)) != (uint64_t)pl_sys(SYS_getpid))
        return true;
    pl_stage->restart.flocked |= pl_text_starts(kind, "FLOCK");
    n_known += pl_text_starts(kind, "POSIX");
    return !pl_text_starts(kind, "LEASE");
}

/*
 * The same line, as fdinfo has it behind "lock:".  Only there is said whose lock of an open file it
 * is: it belongs to no process.
 */
static bool take_record(int fd, const char *line)
{
    const char *kind = pl_text_word(line, 1), *range = pl_text_word(kind, 5),
               *end = pl_text_word(range, 1);
    uint64_t start = read_number(range), hash = pl_hash_text(kind);

    pl_stage->restart.flocked |= pl_text_starts(kind, "OFDLCK");
    if (!pl_text_starts(kind, "POSIX"))
        return true;

    for (unsigned i = 0; i < n_records; i++) {
        if (records[i].hash == hash)
            return true; /* by another number of the same open file */
    }
    if (n_records == RECORDS)
        return false;
    records[n_records].fd = fd;
    records[n_records].type = pl_text_starts(pl_text_word(kind, 2), "WRITE") ? F_WRLCK : F_RDLCK;
    records[n_records].start = start;
    records[n_records].size = *end == 'E' ? 0 : read_number(end) - start + 1;
    records[n_records++].hash = hash;
    return true;
}

static bool note_records(void)
{
    static char text[4096];

    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        uint64_t n = pl_stage->root_fds[fd].open ? pl_about_lines(fd, text, sizeof(text)) : 0;

        for (uint64_t i = 0, line = 0; i < n; i++) {
            if (text[i] != '\n')
                continue;
            text[i] = '\0';
            if (pl_text_starts(text + line, "lock:\t") &&
                !take_record(fd, text + line + pl_text_length("lock:\t")))
                return false;
            line = i + 1;
        }
    }
    return n_records == n_known;
}

static void set_record(unsigned i, short type)
{
    struct flock lock = {.l_type = type,
                         .l_whence = SEEK_SET,
                         .l_start = (off_t)records[i].start,
                         .l_len = (off_t)records[i].size};

    pl_sys(SYS_fcntl, records[i].fd, F_SETLK, &lock);
}

static void give_records(void)
{
    for (unsigned i = 0; i < n_records; i++)
        set_record(i, F_UNLCK);
}

void pl_copy_lock(void)
{
    for (unsigned i = 0; i < n_records; i++)
        set_record(i, records[i].type);
}

/* ---- signals that tell of descriptors ---- */

/* A queue says "QSIZE:0  NOTIFY:0  SIGNO:10  NOTIFY_PID:12". */
static bool queue_tells(int fd)
{
    enum { QUEUES = 0x19800202 };
    char text[128] = {0};
    struct statfs system = {0};

    if (pl_sys(SYS_fstatfs, fd, &system) != 0 || system.f_type != QUEUES ||
        pl_sys(SYS_pread64, fd, text, sizeof(text) - 1, 0) <= 0)
        return false;
    const char *s = text;

    while (*s != '\0' && !pl_text_starts(s, "NOTIFY_PID:"))
        s++;
    return *s != '\0' &&
           read_number(s + pl_text_length("NOTIFY_PID:")) == (uint64_t)pl_sys(SYS_getpid);
}

/* Whether the kernel is to send this process a signal when something comes. */
static bool is_told(void)
{
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

        if (flags >= 0 && ((flags & O_ASYNC) != 0 || queue_tells(fd)))
            return true;
    }
    return false;
}

/* ---- what watches files ---- */

/* What it has to tell is in a queue that is the keeper's, too, as are the places that it watches.
 */
static bool any_open(bool is(int fd))
{
    bool open[PL_FDS_MAX];

    pl_about_open(open, PL_FDS_MAX);
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        if (open[fd] && is(fd))
            return true;
    }
    return false;
}

/* ---- memory ---- */

static uint64_t read_hex(const char **s)
{
    uint64_t n = 0;

    for (;; ++*s) {
        unsigned digit = **s >= '0' && **s <= '9'   ? (unsigned)(**s - '0')
                         : **s >= 'a' && **s <= 'f' ? (unsigned)(**s - 'a' + 10)
                                                    : 16;

        if (digit == 16)
            return n;
        n = n << 4 | digit;
    }
}

static uint64_t last_start, last_end;

static bool take_mapping(const char *line)
{
    unsigned how = 0;

    if (line[0] < 'A' || line[0] >= 'a') { /* "7f00-7f10 rw-p ..." */
        last_start = read_hex(&line);
        line++;
        last_end = read_hex(&line);
        return true;
    }
    if (!pl_text_starts(line, "VmFlags:"))
        return true;
    for (line = pl_text_word(line, 1); *line != '\0'; line = pl_text_word(line, 1)) {
        how |= pl_text_starts(line, "wf") ? WIPED : 0;
        how |= pl_text_starts(line, "dc") ? NOT_COPIED : 0;
        how |= pl_text_starts(line, "lo") ? LOCKED : 0;
        how |= pl_text_starts(line, "io") || pl_text_starts(line, "pf") ? SPECIAL : 0;
    }
    if (how == 0 || how >= SPECIAL) /* what the kernel has made so cannot be changed */
        return true;
    if (n_ranges == RANGES)
        return false;
    ranges[n_ranges].start = last_start;
    ranges[n_ranges].size = last_end - last_start;
    ranges[n_ranges++].how = how;
    return true;
}

static uint64_t locked_kilobytes;

static bool take_status(const char *line)
{
    if (!pl_text_starts(line, "VmLck:"))
        return true;
    for (line += pl_text_length("VmLck:"); *line == ' ' || *line == '\t'; line++) {
    }
    for (; *line >= '0' && *line <= '9'; line++)
        locked_kilobytes = locked_kilobytes * 10 + (uint64_t)(*line - '0');
    return false;
}

static void advise(unsigned how, int advice)
{
    for (unsigned i = 0; i < n_ranges; i++) {
        if ((ranges[i].how & how) != 0)
            pl_sys(SYS_madvise, ranges[i].start, ranges[i].size, advice);
    }
}

/* Whether processes that have lost their parent become its children. */
static int is_reaper;

static const char *find_obstacle(void)
{
    PL_ASSERT(!pl_stage->restart.runner);
    n_records = n_known = 0;
    if (!each_line("/proc/locks", take_lock) || !note_records())
        return "it has locked a file before its first thread, and a copy would not have the lock";
    if (is_told())
        return "it is told of a descriptor by a signal, as asked for before its first thread";
    if (!pl_stage->restart.testing && pl_about_open_from(PL_FDS_MAX))
        return "it has opened descriptors with high numbers before its first thread";
    if (!pl_stage->restart.testing && any_open(pl_about_watches))
        return "it is told of files by a descriptor from before its first thread";
    if (!pl_stage->restart.testing && any_open(pl_about_takes_faults))
        return "it is told of page faults by a descriptor from before its first thread";
    pl_sys(SYS_prctl, PR_GET_CHILD_SUBREAPER, &is_reaper);
    n_ranges = 0;
    locked_kilobytes = 0;
    each_line("/proc/self/status", take_status);
    if (!pl_stage->restart.advised && locked_kilobytes == 0)
        return NULL;
    if (!each_line("/proc/self/smaps", take_mapping))
        return "it has much memory that is not copied";
    advise(WIPED, MADV_KEEPONFORK);
    advise(NOT_COPIED, MADV_DOFORK);
    return NULL;
}

const char *pl_copy_begin(void)
{
    const char *why = find_obstacle();

    if (why == NULL)
        give_records();
    return why;
}

static void advise_again(void)
{
    advise(WIPED, MADV_WIPEONFORK);
    advise(NOT_COPIED, MADV_DONTFORK);
}

void pl_copy_complete(void)
{
    advise_again();
    pl_copy_lock();
    for (unsigned i = 0; i < n_ranges; i++) {
        if ((ranges[i].how & LOCKED) != 0)
            pl_sys(SYS_mlock, ranges[i].start, ranges[i].size);
    }
    if (is_reaper)
        pl_sys(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
}

void pl_copy_end(void)
{
    pl_copy_lock();
    advise_again();
}
