/* SPDX-License-Identifier: MIT */
/*
 * The host of detect_host.h.  Memory that was handed out since the last reset is zero again after
 * the next one, as detectors expect of the memory of an execution.
 */
#include "detect_host.h"

#include <string.h>
#include <sys/mman.h>

struct host host;

static size_t dirty; /* bytes of memory that may not be zero */
static struct host kept;
static unsigned char kept_memory[16 << 20];

/* ---- what detectors ask ---- */

void *pl_host_allocate(size_t size)
{
    size_t at = (host.used + 15) & ~(size_t)15;

    if (at + size > host.room)
        return NULL;
    host.used = at + size;
    dirty = host.used > dirty ? host.used : dirty;
    return host.memory + at;
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
    return host.stacks[tid];
}

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
    return HOST_NAME + tid;
}

struct pl_place pl_host_place(uint64_t addr, unsigned object_kind)
{
    return (struct pl_place){.kind = PL_PLACE_STATIC, .site = addr};
}

struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature)
{
    for (unsigned i = 0; i < host.n_findings; i++) {
        if (host.findings[i].kind == kind && host.findings[i].signature == signature)
            return NULL;
    }
    if (host.n_findings == HOST_FINDINGS)
        return NULL;
    struct pl_finding *f = &host.findings[host.n_findings++];

    *f = (struct pl_finding){.kind = (uint8_t)kind, .signature = signature};
    return f;
}

void pl_host_predict(const struct pl_cycle *cycle)
{
    PL_ASSERT(host.n_predicted < HOST_PREDICTED);
    host.predicted[host.n_predicted++] = *cycle;
}

/* ---- what tests do ---- */

static void clear_memory(void)
{
    if (host.memory == NULL)
        host.memory = mmap(NULL, HOST_MEMORY, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    PL_ASSERT(host.memory != MAP_FAILED);
    if (dirty > sizeof(kept_memory))
        PL_ASSERT(madvise(host.memory, HOST_MEMORY, MADV_DONTNEED) == 0);
    else
        memset(host.memory, 0, dirty);
    dirty = 0;
}

void host_reset(const struct pl_detector_part *detector)
{
    clear_memory();
    host.detector = detector;
    host.used = 0;
    host.room = HOST_MEMORY;
    host.full = false;
    host.n_findings = host.n_predicted = 0;
    memset(host.n_locks, 0, sizeof(host.n_locks));
    memset(host.stacks, 0, sizeof(host.stacks));
}

void host_begin(const struct pl_detector_part *detector)
{
    host_reset(detector);
    detector->start();
}

void host_save(void)
{
    PL_ASSERT(host.used <= sizeof(kept_memory));
    kept = host;
    memcpy(kept_memory, host.memory, host.used);
}

void host_restore(void)
{
    clear_memory();
    host = kept;
    memcpy(host.memory, kept_memory, host.used);
    dirty = host.used;
}

void host_access(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags, unsigned order,
                 uint64_t pc)
{
    struct pl_access a = {.tid = tid,
                          .flags = (uint8_t)flags,
                          .order = (uint8_t)order,
                          .addr = addr,
                          .size = size,
                          .pc = pc};

    host.detector->access(&a);
}

void host_read(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc)
{
    host_access(tid, addr, size, PL_ACCESS_READ, 0, pc);
}

void host_write(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc)
{
    host_access(tid, addr, size, PL_ACCESS_WRITE, 0, pc);
}

void host_atomic(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags, unsigned order,
                 uint64_t pc)
{
    host_access(tid, addr, size, flags | PL_ACCESS_ATOMIC, order, pc);
}

void host_sync(struct pl_sync s)
{
    host.detector->sync(&s);
}

void host_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr)
{
    host_sync(
        (struct pl_sync){.kind = (uint8_t)kind, .tid = tid, .other = PL_TID_NONE, .addr = addr});
}

void host_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other)
{
    host_sync((struct pl_sync){.kind = (uint8_t)kind, .tid = tid, .other = other});
}

void host_fence(pl_tid tid, unsigned order)
{
    host_sync((struct pl_sync){
        .kind = PL_SYNC_FENCE, .order = (uint8_t)order, .tid = tid, .other = PL_TID_NONE});
}

void host_hold(pl_tid tid, struct pl_finding_lock lock)
{
    PL_ASSERT(tid < HOST_THREADS && host.n_locks[tid] < HOST_LOCKS);
    host.locks[tid][host.n_locks[tid]++] = lock;
}

void host_acquire(struct pl_sync s)
{
    host_hold(s.tid, (struct pl_finding_lock){
                         .object = s.object, .shared = s.shared, .addr = s.addr, .pc = s.pc});
    host_sync(s);
}

void host_lock(pl_tid tid, uint64_t addr, bool shared, uint64_t pc)
{
    host_acquire((struct pl_sync){.kind = PL_SYNC_LOCK,
                                  .object = PL_OBJECT_MUTEX,
                                  .shared = shared,
                                  .tid = tid,
                                  .other = PL_TID_NONE,
                                  .addr = addr,
                                  .pc = pc});
}

void host_unlock(pl_tid tid, uint64_t addr)
{
    unsigned i = host.n_locks[tid];

    while (i > 0 && host.locks[tid][i - 1].addr != addr)
        i--;
    PL_ASSERT(i > 0);
    host_sync((struct pl_sync){.kind = PL_SYNC_UNLOCK,
                               .shared = host.locks[tid][i - 1].shared,
                               .tid = tid,
                               .other = PL_TID_NONE,
                               .addr = addr});
    for (host.n_locks[tid]--; i <= host.n_locks[tid]; i++)
        host.locks[tid][i - 1] = host.locks[tid][i];
}
