/* SPDX-License-Identifier: MIT */
/*
 * An instruction of the program that accesses memory without a hook before it, as the tool found it
 * and the runtime needs it: to announce the access, then to perform the instruction elsewhere.  Or
 * one that gives something else each time: who comes there does not repeat itself.
 */
#ifndef PL_MODEL_SITE_H
#define PL_MODEL_SITE_H

#include <stdint.h>

enum {
    PL_SITE_OPERANDS = 2,
    PL_SITE_LENGTH = 15, /* of an instruction, at most */
    PL_SITE_JUMP = 5,    /* bytes of a jump that takes its place */
    PL_SITE_ROOM = PL_SITE_JUMP - 1 + PL_SITE_LENGTH,
    PL_SITE_NO_REGISTER = 16 /* of an address: none */
};

enum pl_site_flags {
    PL_SITE_READ = 1,
    PL_SITE_WRITE = 2,
    PL_SITE_REPEATS = 4,  /* as often as rcx says */
    PL_SITE_RELATIVE = 8, /* the displacement is an address already */
};

/* Where the memory is: base + index * scale + displacement. */
struct pl_site_operand {
    uint64_t displacement;
    uint32_t size;
    uint8_t base, index, scale; /* registers as the processor numbers them */
    uint8_t flags;
};

/* How an instruction reads and writes in one step, if it does. */
enum pl_site_atomic {
    PL_SITE_PLAIN,
    PL_SITE_EXCHANGES, /* its memory for a register */
    PL_SITE_COMPARES,  /* the same if rax is what is there */
    PL_SITE_ADDS,      /* or whatever else */
};

/* An instruction that accesses nothing, but gives what plait does not control. */
enum pl_site_chance {
    PL_SITE_CERTAIN, /* it is none */
    PL_SITE_RDRAND,
    PL_SITE_RDSEED,
    PL_SITE_RDPMC,
};

struct pl_site {
    uint64_t pc;
    uint64_t stub;       /* where the runtime has a copy of the instruction; 0: nowhere */
    uint8_t length;      /* of the instruction */
    uint8_t room;        /* of it and those behind it that a jump may replace; 0: none may */
    uint8_t relative_at; /* where in it the distance to its operand stands; 0: nowhere */
    uint8_t call_at;     /* where in it a call begins, the last of them; 0: nowhere */
    uint8_t n;
    uint8_t atomic; /* enum pl_site_atomic */
    uint8_t source; /* the register that an atomic one writes */
    uint8_t chance; /* enum pl_site_chance */
    struct pl_site_operand operands[PL_SITE_OPERANDS];
};

#endif /* PL_MODEL_SITE_H */
