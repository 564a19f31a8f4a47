/* SPDX-License-Identifier: MIT */
/* See lines.h. */
#include "engine/shared/lines.h"

#include "base/assert.h"
#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pl_lines_each(const char *path, const char *what,
                  int (*add)(void *context, const char *text, unsigned number, struct pl_err *err),
                  void *context, struct pl_err *err)
{
    PL_ASSERT(path != NULL && add != NULL);
    FILE *f = pl_file_open(path, PL_FILE_MOST);
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    int rc = 0;

    if (f == NULL)
        return pl_err_set(err, PL_ERR_USER, "%s %s cannot be opened: %s. Give another file.", what,
                          path, strerror(errno));
    for (unsigned number = 1; rc == 0 && (n = getline(&line, &room, f)) >= 0; number++) {
        char *start = line + strspn(line, " \t");

        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (start < line + n && *start != '#')
            rc = add(context, start, number, err);
    }
    if (rc == 0 && ferror(f))
        rc =
            pl_err_set(err, PL_ERR_USER, "%s %s cannot be read. Give a readable file.", what, path);
    free(line);
    fclose(f);
    return rc;
}
