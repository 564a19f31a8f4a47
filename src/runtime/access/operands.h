/* SPDX-License-Identifier: MIT */
/*
 * Which memory the instruction at hand is about to touch.
 *
 * x86-64 instructions, read as far as that needs: where their operands in memory are, how large,
 * and whether they are read or written.  Nothing else about them matters here.
 */
#ifndef PL_RUNTIME_ACCESS_OPERANDS_H
#define PL_RUNTIME_ACCESS_OPERANDS_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_OPERANDS = 2 };

struct pl_operand {
    uint64_t addr;
    uint32_t size;
    bool read, write;
};

struct pl_instruction {
    unsigned n; /* operands in memory, in the order in which they are accessed */
    struct pl_operand operands[PL_OPERANDS];
    bool calls;      /* it calls a function, */
    bool jumps;      /* or goes on elsewhere than behind itself */
    bool known;      /* it could be read, and stays in the program */
    unsigned length; /* in bytes */
};

/* registers: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15 as they are before `code`. */
struct pl_instruction pl_operands_of(const uint8_t *code, const uint64_t *registers);

#endif /* PL_RUNTIME_ACCESS_OPERANDS_H */
