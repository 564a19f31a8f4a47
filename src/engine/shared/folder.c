/* SPDX-License-Identifier: MIT */
/* See folder.h. */
#include "engine/shared/folder.h"

#include "base/assert.h"
#include "model/finding.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LONGEST = 250,    /* letters of a folder's path: with a file's it is still a line of a result */
    SAME_NAME = 1000, /* programs */
};
#define SUITE "suite/" /* whose home it is; the path of no program ends like that */

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
    static const char *const ends[] = {".plait", ".stdout", ".stderr"};

    if (is_left_over(name) || is_inputs(name) || strcmp(name, PL_FOLDER_RESULT) == 0 ||
        strcmp(name, PL_FOLDER_MARK) == 0)
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

        for (unsigned i = 0; strncmp(name, pl_finding_text(kind), n) == 0 && i < 3; i++) {
            if (strcmp(name + n, ends[i]) == 0)
                return true;
        }
    }
    return false;
}

unsigned pl_folder_number(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    unsigned long n =
        digits >= 3 && digits <= 9 && name[digits] == '\0' ? strtoul(name, NULL, 10) : 0;

    return (unsigned)n;
}

int pl_folder_make(const char *path, struct pl_err *err)
{
    char partial[PATH_MAX];
    struct stat st;

    if (path[0] == '\0')
        return pl_err_set(err, PL_ERR_USER, "the folder's name is empty. Give --output a name.");
    if (snprintf(partial, sizeof(partial), "%s", path) >= LONGEST)
        return pl_err_set(err, PL_ERR_USER, "the folder's name is too long. Choose a shorter one.");
    for (char *p = partial + 1;; p++) {
        if (*p != '/' && *p != '\0')
            continue;
        char c = *p;

        *p = '\0';
        if (mkdir(partial, 0700) != 0 && errno != EEXIST)
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

/* ---- the home of a program ---- */

/*
 * What is written into a home: the program's path, from the folder in which .plait is if it is
 * below that, so that both can be moved together.
 */
static int identity_of(char to[PATH_MAX], const char *program, struct pl_err *err)
{
    char *whole = realpath(program, NULL), *here = realpath(".", NULL);
    size_t n = here != NULL ? strlen(here) : 0;

    if (whole == NULL || here == NULL) {
        free(whole);
        free(here);
        return pl_err_set(err, PL_ERR_TARGET, "%.300s cannot be found: %s. Check the path.",
                          program, strerror(errno));
    }
    bool below = n > 1 && strncmp(whole, here, n) == 0 && whole[n] == '/';

    snprintf(to, PATH_MAX, "%s", below ? whole + n + 1 : whole);
    free(whole);
    free(here);
    return 0;
}

/* Nothing that lies here leads elsewhere. */
static bool is_real_folder(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum claim { CLAIM_OURS, CLAIM_TAKEN, CLAIM_FAILED };

/* Who lives there stands in a file; who makes that file has it. */
static enum claim claim(const char *home, const char *identity)
{
    char path[PATH_MAX + 16], said[PATH_MAX + 32] = "", mine[PATH_MAX + 32];

    if (mkdir(home, 0700) != 0 && errno != EEXIST)
        return CLAIM_FAILED;
    if (!is_real_folder(home))
        return CLAIM_TAKEN;
    snprintf(mine, sizeof(mine), PL_FOLDER_HOME_LINE "%s\n", identity);
    snprintf(path, sizeof(path), "%s/" PL_FOLDER_PROGRAM, home);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd >= 0) {
        bool written = dprintf(fd, "%s", mine) > 0;

        close(fd);
        if (!written)
            unlink(path);
        return written ? CLAIM_OURS : CLAIM_FAILED;
    }
    if (errno != EEXIST)
        return CLAIM_FAILED;
    fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, said, sizeof(said) - 1) : -1;

    if (fd >= 0)
        close(fd);
    said[n > 0 ? n : 0] = '\0';
    return strcmp(said, mine) == 0 ? CLAIM_OURS : CLAIM_TAKEN;
}

/* .plait/NAME, or .plait/NAME-2 and so on. */
static int find_home(char to[PATH_MAX], const char *name, const char *identity, struct pl_err *err)
{
    if (pl_folder_make(PL_FOLDER_ROOT, err) != 0)
        return -1;
    if (!is_real_folder(PL_FOLDER_ROOT))
        return pl_err_set(err, PL_ERR_USER,
                          PL_FOLDER_ROOT " is a link, which is not followed. Name the folder with "
                                         "--output.");
    for (unsigned i = 1; i <= SAME_NAME; i++) {
        char end[16] = "";

        if (i > 1)
            snprintf(end, sizeof(end), "-%u", i);
        snprintf(to, PATH_MAX, PL_FOLDER_ROOT "/%.200s%s", name, end);
        switch (claim(to, identity)) {
        case CLAIM_OURS:
            return 0;
        case CLAIM_FAILED:
            return pl_err_set(err, PL_ERR_USER,
                              "%s cannot be written to: %s. Choose another folder with --output.",
                              to, strerror(errno));
        case CLAIM_TAKEN:
            break;
        }
    }
    return pl_err_set(err, PL_ERR_USER,
                      PL_FOLDER_ROOT " has results of %d other programs of this name. Choose a "
                                     "folder with --output.",
                      (int)SAME_NAME);
}

int pl_folder_home(char to[PATH_MAX], const char *program, struct pl_err *err)
{
    const char *slash = strrchr(program, '/');
    char identity[PATH_MAX];

    if (identity_of(identity, program, err) != 0)
        return -1;
    return find_home(to, slash != NULL ? slash + 1 : program, identity, err);
}

int pl_folder_suite(char to[PATH_MAX], struct pl_err *err)
{
    return find_home(to, "suite", SUITE, err);
}

void pl_folder_reserve(const char *path)
{
    claim(path, SUITE);
}

/* ---- the folder of a campaign ---- */

/* A campaign in the home itself is the first. */
static unsigned last_number(DIR *home)
{
    unsigned last = 0;

    for (struct dirent *e = readdir(home); e != NULL; e = readdir(home)) {
        unsigned n = pl_folder_number(e->d_name);

        if (n == 0 && pl_folder_is_ours(e->d_name))
            n = 1;
        last = n > last ? n : last;
    }
    return last;
}

/*
 * What makes the folder one of a campaign, for whoever looks for those; locked, so that nobody
 * takes it for an old one.
 */
static int mark(struct pl_folder *folder, const char *about)
{
    folder->mark = openat(folder->fd, PL_FOLDER_MARK,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (folder->mark < 0)
        return -1;
    flock(folder->mark, LOCK_EX | LOCK_NB);
    return dprintf(folder->mark, PL_FOLDER_MARK_LINE "%s", about) >= 0 ? 0 : -1;
}

static void let_go(struct pl_folder *folder)
{
    if (folder->mark >= 0)
        close(folder->mark);
    if (folder->fd >= 0)
        close(folder->fd);
    folder->fd = folder->mark = -1;
}

/* The folder at folder->path is this campaign's, unless there is another's mark. */
static int take(struct pl_folder *folder, const char *about)
{
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder->fd >= 0 && mark(folder, about) == 0)
        return 0;
    int error = errno;

    let_go(folder);
    errno = error;
    return -1;
}

int pl_folder_begin(struct pl_folder *folder, const char *home, bool named, const char *about,
                    struct pl_err *err)
{
    size_t n = strlen(home);

    *folder = (struct pl_folder){.fd = -1, .mark = -1};
    if (pl_folder_make(home, err) != 0)
        return -1;
    while (n > 1 && home[n - 1] == '/')
        n--;
    snprintf(folder->home, sizeof(folder->home), "%.*s", (int)n, home);
    DIR *dir = opendir(home);

    if (dir == NULL)
        return pl_err_set(err, PL_ERR_USER, "the folder %s cannot be read: %s. Choose another.",
                          home, strerror(errno));
    unsigned number = last_number(dir) + 1;
    int rc = -1;

    closedir(dir);
    if (named && number == 1) {
        snprintf(folder->path, sizeof(folder->path), "%s", folder->home);
        if (take(folder, about) == 0)
            return 0;
        number += errno == EEXIST;
    }
    for (unsigned tries = 0; rc != 0 && tries < 10000; tries++, number++) {
        if (snprintf(folder->path, sizeof(folder->path), "%s/%03u", folder->home, number) >=
            LONGEST)
            break;
        rc = mkdir(folder->path, 0700);
        if (rc != 0 && errno != EEXIST)
            break;
    }
    if (rc != 0 || take(folder, about) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s cannot be written to: %s. Choose another folder with --output.",
                          folder->path, strerror(errno));
    return 0;
}

void pl_folder_publish(struct pl_folder *folder)
{
    char link[PATH_MAX + 16], draft[PATH_MAX + 40];
    const char *name = strrchr(folder->path, '/');
    struct stat st;

    PL_ASSERT(folder->fd >= 0);
    if (folder->published)
        return;
    folder->published = true;
    snprintf(link, sizeof(link), "%s/" PL_FOLDER_LATEST, folder->home);
    if (lstat(link, &st) == 0 && !S_ISLNK(st.st_mode))
        return; /* the user's own */
    snprintf(draft, sizeof(draft), "%s/.plait-%u-0.tmp", folder->home, (unsigned)getpid());
    unlink(draft);
    if (symlink(strcmp(folder->path, folder->home) == 0 ? "." : name + 1, draft) == 0 &&
        rename(draft, link) != 0)
        unlink(draft);
}

void pl_folder_end(struct pl_folder *folder)
{
    if (folder->fd < 0)
        return;
    if (!folder->published && pl_folder_is_bare(folder->fd)) {
        unlinkat(folder->fd, PL_FOLDER_MARK, 0);
        if (strcmp(folder->path, folder->home) != 0)
            rmdir(folder->path);
    }
    let_go(folder);
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
