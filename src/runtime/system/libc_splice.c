/* SPDX-License-Identifier: MIT */
/*
 * See libc_splice.h.  What has been changed and changed back is not found.  Besides, memory of
 * processes that is copied by number.
 */
#include "runtime/system/libc_splice.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/functions.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/types.h>

enum { LARGEST = 1 << 20, AT_ONCE = 512 }; /* bytes that are looked through */

/* The memory may be gone by now: then there is nothing to be seen of what it was. */
static uint64_t digest(const char *from, uint64_t size)
{
    uint64_t words[AT_ONCE / sizeof(uint64_t)], h = size, n;
    long self = pl_sys(SYS_getpid);

    for (uint64_t at = 0; at < size; at += n) {
        n = size - at < AT_ONCE ? size - at : AT_ONCE;
        pl_memory_fill(words, 0, sizeof(words));
        struct iovec here = {words, n}, there = {(void *)(from + at), n};

        if (pl_sys(SYS_process_vm_readv, self, &here, 1, &there, 1, 0) != (long)n)
            return 0;
        h = pl_hash_words(h, words, sizeof(words) / sizeof(words[0]));
    }
    return h;
}

static void name_it(uint64_t pc)
{
    pl_unmodelled("vmsplice", PL_UNMODELLED_CALL, pc);
}

/* It is the pipe's until it is read. */
static void give(const void *from, uint64_t size, uint64_t pc)
{
    struct pl_process_state *p = &pl_stage->process;

    if (p->n_given == PL_GIVEN || size > LARGEST) {
        name_it(pc);
        return;
    }
    p->given[p->n_given++] = (struct pl_given){from, size, digest(from, size), pc};
}

void pl_splice_look(void)
{
    for (unsigned i = 0; i < pl_stage->process.n_given; i++) {
        const struct pl_given *g = &pl_stage->process.given[i];

        if (digest(g->from, g->size) != g->digest)
            name_it(g->pc);
    }
}

PL_INTERPOSE(ssize_t, vmsplice, (int fd, const struct iovec *v, size_t n, unsigned flags))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool out = (pl_sys(SYS_fcntl, fd, F_GETFL) & O_ACCMODE) != O_RDONLY;

    if (pl_call_wanted(who))
        pl_call_pieces(v, (int64_t)n, UINT64_MAX, !out, who);
    ssize_t moved = PL_FALLBACK(vmsplice)(fd, v, n, flags);

    if (!out || moved <= 0 || !pl_active || pl_native || pl_free)
        return moved;
    uint64_t left = (uint64_t)moved;

    for (size_t i = 0; i < n && left > 0; i++) {
        uint64_t size = v[i].iov_len < left ? v[i].iov_len : left;

        give(v[i].iov_base, size, who.pc);
        left -= size;
    }
    return moved;
}

/* ---- memory of processes ---- */

static bool is_this(pid_t pid)
{
    return pid == pl_own_process();
}

static void prepare(const struct iovec *v, unsigned long n)
{
    for (unsigned long i = 0; i < n && n <= IOV_MAX; i++)
        pl_rollback_touch(v[i].iov_base, v[i].iov_len);
}

/*
 * Of itself: one part of its memory is read and another written, by nobody else than a thread that
 * copies it.  The kernel makes the copy behind the last access, without a point of its own.
 */
static ssize_t copy_own(long number, const struct iovec *from, unsigned long n,
                        const struct iovec *to, unsigned long m, unsigned long flags,
                        struct pl_call who)
{
    bool reads = number == SYS_process_vm_readv;
    long self = pl_sys(SYS_getpid);

    pl_call_pieces(from, (int64_t)n, UINT64_MAX, false, who);
    pl_call_pieces(to, (int64_t)m, UINT64_MAX, true, who);
    prepare(to, m);
    return pl_calls_result(pl_sys(number, self, reads ? to : from, reads ? m : n, reads ? from : to,
                                  reads ? n : m, flags));
}

PL_INTERPOSE(ssize_t, process_vm_readv,
             (pid_t pid, const struct iovec *own, unsigned long n, const struct iovec *other,
              unsigned long m, unsigned long flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) && is_this(pid)
               ? copy_own(SYS_process_vm_readv, other, m, own, n, flags, who)
               : PL_FALLBACK(process_vm_readv)(pid, own, n, other, m, flags);
}

PL_INTERPOSE(ssize_t, process_vm_writev,
             (pid_t pid, const struct iovec *own, unsigned long n, const struct iovec *other,
              unsigned long m, unsigned long flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    return pl_call_wanted(who) && is_this(pid)
               ? copy_own(SYS_process_vm_writev, own, n, other, m, flags, who)
               : PL_FALLBACK(process_vm_writev)(pid, own, n, other, m, flags);
}
