/* SPDX-License-Identifier: MIT */
/* See cover_file.h. */
#include "engine/coverage/cover_file.h"

#include "base/assert.h"
#include "engine/shared/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void pl_cover_file_name(unsigned i, char to[32])
{
    PL_ASSERT(i > 0 && i <= PL_COVER_FILES);
    if (i == 1)
        snprintf(to, 32, "%s", PL_COVERED_FILE);
    else
        snprintf(to, 32, "coverage-%u.json", i);
}

/* Whether the set may be of the program; one that says nothing was written for whoever comes. */
static bool is_of(const struct pl_covered *set, const char *program)
{
    return program == NULL || set->program == NULL || strcmp(set->program, program) == 0;
}

int pl_cover_file_find(struct pl_covered *set, const char *folder, const char *program,
                       char path[PATH_MAX], bool *missing, struct pl_err *err)
{
    for (unsigned i = 1; i <= PL_COVER_FILES; i++) {
        struct pl_covered one = {0};
        struct stat st;
        char name[32];

        pl_cover_file_name(i, name);
        snprintf(path, PATH_MAX, "%.*s/%s", (int)(PATH_MAX - sizeof(name) - 1), folder, name);
        if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
            return pl_err_set(err, PL_ERR_USER,
                              "%.300s is a link, which is not followed. Choose another folder with "
                              "--output.",
                              path);
        int rc = pl_covered_read(&one, path, missing, err);
        bool found = rc == 0 && is_of(&one, program);

        if (found)
            pl_covered_merge(set, &one);
        pl_covered_free(&one);
        if (found || rc != 0)
            return *missing ? 0 : rc;
    }
    return pl_err_set(err, PL_ERR_USER,
                      "%.300s has coverage of %d other programs. Choose another folder with "
                      "--output.",
                      folder, (int)PL_COVER_FILES);
}

int pl_cover_file_read(struct pl_covered *set, const char *folder, const char *program,
                       bool *missing, struct pl_err *err)
{
    char path[PATH_MAX];
    int rc = pl_cover_file_find(set, folder, program, path, missing, err);

    if (rc == 0 && *missing && program != NULL)
        rc = pl_cover_file_find(set, folder, NULL, path, missing, err);
    return rc;
}

/* The program that a campaign says it is of. */
static bool read_program(FILE *mark, char to[PATH_MAX])
{
    static const char word[] = "program ";
    char line[PATH_MAX];

    while (fgets(line, sizeof(line), mark) != NULL) {
        if (strncmp(line, word, sizeof(word) - 1) != 0)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(to, PATH_MAX, "%s", line + sizeof(word) - 1);
        return true;
    }
    return false;
}

bool pl_cover_file_program(const char *folder, char to[PATH_MAX])
{
    static const char *const places[] = {"/" PL_FOLDER_LATEST "/", "/"};
    char path[PATH_MAX];
    bool found = false;

    for (unsigned i = 0; i < 2 && !found; i++) {
        snprintf(path, sizeof(path), "%s%s" PL_FOLDER_MARK, folder, places[i]);
        FILE *f = fopen(path, "re");

        found = f != NULL && read_program(f, to);
        if (f != NULL)
            fclose(f);
    }
    return found;
}
