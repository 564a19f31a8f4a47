/* SPDX-License-Identifier: MIT */
#include "runtime/system/file_times.h"

#include "base/sys.h"
#include "runtime/core/clock.h"
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
    uint64_t time = f->rooted == 0 || real <= f->rooted ? PL_CLOCK_REAL * SECOND : pl_stage->now;

    if (known == NULL)
        return time;
    if (known->real[which] != real) {
        bool again = known->real[which] != 0;

        known->real[which] = real;
        known->shown[which] = again ? pl_stage->now : time;
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
    return modified > time && modified <= pl_stage->now ? modified : time;
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

/* Its content has changed just now. */
static void changed(const struct stat *st)
{
    struct pl_file_time *known = S_ISREG(st->st_mode) ? find(st->st_dev, st->st_ino) : NULL;

    if (known == NULL)
        return;
    known->real[MODIFIED] = pl_clock_ns(&st->st_mtim);
    known->shown[MODIFIED] = known->shown[CHANGED] = pl_stage->now;
}

/* Something else about it, or its name. */
static void touched(int folder, const char *path)
{
    struct stat st = {0}; /* so that the kernel may write there */
    int flags = path == NULL ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW;

    if (pl_sys(SYS_newfstatat, folder, path == NULL ? "" : path, &st, flags) != 0)
        return;
    struct pl_file_time *known = find(st.st_dev, st.st_ino);

    if (known != NULL)
        known->shown[CHANGED] = pl_stage->now;
}

static void changed_by(uint64_t fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) == 0)
        changed(&st);
}

static void opened(uint64_t fd, uint64_t flags)
{
    struct stat st = {0};

    if ((flags & (O_CREAT | O_TRUNC)) == 0 || pl_sys(SYS_fstat, fd, &st) != 0)
        return;
    if ((flags & O_TRUNC) != 0)
        changed(&st);
    pl_file_times_told(&st); /* it may be new */
}

static void appeared(int folder, uint64_t path)
{
    struct stat st = {0};

    if (pl_sys(SYS_newfstatat, folder, path, &st, AT_SYMLINK_NOFOLLOW) == 0)
        pl_file_times_told(&st);
}

static void cut(uint64_t path)
{
    struct stat st = {0};

    if (pl_sys(SYS_stat, path, &st) == 0)
        changed(&st);
}

void pl_file_times_made(long number, const uint64_t a[6], long result)
{
    if (result < 0 || !is_on())
        return;
    switch (number) {
    case SYS_stat:
    case SYS_lstat:
    case SYS_fstat:
        pl_file_times_told((struct stat *)a[1]);
        break;
    case SYS_newfstatat:
        pl_file_times_told((struct stat *)a[2]);
        break;
    case SYS_statx:
        pl_file_times_told_more((struct statx *)a[4]);
        break;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_sendfile:
        changed_by(a[0]);
        break;
    case SYS_copy_file_range:
    case SYS_splice:
        changed_by(a[2]);
        break;
    case SYS_truncate:
        cut(a[0]);
        break;
    case SYS_creat:
        opened((uint64_t)result, O_CREAT | O_TRUNC);
        break;
    case SYS_open:
        opened((uint64_t)result, a[1]);
        break;
    case SYS_openat:
        opened((uint64_t)result, a[2]);
        break;
    case SYS_chmod:
    case SYS_chown:
        touched(AT_FDCWD, (const char *)a[0]);
        break;
    case SYS_fchmod:
    case SYS_fchown:
        touched((int)a[0], NULL);
        break;
    case SYS_fchmodat:
    case SYS_fchownat:
    case SYS_utimensat:
        touched((int)a[0], (const char *)a[1]);
        break;
    case SYS_rename:
    case SYS_link:
        touched(AT_FDCWD, (const char *)a[1]);
        break;
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_linkat:
        touched((int)a[2], (const char *)a[3]);
        break;
    case SYS_mkdir:
        appeared(AT_FDCWD, a[0]);
        break;
    case SYS_mkdirat:
        appeared((int)a[0], a[1]);
        break;
    default:
        break;
    }
}
