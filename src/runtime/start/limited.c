/* SPDX-License-Identifier: MIT */
/*
 * This library as a program: it sets limits for itself and becomes another one.
 *
 * Limits of memory are remembered and not set (restart/own.h), until the process becomes another
 * program.  posix_spawn() makes the process and its program in one step, so there it is this file
 * that is executed first (system/libc_exec.c).  The kernel has mapped it and nobody else is there,
 * no loader and no libc: nothing is called, and no address is looked up.
 */
#include "base/sys.h"

#include <sys/resource.h>

/* The arguments: a name, the limits, the program, and that one's arguments. */
enum { LIMITS = 1, PROGRAM, ARGUMENTS };

void pl_limited_start(void) __attribute__((visibility("hidden")));
void pl_limited_become(char **stack) __attribute__((visibility("hidden"), noreturn));

/* Where the kernel begins: the stack has the number of arguments, these, NULL, the environment. */
__asm__(".text\n.globl pl_limited_start\n.hidden pl_limited_start\n"
        ".type pl_limited_start, @function\npl_limited_start:\n"
        "\t.cfi_startproc\n\t.cfi_undefined rip\n"
        "\txor %ebp, %ebp\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall pl_limited_become\n"
        "\t.cfi_endproc\n.size pl_limited_start, .-pl_limited_start\n");

static const char *number(const char *s, uint64_t *n)
{
    for (*n = 0; *s >= '0' && *s <= '9'; s++)
        *n = *n * 10 + (uint64_t)(*s - '0');
    return *s != '\0' ? s + 1 : s;
}

/* "9=300:400," for each, as pl_own_limits_text() writes them. */
static void set(const char *s)
{
    struct rlimit limit;
    uint64_t which, soft, hard;

    while (*s != '\0') {
        s = number(s, &which);
        s = number(s, &soft);
        s = number(s, &hard);
        limit.rlim_cur = soft;
        limit.rlim_max = hard;
        pl_sys(SYS_prlimit64, 0, which, &limit, NULL);
    }
}

void pl_limited_become(char **stack)
{
    uint64_t n = (uint64_t)stack[0];
    char **argv = stack + 1, **envp = argv + n + 1;

    if (n >= ARGUMENTS) {
        set(argv[LIMITS]);
        pl_sys(SYS_execve, argv[PROGRAM], argv + ARGUMENTS, envp);
    }
    for (;;)
        pl_sys(SYS_exit_group, 127);
}
