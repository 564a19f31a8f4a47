/* SPDX-License-Identifier: MIT */
/*
 * Randomness is deterministic: the same campaign seed gives the same numbers in
 * every execution.  rand() and its kin keep one state, as in libc; the kernel's
 * sources come from the runtime's generator.
 */
#include "base/rng.h"
#include "runtime/rollback.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

static void fill(void *out, size_t size)
{
    unsigned char *p = out;

    for (size_t i = 0; i < size; i++)
        p[i] = (unsigned char)pl_rng_next(&pl_stage->rng);
}

PL_EXPOSE(ssize_t, getrandom, (void *out, size_t size, unsigned flags))
{
    if (!pl_on())
        return pl_sys(SYS_getrandom, out, size, flags);
    fill(out, size);
    return (ssize_t)size;
}

PL_EXPOSE(int, getentropy, (void *out, size_t size))
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    fill(out, size);
    return 0;
}

PL_EXPOSE(uint32_t, arc4random, (void))
{
    return (uint32_t)pl_rng_next(&pl_stage->rng);
}

PL_EXPOSE(void, arc4random_buf, (void *out, size_t size))
{
    fill(out, size);
}

PL_EXPOSE(uint32_t, arc4random_uniform, (uint32_t n))
{
    return n < 2 ? 0 : pl_rng_below(&pl_stage->rng, n);
}

/* Is it a file whose contents must be the same every time? */
static bool is_random(const char *path)
{
    return pl_text_equal(path, "/dev/urandom") || pl_text_equal(path, "/dev/random");
}

/* A memory file with deterministic bytes stands in for the device. */
static int open_random(int flags)
{
    unsigned char bytes[4096];
    long fd = pl_sys(SYS_memfd_create, "random", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);

    for (int i = 0; i < 16; i++) {
        fill(bytes, sizeof(bytes));
        pl_sys(SYS_write, fd, bytes, sizeof(bytes));
    }
    pl_sys(SYS_lseek, fd, 0, SEEK_SET);
    pl_undo_opened(fd);
    return (int)fd;
}

#define PL_OPEN(name)                                        \
    PL_EXPOSE(int, name, (const char *path, int flags, ...)) \
    {                                                        \
        mode_t mode = 0;                                     \
        if (flags & (O_CREAT | __O_TMPFILE)) {               \
            va_list args;                                    \
            va_start(args, flags);                           \
            mode = va_arg(args, mode_t);                     \
            va_end(args);                                    \
        }                                                    \
        if (pl_on() && is_random(path))                      \
            return open_random(flags);                       \
        return pl_real.name(path, flags, mode);              \
    }

PL_OPEN(open)
PL_OPEN(open64)

/* fopen() opens by itself, not through open(). */
#define PL_FOPEN(name)                                            \
    PL_EXPOSE(FILE *, name, (const char *path, const char *mode)) \
    {                                                             \
        if (pl_on() && is_random(path))                           \
            return fdopen(open_random(0), "r");                   \
        return pl_real.name(path, mode);                          \
    }

PL_FOPEN(fopen)
PL_FOPEN(fopen64)

/* C++'s std::random_device asks the processor; its two ways to a number are answered here. */
PL_EXPOSE(unsigned, _ZNSt13random_device9_M_getvalEv, (void *device))
{
    return (unsigned)pl_rng_next(&pl_stage->rng);
}

PL_EXPOSE(unsigned, _ZNSt13random_device16_M_getval_pretr1Ev, (void *device))
{
    return (unsigned)pl_rng_next(&pl_stage->rng);
}
