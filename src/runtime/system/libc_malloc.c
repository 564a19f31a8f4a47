/* SPDX-License-Identifier: MIT */
/*
 * malloc() and its family, and C++'s operators, on the runtime's heap.  They
 * are no points as a rule: allocation order follows from the schedule (access/reuse.h).
 */
#include "base/assert.h"
#include "base/memory.h"
#include "runtime/access/access.h"
#include "runtime/access/reuse.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/observe/freed.h"
#include "runtime/system/functions.h"
#include "runtime/system/room.h"
#include "runtime/system/signal_within.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* `had`: what is given back for it. */
static void *allocate_instead(uint64_t had, uint64_t size, uint64_t align, uint64_t site)
{
    pl_signal_in_libc(NULL, site);
    void *p =
        had >= size || pl_room_in_heap(size - had) ? pl_reuse_allocate(size, align, site) : NULL;

    if (p == NULL)
        errno = ENOMEM;
    return p;
}

static void *allocate(uint64_t size, uint64_t align, uint64_t site)
{
    return allocate_instead(0, size, align, site);
}

/*
 * Giving a block back is like writing all of it: somebody else may still be
 * using it.
 */
static void release(void *p, enum pl_heap_kind kind, uint64_t site)
{
    pl_freed_wrongly(p, kind, site);
    if (p != NULL)
        pl_signal_in_libc(NULL, site);
    if (p != NULL && pl_heap_contains((uint64_t)p) && pl_works()) {
        pl_access_free(p, pl_heap_size(p), site);
        pl_reuse_free(pl_heap_size(p), site);
    }
    pl_heap_free(p, site);
}

static bool power_of_two(size_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

PL_EXPOSE(void *, malloc, (size_t size))
{
    return allocate(size, 16, PL_CALLER);
}

PL_EXPOSE(void, free, (void *p))
{
    release(p, PL_HEAP_MALLOC, PL_CALLER);
}

static void *allocate_zeroed(size_t n, size_t size, uint64_t site)
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = allocate(total, 16, site);

    if (p != NULL)
        pl_heap_clear(p, total);
    return p;
}

PL_EXPOSE(void *, calloc, (size_t n, size_t size))
{
    return allocate_zeroed(n, size, PL_CALLER);
}

static void *reallocate(void *old, size_t size, uint64_t site)
{
    if (old == NULL)
        return allocate(size, 16, site);
    if (size == 0) {
        release(old, PL_HEAP_MALLOC, site);
        return NULL;
    }
    uint64_t had = pl_heap_size(old);
    void *p = allocate_instead(had, size, 16, site);

    if (p == NULL)
        return NULL;

    PL_ASSERT(pl_heap_size(p) == size);
    pl_memory_copy(p, old, had < size ? had : size);
    release(old, PL_HEAP_MALLOC, site);
    return p;
}

PL_EXPOSE(void *, realloc, (void *old, size_t size))
{
    return reallocate(old, size, PL_CALLER);
}

PL_EXPOSE(void *, reallocarray, (void *old, size_t n, size_t size))
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(old, total, PL_CALLER);
}

/* What is no power of two becomes the next one, as in glibc. */
static void *allocate_aligned(size_t align, size_t size, uint64_t site)
{
    if (align > SIZE_MAX / 2 + 1) {
        errno = EINVAL;
        return NULL;
    }
    while (!power_of_two(align))
        align++;
    return allocate(size, align, site);
}

PL_EXPOSE(void *, memalign, (size_t align, size_t size))
{
    return allocate_aligned(align, size, PL_CALLER);
}

PL_EXPOSE(void *, aligned_alloc, (size_t align, size_t size))
{
    return allocate_aligned(align, size, PL_CALLER);
}

PL_EXPOSE(int, posix_memalign, (void **out, size_t align, size_t size))
{
    if (!power_of_two(align) || align % sizeof(void *) != 0)
        return EINVAL;
    int saved = errno;
    void *p = allocate(size, align, PL_CALLER);

    errno = saved;
    if (p == NULL)
        return ENOMEM;
    pl_call_touches(out, sizeof(*out), true, PL_CALL_EXPOSED);
    *out = p;
    return 0;
}

PL_EXPOSE(void *, valloc, (size_t size))
{
    return allocate(size, 4096, PL_CALLER);
}

PL_EXPOSE(void *, pvalloc, (size_t size))
{
    return allocate((size + 4095) & ~(size_t)4095, 4096, PL_CALLER);
}

PL_EXPOSE(size_t, malloc_usable_size, (void *p))
{
    return p != NULL ? pl_heap_size(p) : 0;
}

/*
 * C++: so that an allocation site is the new-expression, not the library's operator.  When there
 * is no memory, the library's operator finds that out once more and throws.
 */
#define PL_OPERATOR_NEW(mangled, kind)                     \
    void *mangled(size_t size);                            \
    PL_EXPOSE(void *, mangled, (size_t size))              \
    {                                                      \
        void *p = allocate(size, 16, PL_CALLER);           \
        pl_heap_set_kind(p, kind);                         \
        return p != NULL ? p : PL_FALLBACK(mangled)(size); \
    }
#define PL_OPERATOR_NEW_ALIGNED(mangled, kind)                    \
    void *mangled(size_t size, size_t align);                     \
    PL_EXPOSE(void *, mangled, (size_t size, size_t align))       \
    {                                                             \
        void *p = allocate(size, align, PL_CALLER);               \
        pl_heap_set_kind(p, kind);                                \
        return p != NULL ? p : PL_FALLBACK(mangled)(size, align); \
    }
#define PL_OPERATOR_DELETE(mangled, kind, ...)         \
    PL_EXPOSE(void, mangled, (void *p, ##__VA_ARGS__)) \
    {                                                  \
        release(p, kind, PL_CALLER);                   \
    }

PL_OPERATOR_NEW(_Znwm, PL_HEAP_NEW)
PL_OPERATOR_NEW(_Znam, PL_HEAP_NEW_ARRAY)
PL_OPERATOR_NEW_ALIGNED(_ZnwmSt11align_val_t, PL_HEAP_NEW)
PL_OPERATOR_NEW_ALIGNED(_ZnamSt11align_val_t, PL_HEAP_NEW_ARRAY)
PL_OPERATOR_DELETE(_ZdlPv, PL_HEAP_NEW)
PL_OPERATOR_DELETE(_ZdaPv, PL_HEAP_NEW_ARRAY)
PL_OPERATOR_DELETE(_ZdlPvm, PL_HEAP_NEW, size_t size)
PL_OPERATOR_DELETE(_ZdaPvm, PL_HEAP_NEW_ARRAY, size_t size)
PL_OPERATOR_DELETE(_ZdlPvSt11align_val_t, PL_HEAP_NEW, size_t align)
PL_OPERATOR_DELETE(_ZdaPvSt11align_val_t, PL_HEAP_NEW_ARRAY, size_t align)
PL_OPERATOR_DELETE(_ZdlPvmSt11align_val_t, PL_HEAP_NEW, size_t size, size_t align)
PL_OPERATOR_DELETE(_ZdaPvmSt11align_val_t, PL_HEAP_NEW_ARRAY, size_t size, size_t align)
