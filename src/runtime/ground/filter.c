/* SPDX-License-Identifier: MIT */
/* See filter.h. */
#include "runtime/ground/filter.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/ground/stage.h"

#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>

static bool any;
static uint64_t place; /* behind the one instruction of pl_filter_ask() */

/* Once in the library: a filter knows it by that. */
__attribute__((noinline, noclone)) long pl_filter_ask(long number, const uint64_t a[6])
{
    register long r10 __asm__("r10") = (long)a[3];
    register long r8 __asm__("r8") = (long)a[4];
    register long r9 __asm__("r9") = (long)a[5];
    uint64_t here;
    long result;

    __asm__ volatile("lea 1f(%%rip), %1\n\t"
                     "syscall\n"
                     "1:"
                     : "=a"(result), "=&r"(here)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    __atomic_store_n(&place, here, __ATOMIC_RELAXED);
    return result;
}

long pl_filter_refuses(long number)
{
    long result = any ? pl_filter_ask(number, (const uint64_t[6]){0}) : 0;

    return result < 0 && result > -4096 ? result : 0;
}

static uint32_t low(uint64_t address)
{
    return (uint32_t)address;
}

static uint32_t high(uint64_t address)
{
    return (uint32_t)(address >> 32);
}

bool pl_filter_open(struct pl_filter *f, const struct sock_fprog *own)
{
    const uint64_t start = pl_stage->modules.own_start, end = pl_stage->modules.own_end;

    pl_filter_ask(SYS_gettid, (const uint64_t[6]){0}); /* notes its place */
    const uint32_t at = offsetof(struct seccomp_data, instruction_pointer);
    const struct sock_filter before[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high(start), 0, 5),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(start), 0, 3),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(end), 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low(place), 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_IMM, 0), /* as it is at the beginning of a filter */
    };
    const uint64_t more = sizeof(before) / sizeof(before[0]);

    if (own == NULL || own->len == 0 || own->len + more > BPF_MAXINSNS || start >= end ||
        high(start) != high(end))
        return false;
    f->size = (more + own->len) * sizeof(before[0]);
    long area =
        pl_sys(SYS_mmap, 0, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (area < 0 && area > -4096)
        return false;
    f->program = (struct sock_fprog){(unsigned short)(more + own->len), (struct sock_filter *)area};
    pl_memory_copy(f->program.filter, before, sizeof(before));
    pl_memory_copy(f->program.filter + more, own->filter, own->len * sizeof(before[0]));
    any = true;
    return true;
}

void pl_filter_close(struct pl_filter *f)
{
    PL_ASSERT(f->size > 0);
    pl_sys(SYS_munmap, f->program.filter, f->size);
    f->size = 0;
}
