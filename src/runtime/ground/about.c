/* SPDX-License-Identifier: MIT */
/* See about.h. */
#include "runtime/ground/about.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/config.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

enum { PATH = 40, AT_ONCE = 256 };

/* The same for `n` numbers from `first` on. */
static void ask(bool *open, int first, unsigned n)
{
    struct pollfd p[AT_ONCE];

    PL_ASSERT(n <= AT_ONCE);
    for (unsigned i = 0; i < n; i++)
        p[i] = (struct pollfd){.fd = first + (int)i};
    /* More numbers than the limit on descriptors allows cannot be asked about together. */
    bool asked = pl_sys(SYS_poll, p, n, 0) >= 0;

    for (unsigned i = 0; i < n; i++)
        open[i] = asked ? (p[i].revents & POLLNVAL) == 0
                        : pl_sys(SYS_fcntl, first + (int)i, F_GETFD) >= 0;
}

void pl_about_open(bool *open, unsigned n)
{
    ask(open, 0, n);
}

int pl_about_same(int fd, int end, const struct stat *as)
{
    struct stat st = {0}; /* so that the kernel may write there */
    bool open[AT_ONCE];

    for (int from = fd; from < end; from += AT_ONCE) {
        int n = end - from < AT_ONCE ? end - from : AT_ONCE;

        ask(open, from, (unsigned)n);
        for (int i = 0; i < n; i++) {
            if (open[i] && pl_sys(SYS_fstat, from + i, &st) == 0 && st.st_ino == as->st_ino &&
                st.st_dev == as->st_dev)
                return from + i;
        }
    }
    return -1;
}

bool pl_about_any(long folder, pl_about_is *is, void *arg)
{
    char entries[1024] __attribute__((aligned(8))) = {0}; /* so that the kernel may write there */
    bool found = false;
    long n;

    while (!found && folder >= 0 &&
           (n = pl_sys(SYS_getdents64, folder, entries, sizeof(entries))) > 0) {
        for (long at = 0; at < n && !found; at += ((struct dirent64 *)(entries + at))->d_reclen) {
            const char *name = ((struct dirent64 *)(entries + at))->d_name;
            long number = 0;

            while (*name >= '0' && *name <= '9')
                number = number * 10 + (*name++ - '0');
            found = number != 0 && is(arg, number);
        }
    }
    return found;
}

struct from {
    long first, folder;
};

static bool is_programs(void *arg, long fd)
{
    const struct from *from = arg;

    return fd >= from->first && fd != from->folder && !pl_fd_is_own(fd);
}

bool pl_about_open_from(int first)
{
    long folder = pl_sys(SYS_open, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = pl_about_any(folder, is_programs, &(struct from){first, folder});

    PL_ASSERT(first > 0); /* or it would not be among them */
    if (folder >= 0)
        pl_sys(SYS_close, folder);
    return found;
}

uint64_t pl_about_lines(int fd, char *text, uint64_t size)
{
    char path[PATH];

    PL_ASSERT(size > 0);
    pl_memory_fill(text, 0, size); /* so that the kernel may write there */
    pl_text_format(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
    long in = pl_sys(SYS_open, path, O_RDONLY | O_CLOEXEC);
    long n = in >= 0 ? pl_sys(SYS_read, in, text, size - 1) : -1;

    if (in >= 0)
        pl_sys(SYS_close, in);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (uint64_t)n : 0;
}

const char *pl_about_link(int fd, char *text, uint64_t size)
{
    char path[PATH];

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    pl_memory_fill(text, 0, size); /* so that the kernel may write there */
    if (pl_sys(SYS_readlink, path, text, size - 1) < 0)
        text[0] = '\0';
    return text;
}

bool pl_about_is_set(int fd)
{
    char link[PL_ABOUT_NAMELESS];

    return pl_text_equal(pl_about_link(fd, link, sizeof(link)), "anon_inode:[eventpoll]");
}

bool pl_about_watches(int fd)
{
    char link[PL_ABOUT_NAMELESS];

    pl_about_link(fd, link, sizeof(link));
    return pl_text_equal(link, "anon_inode:inotify") ||
           pl_text_equal(link, "anon_inode:[fanotify]");
}

bool pl_about_takes_faults(int fd)
{
    char link[PL_ABOUT_NAMELESS];

    return pl_text_equal(pl_about_link(fd, link, sizeof(link)), "anon_inode:[userfaultfd]");
}

/* What stands behind the word, and blanks behind that; NULL when it does not come. */
static const char *behind(const char *s, const char *word)
{
    while (*s != '\0' && !pl_text_starts(s, word))
        s++;
    if (*s == '\0')
        return NULL;
    for (s += pl_text_length(word); *s == ' '; s++)
        ;
    return s;
}

int pl_about_member(const char **at)
{
    const char *s = behind(*at, "tfd:");
    int fd = 0;

    if (s == NULL)
        return -1;
    for (; *s >= '0' && *s <= '9'; s++)
        fd = fd * 10 + (*s - '0');
    *at = s;
    return fd;
}

uint64_t pl_about_registered(const char *at)
{
    static const char digits[] = "0123456789abcdef";
    const char *s = behind(at, "data:");
    uint64_t data = 0;

    for (; s != NULL; s++) {
        unsigned digit = 0;

        while (digit < 16 && digits[digit] != *s)
            digit++;
        if (digit == 16)
            break;
        data = data << 4 | digit;
    }
    return data;
}
