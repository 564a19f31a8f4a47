/* SPDX-License-Identifier: MIT */
/* See folder.h. */
#include "engine/shared/folder.h"

#include "base/assert.h"
#include "model/finding.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* .plait-PID-N.tmp: what is left of a schedule whose writer was killed; see trace/schedule.h. */
static bool is_left_over(const char *name)
{
    unsigned n;
    int end = 0;

    return sscanf(name, ".plait-%u-%u.tmp%n", &n, &n, &end) == 2 && end > 0 && name[end] == '\0';
}

/* What stands before the number; 0 when nothing of ours does. */
static size_t length_of_start(const char *name)
{
    static const char *const starts[] = {"finding-", "passing-", "first-", "second-", "shown-"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return strlen(starts[i]);
    }
    return 0;
}

/* 0123456789abcdef.inputs: what schedules of an earlier campaign refer to. */
static bool is_inputs(const char *name)
{
    return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".inputs") == 0;
}

/* finding-DIGITS-KIND.plait, passing-DIGITS-KIND.plait, and so on. */
bool pl_folder_is_ours(const char *name)
{
    static const char end[] = ".plait";

    if (is_left_over(name) || is_inputs(name))
        return true;
    if (length_of_start(name) == 0)
        return false;
    name += length_of_start(name);
    size_t digits = strspn(name, "0123456789");

    if (digits < 3 || name[digits] != '-')
        return false;
    name += digits + 1;
    for (unsigned kind = 0; kind < PL_FINDING_KINDS; kind++) {
        size_t n = strlen(pl_finding_text(kind));

        if (strncmp(name, pl_finding_text(kind), n) == 0 && strcmp(name + n, end) == 0)
            return true;
    }
    return false;
}

static int make_folders(const char *path, struct pl_err *err)
{
    char partial[PATH_MAX];
    struct stat st;

    if (snprintf(partial, sizeof(partial), "%s", path) >= (int)sizeof(partial))
        return pl_err_set(err, PL_ERR_USER, "the folder's name is too long. Choose a shorter one.");
    for (char *p = partial + 1;; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char c = *p;

        *p = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST)
            return pl_err_set(err, PL_ERR_USER,
                              "the folder %s cannot be made: %s. Choose another with --output.",
                              partial, strerror(errno));
        *p = c;
        if (c == '\0')
            break;
    }
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode) || access(path, W_OK | X_OK) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%s is not a folder that can be written to. Choose another with "
                          "--output.",
                          path);
    return 0;
}

int pl_folder_prepare(const char *path, struct pl_err *err)
{
    if (path[0] == '\0')
        return pl_err_set(err, PL_ERR_USER, "the folder's name is empty. Give --output a name.");
    if (make_folders(path, err) != 0)
        return -1;
    DIR *folder = opendir(path);
    struct dirent *entry;

    if (folder == NULL)
        return pl_err_set(err, PL_ERR_USER, "the folder %s cannot be read: %s. Choose another.",
                          path, strerror(errno));
    while ((entry = readdir(folder)) != NULL) {
        if (pl_folder_is_ours(entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    closedir(folder);
    return 0;
}

static void name_file(const char *path, const char *start, unsigned number, const char *kind,
                      char *to, size_t size)
{
    size_t n = strlen(path);

    PL_ASSERT(n > 0 && kind[0] != '\0');
    while (n > 1 && path[n - 1] == '/')
        n--;
    snprintf(to, size, "%.*s/%s-%03u-%s.plait", (int)n, path, start, number, kind);
}

void pl_folder_schedule(const char *path, unsigned number, const char *kind, char *to, size_t size)
{
    name_file(path, "finding", number, kind, to, size);
}

void pl_folder_shown(const char *path, unsigned number, char *to, size_t size)
{
    PL_ASSERT(number > 0);
    name_file(path, "shown", number, pl_finding_text(PL_FINDING_ORDER), to, size);
}

void pl_folder_passing(const char *path, unsigned number, const char *kind, char *to, size_t size)
{
    PL_ASSERT(number > 0);
    name_file(path, "passing", number, kind, to, size);
}

void pl_folder_order(const char *path, unsigned number, const char *kind, unsigned which, char *to,
                     size_t size)
{
    PL_ASSERT(which < 2);
    name_file(path, which == 0 ? "first" : "second", number, kind, to, size);
}
