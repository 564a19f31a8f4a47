/* SPDX-License-Identifier: MIT */
/*
 * Atomics that compilers leave to libatomic: sixteen bytes without -mcx16, and sizes that no
 * instruction has.  They are atomic operations like those that have hooks; the library performs
 * them.
 */
#include "base/memory.h"
#include "model/gate.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

#include <stddef.h>

typedef unsigned __int128 wide;

enum { LARGEST = 16 }; /* of which the runtime compares values */

/*
 * A value in memory that others may use: what the compiler makes itself is on the thread's stack,
 * and no operation.  It is read at a point of its own, or written behind one: until then it is
 * here.
 */
struct operand {
    void *real, *at;
    size_t size;
    const uint64_t *entry;
    char copy[4 * LARGEST] __attribute__((aligned(16)));
};

static void operand(struct operand *o, void *p, size_t size, bool reads)
{
    o->entry = pl_entry();
    o->real = o->at = p;
    o->size = size;
    if (size > sizeof(o->copy) || !pl_on() || pl_inside() || pl_free ||
        pl_thread_owns(pl_thread_self(), (uint64_t)p))
        return;
    if (reads)
        pl_access_argument(p, size, false, o->entry);
    o->at = pl_memory_copy(o->copy, p, size);
}

static void store_operand(struct operand *o)
{
    if (o->at == o->real)
        return;
    pl_access_after(o->real, o->size, o->entry);
    pl_memory_copy(o->real, o->at, o->size);
}

extern struct pl_gate plait_runtime_gate;

static bool is_seen(void)
{
    return pl_on() && pl_stage->modules.instrumented && !pl_inside();
}

/* Announce it; the library's own locks are its own business then. */
static bool begin(const volatile void *addr, size_t size, unsigned kind, int order,
                  const void *wanted)
{
    const uint64_t *entry = pl_entry();

    if (size == 0 || !is_seen())
        return false;
    plait_runtime_gate.atomic_before((const void *)addr, size, kind, order, wanted,
                                     (void *)entry[6]);
    if (!pl_free)
        pl_enter();
    return true;
}

static void end(bool seen, const volatile void *addr, size_t size, unsigned kind, bool wrote)
{
    if (!seen)
        return;
    if (!pl_free)
        pl_leave();
    plait_runtime_gate.atomic_after((const void *)addr, size, kind, wrote);
}

PL_INTERPOSE(wide, __atomic_load_16, (const volatile void *addr, int order))
{
    wide (*real)(const volatile void *, int) = pl_real_find("__atomic_load_16");
    bool seen = begin(addr, sizeof(wide), PL_ATOMIC_LOAD, order, NULL);
    wide value = real(addr, order);

    end(seen, addr, sizeof(wide), PL_ATOMIC_LOAD, false);
    return value;
}

PL_INTERPOSE(void, __atomic_store_16, (volatile void *addr, wide value, int order))
{
    void (*real)(volatile void *, wide, int) = pl_real_find("__atomic_store_16");
    bool seen = begin(addr, sizeof(wide), PL_ATOMIC_STORE, order, NULL);

    real(addr, value, order);
    end(seen, addr, sizeof(wide), PL_ATOMIC_STORE, true);
}

PL_INTERPOSE(bool, __atomic_compare_exchange_16,
             (volatile void *addr, void *expected, wide desired, int success, int failure))
{
    bool (*real)(volatile void *, void *, wide, int, int) =
        pl_real_find("__atomic_compare_exchange_16");
    struct operand wanted;

    operand(&wanted, expected, sizeof(wide), true);
    bool seen = begin(addr, sizeof(wide), PL_ATOMIC_CAS, success | failure << 8, wanted.at);
    bool done = real(addr, wanted.at, desired, success, failure);

    end(seen, addr, sizeof(wide), PL_ATOMIC_CAS, done);
    if (!done)
        store_operand(&wanted);
    return done;
}

/* An update that returns a value of before or after it. */
#define UPDATE(name, kind)                                                   \
    PL_INTERPOSE(wide, name, (volatile void *addr, wide operand, int order)) \
    {                                                                        \
        wide (*real)(volatile void *, wide, int) = pl_real_find(#name);      \
        bool seen = begin(addr, sizeof(wide), kind, order, NULL);            \
        wide value = real(addr, operand, order);                             \
                                                                             \
        end(seen, addr, sizeof(wide), kind, true);                           \
        return value;                                                        \
    }

UPDATE(__atomic_exchange_16, PL_ATOMIC_EXCHANGE)
UPDATE(__atomic_fetch_add_16, PL_ATOMIC_ADD)
UPDATE(__atomic_fetch_sub_16, PL_ATOMIC_SUB)
UPDATE(__atomic_fetch_and_16, PL_ATOMIC_AND)
UPDATE(__atomic_fetch_or_16, PL_ATOMIC_OR)
UPDATE(__atomic_fetch_xor_16, PL_ATOMIC_XOR)
UPDATE(__atomic_fetch_nand_16, PL_ATOMIC_NAND)
UPDATE(__atomic_add_fetch_16, PL_ATOMIC_ADD)
UPDATE(__atomic_sub_fetch_16, PL_ATOMIC_SUB)
UPDATE(__atomic_and_fetch_16, PL_ATOMIC_AND)
UPDATE(__atomic_or_fetch_16, PL_ATOMIC_OR)
UPDATE(__atomic_xor_fetch_16, PL_ATOMIC_XOR)
UPDATE(__atomic_nand_fetch_16, PL_ATOMIC_NAND)

/* ---- of any size ---- */

PL_INTERPOSE(void, __atomic_load, (size_t size, const volatile void *addr, void *to, int order))
{
    void (*real)(size_t, const volatile void *, void *, int) = pl_real_find("__atomic_load");
    struct operand value;

    operand(&value, to, size, false);
    bool seen = begin(addr, size, PL_ATOMIC_LOAD, order, NULL);

    real(size, addr, value.at, order);
    end(seen, addr, size, PL_ATOMIC_LOAD, false);
    store_operand(&value);
}

PL_INTERPOSE(void, __atomic_store, (size_t size, volatile void *addr, void *from, int order))
{
    void (*real)(size_t, volatile void *, void *, int) = pl_real_find("__atomic_store");
    struct operand value;

    operand(&value, from, size, true);
    bool seen = begin(addr, size, PL_ATOMIC_STORE, order, NULL);

    real(size, addr, value.at, order);
    end(seen, addr, size, PL_ATOMIC_STORE, true);
}

PL_INTERPOSE(void, __atomic_exchange,
             (size_t size, volatile void *addr, void *from, void *to, int order))
{
    void (*real)(size_t, volatile void *, void *, void *, int) = pl_real_find("__atomic_exchange");
    struct operand value, before;

    operand(&value, from, size, true);
    operand(&before, to, size, false);
    bool seen = begin(addr, size, PL_ATOMIC_EXCHANGE, order, NULL);

    real(size, addr, value.at, before.at, order);
    end(seen, addr, size, PL_ATOMIC_EXCHANGE, true);
    store_operand(&before);
}

PL_INTERPOSE(bool, __atomic_compare_exchange,
             (size_t size, volatile void *addr, void *expected, void *desired, int success,
              int failure))
{
    bool (*real)(size_t, volatile void *, void *, void *, int, int) =
        pl_real_find("__atomic_compare_exchange");
    unsigned kind = size <= LARGEST ? PL_ATOMIC_CAS : PL_ATOMIC_EXCHANGE;
    struct operand wanted, value;

    operand(&wanted, expected, size, true);
    operand(&value, desired, size, true);
    bool seen = begin(addr, size, kind, success | failure << 8, wanted.at);
    bool done = real(size, addr, wanted.at, value.at, success, failure);

    end(seen, addr, size, kind, done);
    if (!done)
        store_operand(&wanted);
    return done;
}
