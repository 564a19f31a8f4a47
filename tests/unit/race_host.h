/* SPDX-License-Identifier: MIT */
/*
 * A host for the race detector (detect/host.h) that tests drive by hand: memory
 * that can be put back, locks as they were taken, one number for a stack.
 */
#ifndef PL_TESTS_RACE_HOST_H
#define PL_TESTS_RACE_HOST_H

#include "detect/detector.h"
#include "detect/host.h"

#include <string.h>

enum { HOST_ROOM = 16 << 20, HOST_FINDINGS = 256, HOST_THREADS = 128, HOST_LOCKS = 8 };

static struct {
    size_t used, room;
    bool full;      /* the detector has said that there is too little of it */
    uint32_t stack; /* of whoever is asked for */
    unsigned n_findings, n_locks[HOST_THREADS];
    struct pl_finding_lock locks[HOST_THREADS][HOST_LOCKS];
    struct pl_finding findings[HOST_FINDINGS];
} host, host_kept;
static _Alignas(16) unsigned char host_memory[HOST_ROOM], host_kept_memory[HOST_ROOM];

void *pl_host_allocate(size_t size)
{
    size_t at = (host.used + 15) & ~(size_t)15;

    if (at + size > host.room)
        return NULL;
    host.used = at + size;
    return host_memory + at;
}

void pl_host_full(void)
{
    host.full = true;
}

unsigned pl_host_locks(pl_tid tid, struct pl_finding_lock *locks, unsigned most)
{
    unsigned n = host.n_locks[tid];

    memcpy(locks, host.locks[tid], (n < most ? n : most) * sizeof(*locks));
    return n;
}

uint32_t pl_host_stack(pl_tid tid)
{
    return host.stack;
}

unsigned pl_host_frames(uint32_t stack, uint64_t *frames, unsigned most)
{
    frames[0] = stack;
    return stack != 0;
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
    return (struct pl_place){.kind = PL_PLACE_STATIC, .site = addr};
}

struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature)
{
    for (unsigned i = 0; i < host.n_findings; i++) {
        if (host.findings[i].signature == signature)
            return NULL;
    }
    if (host.n_findings == HOST_FINDINGS)
        return NULL;
    struct pl_finding *f = &host.findings[host.n_findings++];

    *f = (struct pl_finding){.kind = (uint8_t)kind, .signature = signature};
    return f;
}

/* A new execution, with thread 0. */
static inline void host_begin(void)
{
    memset(host_memory, 0, host.used);
    memset(&host, 0, sizeof(host));
    host.room = HOST_ROOM;
    pl_race.start();
}

static inline void host_save(void)
{
    host_kept = host;
    memcpy(host_kept_memory, host_memory, host.used);
}

static inline void host_restore(void)
{
    memset(host_memory, 0, host.used);
    host = host_kept;
    memcpy(host_memory, host_kept_memory, host.used);
}

static inline void host_access(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags,
                               unsigned order, uint64_t pc)
{
    struct pl_access a = {.tid = tid,
                          .flags = (uint8_t)flags,
                          .order = (uint8_t)order,
                          .addr = addr,
                          .size = size,
                          .pc = pc};

    pl_race.access(&a);
}

static inline void host_read(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc)
{
    host_access(tid, addr, size, PL_ACCESS_READ, 0, pc);
}

static inline void host_write(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc)
{
    host_access(tid, addr, size, PL_ACCESS_WRITE, 0, pc);
}

static inline void host_atomic(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags,
                               unsigned order, uint64_t pc)
{
    host_access(tid, addr, size, flags | PL_ACCESS_ATOMIC, order, pc);
}

static inline void host_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr)
{
    struct pl_sync s = {.kind = (uint8_t)kind, .tid = tid, .other = PL_TID_NONE, .addr = addr};

    pl_race.sync(&s);
}

static inline void host_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other)
{
    struct pl_sync s = {.kind = (uint8_t)kind, .tid = tid, .other = other};

    pl_race.sync(&s);
}

static inline void host_fence(pl_tid tid, unsigned order)
{
    struct pl_sync s = {
        .kind = PL_SYNC_FENCE, .order = (uint8_t)order, .tid = tid, .other = PL_TID_NONE};

    pl_race.sync(&s);
}

/* Taken and given back in the reverse order. */
static inline void host_lock(enum pl_sync_kind kind, pl_tid tid, uint64_t addr, bool shared)
{
    struct pl_sync s = {
        .kind = (uint8_t)kind, .shared = shared, .tid = tid, .other = PL_TID_NONE, .addr = addr};

    if (kind == PL_SYNC_UNLOCK)
        host.n_locks[tid]--;
    else
        host.locks[tid][host.n_locks[tid]++] =
            (struct pl_finding_lock){.shared = shared, .addr = addr, .pc = addr + 1};
    pl_race.sync(&s);
}

#endif /* PL_TESTS_RACE_HOST_H */
