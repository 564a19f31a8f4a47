/* SPDX-License-Identifier: MIT */
/*
 * A host for detectors: threads hold what the test says, findings are kept in
 * the order in which they are noted.  For tests of one file each.
 */
#ifndef PL_TESTS_DETECT_HOST_H
#define PL_TESTS_DETECT_HOST_H

#include "detect/detector.h"
#include "detect/host.h"
#include "unit.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HOST_MEMORY = 512 << 20, HOST_THREADS = 8, HOST_LOCKS = 80, HOST_NOTED = 64 };

static struct {
    unsigned char *memory;
    size_t used;
    struct pl_finding_lock locks[HOST_THREADS][HOST_LOCKS];
    unsigned n_locks[HOST_THREADS];
    uint32_t stacks[HOST_THREADS];
    struct pl_finding noted[HOST_NOTED];
    unsigned n_noted;
    bool full;
} host;

void *pl_host_allocate(size_t size)
{
    size_t at = (host.used + 15) & ~(size_t)15;

    if (at + size > HOST_MEMORY)
        return NULL;
    host.used = at + size;
    return host.memory + at;
}

void pl_host_full(void)
{
    host.full = true;
}

unsigned pl_host_locks(pl_tid tid, struct pl_finding_lock *locks, unsigned most)
{
    for (unsigned i = 0; i < host.n_locks[tid] && i < most; i++)
        locks[i] = host.locks[tid][i];
    return host.n_locks[tid];
}

uint32_t pl_host_stack(pl_tid tid)
{
    return host.stacks[tid];
}

/* A stack is one caller, whose program counter is its number. */
unsigned pl_host_frames(uint32_t stack, uint64_t *frames, unsigned most)
{
    if (stack == 0 || most == 0)
        return 0;
    frames[0] = stack;
    return 1;
}

uint64_t pl_host_relative(uint64_t pc)
{
    return pc;
}

uint64_t pl_host_name(pl_tid tid)
{
    return tid;
}

struct pl_place pl_host_place(uint64_t addr, unsigned object_kind)
{
    (void)object_kind;
    return (struct pl_place){.kind = PL_PLACE_STATIC, .site = addr};
}

struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature)
{
    for (unsigned i = 0; i < host.n_noted; i++) {
        if (host.noted[i].kind == kind && host.noted[i].signature == signature)
            return NULL;
    }
    if (host.n_noted == HOST_NOTED)
        return NULL;
    struct pl_finding *f = &host.noted[host.n_noted++];

    memset(f, 0, sizeof(*f));
    f->kind = (uint8_t)kind;
    f->signature = signature;
    return f;
}

/* A new execution: nothing is held, known or noted. */
static void host_reset(void)
{
    if (host.memory != NULL)
        munmap(host.memory, HOST_MEMORY);
    memset(&host, 0, sizeof(host));
    host.memory = mmap(NULL, HOST_MEMORY, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host.memory == MAP_FAILED)
        abort();
}

/* The thread has acquired it at `pc`; the detector is told. */
static void host_lock(const struct pl_detector_part *d, pl_tid tid, uint64_t addr, bool shared,
                      uint64_t pc)
{
    struct pl_sync s = {.kind = PL_SYNC_LOCK, .shared = shared, .tid = tid, .addr = addr, .pc = pc};

    host.locks[tid][host.n_locks[tid]++] = (struct pl_finding_lock){
        .object = PL_OBJECT_MUTEX, .shared = shared, .addr = addr, .pc = pc};
    d->sync(&s);
}

/* As in the runtime, the detector is told before the list is shorter. */
static void host_unlock(const struct pl_detector_part *d, pl_tid tid, uint64_t addr)
{
    struct pl_sync s = {.kind = PL_SYNC_UNLOCK, .tid = tid, .addr = addr};
    unsigned i = 0;

    d->sync(&s);
    while (i < host.n_locks[tid] && host.locks[tid][i].addr != addr)
        i++;
    if (i == host.n_locks[tid])
        abort();
    for (host.n_locks[tid]--; i < host.n_locks[tid]; i++)
        host.locks[tid][i] = host.locks[tid][i + 1];
}

#endif /* PL_TESTS_DETECT_HOST_H */
