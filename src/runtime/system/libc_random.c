/* SPDX-License-Identifier: MIT */
/*
 * Randomness is deterministic: the same campaign seed gives the same numbers in
 * every execution.  rand() and its kin keep one state, as in libc; the kernel's
 * sources come from the runtime's generator.
 */
#include "base/assert.h"
#include "base/rng.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/functions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

/* From the world where that is recorded, from the inputs that are fed, or from the generator. */
static void fill(void *out, size_t size)
{
    const struct pl_input_record *r =
        pl_inputs_clocks_fed() ? pl_inputs_next(PL_INPUT_RANDOM, 0, "the kernel") : NULL;
    uint64_t done = r != NULL ? pl_inputs_get(r, 0, out, size) : 0;
    unsigned char *p = out;

    while (done < size && pl_inputs_clocks_recorded()) {
        unsigned char some[256];
        long n = pl_sys(SYS_getrandom, some, size - done < 256 ? size - done : 256, 0);

        for (long i = 0; i < n; i++)
            p[done++] = some[i];
    }
    for (; done < size; done++)
        p[done] = (unsigned char)pl_rng_next(&pl_stage->rng);
    PL_ASSERT(done == size);
    if (pl_inputs_clocks_recorded())
        pl_inputs_put(pl_inputs_note(PL_INPUT_RANDOM, 0, 0, size), 0, out, size);
}

static uint64_t number(void)
{
    uint64_t n;

    if (!pl_inputs_clocks_recorded() && !pl_inputs_clocks_fed())
        return pl_rng_next(&pl_stage->rng);
    fill(&n, sizeof(n));
    return n;
}

PL_EXPOSE(ssize_t, getrandom, (void *out, size_t size, unsigned flags))
{
    if (!pl_on())
        return pl_sys(SYS_getrandom, out, size, flags);
    long rc = pl_sys(SYS_getrandom, out, 0, flags); /* is it refused? */

    if (rc == 0 && out == NULL && size > 0)
        rc = -EFAULT;
    if (rc < 0) {
        errno = (int)-rc;
        return -1;
    }
    pl_call_touches(out, size, true, PL_CALL_EXPOSED);
    fill(out, size);
    return (ssize_t)size;
}

PL_EXPOSE(int, getentropy, (void *out, size_t size))
{
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    pl_call_touches(out, size, true, PL_CALL_EXPOSED);
    fill(out, size);
    return 0;
}

PL_EXPOSE(uint32_t, arc4random, (void))
{
    return (uint32_t)number();
}

PL_EXPOSE(void, arc4random_buf, (void *out, size_t size))
{
    pl_call_touches(out, size, true, PL_CALL_EXPOSED);
    fill(out, size);
}

PL_EXPOSE(uint32_t, arc4random_uniform, (uint32_t n))
{
    return n < 2 ? 0 : (uint32_t)(((number() >> 32) * n) >> 32);
}

/* Is it a file whose contents must be the same every time? */
bool pl_random_is_device(const char *path)
{
    return pl_text_equal(path, "/dev/urandom") || pl_text_equal(path, "/dev/random");
}

/* A memory file with deterministic bytes stands in for the device. */
int pl_random_open(int flags)
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

/* C++'s std::random_device asks the processor; its two ways to a number are answered here. */
PL_EXPOSE(unsigned, _ZNSt13random_device9_M_getvalEv, (void *device))
{
    return (unsigned)number();
}

PL_EXPOSE(unsigned, _ZNSt13random_device16_M_getval_pretr1Ev, (void *device))
{
    return (unsigned)number();
}
