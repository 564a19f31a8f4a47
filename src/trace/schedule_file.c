/* SPDX-License-Identifier: MIT */
/*
 * Schedules on disk.
 *
 * A file being written first has no name at all (O_TMPFILE) and gets one when
 * it is complete and on the disk: whatever is killed, no half file is seen and
 * none is left over.  Where the file system cannot do that, or another file
 * has to be replaced, it has a hidden name for a moment.
 */
#include "trace/schedule.h"

#include "trace/schedule_inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_regular(const char *path, struct pl_err *err)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC); /* a FIFO must not hang us */
    struct stat st;

    if (fd < 0 && errno == ENOENT)
        return pl_err_set(err, PL_ERR_USER,
                          "there is no file '%s'. `plait test` says where it puts schedules; by "
                          "default that is .plait/PROG/latest.",
                          path);
    if (fd < 0 || fstat(fd, &st) != 0) {
        pl_err_set(err, PL_ERR_USER, "cannot read '%s': %s. Name a file that you may read.", path,
                   strerror(errno));
    } else if (S_ISDIR(st.st_mode)) {
        pl_err_set(err, PL_ERR_USER, "'%s' is a folder. Name one of the .plait files in it.", path);
    } else if (!S_ISREG(st.st_mode)) {
        pl_err_set(err, PL_ERR_USER, "'%s' is not a regular file. Name a .plait file.", path);
    } else if (st.st_size > PL_SCHEDULE_FILE_MAX) {
        pl_err_set(err, PL_ERR_USER,
                   "'%s' is larger than any schedule (%d bytes). Name a .plait file written by "
                   "`plait test`.",
                   path, PL_SCHEDULE_FILE_MAX);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* All of the file, or NULL with errno.  It may change its size meanwhile. */
static char *read_all(int fd, size_t *size)
{
    char *data = NULL;
    size_t n = 0, room = 0;

    for (;;) {
        if (room - n < 4096 && room <= PL_SCHEDULE_FILE_MAX) {
            char *bigger = realloc(data, 2 * room + (64 << 10));

            if (!bigger)
                break;
            data = bigger;
            room = 2 * room + (64 << 10);
        }

        ssize_t got = read(fd, data + n, room - n);

        if (got == 0) {
            *size = n;
            return data;
        }
        if (got < 0 && errno != EINTR)
            break;
        n += got > 0 ? (size_t)got : 0;
        if (got > 0 && memchr(data + n - got, '\0', (size_t)got) != NULL) {
            *size = n; /* no schedule has such a byte: what there is of it will be refused */
            return data;
        }
        if (n > PL_SCHEDULE_FILE_MAX) {
            errno = EFBIG;
            break;
        }
    }
    free(data);
    return NULL;
}

int pl_schedule_read(const char *path, struct pl_schedule *s, struct pl_err *err)
{
    size_t size = 0;
    int fd = open_regular(path, err);

    pl_schedule_init(s);
    if (fd < 0)
        return -1;

    char *data = read_all(fd, &size);
    int failure = errno;

    close(fd);
    if (!data)
        return pl_err_set(err, PL_ERR_USER, "cannot read '%s': %s. Name a file that you may read.",
                          path, strerror(failure));

    int rc = pl_schedule_parse(data, size, s, err);

    free(data);
    if (rc == 0 && pl_schedule_inputs_read(s, path, err) != 0) {
        pl_schedule_free(s);
        rc = -1;
    }
    return rc == 0 ? 0 : pl_err_prefix(err, "%s", path);
}

/* A file being written. */
struct draft {
    int folder, fd;
    const char *base; /* final name in the folder */
    char name[64];    /* name of the draft in the folder, or "" while it has none */
};

/* Call create(d) with fresh names until it does not say that there is such a file. */
static int with_fresh_name(struct draft *d, int (*create)(struct draft *d))
{
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(d->name, sizeof(d->name), ".plait-%ld-%u.tmp", (long)getpid(), i);
        if (create(d) == 0)
            return 0;
        if (errno != EEXIST)
            break;
    }
    d->name[0] = '\0';
    return -1;
}

static int create_named(struct draft *d)
{
    d->fd = openat(d->folder, d->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return d->fd < 0 ? -1 : 0;
}

static int link_as(const struct draft *d, const char *name)
{
    char self[64];

    snprintf(self, sizeof(self), "/proc/self/fd/%d", d->fd);
    return linkat(AT_FDCWD, self, d->folder, name, AT_SYMLINK_FOLLOW);
}

static int link_named(struct draft *d)
{
    return link_as(d, d->name);
}

static int open_draft(struct draft *d, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");

    d->base = slash ? slash + 1 : path;
    if (!folder)
        return -1;
    d->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (d->folder < 0)
        return -1;
    if (access("/proc/self/fd", X_OK) == 0) /* else it could not get its name */
        d->fd = openat(d->folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
    return d->fd >= 0 ? 0 : with_fresh_name(d, create_named);
}

/* Give the complete draft its final name, in place of whatever has it now. */
static int publish(struct draft *d)
{
    if (fsync(d->fd) != 0)
        return -1;
    if (d->name[0] == '\0') {
        if (link_as(d, d->base) == 0)
            return fsync(d->folder);
        if (errno != EEXIST || with_fresh_name(d, link_named) != 0)
            return -1;
    }
    if (renameat(d->folder, d->name, d->folder, d->base) != 0)
        return -1;
    d->name[0] = '\0';
    return fsync(d->folder);
}

static int write_draft(struct draft *d, const char *path, const struct pl_schedule *s,
                       struct pl_err *err)
{
    int copy = dup(d->fd);
    FILE *to = copy < 0 ? NULL : fdopen(copy, "w");

    if (!to) {
        if (copy >= 0)
            close(copy);
        return pl_err_set(err, PL_ERR_USER, "cannot write '%s': %s.", path, strerror(errno));
    }

    int rc = pl_schedule_print(to, s, err);

    if (fclose(to) != 0 && rc == 0)
        rc = pl_err_set(err, PL_ERR_USER, "cannot write: %s. Is there room on the disk?",
                        strerror(errno));
    if (rc != 0)
        return pl_err_prefix(err, "%s", path);
    if (publish(d) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "cannot write '%s': %s. Name another folder with --output.", path,
                          strerror(errno));
    return 0;
}

int pl_schedule_write(const char *path, const struct pl_schedule *s, struct pl_err *err)
{
    struct draft d = {.folder = -1, .fd = -1};
    struct stat st;
    int rc;

    if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        return pl_err_set(err, PL_ERR_USER,
                          "'%s' exists and is not a regular file. Name another file.", path);
    if (pl_schedule_inputs_write(s, path, err) != 0)
        return -1;
    if (open_draft(&d, path) != 0)
        rc = pl_err_set(err, PL_ERR_USER,
                        "cannot write '%s': %s. Name another folder with --output.", path,
                        strerror(errno));
    else
        rc = write_draft(&d, path, s, err);
    if (d.name[0] != '\0')
        unlinkat(d.folder, d.name, 0);
    if (d.fd >= 0)
        close(d.fd);
    if (d.folder >= 0)
        close(d.folder);
    return rc;
}
