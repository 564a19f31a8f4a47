/* SPDX-License-Identifier: MIT */
#include "runtime/system/file_times.h"

#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define SECOND UINT64_C(1000000000)

enum { ACCESSED, MODIFIED, CHANGED, BORN };

/* What the kernel stamps files with. */
static uint64_t real_now(void)
{
    struct timespec now = {0}; /* so that the kernel may write there */

    pl_sys(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &now);
    return pl_clock_ns(&now);
}

static bool is_on(void)
{
    return pl_on() && !pl_free && !pl_inputs_clocks_fed() && pl_stage->file_times.started != 0;
}

void pl_file_times_start(void)
{
    pl_stage->file_times.started = real_now();
}

void pl_file_times_root(void)
{
    pl_stage->file_times.rooted = real_now();
}

/* What is known of the file, or room for it; NULL: there is none. */
static struct pl_file_time *find(uint64_t device, uint64_t inode)
{
    struct pl_file_times *f = &pl_stage->file_times;

    inode = pl_journal_first_inode(device, inode);
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->known[i].inode == inode && f->known[i].device == device)
            return &f->known[i];
    }
    if (f->n == PL_FILE_TIMES)
        return NULL;
    f->known[f->n] = (struct pl_file_time){.device = device, .inode = inode};
    return &f->known[f->n++];
}

/* Since the program has begun; what lies ahead somebody has set. */
static bool is_stamp(uint64_t real)
{
    return real >= pl_stage->file_times.started && real <= real_now() + SECOND;
}

static uint64_t shown(uint64_t device, uint64_t inode, unsigned which, uint64_t real)
{
    const struct pl_file_times *f = &pl_stage->file_times;

    if (!is_stamp(real))
        return real;
    struct pl_file_time *known = find(device, inode);
    uint64_t time = f->rooted == 0 || real <= f->rooted ? PL_CLOCK_REAL * SECOND : pl_clock_shown();

    if (known == NULL)
        return time;
    if (known->real[which] != real) {
        bool again = known->real[which] != 0;

        known->real[which] = real;
        known->shown[which] = again ? pl_clock_shown() : time;
    }
    return known->shown[which];
}

/* When something about it has changed, its content included: as far as calls have done that, since
 * what puts files back between executions is stamped as well. */
static uint64_t shown_change(uint64_t device, uint64_t inode, uint64_t real, uint64_t modified)
{
    const struct pl_file_time *known = is_stamp(real) ? find(device, inode) : NULL;
    uint64_t time = PL_CLOCK_REAL * SECOND;

    if (!is_stamp(real))
        return real;
    if (known != NULL && known->shown[CHANGED] > time)
        time = known->shown[CHANGED];
    return modified > time && modified <= pl_clock_shown() ? modified : time;
}

static void show(const struct stat *st, unsigned which, struct timespec *time)
{
    *time = pl_clock_timespec(shown(st->st_dev, st->st_ino, which, pl_clock_ns(time)));
}

bool pl_file_times_told(struct stat *st)
{
    if (is_on()) {
        show(st, ACCESSED, &st->st_atim);
        show(st, MODIFIED, &st->st_mtim);
        st->st_ctim = pl_clock_timespec(shown_change(
            st->st_dev, st->st_ino, pl_clock_ns(&st->st_ctim), pl_clock_ns(&st->st_mtim)));
    }
    return true;
}

static struct timespec short_time(const struct statx_timestamp *time)
{
    return (struct timespec){time->tv_sec, time->tv_nsec};
}

static void set_extended(struct statx_timestamp *time, struct timespec to)
{
    time->tv_sec = to.tv_sec;
    time->tv_nsec = (uint32_t)to.tv_nsec;
}

bool pl_file_times_told_more(struct statx *x)
{
    if (!is_on())
        return true;
    struct stat st = {
        .st_dev = makedev(x->stx_dev_major, x->stx_dev_minor),
        .st_ino = x->stx_ino,
        .st_atim = short_time(&x->stx_atime),
        .st_mtim = short_time(&x->stx_mtime),
        .st_ctim = short_time(&x->stx_ctime),
    };
    struct timespec born = short_time(&x->stx_btime);

    pl_file_times_told(&st);
    set_extended(&x->stx_atime, st.st_atim);
    set_extended(&x->stx_mtime, st.st_mtim);
    set_extended(&x->stx_ctime, st.st_ctim);
    if ((x->stx_mask & STATX_BTIME) != 0) {
        show(&st, BORN, &born);
        set_extended(&x->stx_btime, born);
    }
    return true;
}

/* ---- what calls have done to files ---- */

/* A call that was made. */
struct made {
    long number;
    const uint64_t *a;
    long result;
};

/* What one of its paths leads to; false: nothing. */
static bool look_at(const struct made *m, unsigned which, int flags, struct stat *st)
{
    int folder;
    const char *path = pl_arguments_path(m->number, m->a, which, &folder);

    if (path == NULL || *path == '\0')
        flags |= AT_EMPTY_PATH;
    return pl_sys(SYS_newfstatat, folder, path == NULL ? "" : path, st,
                  flags & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) == 0;
}

/* Its content is another. */
static void change(const struct stat *st)
{
    struct pl_file_time *known = S_ISREG(st->st_mode) ? find(st->st_dev, st->st_ino) : NULL;

    if (known == NULL)
        return;
    known->real[MODIFIED] = pl_clock_ns(&st->st_mtim);
    known->shown[MODIFIED] = known->shown[CHANGED] = pl_clock_shown();
}

/* Something else about it is, or its name. */
static void touch(const struct stat *st)
{
    struct pl_file_time *known = find(st->st_dev, st->st_ino);

    if (known != NULL)
        known->shown[CHANGED] = pl_clock_shown();
}

static void change_open(uint64_t fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) == 0)
        change(&st);
}

static void written(const struct made *m)
{
    change_open(m->a[0]);
}

static void copied(const struct made *m)
{
    change_open(m->a[2]);
}

static void cut(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (look_at(m, 0, 0, &st))
        change(&st);
}

static uint64_t flags_of_opening(const struct made *m)
{
    return m->number == SYS_openat2 ? *(const uint64_t *)m->a[2]
                                    : pl_arguments_flags(m->number, m->a);
}

static void opened(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */
    uint64_t flags = flags_of_opening(m);

    if ((flags & (O_CREAT | O_TRUNC)) == 0 || pl_sys(SYS_fstat, m->result, &st) != 0)
        return;
    if ((flags & O_TRUNC) != 0)
        change(&st);
    pl_file_times_told(&st); /* it may be new */
}

static void touched(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (look_at(m, 0, pl_arguments_lookup(m->number, m->a), &st))
        touch(&st);
}

static void touched_open(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, m->a[0], &st) == 0)
        touch(&st);
}

/* By its new name, which is the second. */
static void named(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (look_at(m, 1, AT_SYMLINK_NOFOLLOW, &st))
        touch(&st);
}

static void appeared(const struct made *m)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (look_at(m, 0, AT_SYMLINK_NOFOLLOW, &st))
        pl_file_times_told(&st);
}

struct pl_file_times_loser pl_file_times_before(long number, const uint64_t a[6])
{
    static const struct {
        uint8_t path; /* plus 1 */
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define LOSES(which) .path = (which) + 1,
#include "runtime/ground/calls.def"
    };
    unsigned path = rules[pl_arguments_row(number)].path;
    struct stat st = {0}; /* so that the kernel may write there */

    if (path != 0 && is_on())
        look_at(&(struct made){number, a, 0}, path - 1, AT_SYMLINK_NOFOLLOW, &st);
    return (struct pl_file_times_loser){st.st_dev, st.st_ino};
}

void pl_file_times_lost(struct pl_file_times_loser loser)
{
    struct stat st = {.st_dev = loser.device, .st_ino = loser.inode};

    if (loser.inode != 0)
        touch(&st);
}

static void told(const struct made *m)
{
    const struct pl_arguments *c = pl_arguments_of(m->number);

    if (c->status != 0)
        pl_file_times_told((struct stat *)m->a[c->status - 1]);
    else
        pl_file_times_told_more((struct statx *)m->a[c->extended - 1]);
}

void pl_file_times_made(long number, const uint64_t a[6], long result)
{
    static const struct {
        void (*stamps)(const struct made *m);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define STAT(n) .stamps = told,
#define STATX(n) .stamps = told,
#define STAMPS(function) .stamps = function,
#include "runtime/ground/calls.def"
    };

    void (*stamps)(const struct made *m) = rules[pl_arguments_row(number)].stamps;

    if (result >= 0 && stamps != NULL && is_on())
        stamps(&(struct made){number, a, result});
}
