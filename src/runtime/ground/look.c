/* SPDX-License-Identifier: MIT */
/* See look.h. */
#include "runtime/ground/look.h"

__asm__(".text\n"
        ".hidden pl_look\n"
        ".globl pl_look\n"
        ".type pl_look, @function\n"
        "pl_look:\n"
        "    xorl %eax, %eax\n"
        "look_here:\n"
        "    movq (%rdi), %rax\n"
        "look_after:\n"
        "    ret\n"
        ".size pl_look, . - pl_look\n"
        ".hidden pl_look_is_there\n"
        ".globl pl_look_is_there\n"
        ".type pl_look_is_there, @function\n"
        "pl_look_is_there:\n"
        "    xorl %eax, %eax\n"
        "byte_here:\n"
        "    movzbl (%rdi), %ecx\n"
        "    incl %eax\n"
        "byte_after:\n"
        "    ret\n"
        ".size pl_look_is_there, . - pl_look_is_there\n");

extern const char look_here[] __attribute__((visibility("hidden")));
extern const char look_after[] __attribute__((visibility("hidden")));
extern const char byte_here[] __attribute__((visibility("hidden")));
extern const char byte_after[] __attribute__((visibility("hidden")));

uint64_t pl_look_after(uint64_t pc)
{
    return pc == (uint64_t)look_here   ? (uint64_t)look_after
           : pc == (uint64_t)byte_here ? (uint64_t)byte_after
                                       : 0;
}

bool pl_look_has_text(const char *s)
{
    enum { PAGE = 4096 };

    for (; pl_look_is_there(s); s++) { /* at the beginning of each page */
        while (*s != '\0' && (uint64_t)(s + 1) % PAGE != 0)
            s++;
        if (*s == '\0')
            return true;
    }
    return false;
}
