/* SPDX-License-Identifier: MIT */
/*
 * What lies in results folders: listed, and removed.  Nothing here follows a link, and of a folder
 * without the mark of a campaign nothing is removed.
 */
#include "engine/shared/folder.h"

#include "base/assert.h"
#include "base/err.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DEPTH = 6,         /* of folders: a suite has its tests, these their campaigns */
    KEPT = 1000,       /* campaigns with schedules */
    KEPT_WITHOUT = 50, /* and without; so that not every campaign removes one, ten go at once */
    LEFT_WITHOUT = 40,
    KEPT_MB = 2048,     /* all of them together */
    NAMES_MAX = 100000, /* in a folder */
    DRAFT_SECONDS = 60, /* a writer on another machine is done by then */
};

struct names {
    char **at;
    size_t n;
};

static int by_name(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    unsigned m = pl_folder_number(x), n = pl_folder_number(y);

    return m != n ? (m < n ? -1 : 1) : strcmp(x, y);
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* The names in a folder, sorted; none when it cannot be read. */
static struct names names_of(int fd)
{
    struct names list = {0};
    int copy = open_folder(fd, ".");
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;

    if (dir == NULL && copy >= 0)
        close(copy);
    for (struct dirent *e = dir ? readdir(dir) : NULL; e != NULL && list.n < NAMES_MAX;
         e = readdir(dir)) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        list.at = pl_err_must(realloc(list.at, (list.n + 1) * sizeof(*list.at)));
        list.at[list.n++] = pl_err_must(strdup(e->d_name));
    }
    if (dir != NULL)
        closedir(dir);
    if (list.n > 0)
        qsort(list.at, list.n, sizeof(*list.at), by_name);
    return list;
}

static void free_names(struct names *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    free(list->at);
}

static bool is_finding(const char *name)
{
    size_t n = strlen(name);

    return strncmp(name, "finding-", 8) == 0 && n > 6 && strcmp(name + n - 6, ".plait") == 0 &&
           pl_folder_is_ours(name);
}

bool pl_folder_is_bare(int fd)
{
    struct names list = names_of(fd);
    bool bare = true;

    for (size_t i = 0; i < list.n; i++)
        bare = bare && (!pl_folder_is_ours(list.at[i]) || strcmp(list.at[i], PL_FOLDER_MARK) == 0);
    free_names(&list);
    return bare;
}

/* A file that plait has written begins with its line. */
static bool is_written(int fd, const char *line)
{
    char said[64] = "";
    struct stat st;
    size_t n = strlen(line);

    PL_ASSERT(n < sizeof(said));
    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
           pread(fd, said, n, 0) == (ssize_t)n && memcmp(said, line, n) == 0;
}

static int open_file(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* ---- one campaign ---- */

struct past {
    unsigned findings, schedules;
    uint64_t bytes;
};

/* Its folder, or -1: it is none, or of a campaign that is under way; "." is the home itself. */
static int open_past(int home, const char *name)
{
    bool may = pl_folder_number(name) != 0 || strcmp(name, ".") == 0;
    int fd = may ? open_folder(home, name) : -1;

    if (fd < 0)
        return -1;
    int mark = open_file(fd, PL_FOLDER_MARK);
    bool over = is_written(mark, PL_FOLDER_MARK_LINE) && flock(mark, LOCK_EX | LOCK_NB) == 0;

    if (mark >= 0)
        close(mark);
    if (over)
        return fd;
    close(fd);
    return -1;
}

static struct past look_at(int fd)
{
    struct names list = names_of(fd);
    struct past past = {0};
    struct stat st;

    for (size_t i = 0; i < list.n; i++) {
        if (fstatat(fd, list.at[i], &st, AT_SYMLINK_NOFOLLOW) == 0)
            past.bytes += (uint64_t)st.st_size;
        past.findings += is_finding(list.at[i]);
        past.schedules += strstr(list.at[i], ".plait") != NULL;
    }
    free_names(&list);
    return past;
}

static void remove_past(int home, const char *name, int fd, struct pl_folder_removed *removed)
{
    struct names list = names_of(fd);

    for (size_t i = 0; i < list.n; i++) {
        if (!pl_folder_is_ours(list.at[i]) || unlinkat(fd, list.at[i], 0) != 0)
            continue;
        removed->findings += is_finding(list.at[i]);
    }
    removed->campaigns++;
    if (strcmp(name, ".") != 0)
        unlinkat(home, name, AT_REMOVEDIR); /* what is not ours keeps it */
    free_names(&list);
}

/* A link to what is gone is no use. */
static void forget_latest(int home)
{
    char to[32];
    ssize_t n = readlinkat(home, PL_FOLDER_LATEST, to, sizeof(to) - 1);
    struct stat st;

    if (n <= 0)
        return;
    to[n] = '\0';
    bool gone = strcmp(to, ".") == 0
                    ? fstatat(home, PL_FOLDER_MARK, &st, AT_SYMLINK_NOFOLLOW) != 0
                    : pl_folder_number(to) != 0 && fstatat(home, to, &st, AT_SYMLINK_NOFOLLOW) != 0;

    if (gone)
        unlinkat(home, PL_FOLDER_LATEST, 0);
}

/* ---- a home ---- */

static unsigned count_without(int home, const struct names *list)
{
    unsigned n = 0;

    for (size_t i = 0; i < list->n; i++) {
        int fd = open_past(home, list->at[i]);

        if (fd < 0)
            continue;
        n += look_at(fd).schedules == 0;
        close(fd);
    }
    return n;
}

/* Files that somebody was writing here when he was killed. */
static void sweep(int home, const struct names *list)
{
    for (size_t i = 0; i < list->n; i++) {
        int pid = 0, end = 0;
        struct stat st;

        if (sscanf(list->at[i], ".plait-%d-%*u.tmp%n", &pid, &end) == 1 && end > 0 && pid > 0 &&
            list->at[i][end] == '\0' && fstatat(home, list->at[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            st.st_uid == geteuid() && time(NULL) - st.st_mtime >= DRAFT_SECONDS &&
            kill(pid, 0) != 0)
            unlinkat(home, list->at[i], 0);
    }
}

struct pl_folder_removed pl_folder_bound(const char *path)
{
    struct pl_folder_removed removed = {0};
    int home = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct names list = {0};
    unsigned with = 0, without = 0;
    uint64_t bytes = 0;

    if (home < 0)
        return removed;
    list = names_of(home);
    bool crowded = count_without(home, &list) > KEPT_WITHOUT;

    for (size_t i = list.n; i-- > 0;) { /* the newest first */
        int fd = open_past(home, list.at[i]);

        if (fd < 0)
            continue;
        struct past past = look_at(fd);
        unsigned before = past.schedules > 0 ? ++with : ++without;

        bytes += past.bytes;
        if (before > (past.schedules > 0 ? KEPT
                      : crowded          ? LEFT_WITHOUT
                                         : KEPT_WITHOUT) ||
            (bytes >> 20 > KEPT_MB && with + without > 1))
            remove_past(home, list.at[i], fd, &removed);
        close(fd);
    }
    sweep(home, &list);
    free_names(&list);
    forget_latest(home);
    close(home);
    return removed;
}

/* What belongs to all campaigns of a home. */
enum { OTHERS = 100 };
static const char *const lasting[] = {"coverage.json", "pairs.json"};

static bool names_program(int home)
{
    int fd = open_file(home, PL_FOLDER_PROGRAM);
    bool does = is_written(fd, PL_FOLDER_HOME_LINE);

    if (fd >= 0)
        close(fd);
    return does;
}

/* Campaigns of this home, and where none is left, what says whose home it was. */
static void clean_home(int home, const struct names *list, unsigned keep, bool coverage,
                       struct pl_folder_removed *removed)
{
    unsigned left = 0;

    for (size_t i = list->n + 1; i-- > 0;) { /* the newest first; the home itself is the oldest */
        const char *name = i > 0 ? list->at[i - 1] : ".";
        int fd = open_past(home, name);

        if (fd < 0)
            continue;
        if (left < keep)
            left++;
        else
            remove_past(home, name, fd, removed);
        close(fd);
    }
    forget_latest(home);
    bool empty = true;

    for (size_t i = 0; i < sizeof(lasting) / sizeof(lasting[0]); i++) {
        if (coverage)
            unlinkat(home, lasting[i], 0);
        empty = empty && faccessat(home, lasting[i], F_OK, 0) != 0;
    }
    for (unsigned i = 2; coverage && i <= OTHERS; i++) { /* where the home is of several programs */
        char name[32];

        snprintf(name, sizeof(name), "coverage-%u.json", i);
        unlinkat(home, name, 0);
    }

    for (size_t i = 0; i < list->n && empty; i++)
        empty = pl_folder_number(list->at[i]) == 0 || faccessat(home, list->at[i], F_OK, 0) != 0;
    if (empty && names_program(home))
        unlinkat(home, PL_FOLDER_PROGRAM, 0);
}

static bool is_home(int fd, const struct names *list)
{
    if (names_program(fd))
        return true;
    for (size_t i = 0; i <= list->n; i++) {
        int past = open_past(fd, i < list->n ? list->at[i] : ".");

        if (past >= 0) {
            close(past);
            return true;
        }
    }
    return false;
}

static void clean_below(int fd, unsigned depth, unsigned keep, bool coverage,
                        struct pl_folder_removed *removed)
{
    struct names list = names_of(fd);

    if (is_home(fd, &list))
        clean_home(fd, &list, keep, coverage, removed);
    for (size_t i = 0; i < list.n && depth < DEPTH; i++) {
        int below = pl_folder_number(list.at[i]) == 0 ? open_folder(fd, list.at[i]) : -1;

        if (below < 0)
            continue;
        clean_below(below, depth + 1, keep, coverage, removed);
        close(below);
        unlinkat(fd, list.at[i], AT_REMOVEDIR); /* which it does only if nothing is left */
    }
    free_names(&list);
}

struct pl_folder_removed pl_folder_clean(const char *path, unsigned keep, bool coverage)
{
    struct pl_folder_removed removed = {0};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        clean_below(fd, 0, keep, coverage, &removed);
        close(fd);
    }
    return removed;
}

/* ---- all findings ---- */

struct walk {
    bool (*found)(void *context, const char *path);
    void *context;
    bool ended;
};

static void walk_below(struct walk *w, int fd, const char *path, unsigned depth)
{
    struct names list = names_of(fd);

    for (size_t i = 0; i < list.n && !w->ended; i++) {
        char *inside;
        struct stat st;

        if (fstatat(fd, list.at[i], &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (asprintf(&inside, "%s/%s", path, list.at[i]) < 0)
            abort();
        if (S_ISREG(st.st_mode) && is_finding(list.at[i]))
            w->ended = !w->found(w->context, inside);
        int below = S_ISDIR(st.st_mode) && depth < DEPTH ? open_folder(fd, list.at[i]) : -1;

        if (below >= 0) {
            walk_below(w, below, inside, depth + 1);
            close(below);
        }
        free(inside);
    }
    free_names(&list);
}

void pl_folder_each_finding(const char *path, bool (*found)(void *context, const char *path),
                            void *context)
{
    struct walk w = {found, context, false};
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    size_t n = strlen(path);

    PL_ASSERT(found != NULL);
    while (n > 1 && path[n - 1] == '/')
        n--;
    char *plain = pl_err_must(strndup(path, n));

    if (fd >= 0) {
        walk_below(&w, fd, plain, 0);
        close(fd);
    }
    free(plain);
}
