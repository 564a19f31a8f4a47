/* SPDX-License-Identifier: MIT */
/*
 * Source files are read once and kept.  A schedule may name anything, such as
 * a device or a pipe: only regular files of a sensible size are read, and only
 * so many.
 */
#include "report/source.h"

#include "base/assert.h"
#include "report/fit.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1024, FILE_SIZE = 8 << 20, PATH_SIZE = 1024 };

struct source_file {
    char path[PATH_SIZE];
    char *text; /* NULL when there is none to be had */
    size_t size;
    uint32_t *lines; /* offset of each */
    size_t n_lines;
};

struct pl_source {
    struct source_file files[FILES];
    unsigned n_files;
};

struct pl_source *pl_source_open(void)
{
    return calloc(1, sizeof(struct pl_source));
}

void pl_source_close(struct pl_source *source)
{
    for (unsigned i = 0; source && i < source->n_files; i++) {
        free(source->files[i].text);
        free(source->files[i].lines);
    }
    free(source);
}

static char *read_text(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    char *text = NULL;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_SIZE)
        text = malloc((size_t)st.st_size + 1);
    for (*size = 0; text && *size < (size_t)st.st_size;) {
        ssize_t got = read(fd, text + *size, (size_t)st.st_size - *size);

        if (got <= 0)
            break;
        *size += (size_t)got;
    }
    if (text)
        text[*size] = '\0';
    close(fd);
    return text;
}

static void find_lines(struct source_file *f)
{
    size_t n = 1;

    for (size_t i = 0; i < f->size; i++)
        n += f->text[i] == '\n';
    f->lines = malloc(n * sizeof(*f->lines));
    if (!f->lines)
        return;
    PL_ASSERT(f->n_lines == 0 && f->size <= FILE_SIZE);
    f->lines[f->n_lines++] = 0;
    for (size_t i = 0; i < f->size; i++) {
        if (f->text[i] == '\n')
            f->lines[f->n_lines++] = (uint32_t)i + 1;
    }
}

static struct source_file *find_file(struct pl_source *source, const char *path)
{
    for (unsigned i = 0; i < source->n_files; i++) {
        if (strcmp(source->files[i].path, path) == 0)
            return &source->files[i];
    }
    if (source->n_files == FILES || strlen(path) >= PATH_SIZE)
        return NULL;

    struct source_file *f = &source->files[source->n_files++];

    PL_ASSERT(source->n_files <= FILES);
    memcpy(f->path, path, strlen(path) + 1);
    f->text = read_text(path, &f->size);
    if (f->text)
        find_lines(f);
    return f;
}

/* The number at the end of the text, which is cut off together with its colon; 0 for none. */
static unsigned long cut_number(char *text)
{
    char *colon = strrchr(text, ':');
    char *end;

    if (!colon || colon[1] < '0' || colon[1] > '9')
        return 0;

    unsigned long number = strtoul(colon + 1, &end, 10);

    if (*end != '\0')
        return 0;
    *colon = '\0';
    return number;
}

bool pl_source_line(struct pl_source *source, const char *location, char *to, size_t size)
{
    char path[PATH_SIZE];
    size_t n = strlen(location);

    if (!source || n >= sizeof(path))
        return false;
    memcpy(path, location, n + 1);

    char *function = strstr(path, " (");

    if (function && path[n - 1] == ')')
        *function = '\0';

    unsigned long line = cut_number(path);
    unsigned long before = cut_number(path);
    struct source_file *f;

    if (before != 0) /* what came last was a column */
        line = before;
    if (line == 0 || path[0] == '\0' || !(f = find_file(source, path)) || line > f->n_lines)
        return false;

    const char *text = f->text + f->lines[line - 1];
    size_t length = strcspn(text, "\n");
    char copy[PL_FIT_TEXT];

    while (length > 0 && (*text == ' ' || *text == '\t')) {
        text++;
        length--;
    }
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    if (length >= sizeof(copy))
        length = sizeof(copy) - 1;
    memcpy(copy, text, length);
    copy[length] = '\0';
    pl_fit_clean(to, size, copy);
    return copy[0] != '\0';
}

size_t pl_source_lines(struct pl_source *source, const char *path)
{
    const struct source_file *f = source != NULL ? find_file(source, path) : NULL;

    if (f == NULL || f->n_lines == 0)
        return 0;
    return f->n_lines - (f->lines[f->n_lines - 1] == f->size); /* nothing after the last end */
}

const char *pl_source_text(struct pl_source *source, const char *path, size_t line, size_t *length)
{
    const struct source_file *f = find_file(source, path);
    PL_ASSERT(f != NULL && line >= 1 && line <= f->n_lines);
    const char *text = f->text + f->lines[line - 1];
    size_t end = line < f->n_lines ? f->lines[line] - 1 : f->size;

    PL_ASSERT(end >= f->lines[line - 1] && end <= f->size);
    *length = end - f->lines[line - 1];
    if (*length > 0 && text[*length - 1] == '\r')
        --*length;
    return text;
}
