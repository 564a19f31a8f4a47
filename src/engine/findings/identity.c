/* SPDX-License-Identifier: MIT */
/* See identity.h.  Texts have places as FILE:LINE: each counts as what stands there. */
#include "engine/findings/identity.h"

#include "base/assert.h"
#include "base/hash.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT = 4 * PL_RESULT_TEXT };

void pl_identity_statement(char *to, size_t size, const char *line)
{
    char quote = 0;
    size_t n = 0;

    PL_ASSERT(size > 0);
    for (const char *p = line; *p != '\0' && *p != '\n' && n + 2 < size; p++) {
        if (quote == 0 && p[0] == '/' && p[1] == '/')
            break;
        if (quote == 0 && p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");

            if (end == NULL)
                break;
            p = end + 1;
            continue;
        }
        if (quote == 0 && isspace((unsigned char)*p)) {
            if (n > 0 && to[n - 1] != ' ')
                to[n++] = ' ';
            continue;
        }
        if (quote != 0 && p[0] == '\\' && p[1] != '\0')
            to[n++] = *p++;
        else if (quote == *p)
            quote = 0;
        else if (quote == 0 && (*p == '"' || *p == '\''))
            quote = *p;
        to[n++] = *p;
    }
    while (n > 0 && to[n - 1] == ' ')
        n--;
    to[n] = '\0';
}

/* The text of a line; false when there is none.  What is no regular file is not opened. */
static bool read_line(const char *file, unsigned number, char *to, size_t size)
{
    struct stat st;
    char *line = NULL;
    size_t room = 0;
    bool found = false;

    if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *from = fopen(file, "re");

    while (from != NULL && number > 0 && getline(&line, &room, from) >= 0) {
        if (--number == 0) {
            pl_identity_statement(to, size, line);
            found = true;
        }
    }
    free(line);
    if (from != NULL)
        fclose(from);
    return found;
}

/* Where "FILE:LINE" ends, if it begins here; NULL when it does not. */
static const char *end_of_place(const char *at, size_t *file)
{
    size_t n = strcspn(at, " \t,;()'`");
    const char *colon = memchr(at, ':', n);

    while (colon != NULL && !isdigit((unsigned char)colon[1]))
        colon = memchr(colon + 1, ':', n - (size_t)(colon + 1 - at));
    if (colon == NULL || colon == at)
        return NULL;
    *file = (size_t)(colon - at);
    return colon + 1 + strspn(colon + 1, "0123456789");
}

static void append(char *to, const char *text, size_t n)
{
    size_t used = strlen(to);

    if (used + n >= TEXT)
        n = TEXT - 1 - used;
    memcpy(to + used, text, n);
    to[used + n] = '\0';
}

/* A place as its statement, or where there is no source, as nothing: the function is named too. */
static void append_place(char *to, const char *at, size_t file)
{
    char path[PL_RESULT_TEXT], statement[PL_RESULT_TEXT];

    if (file >= sizeof(path))
        return;
    memcpy(path, at, file);
    path[file] = '\0';
    if (read_line(path, (unsigned)strtoul(at + file + 1, NULL, 10), statement, sizeof(statement)))
        append(to, statement, strlen(statement));
}

uint64_t pl_identity_text(const char *text)
{
    char plain[TEXT] = "";
    bool begins = true;

    while (*text != '\0') {
        size_t file;
        const char *end = begins ? end_of_place(text, &file) : NULL;

        if (end != NULL) {
            append_place(plain, text, file);
            text = end;
        } else if (text[0] == '0' && text[1] == 'x' && begins) {
            text += 2 + strspn(text + 2, "0123456789abcdefABCDEF");
        } else {
            begins = strchr(" \t,;()'`", *text) != NULL;
            append(plain, text++, 1);
        }
    }
    return pl_hash_text(plain);
}

static uint64_t add(uint64_t hash, const char *text)
{
    return pl_hash_add(hash, pl_identity_text(text));
}

/* "thread 0.1" and "block 3 of thread 0.1 from a.c:7": which thread it is may change. */
static uint64_t add_object(uint64_t hash, const char *object)
{
    const char *from = strstr(object, " from ");

    if (strncmp(object, "thread ", 7) == 0 || strncmp(object, "stack of ", 9) == 0)
        return pl_hash_add(hash, 1);
    if (strncmp(object, "block ", 6) == 0)
        return add(hash, from != NULL ? from : "block");
    return add(hash, object);
}

uint64_t pl_identity_of(const struct pl_result_finding *f)
{
    uint64_t hash = add(pl_hash_text(f->kind), f->message), parts = 0;

    if (f->n_threads == 0) /* else it is that of one of them */
        hash = add(hash, f->location);
    hash = add_object(hash, f->object);
    for (size_t i = 0; i < f->n_threads; i++) { /* in any order */
        const struct pl_result_thread *t = &f->threads[i];
        uint64_t part = add(add(pl_hash_text(t->operation), t->waits), t->location);

        parts += pl_hash_mix(add_object(part, t->object));
    }
    for (size_t i = 0; i < f->n_accesses; i++) {
        const struct pl_result_access *a = &f->accesses[i];
        uint64_t part = add(pl_hash_text(a->operation), a->location);

        parts += pl_hash_mix(add_object(part, a->object));
    }
    return pl_hash_add(hash, parts) | 1;
}
