/* SPDX-License-Identifier: MIT */
/* See calls_mapped.h. */
#include "runtime/system/calls_mapped.h"

#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* As much of a call as is told apart; what is behind that is seldom what threads meet in. */
enum { MOST = 64 << 10 };

/* What a call does to the content of a file. */
struct transfer {
    uint64_t fd, from, size;
    bool writes;
    bool moves; /* the position, which is where it begins */
};

/* Which a call may do to two: from one to the other. */
enum { FILES = 2 };

static uint64_t length_of(const struct iovec *v, uint64_t n)
{
    uint64_t size = 0;

    for (uint64_t i = 0; i < n && n <= IOV_MAX; i++)
        size += v[i].iov_len;
    return size;
}

/* False: it is no transfer. */
static bool transfer_of(const struct pl_syscall *c, struct transfer *t)
{
    const struct iovec *v = (const struct iovec *)c->a[1];

    *t = (struct transfer){.fd = c->a[0]};
    switch (c->number) {
    case SYS_write:
        t->writes = true; /* fall through */
    case SYS_read:
        t->moves = true;
        t->size = c->a[2];
        return true;
    case SYS_writev:
        t->writes = true; /* fall through */
    case SYS_readv:
        t->moves = true;
        t->size = length_of(v, c->a[2]);
        return true;
    case SYS_pwrite64:
        t->writes = true; /* fall through */
    case SYS_pread64:
        t->from = c->a[3];
        t->size = c->a[2];
        return true;
    case SYS_pwritev:
    case SYS_pwritev2:
        t->writes = true; /* fall through */
    case SYS_preadv:
    case SYS_preadv2:
        t->from = c->a[3];
        t->moves = c->a[3] == UINT64_MAX;
        t->size = length_of(v, c->a[2]);
        return true;
    case SYS_ftruncate: /* what is behind the end can no longer be accessed, or can from now on */
        t->writes = true;
        t->from = c->a[1];
        t->size = MOST;
        return true;
    case SYS_fallocate:
        t->writes = true;
        t->from = c->a[2];
        t->size = c->a[3];
        return true;
    default:
        return false;
    }
}

/* One side of a transfer between two: where it begins is said in memory, or is the position. */
static struct transfer side(uint64_t fd, uint64_t place, uint64_t size, bool writes)
{
    const uint64_t *from = (const uint64_t *)place;

    return (struct transfer){fd, from != NULL ? *from : 0, size, writes, from == NULL};
}

/* How many transfers it is. */
static unsigned transfers_of(const struct pl_syscall *c, struct transfer t[FILES])
{
    switch (c->number) {
    case SYS_sendfile:
        t[0] = side(c->a[1], c->a[2], c->a[3], false);
        t[1] = side(c->a[0], 0, c->a[3], true);
        return 2;
    case SYS_copy_file_range:
    case SYS_splice:
        t[0] = side(c->a[0], c->a[1], c->a[4], false);
        t[1] = side(c->a[2], c->a[3], c->a[4], true);
        return 2;
    default:
        return transfer_of(c, t) ? 1 : 0;
    }
}

/*
 * Two calls that move the same position are in the order in which they are made, not in that of
 * their points: where they begin alike they count as writes.
 */
static void touch(uint64_t addr, uint64_t size, const struct transfer *t, uint64_t pc)
{
    struct pl_thread *self = pl_thread_self();
    bool changes = t->writes || t->moves;

    if (pl_shadow_shared(addr, size, changes, self))
        pl_sched_point(changes ? PL_OP_WRITE : PL_OP_READ, (const void *)addr, (uint32_t)size, 0,
                       pc);
    else
        self->ordinal++; /* events count the same, points or not */
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void touch_mapped(struct transfer *t, uint64_t pc)
{
    const struct pl_aliases *all = &pl_stage->aliases;
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, t->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    if (t->moves)
        t->from = (uint64_t)pl_sys(SYS_lseek, t->fd, 0, SEEK_CUR);
    uint64_t end = t->from + smaller(t->size, MOST);

    for (unsigned i = 0; i < all->n_mappings && t->from <= INT64_MAX; i++) {
        const struct pl_mapping *m = &all->mappings[i];
        uint64_t from = larger(t->from, m->offset), to = smaller(end, m->offset + m->size);
        uint64_t addr = m->start + (from - m->offset);

        /* One that shows what an earlier one does has that one's addresses. */
        if (m->device == st.st_dev && m->file == st.st_ino && from < to && pl_alias(addr) == addr)
            touch(addr, to - from, t, pc);
    }
}

void pl_mapped_touch(const struct pl_syscall *c, uint64_t pc)
{
    struct transfer all[FILES];

    if (pl_stage->aliases.n_mappings == 0 || pl_stage->n_unjoined <= 1 || pl_free)
        return;
    unsigned n = transfers_of(c, all);

    for (unsigned i = 0; i < n; i++)
        touch_mapped(&all[i], pc);
}
