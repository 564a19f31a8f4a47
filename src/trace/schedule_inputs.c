/* SPDX-License-Identifier: MIT */
/*
 * What a schedule has of the inputs of its execution.  A small image stands in
 * the file itself, as lines of base64; a larger one in a file beside it, named
 * after what is in it, so that schedules of the same execution share it.
 */
#include "trace/schedule_inputs.h"

#include "base/assert.h"
#include "trace/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHAT_TO_DO \
    "Copy it again together with the schedule, or find the bug again with `plait test`."

static unsigned char *make_room(struct pl_schedule *s)
{
    PL_ASSERT(s->inputs_size > 0 && s->inputs_size <= PL_IMAGE_MAX);
    if (s->own_inputs == NULL)
        s->own_inputs = malloc(s->inputs_size);
    s->failed |= s->own_inputs == NULL;
    return s->own_inputs;
}

const char *pl_schedule_inputs_announce(struct pl_schedule *s, uint64_t size, uint64_t hash)
{
    if (size == 0 || size > PL_IMAGE_MAX)
        return "inputs cannot be of that size";
    s->inputs_size = size;
    s->inputs_hash = hash;
    return NULL;
}

const char *pl_schedule_inputs_add(struct pl_schedule *s, const char *text)
{
    if (s->inputs_size == 0 || s->inputs_size > PL_SCHEDULE_INPUTS_INSIDE)
        return "nothing says that there are inputs here";
    if (make_room(s) == NULL)
        return NULL;
    long n = pl_image_decode(s->own_inputs + s->n_inputs, s->inputs_size - s->n_inputs, text);

    if (n < 0)
        return "this is no base64, or more of it than there should be";
    PL_ASSERT(s->n_inputs + (size_t)n <= s->inputs_size);
    s->n_inputs += (size_t)n;
    return NULL;
}

static const char *check(const struct pl_schedule *s)
{
    if (pl_image_hash(s->own_inputs, s->inputs_size) != s->inputs_hash)
        return "its checksum is another one";
    return pl_image_check(s->own_inputs, s->inputs_size);
}

const char *pl_schedule_inputs_check(struct pl_schedule *s)
{
    const char *wrong = NULL;

    if (s->inputs_file != NULL || s->inputs_size == 0)
        return s->inputs_file != NULL && s->inputs_size == 0 ? "nothing says how large they are"
                                                             : NULL;
    if (s->n_inputs != s->inputs_size)
        wrong = "some of them are missing";
    else
        wrong = check(s);
    if (wrong == NULL)
        s->inputs = s->own_inputs;
    return wrong;
}

static void path_beside(char *to, size_t size, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');

    snprintf(to, size, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
}

static int refuse(struct pl_err *err, const char *path, const char *why)
{
    return pl_err_set(err, PL_ERR_USER, "the inputs in '%s' are of no use: %s. " WHAT_TO_DO, path,
                      why);
}

/* All of it into own_inputs. */
static int load(struct pl_schedule *s, int fd, const char *path, struct pl_err *err)
{
    struct stat st;
    char why[100];

    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return refuse(err, path, "it is no regular file");
    if ((uint64_t)st.st_size != s->inputs_size) {
        snprintf(why, sizeof(why), "it has %lld bytes instead of %zu", (long long)st.st_size,
                 s->inputs_size);
        return refuse(err, path, why);
    }
    if (make_room(s) == NULL)
        return pl_err_set(err, PL_ERR_USER, "memory ran out. Free some and try again.");
    while (s->n_inputs < s->inputs_size) {
        ssize_t n = read(fd, s->own_inputs + s->n_inputs, s->inputs_size - s->n_inputs);

        if (n <= 0)
            return refuse(err, path, "it cannot be read");
        s->n_inputs += (size_t)n;
    }
    const char *wrong = check(s);

    return wrong != NULL ? refuse(err, path, wrong) : 0;
}

int pl_schedule_inputs_read(struct pl_schedule *s, const char *schedule, struct pl_err *err)
{
    char path[4096];

    if (s->inputs_file == NULL)
        return 0;
    path_beside(path, sizeof(path), schedule, s->inputs_file);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

    if (fd < 0)
        return pl_err_set(
            err, PL_ERR_USER,
            "what the program read is in '%s', which cannot be opened: %s. " WHAT_TO_DO, path,
            strerror(errno));
    int rc = load(s, fd, path, err);

    close(fd);
    if (rc == 0)
        s->inputs = s->own_inputs;
    return rc;
}

void pl_schedule_inputs_name(const struct pl_schedule *s, char to[PL_SCHEDULE_INPUTS_NAME])
{
    PL_ASSERT(s->inputs != NULL && s->n_inputs > 0);
    snprintf(to, PL_SCHEDULE_INPUTS_NAME, "%016" PRIx64 ".inputs",
             pl_image_hash(s->inputs, s->n_inputs));
}

static bool is_there(const char *path, size_t size)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size == size;
}

/* Under another name first: a file of this name is always whole. */
int pl_schedule_inputs_write(const struct pl_schedule *s, const char *schedule, struct pl_err *err)
{
    char name[PL_SCHEDULE_INPUTS_NAME], path[4096], draft[4200];
    size_t done = 0;

    if (s->inputs == NULL || s->n_inputs <= PL_SCHEDULE_INPUTS_INSIDE)
        return 0;
    pl_schedule_inputs_name(s, name);
    path_beside(path, sizeof(path), schedule, name);
    if (is_there(path, s->n_inputs))
        return 0;
    snprintf(draft, sizeof(draft), "%s.%ld", path, (long)getpid());
    int fd = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

    while (fd >= 0 && done < s->n_inputs) {
        ssize_t n = write(fd, s->inputs + done, s->n_inputs - done);

        if (n <= 0)
            break;
        done += (size_t)n;
    }
    bool good = fd >= 0 && done == s->n_inputs && fsync(fd) == 0 && rename(draft, path) == 0;
    int failure = errno;

    if (fd >= 0)
        close(fd);
    if (good)
        return 0;
    unlink(draft);
    return pl_err_set(err, PL_ERR_USER, "cannot write '%s': %s. Name another folder with --output.",
                      path, strerror(failure));
}
