/* SPDX-License-Identifier: MIT */
/*
 * Whether the program uses what a call returns.
 *
 * The compilers call the same function for an atomic addition whether its result
 * is used or not, so the code behind the call is read: is the register of the
 * result read, or overwritten first?  Only the instructions that compilers put
 * there are known; anything else counts as a use, which is never wrong.
 */
#include "runtime/access/unused.h"

#include "base/assert.h"
#include "base/memory.h"

enum { RAX = 0, RSP = 4, BUDGET = 32, SLOTS = 256 };

/* An instruction with a ModRM byte, decoded as far as needed. */
struct operands {
    const uint8_t *end; /* of what has been decoded; immediates follow */
    unsigned reg;       /* register operand */
    unsigned rm;        /* the other, when it is a register */
    bool memory;        /* the other is memory */
    bool address;       /* whose address needs the result */
};

static struct operands decode(const uint8_t *p, unsigned rex)
{
    struct operands o = {0};
    unsigned mod = *p >> 6, rm = *p & 7;

    o.reg = (*p++ >> 3 & 7) | (rex & 4) << 1;
    o.memory = mod != 3;
    o.rm = rm | (rex & 1) << 3;
    if (o.memory && rm == RSP) {
        unsigned base = (*p & 7) | (rex & 1) << 3, index = (*p >> 3 & 7) | (rex & 2) << 2;

        o.address = index == RAX || (base == RAX && !(mod == 0 && (*p & 7) == 5));
        if (mod == 0 && (*p & 7) == 5)
            p += 4;
        p++;
    } else if (o.memory) {
        o.address = o.rm == RAX;
        if (mod == 0 && rm == 5)
            p += 4; /* relative to the instruction */
    }
    o.end = p + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
    return o;
}

enum verdict { USED, UNUSED, ON };

/* What an instruction that writes its register operand and reads the other means. */
static enum verdict load(const struct operands *o, bool whole)
{
    if (o->address || (!o->memory && o->rm == RAX))
        return USED;
    return o->reg != RAX ? ON : whole ? UNUSED : USED;
}

/* One that reads both, or writes memory. */
static enum verdict both(const struct operands *o)
{
    return o->address || o->reg == RAX || (!o->memory && o->rm == RAX) ? USED : ON;
}

/* One with a single operand, which it reads. */
static enum verdict one(const struct operands *o)
{
    return o->address || (!o->memory && o->rm == RAX) ? USED : ON;
}

static enum verdict two_byte(const uint8_t **at, unsigned rex)
{
    unsigned code = **at;
    struct operands o = decode(*at + 1, rex);

    *at = o.end;
    if (code == 0x1f || code == 0x1e) /* nop, endbr64 */
        return ON;
    if (code == 0xb6 || code == 0xb7 || code == 0xbe || code == 0xbf) /* widening moves */
        return load(&o, true);
    if (code == 0x10 || code == 0x11 || code == 0x28 || code == 0x29 || code == 0x6f ||
        code == 0x7f || code == 0x57 || code == 0xef) /* vector moves: no general register */
        return o.address ? USED : ON;
    return USED;
}

/* The instructions with a ModRM byte; `at` is behind the opcode. */
static enum verdict general(unsigned code, const uint8_t **at, unsigned rex, bool narrow)
{
    struct operands o = decode(*at, rex);

    *at = o.end;
    switch (code) {
    case 0x8b: /* mov, lea */
    case 0x8d:
        return load(&o, !narrow);
    case 0x31: /* xor of a register with itself */
    case 0x33:
        if (!o.memory && o.rm == o.reg)
            return o.reg == RAX ? UNUSED : ON;
        return both(&o);
    case 0x89: /* mov to memory or a register */
        if (!o.memory && o.rm == RAX && o.reg != RAX)
            return narrow ? USED : UNUSED;
        return both(&o);
    case 0x01:
    case 0x03:
    case 0x21:
    case 0x23:
    case 0x29:
    case 0x2b:
    case 0x38:
    case 0x39:
    case 0x3a:
    case 0x3b:
    case 0x84:
    case 0x85:
    case 0x88:
    case 0x09:
    case 0x0b:
    case 0x63:
        return both(&o);
    case 0xc7: /* mov of a number */
        *at += narrow ? 2 : 4;
        if (!o.memory && o.rm == RAX)
            return narrow ? USED : UNUSED;
        return one(&o);
    case 0xc6:
    case 0x80:
    case 0x83:
    case 0xc1:
        *at += 1;
        return one(&o);
    case 0x81:
        *at += narrow ? 2 : 4;
        return one(&o);
    case 0xd1:
        return one(&o);
    case 0xff: /* inc, dec, calls; a call does not take the result along */
        if (o.reg % 8 > 2)
            return USED;
        return one(&o) == ON && o.reg % 8 == 2 ? UNUSED : one(&o);
    default:
        return USED;
    }
}

static int32_t number(const uint8_t *p)
{
    int32_t n;

    pl_memory_copy(&n, p, sizeof(n));
    return n;
}

/* Follow the code from p; branches both ways. */
static bool unused_from(const uint8_t *p, unsigned *budget)
{
    PL_ASSERT(*budget <= BUDGET);
    while ((*budget)-- > 0 && *budget < BUDGET) {
        unsigned rex = 0;
        bool narrow = false;

        while (*p == 0x66 || *p == 0xf3 || *p == 0xf2)
            narrow |= *p++ == 0x66;
        if (*p >> 4 == 4)
            rex = *p++ & 15;
        unsigned code = *p++;
        enum verdict v = ON;

        if (code == 0xe8)
            return true;
        if (code == 0xeb || (code >= 0x70 && code <= 0x7f)) {
            const uint8_t *to = p + 1 + (int8_t)*p;

            if (code != 0xeb && !unused_from(p + 1, budget))
                return false;
            p = to;
        } else if (code == 0xe9) {
            p += 4 + number(p);
        } else if (code == 0x0f && *p >= 0x80 && *p <= 0x8f) {
            if (!unused_from(p + 5, budget))
                return false;
            p += 5 + number(p + 1);
        } else if (code == 0x0f) {
            v = two_byte(&p, rex);
        } else if (code >= 0x50 && code <= 0x5f) { /* push, pop */
            bool rax = ((code & 7) | (rex & 1) << 3) == RAX;

            v = !rax ? ON : code < 0x58 ? USED : UNUSED;
        } else if (code >= 0xb8 && code <= 0xbf) { /* mov of a number */
            v = (((code & 7) | (rex & 1) << 3) == RAX) ? UNUSED : ON;
            p += rex & 8 ? 8 : 4;
        } else if (code != 0x90 && code != 0xc9) { /* nop, leave */
            v = general(code, &p, rex, narrow);
        }
        if (v != ON)
            return v == UNUSED;
    }
    return false;
}

bool pl_unused_result(uint64_t pc)
{
    uint64_t *slot = &pl_board->unused_results[pc % SLOTS];

    if (*slot >> 1 != pc) {
        unsigned budget = BUDGET;

        *slot = pc << 1 | unused_from((const uint8_t *)pc, &budget);
    }
    PL_ASSERT(*slot >> 1 == pc);
    return *slot & 1;
}
