/* SPDX-License-Identifier: MIT */
/* See tsc.h. */
#include "runtime/system/tsc.h"

#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/libc_time.h"

#include <link.h>
#include <sys/prctl.h>
#include <ucontext.h>

enum { GENERAL_PROTECTION = 13, TICKS = 2 }; /* the fault's number; ticks of a nanosecond */

/* rdtsc, or rdtscp: how long it is; 0: neither. */
static unsigned instruction(const unsigned char *at)
{
    if (at[0] != 0x0f)
        return 0;
    return at[1] == 0x31 ? 2 : at[1] == 0x01 && at[2] == 0xf9 ? 3 : 0;
}

/* The byte may say which memory a cmpxchg16b before it is about: every gate has such. */
static bool is_operand(const unsigned char *at)
{
    return at[-2] == 0x0f && at[-1] == 0xc7;
}

/* Whether code that was built by plait cc has it: libraries of the system read no time so. */
static bool found;

void pl_tsc_attach(const struct dl_phdr_info *info)
{
    if (found)
        return;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        const unsigned char *code = (const unsigned char *)(info->dlpi_addr + ph->p_vaddr);

        if (ph->p_type != PT_LOAD || (ph->p_flags & PF_X) == 0)
            continue;
        for (uint64_t at = 0; at + 3 <= ph->p_filesz && !found; at++)
            found = instruction(code + at) != 0 && (at < 2 || !is_operand(code + at));
    }
    if (pl_stage->restart.runner)
        pl_tsc_begin();
}

void pl_tsc_begin(void)
{
    if (pl_free || pl_native || !found)
        return;
    pl_ticks_trapped = pl_sys(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
}

/* It is a matter of each OS thread, and goes on to those that it starts. */
void pl_tsc_end(void)
{
    if (found && !pl_free && !pl_native)
        pl_sys(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
    pl_ticks_trapped = false;
}

/* For code that is no business of the program's, such as the kernel's own in its memory. */
static uint64_t real_ticks(void)
{
    pl_sys(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE);
    uint64_t ticks = __builtin_ia32_rdtsc();

    if (pl_ticks_trapped) /* else another OS thread has ended it for all */
        pl_sys(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
    return ticks;
}

bool pl_tsc_trap(void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

    if (!found || r[REG_TRAPNO] != GENERAL_PROTECTION)
        return false;
    unsigned length = instruction((const unsigned char *)r[REG_RIP]);

    if (length == 0)
        return false;
    bool own = pl_ticks_trapped && pl_active && pl_place_is_instrumented((uint64_t)r[REG_RIP]);
    uint64_t ticks = own ? pl_time_look() * TICKS : real_ticks();

    r[REG_RAX] = (greg_t)(ticks & UINT32_MAX);
    r[REG_RDX] = (greg_t)(ticks >> 32);
    if (length == 3)
        r[REG_RCX] = 0; /* the processor */
    r[REG_RIP] += length;
    return true;
}
