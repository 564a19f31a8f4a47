/* SPDX-License-Identifier: MIT */
/* See calls_mapped.h. */
#include "runtime/system/calls_mapped.h"

#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/unmodelled.h"

#include <fcntl.h>
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
    bool moves;       /* the position, which is where it begins */
    const char *path; /* in place of fd, below this folder; or NULL */
    int folder;
};

/* Which a call may do to two: from one to the other. */
enum { FILES = 2 };

/* Each says what a call does, up to FILES transfers, and how many. */

static unsigned from_position(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    *t = (struct transfer){.fd = c->a[0], .size = c->a[2], .writes = writes, .moves = true};
    return 1;
}

static unsigned from_position_in_pieces(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    from_position(c, writes, t);
    t->size = pl_calls_bytes((const struct iovec *)c->a[1], c->a[2]);
    return 1;
}

static unsigned from_place(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    *t = (struct transfer){.fd = c->a[0], .from = c->a[3], .size = c->a[2], .writes = writes};
    return 1;
}

static unsigned from_place_in_pieces(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    from_place(c, writes, t);
    t->size = pl_calls_bytes((const struct iovec *)c->a[1], c->a[2]);
    t->moves = c->a[3] == UINT64_MAX;
    return 1;
}

/* What is behind the end can no longer be accessed, or can from now on. */
static unsigned behind_length(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    *t = (struct transfer){.fd = c->a[0], .from = c->a[1], .size = MOST, .writes = writes};
    return 1;
}

static unsigned cut(const struct pl_syscall *c, uint64_t length, struct transfer *t)
{
    *t = (struct transfer){.from = length, .size = MOST, .writes = true};
    t->path = pl_arguments_path(c->number, c->a, 0, &t->folder);
    return 1;
}

static unsigned behind_length_of_name(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    return cut(c, c->a[1], t);
}

static unsigned all_if_cut(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    return (pl_arguments_flags(c->number, c->a) & O_TRUNC) != 0 ? cut(c, 0, t) : 0;
}

static unsigned in_range(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    *t = (struct transfer){.fd = c->a[0], .from = c->a[2], .size = c->a[3], .writes = writes};
    return 1;
}

/* One side of a transfer between two: where it begins is said in memory, or is the position. */
static struct transfer side(uint64_t fd, uint64_t place, uint64_t size, bool writes)
{
    const uint64_t *from = (const uint64_t *)place;

    return (struct transfer){.fd = fd,
                             .from = from != NULL ? *from : 0,
                             .size = size,
                             .writes = writes,
                             .moves = from == NULL};
}

static unsigned sent(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    t[0] = side(c->a[1], c->a[2], c->a[3], false);
    t[1] = side(c->a[0], 0, c->a[3], true);
    return 2;
}

static unsigned moved(const struct pl_syscall *c, bool writes, struct transfer *t)
{
    t[0] = side(c->a[0], c->a[1], c->a[4], false);
    t[1] = side(c->a[2], c->a[3], c->a[4], true);
    return 2;
}

/* How many transfers it is. */
static unsigned transfers_of(const struct pl_syscall *c, struct transfer t[FILES])
{
    static const struct {
        unsigned (*bytes)(const struct pl_syscall *c, bool writes, struct transfer *t);
        bool writes;
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define READS_BYTES(function) .bytes = function,
#define WRITES_BYTES(function) .bytes = function, .writes = true,
#include "runtime/ground/calls.def"
    };

    unsigned row = pl_arguments_row(c->number);

    return rules[row].bytes != NULL ? rules[row].bytes(c, rules[row].writes, t) : 0;
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
    const struct pl_aliases *aliases = &pl_stage->aliases;
    struct stat st = {0}; /* so that the kernel may write there */

    long known = t->path != NULL ? pl_sys(SYS_newfstatat, t->folder, t->path, &st, 0)
                                 : pl_sys(SYS_fstat, t->fd, &st);

    if (known != 0 || !S_ISREG(st.st_mode))
        return;
    if (t->moves)
        t->from = (uint64_t)pl_sys(SYS_lseek, t->fd, 0, SEEK_CUR);
    uint64_t end = t->from + smaller(t->size, MOST);

    for (unsigned i = 0; i < aliases->n_mappings && t->from <= INT64_MAX; i++) {
        const struct pl_mapping *m = &aliases->mappings[i];
        uint64_t from = larger(t->from, m->offset), to = smaller(end, m->offset + m->size);
        uint64_t addr = m->start + (from - m->offset);

        /* One that shows what an earlier one does has that one's addresses. */
        if (m->device == st.st_dev && m->file == st.st_ino && from < to && pl_alias(addr) == addr)
            touch(addr, to - from, t, pc);
    }
    if (aliases->n_ended > 0 && end > t->from &&
        pl_alias_had(&(struct pl_mapping){
            .device = st.st_dev, .file = st.st_ino, .offset = t->from, .size = end - t->from}))
        pl_unmodelled("on a file that another unmaps", PL_UNMODELLED_CALL, pc);
}

void pl_mapped_touch(const struct pl_syscall *c, uint64_t pc)
{
    struct transfer t[FILES];

    if (pl_stage->aliases.n_mappings + pl_stage->aliases.n_ended == 0 ||
        pl_stage->n_unjoined <= 1 || pl_free)
        return;
    unsigned n = transfers_of(c, t);

    for (unsigned i = 0; i < n; i++)
        touch_mapped(&t[i], pc);
}
