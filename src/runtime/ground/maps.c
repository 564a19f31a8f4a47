/* SPDX-License-Identifier: MIT */
/* See maps.h. */
#include "runtime/ground/maps.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"

#include <fcntl.h>
#include <sys/uio.h>

/* "7f00-7f10 rw-p 0000 00:00 0  path" */
static void hand_over(const char *line, pl_maps_each *each, void *arg)
{
    uint64_t start, end;
    const char *p = pl_text_hex(line, &start);

    p = pl_text_hex(p + 1, &end) + 1;
    each(arg, start, end, p);
}

bool pl_maps_own(uint64_t start, const char *access)
{
    return pl_text_contains(access, "memfd:plait-") ||
           (start >= PL_MAPS_JOURNAL && start < PL_MAPS_KEPT_END);
}

/* A line that is cut off by the end of the buffer is completed by the next part, if there is room.
 */
static bool walk(const char *path, char *text, size_t size, pl_maps_each *each, void *arg)
{
    long fd = pl_sys(SYS_open, path, O_RDONLY | O_CLOEXEC, 0), n;
    size_t have = 0;
    bool cut = false; /* the rest of the line is not wanted */

    PL_ASSERT(size >= 256);
    if (fd < 0)
        return false;
    while ((n = pl_sys(SYS_read, fd, text + have, size - 1 - have)) > 0) {
        size_t line = 0;

        have += (size_t)n;
        for (size_t i = 0; i < have; i++) {
            if (text[i] != '\n')
                continue;
            text[i] = '\0';
            if (!cut)
                hand_over(text + line, each, arg);
            cut = false;
            line = i + 1;
        }
        pl_memory_move(text, text + line, have - line);
        have -= line;
        if (have == size - 1) {
            text[have] = '\0';
            if (!cut)
                hand_over(text, each, arg);
            cut = true;
            have = 0;
        }
    }
    pl_sys(SYS_close, fd);
    return true;
}

bool pl_maps_walk(char *text, size_t size, pl_maps_each *each, void *arg)
{
    return walk("/proc/self/maps", text, size, each, arg);
}

struct attached {
    uint64_t id;
    uint64_t n;
};

/* "rw-s 00000000 00:01 32770  /SYSV00000000": the inode is the segment's number. */
static void count(void *arg, uint64_t start, uint64_t end, const char *access)
{
    struct attached *a = arg;
    uint64_t inode = 0;

    if (!pl_text_contains(access, "/SYSV"))
        return;
    for (const char *p = pl_text_word(access, 3); *p >= '0' && *p <= '9'; p++)
        inode = inode * 10 + (uint64_t)(*p - '0');
    a->n += inode == a->id;
}

uint64_t pl_maps_attached(const char *path, uint64_t id)
{
    char text[2048] = {0}; /* so that the kernel may write there */
    struct attached a = {.id = id};

    walk(path, text, sizeof(text), count, &a);
    return a.n;
}

struct asked {
    uint64_t addr;
    enum pl_maps_has has;
};

static void look(void *arg, uint64_t start, uint64_t end, const char *access)
{
    struct asked *a = arg;

    if (a->addr >= start && a->addr < end)
        a->has = access[0] != 'r'   ? PL_MAPS_CLOSED
                 : access[3] == 's' ? PL_MAPS_SHARED
                                    : PL_MAPS_PRIVATE;
}

enum pl_maps_has pl_maps_at(const char *path, uint64_t addr)
{
    char text[2048] = {0}; /* so that the kernel may write there */
    struct asked a = {.addr = addr};

    walk(path, text, sizeof(text), look, &a);
    return a.has;
}

bool pl_maps_has_memory(uint64_t addr)
{
    unsigned char byte = 0; /* so that the kernel may write there */
    struct iovec here = {&byte, 1}, there = {(void *)addr, 1};
    long self = pl_sys(SYS_getpid);

    return pl_sys(SYS_process_vm_readv, self, &here, 1, &there, 1, 0) == 1;
}
