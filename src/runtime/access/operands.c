/* SPDX-License-Identifier: MIT */
/*
 * Reading instructions for their operands in memory.
 *
 * The rules of the encoding are few: prefixes, an opcode of one of four maps, and with nearly all
 * opcodes a ModRM byte that gives the operand.  What an instruction computes does not matter; how
 * many bytes it touches is exact for those by which compilers copy, and the size of the operand for
 * the others.  Instructions with an EVEX prefix, and those that leave the program, are not known.
 */
#include "runtime/access/operands.h"

#include "base/memory.h"

enum { RCX = 1, RSI = 6, RDI = 7, VECTOR = 16, EXTENDED = 10 };

struct reader {
    const uint8_t *p;
    const uint64_t *registers;
    unsigned map;    /* 1: one byte, 2: after 0f, 3: after 0f 38, 4: after 0f 3a */
    unsigned prefix; /* 0, 0x66, 0xf3 or 0xf2: what tells vector instructions apart */
    bool narrow, wide, repeats, address32;
    bool vex, vex256;
    unsigned rex;  /* bits 0 to 2: B, X, R */
    uint64_t base; /* of the segment */
    unsigned code;
};

static int32_t number(const uint8_t *p)
{
    int32_t n;

    pl_memory_copy(&n, p, sizeof(n));
    return n;
}

static uint64_t thread_pointer(void)
{
    uint64_t tp;

    __asm__("mov %%fs:0, %0" : "=r"(tp));
    return tp;
}

static void read_prefixes(struct reader *r)
{
    for (;; r->p++) {
        switch (*r->p) {
        case 0x66:
            r->narrow = true;
            if (r->prefix == 0)
                r->prefix = 0x66;
            continue;
        case 0xf2:
        case 0xf3:
            r->repeats = true;
            r->prefix = *r->p;
            continue;
        case 0x64:
            r->base = thread_pointer();
            continue;
        case 0x67:
            r->address32 = true;
            continue;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0x65:
        case 0xf0:
            continue;
        default:
            break;
        }
        break;
    }
    if (*r->p >> 4 == 4) {
        r->wide = (*r->p & 8) != 0;
        r->rex = *r->p++ & 7;
    }
}

/* A VEX prefix has prefixes, map and opcode in one. */
static void read_vex(struct reader *r)
{
    static const uint8_t prefixes[] = {0, 0x66, 0xf3, 0xf2};
    bool long_form = *r->p++ == 0xc4;
    unsigned first = *r->p++, last = long_form ? *r->p++ : first;

    r->vex = true;
    r->rex = (~first >> 7 & 1) << 2;
    r->map = 2;
    if (long_form) {
        r->rex |= (~first >> 6 & 1) << 1 | (~first >> 5 & 1);
        r->map = (first & 31) + 1;
        r->wide = (last & 0x80) != 0;
    }
    r->vex256 = (last & 4) != 0;
    r->prefix = prefixes[last & 3];
    r->code = *r->p++;
}

static void read_opcode(struct reader *r)
{
    if (*r->p == 0xc4 || *r->p == 0xc5) {
        read_vex(r);
        return;
    }
    r->map = 1;
    r->code = *r->p++;
    if (r->code != 0x0f)
        return;
    r->map = 2;
    r->code = *r->p++;
    if (r->code == 0x38 || r->code == 0x3a) {
        r->map = r->code == 0x38 ? 3 : 4;
        r->code = *r->p++;
    }
}

static bool has_modrm(const struct reader *r)
{
    unsigned c = r->code;

    if (r->map > 2)
        return true;
    if (r->map == 2)
        return !(c == 0x05 || c == 0x06 || c == 0x08 || c == 0x09 || c == 0x0b || c == 0x0e ||
                 (c >= 0x30 && c <= 0x37) || c == 0x77 || (c >= 0x80 && c <= 0x8f) ||
                 (c >= 0xa0 && c <= 0xa2) || (c >= 0xa8 && c <= 0xaa) || (c >= 0xc8 && c <= 0xcf));
    return (c < 0x40 && (c & 7) < 4) || c == 0x63 || c == 0x69 || c == 0x6b ||
           (c >= 0x80 && c <= 0x8f) || c == 0xc0 || c == 0xc1 || c == 0xc6 || c == 0xc7 ||
           (c >= 0xd0 && c <= 0xd3) || (c >= 0xd8 && c <= 0xdf) || c == 0xf6 || c == 0xf7 ||
           c == 0xfe || c == 0xff;
}

/* How many bytes of a number follow the operand: what is relative to the instruction counts on. */
static unsigned immediate(const struct reader *r, unsigned reg)
{
    unsigned c = r->code, word = r->narrow ? 2 : 4;

    if (r->map == 4)
        return 1;
    if (r->map == 2)
        return (c >= 0x70 && c <= 0x73) || c == 0xa4 || c == 0xac || c == 0xba || c == 0xc2 ||
               (c >= 0xc4 && c <= 0xc6);
    if (r->map != 1)
        return 0;
    if (c == 0x80 || c == 0x83 || c == 0xc0 || c == 0xc1 || c == 0xc6 || c == 0x6b)
        return 1;
    if (c == 0x81 || c == 0xc7 || c == 0x69)
        return word;
    return c == 0xf6 && reg < 2 ? 1 : c == 0xf7 && reg < 2 ? word : 0;
}

/* The same where there is no ModRM byte. */
static unsigned immediate_alone(const struct reader *r)
{
    unsigned c = r->code, word = r->narrow ? 2 : 4;

    if (r->map == 2)
        return c >= 0x80 && c <= 0x8f ? 4 : 0;
    if (c >= 0xb8 && c <= 0xbf)
        return r->wide ? 8 : word;
    if (c >= 0xa0 && c <= 0xa3)
        return 8;
    if (c < 0x40)
        return (c & 7) == 4 ? 1 : (c & 7) == 5 ? word : 0;
    if (c == 0x68 || c == 0xa9)
        return word;
    if (c == 0xe8 || c == 0xe9)
        return 4;
    if (c == 0x6a || (c >= 0x70 && c <= 0x7f) || c == 0xa8 || (c >= 0xb0 && c <= 0xb7) ||
        c == 0xcd || (c >= 0xe0 && c <= 0xe3) || c == 0xeb)
        return 1;
    return c == 0xc2 ? 2 : 0;
}

static bool is_jump(const struct reader *r)
{
    unsigned c = r->code;

    if (r->map == 2)
        return c >= 0x80 && c <= 0x8f;
    return r->map == 1 && ((c >= 0x70 && c <= 0x7f) || c == 0xc2 || c == 0xc3 ||
                           (c >= 0xe0 && c <= 0xe3) || c == 0xe9 || c == 0xeb);
}

/* Of an instruction with general registers. */
static uint32_t general_size(const struct reader *r)
{
    return r->wide ? 8 : r->narrow ? 2 : 4;
}

static uint32_t scalar_size(const struct reader *r)
{
    return r->prefix == 0xf3 ? 4 : r->prefix == 0xf2 ? 8 : VECTOR;
}

/* Of the instructions after 0f. */
static uint32_t second_map_size(const struct reader *r)
{
    unsigned c = r->code;

    if (c == 0xb6 || c == 0xbe || c == 0xb0 || c == 0xc0 || (c >= 0x90 && c <= 0x9f))
        return 1;
    if (c == 0xb7 || c == 0xbf)
        return 2;
    if (c == 0xc7)
        return r->wide ? 16 : 8;
    if (c == 0x10 || c == 0x11 || (c >= 0x51 && c <= 0x5f) || c == 0xc2)
        return scalar_size(r);
    if (c == 0x12 || c == 0x13 || c == 0x16 || c == 0x17 || c == 0xd6)
        return 8;
    if (c == 0x28 || c == 0x29 || c == 0x2b)
        return VECTOR;
    if (c == 0x6e || c == 0x7e)
        return r->prefix == 0xf3 || r->wide ? 8 : 4;
    if (c == 0x2a || c == 0x2c || c == 0x2d)
        return r->wide || r->prefix == 0xf2 ? 8 : 4;
    if (c == 0x2e || c == 0x2f)
        return r->prefix == 0x66 ? 8 : 4;
    if ((c >= 0x60 && c <= 0x7f) || c >= 0xd0 || (c >= 0xc4 && c <= 0xc6))
        return r->prefix == 0 && !r->vex && c != 0xc6 ? 8 : VECTOR;
    return general_size(r);
}

static uint32_t size_of(const struct reader *r, unsigned reg)
{
    unsigned c = r->code;
    uint32_t size;

    if (r->map == 2)
        size = second_map_size(r);
    else if (r->map > 2)
        size = VECTOR;
    else if (c >= 0xd8 && c <= 0xdf)
        size = c == 0xdb && (reg & 5) == 5 ? EXTENDED : 8; /* fld and fstp of a long double */
    else if (c == 0xff && reg >= 2)
        size = 8;
    else if (c == 0x63)
        size = 4;
    else
        size = (c & 1) == 0 && c != 0x62 ? 1 : general_size(r);
    return size == VECTOR && r->vex256 ? 2 * VECTOR : size;
}

/* What it does to the operand. */
static void say_how(const struct reader *r, unsigned reg, struct pl_operand *o)
{
    unsigned c = r->code;

    o->read = true;
    if (r->map == 1) {
        bool store = c == 0x88 || c == 0x89 || c == 0xc6 || c == 0xc7 || c == 0x8c || c == 0x8f;
        bool update = (c < 0x38 && (c & 7) < 2) || (c >= 0x80 && c <= 0x83 && reg != 7) ||
                      c == 0x86 || c == 0x87 || c == 0xc0 || c == 0xc1 ||
                      (c >= 0xd0 && c <= 0xd3) ||
                      ((c == 0xf6 || c == 0xf7) && (reg == 2 || reg == 3)) ||
                      ((c == 0xfe || c == 0xff) && reg < 2);

        if (c >= 0xd8 && c <= 0xdf) /* x87: by twos, loads and stores */
            store = (c & 1) != 0 && reg >= 2 && reg != 5;
        o->write = store || update;
        o->read = !store;
    } else if (r->map == 2) {
        bool store = c == 0x11 || c == 0x13 || c == 0x17 || c == 0x29 || c == 0x2b || c == 0x7f ||
                     (c == 0x7e && r->prefix != 0xf3) || c == 0xd6 || c == 0xe7 || c == 0xc3 ||
                     (c >= 0x90 && c <= 0x9f);
        bool update = c == 0xb0 || c == 0xb1 || c == 0xc0 || c == 0xc1 || c == 0xc7;

        o->write = store || update;
        o->read = !store;
    }
}

static uint64_t address_of(struct reader *r, unsigned mod, unsigned rm, unsigned reg)
{
    const uint64_t *registers = r->registers;
    uint64_t addr = 0;

    if (rm == 4) {
        unsigned sib = *r->p++, index = (sib >> 3 & 7) | (r->rex & 2) << 2;

        if (index != 4)
            addr += registers[index] << (sib >> 6);
        if ((sib & 7) == 5 && mod == 0) {
            addr += (uint64_t)(int64_t)number(r->p);
            r->p += 4;
        } else {
            addr += registers[(sib & 7) | (r->rex & 1) << 3];
        }
    } else if (rm == 5 && mod == 0) {
        addr = (uint64_t)(int64_t)number(r->p);
        r->p += 4;
        addr += (uint64_t)r->p + immediate(r, reg);
    } else {
        addr = registers[rm | (r->rex & 1) << 3];
    }
    if (mod == 1)
        addr += (uint64_t)(int64_t)(int8_t)*r->p++;
    else if (mod == 2) {
        addr += (uint64_t)(int64_t)number(r->p);
        r->p += 4;
    }
    return (r->address32 ? (uint32_t)addr : addr) + r->base;
}

/* Those that have their operands in rsi and rdi.  Each repetition is a step of its own. */
static bool read_string(const struct reader *r, struct pl_instruction *i)
{
    unsigned c = r->code & ~1u;
    uint32_t size = (r->code & 1) == 0 ? 1 : general_size(r);
    struct pl_operand source = {.addr = r->registers[RSI] + r->base, .size = size, .read = true};
    struct pl_operand target = {.addr = r->registers[RDI], .size = size};

    if (r->map != 1 || c < 0xa4 || c > 0xae || c == 0xa8)
        return false;
    if (r->repeats && r->registers[RCX] == 0)
        return true;
    target.write = c == 0xa4 || c == 0xaa;
    target.read = !target.write;
    if (c != 0xaa && c != 0xae)
        i->operands[i->n++] = source;
    if (c != 0xac)
        i->operands[i->n++] = target;
    return true;
}

struct pl_instruction pl_operands_of(const uint8_t *code, const uint64_t *registers)
{
    struct reader r = {.p = code, .registers = registers};
    struct pl_instruction i = {.known = true};

    read_prefixes(&r);
    if (*r.p == 0x62)
        return (struct pl_instruction){0};
    read_opcode(&r);
    i.length = (unsigned)(r.p - code);
    if (read_string(&r, &i))
        return i;
    i.calls = r.map == 1 && r.code == 0xe8;
    i.jumps = is_jump(&r);
    i.known = !(r.map == 2 && r.code == 0x05) && !(r.map == 1 && (r.code & ~1u) == 0xcc);
    i.length += immediate_alone(&r);
    if (!has_modrm(&r))
        return i;
    unsigned mod = *r.p >> 6, reg = *r.p >> 3 & 7, rm = *r.p & 7;

    r.p++;
    i.calls |= r.map == 1 && r.code == 0xff && reg == 2;
    i.jumps |= r.map == 1 && r.code == 0xff && reg == 4;
    bool hint = r.map == 2 && (r.code == 0x0d || (r.code >= 0x18 && r.code <= 0x1f));
    uint64_t addr = mod != 3 ? address_of(&r, mod, rm, reg) : 0;

    i.length = (unsigned)(r.p - code) + immediate(&r, reg);
    if (mod == 3 || hint || (r.map == 1 && r.code == 0x8d))
        return i;
    struct pl_operand *o = &i.operands[i.n++];

    o->addr = addr;
    o->size = size_of(&r, reg);
    say_how(&r, reg, o);
    return i;
}
