/* SPDX-License-Identifier: MIT */
/*
 * Raw system calls, for code that must not go through the program's libc:
 * there it would be interposed, counted or rolled back.  Results are the
 * kernel's: a negative number is -errno.
 */
#ifndef PL_BASE_SYS_H
#define PL_BASE_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

static inline long pl_sys6(long n, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

/* pl_sys(SYS_close, fd): what is not given is 0. */
#define pl_sys(n, ...) PL_SYS_FILL(n, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define PL_SYS_FILL(n, a, b, c, d, e, f, ...) \
    pl_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

#endif /* PL_BASE_SYS_H */
