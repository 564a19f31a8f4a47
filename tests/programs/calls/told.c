/* SPDX-License-Identifier: MIT */
/*
 * Files below /proc tell about the process what its threads do.  Where that is done by calls, both
 * orders happen; where it is memory, threads or signals, the verdict names the file.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=5
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=5
 *
 * RUN    -DMORE=maps plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.file./proc/self/maps.at.*told.c
 *
 * RUN    -DMORE=status plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.file./proc/self/status.at.*told.c
 *
 * RUN    -DMORE=task plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.file./proc/self/task.at.*told.c
 *
 * RUN    -DMORE=mem plait test -s dpor
 * EXPECT clean incomplete ended~but.for.the.file./proc/self/mem.at.*told.c
 *
 * RUN    -DMORE=cmdline plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <dirent.h>
#include <stdint.h>
#include <sys/resource.h>

#ifdef MORE
#define TEXT(x) #x
#define FILE_OF(x) "/proc/self/" TEXT(x)

static char memory[8];

static long look(void)
{
    DIR *folder = opendir(FILE_OF(MORE));
    char some[64];
    int file;

    if (folder != NULL) {
        MUST(readdir(folder) != NULL);
        return closedir(folder);
    }
    file = open(FILE_OF(MORE), O_RDONLY);
    MUST(file >= 0 && pread(file, some, sizeof(memory), (off_t)(uintptr_t)memory) >= 0);
    return close(file);
}

ORDER(more, (void)0, return look(), return 0)
ORDERS(&order_more)
#else
static int file;
static long before;

/* The number behind a word. */
static long number(const char *path, const char *word)
{
    char text[4096];
    int about = open(path, O_RDONLY);
    ssize_t n = read(about, text, sizeof(text) - 1);

    MUST(n > 0 && close(about) == 0);
    text[n] = '\0';
    const char *at = strstr(text, word);

    MUST(at != NULL);
    return strtol(at + strlen(word), NULL, 10);
}

static long entries(const char *path)
{
    DIR *folder = opendir(path);
    long n = 0;

    MUST(folder != NULL);
    while (readdir(folder) != NULL)
        n++;
    closedir(folder);
    return n;
}

static void open_zero(void)
{
    file = open("/proc/self/exe", O_RDONLY);
    MUST(file >= 0);
}

static long position(void)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", file);
    return number(path, "pos:");
}

static long lower(void)
{
    struct rlimit limit = {0};

    MUST(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = 77;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

static long adjust(void)
{
    int about = open("/proc/self/oom_score_adj", O_WRONLY);

    return said(write(about, "500", 3));
}

static long folder_is(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/cwd", path, sizeof(path));

    return n >= 4 && memcmp(path + n - 4, "/dev", 4) == 0;
}

ORDER(fdinfo, open_zero(), return lseek(file, 5, SEEK_SET), return position())
ORDER(limits, (void)0, return lower(), return number("/proc/self/limits", "Max open files"))
ORDER(fd, before = entries("/proc/self/fd"), return dup(0) > 0,
      return entries("/proc/self/fd") - before)
ORDER(oom_score_adj, (void)0, return adjust(), return number("/proc/self/oom_score_adj", ""))
ORDER(cwd, (void)0, return chdir("/dev"), return folder_is())
ORDERS(&order_fdinfo, &order_limits, &order_fd, &order_oom_score_adj, &order_cwd)
#endif
