/* SPDX-License-Identifier: MIT */
/* See pipe_room.h. */
#include "runtime/system/pipe_room.h"

#include "base/sys.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/arguments.h"
#include "runtime/system/calls_ask.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

enum { PAGE = 4096 };

static struct pl_files *files(void)
{
    return &pl_stage->process.files;
}

/* The last page of the pipe behind a number; NULL: nothing is known of it. */
static struct pl_last_page *find(int fd)
{
    uint64_t pipe = pl_files_open(fd);

    for (unsigned i = 0; i < files()->n_last_pages; i++) {
        if (files()->last_pages[i].pipe == pipe)
            return &files()->last_pages[i];
    }
    return NULL;
}

static void note(int fd, uint64_t end)
{
    struct pl_last_page *p = find(fd);

    if (p == NULL && files()->n_last_pages < PL_LAST_PAGES) {
        p = &files()->last_pages[files()->n_last_pages++];
        p->pipe = pl_files_open(fd);
    }
    if (p != NULL)
        p->end = (uint16_t)end;
}

static bool is_pipe(uint64_t fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

static uint64_t bytes_in(uint64_t fd)
{
    int n = 0;

    return pl_sys(SYS_ioctl, fd, FIONREAD, &n) == 0 && n > 0 ? (uint64_t)n : 0;
}

/* Where the last of some pages ends that hold so much. */
static uint64_t end_of(uint64_t bytes)
{
    return bytes > 0 ? (bytes - 1) % PAGE + 1 : 0;
}

void pl_pipe_room_root(int fd)
{
    if (is_pipe((uint64_t)fd))
        note(fd, end_of(bytes_in((uint64_t)fd)));
}

/* ---- what is learned ---- */

/* What stands for that in what is known. */
static uint64_t key(void)
{
    return (uint64_t)files()->last_pages;
}

static void learn(void)
{
    if (!pl_free)
        pl_shadow_share(key());
}

bool pl_pipe_room_begins(const struct pl_syscall *c)
{
    return pl_stage->rooted && !pl_free && pl_shadow_known(key()) && pl_pipe_room_rest(c) != 0;
}

/* ---- what calls leave there ---- */

static uint64_t size_of(const struct pl_syscall *c)
{
    return pl_arguments_of(c->number)->pieces
               ? pl_calls_bytes((const struct iovec *)c->a[1], c->a[2])
               : c->a[2];
}

/* As the kernel does it: first into the last page, if there is one, then into others. */
static void by_bytes(const struct pl_syscall *c, uint64_t written)
{
    if (!is_pipe(c->a[0]))
        return;
    const struct pl_last_page *p = find((int)c->a[0]);
    uint64_t rest = size_of(c) % PAGE;
    bool behind = rest != 0 && p != NULL && bytes_in(c->a[0]) > written && p->end + rest <= PAGE;

    if ((pl_sys(SYS_fcntl, c->a[0], F_GETFL) & O_DIRECT) != 0) {
        note((int)c->a[0], PAGE); /* each write is a page by itself */
    } else if (behind && written <= rest) {
        if (!pl_ask_ready(PL_ASK_OUT, c)) /* nor was it before */
            learn();
        note((int)c->a[0], p->end + written);
    } else {
        note((int)c->a[0], end_of(behind ? written - rest : written));
    }
}

/* Nothing goes behind pages that are somebody else's. */
static void with_pages(uint64_t fd)
{
    if (is_pipe(fd))
        note((int)fd, PAGE);
}

static void first_by_pages(const struct pl_syscall *c, uint64_t moved)
{
    with_pages(c->a[0]);
}

static void second_by_pages(const struct pl_syscall *c, uint64_t moved)
{
    unsigned all = pl_arguments_of(c->number)->descriptors;

    with_pages(c->a[__builtin_ctz(all & (all - 1))]);
}

typedef void filling(const struct pl_syscall *c, uint64_t bytes);

static filling *filling_of(long number)
{
    static const struct {
        filling *fills;
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define FILLS(function) .fills = function,
#include "runtime/ground/calls.def"
    };

    return rules[pl_arguments_row(number)].fills;
}

void pl_pipe_room_made(const struct pl_syscall *c, long result)
{
    filling *fills = result > 0 ? filling_of(c->number) : NULL;

    if (fills != NULL)
        fills(c, (uint64_t)result);
}

/* ---- who goes on by that ---- */

uint64_t pl_pipe_room_rest(const struct pl_syscall *c)
{
    return filling_of(c->number) == by_bytes && is_pipe(c->a[0]) &&
                   !pl_files_with_child((int)c->a[0])
               ? size_of(c) % PAGE
               : 0;
}

bool pl_pipe_room_fits(const struct pl_thread *t, const struct pl_syscall *c)
{
    uint64_t rest = pl_pipe_room_rest(c);
    const struct pl_last_page *p = rest != 0 ? find((int)c->a[0]) : NULL;
    bool fits = p != NULL && p->end + rest <= PAGE && bytes_in(c->a[0]) > 0;

    if (fits && t->call.begun) /* it could have begun later */
        learn();
    return fits && !t->call.begun;
}
