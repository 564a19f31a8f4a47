/* SPDX-License-Identifier: MIT */
/* See said.h. */
#include "engine/findings/said.h"

#include "base/assert.h"
#include "base/err.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINES = 30,         /* of each, with a finding */
    BYTES = 4000,       /* of those */
    ALL = 1 << 20,      /* bytes where all of it is wanted */
    FILE_MAX = 1 << 26, /* bytes of a file; of more the last */
};

/* The last lines, at most so many, in at most so many bytes. */
static void take_end(struct pl_result_said *to, const char *text, size_t size, size_t lines,
                     size_t bytes)
{
    size_t begin = size;

    to->lines = 0;
    for (size_t i = 0; i < size; i++)
        to->lines += text[i] == '\n' || i + 1 == size;
    for (size_t n = 0; begin > 0 && size - begin < bytes; begin--) {
        if (text[begin - 1] == '\n' && begin < size && ++n == lines)
            break;
    }
    free(to->text);
    to->text = pl_err_must(malloc(size - begin + 1));
    for (size_t i = begin; i < size; i++)
        to->text[i - begin] = (char)(text[i] != '\0' ? text[i] : '?'); /* it is a string now */
    to->text[size - begin] = '\0';
    to->shown = 0;
    for (size_t i = begin; i < size; i++)
        to->shown += text[i] == '\n' || i + 1 == size;
}

/* NAME.stdout for NAME.plait; false when it cannot be written. */
static bool keep(struct pl_result_said *to, const char *schedule, const char *end, const char *text,
                 size_t size)
{
    size_t n = strlen(schedule), left = size < FILE_MAX ? size : FILE_MAX;
    const char *from = text + (size - left);

    if (n > 6 && strcmp(schedule + n - 6, ".plait") == 0)
        n -= 6;
    if (snprintf(to->path, sizeof(to->path), "%.*s.%s", (int)n, schedule, end) >=
        (int)sizeof(to->path))
        return false;
    unlink(to->path); /* of the schedule before it was made simpler */
    int fd = open(to->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    while (fd >= 0 && left > 0) {
        ssize_t written = write(fd, from, left);

        if (written <= 0)
            break;
        from += written;
        left -= (size_t)written;
    }
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && left > 0)
        unlink(to->path);
    return fd >= 0 && left == 0;
}

static void take(struct pl_result_said *to, int fd, const char *schedule, const char *end, bool all)
{
    struct stat st;
    size_t size = fstat(fd, &st) == 0 && st.st_size > 0 ? (size_t)st.st_size : 0;
    void *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

    free(to->text);
    *to = (struct pl_result_said){0};
    if (text == MAP_FAILED)
        return;
    take_end(to, text, size, all ? ALL : LINES, all ? ALL : BYTES);
    if (schedule != NULL && !keep(to, schedule, end, text, size))
        to->path[0] = '\0';
    munmap(text, size);
}

void pl_said_take(struct pl_result_finding *finding, const struct pl_session *session,
                  const char *schedule, bool all)
{
    const struct pl_worker_files *files = &session->slots[0].files;

    PL_ASSERT(session->n_slots == 1);
    take(&finding->out, files->out, schedule, "stdout", all);
    take(&finding->err, files->err, schedule, "stderr", all);
}

void pl_said_read(struct pl_result_said *out, struct pl_result_said *err,
                  const struct pl_session *session)
{
    const struct pl_worker_files *files = &session->slots[0].files;

    take(out, files->out, NULL, "", true);
    take(err, files->err, NULL, "", true);
}
