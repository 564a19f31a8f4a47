/* SPDX-License-Identifier: MIT */
/* See state.h. */
#include "engine/machine/state.h"

#include "base/assert.h"
#include "base/err.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* Frames lie here: an address that no program has. */
#define FRAME UINT64_C(0x00ff000000100000)
enum { NEAR = 1 << 20, SLOTS_MAX = 4096, NARROW = 8 };

static struct pl_machine_value unknown(uint64_t a, uint64_t b)
{
    return (struct pl_machine_value){.n = pl_hash_add(pl_hash_add(UINT64_C(0x706c616974), a), b) |
                                          UINT64_C(1) << 63};
}

bool pl_state_in_frame(uint64_t addr)
{
    return addr - (FRAME - NEAR) < 2 * (uint64_t)NEAR;
}

uint64_t pl_state_cfa(void)
{
    return FRAME;
}

void pl_state_enter(struct pl_machine_state *s)
{
    *s = (struct pl_machine_state){.reached = true};
    for (unsigned i = 0; i < PL_MACHINE_REGISTERS; i++)
        s->registers[i] = unknown(1, i);
    s->registers[PL_MACHINE_RSP] =
        (struct pl_machine_value){.n = FRAME - 8, .origin = PL_MACHINE_STACK};
}

void pl_state_free(struct pl_machine_state *s)
{
    free(s->slots);
    *s = (struct pl_machine_state){0};
}

void pl_state_copy(struct pl_machine_state *to, const struct pl_machine_state *from)
{
    struct pl_machine_slot *slots = to->slots;
    unsigned room = to->room;

    if (room < from->n_slots) {
        room = from->n_slots;
        slots = pl_err_must(realloc(slots, room * sizeof(*slots)));
    }
    if (from->n_slots > 0)
        memcpy(slots, from->slots, from->n_slots * sizeof(*slots));
    *to = *from;
    to->slots = slots;
    to->room = room;
}

static bool same(const struct pl_machine_value *a, const struct pl_machine_value *b)
{
    return a->n == b->n && a->origin == b->origin;
}

bool pl_state_equal(const struct pl_machine_state *a, const struct pl_machine_state *b)
{
    if (a->reached != b->reached || a->n_slots != b->n_slots || a->n_said != b->n_said)
        return false;
    for (unsigned i = 0; i < PL_MACHINE_REGISTERS; i++) {
        if (!same(&a->registers[i], &b->registers[i]))
            return false;
    }
    for (unsigned i = 0; i < a->n_slots; i++) {
        if (a->slots[i].addr != b->slots[i].addr || a->slots[i].size != b->slots[i].size ||
            !same(&a->slots[i].value, &b->slots[i].value))
            return false;
    }
    for (unsigned i = 0; i < a->n_said; i++) {
        if (a->said[i].addr != b->said[i].addr || a->said[i].size != b->said[i].size ||
            a->said[i].read != b->said[i].read || a->said[i].write != b->said[i].write)
            return false;
    }
    return true;
}

/* ---- the stack ---- */

/* The first slot that ends behind addr. */
static unsigned slot_at(const struct pl_machine_state *s, uint64_t addr)
{
    unsigned low = 0, high = s->n_slots;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (s->slots[middle].addr + s->slots[middle].size <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void store(struct pl_machine_state *s, uint64_t addr, uint32_t size,
                  const struct pl_machine_value *value)
{
    unsigned at = slot_at(s, addr), end = at;

    while (end < s->n_slots && s->slots[end].addr < addr + size)
        end++;
    if (end > at) {
        memmove(&s->slots[at], &s->slots[end], (s->n_slots - end) * sizeof(*s->slots));
        s->n_slots -= end - at;
    }
    if (value == NULL || s->n_slots >= SLOTS_MAX)
        return;
    if (s->n_slots == s->room) {
        s->room = s->room ? 2 * s->room : 32;
        s->slots = pl_err_must(realloc(s->slots, s->room * sizeof(*s->slots)));
    }
    memmove(&s->slots[at + 1], &s->slots[at], (s->n_slots - at) * sizeof(*s->slots));
    s->slots[at] = (struct pl_machine_slot){addr, size, *value};
    s->n_slots++;
}

static struct pl_machine_value load(const struct pl_machine_state *s, uint64_t addr, uint32_t size)
{
    unsigned at = slot_at(s, addr);

    if (at < s->n_slots && s->slots[at].addr == addr && s->slots[at].size >= size) {
        struct pl_machine_value v = s->slots[at].value;

        if (size < 4)
            v.n &= (UINT64_C(1) << 8 * size) - 1;
        if (s->slots[at].size != size)
            v.origin = PL_MACHINE_ANY;
        return v;
    }
    return unknown(2, addr ^ (uint64_t)size << 56);
}

/* ---- joins ---- */

/* One place in all states that are joined: a mixture, of which all mixtures have the same weights.
 */
static struct pl_machine_value join_values(const struct pl_machine_value *const *v, unsigned n,
                                           uint64_t block)
{
    enum pl_machine_origin origin = v[0]->origin;
    uint64_t sum = v[0]->n;

    for (unsigned i = 1; i < n; i++) {
        uint64_t weight = unknown(block, i).n;

        sum += weight * (v[i]->n - v[0]->n);
        if (v[i]->origin != origin)
            origin = PL_MACHINE_ANY;
    }
    return (struct pl_machine_value){sum, origin};
}

static void join_said(struct pl_machine_state *to, const struct pl_machine_state *const *from,
                      unsigned n)
{
    to->n_said = 0;
    for (unsigned k = 0; k < from[0]->n_said; k++) {
        struct pl_machine_said said = from[0]->said[k];
        bool all = true;

        for (unsigned i = 1; i < n && all; i++) {
            bool any = false;

            for (unsigned j = 0; j < from[i]->n_said; j++) {
                const struct pl_machine_said *other = &from[i]->said[j];

                any |= other->addr == said.addr && other->size == said.size &&
                       other->read == said.read && other->write == said.write;
            }
            all = any;
        }
        if (all)
            to->said[to->n_said++] = said;
    }
}

void pl_state_join(struct pl_machine_state *to, const struct pl_machine_state *const *from,
                   unsigned n, uint64_t block)
{
    const struct pl_machine_value **v = pl_err_must(calloc(n, sizeof(*v)));

    PL_ASSERT(n > 0);
    to->reached = true;
    for (unsigned r = 0; r < PL_MACHINE_REGISTERS; r++) {
        for (unsigned i = 0; i < n; i++)
            v[i] = &from[i]->registers[r];
        to->registers[r] = r == PL_MACHINE_RSP ? from[0]->registers[r] : join_values(v, n, block);
    }
    to->n_slots = 0;
    for (unsigned k = 0; k < from[0]->n_slots; k++) {
        const struct pl_machine_slot *slot = &from[0]->slots[k];
        unsigned i = 0;

        for (; i < n; i++) {
            unsigned at = slot_at(from[i], slot->addr);

            if (at >= from[i]->n_slots || from[i]->slots[at].addr != slot->addr ||
                from[i]->slots[at].size != slot->size)
                break;
            v[i] = &from[i]->slots[at].value;
        }
        if (i < n)
            continue;
        struct pl_machine_value joined = join_values(v, n, block);

        store(to, slot->addr, slot->size, &joined);
    }
    join_said(to, from, n);
    free(v);
}

/* ---- instructions ---- */

static int number_of(ZydisRegister r)
{
    ZydisRegister wide = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);

    if (ZydisRegisterGetClass(wide) != ZYDIS_REGCLASS_GPR64)
        return -1;
    return ZydisRegisterGetId(wide);
}

static struct pl_machine_value judged(uint64_t n, const struct pl_machine_memory *memory)
{
    bool constant = memory->is_constant(memory->context, n);

    return (struct pl_machine_value){n, constant ? PL_MACHINE_CONSTANT : PL_MACHINE_ANY};
}

/* Of what is added up, the one that is an address says where the sum is. */
static enum pl_machine_origin sum_origin(enum pl_machine_origin a, enum pl_machine_origin b)
{
    return a == PL_MACHINE_ANY ? b : b == PL_MACHINE_ANY ? a : PL_MACHINE_ANY;
}

struct pl_machine_value pl_state_address(const struct pl_machine_state *s,
                                         const struct pl_machine_code *c,
                                         const ZydisDecodedOperand *o,
                                         const struct pl_machine_memory *memory)
{
    struct pl_machine_value sum =
        judged(o->mem.disp.has_displacement ? (uint64_t)o->mem.disp.value : 0, memory);

    if (o->mem.base == ZYDIS_REGISTER_RIP) {
        sum = judged(sum.n + c->pc + c->i.length, memory);
    } else if (o->mem.base != ZYDIS_REGISTER_NONE) {
        int r = number_of(o->mem.base);
        struct pl_machine_value v = r >= 0 ? s->registers[r] : unknown(4, o->mem.base);

        sum.n += v.n;
        sum.origin = sum_origin(sum.origin, v.origin);
    }
    if (o->mem.index != ZYDIS_REGISTER_NONE) {
        int r = number_of(o->mem.index);
        struct pl_machine_value v = r >= 0 ? s->registers[r] : unknown(5, o->mem.index);

        sum.n += v.n * (o->mem.scale ? o->mem.scale : 1);
        if (o->mem.scale <= 1)
            sum.origin = sum_origin(sum.origin, v.origin);
    }
    return sum;
}

static uint64_t extend(uint64_t n, unsigned bits)
{
    return bits >= 64 ? n : (uint64_t)((int64_t)(n << (64 - bits)) >> (64 - bits));
}

static struct pl_machine_value get(const struct pl_machine_state *s,
                                   const struct pl_machine_code *c, const ZydisDecodedOperand *o,
                                   const struct pl_machine_memory *memory)
{
    struct pl_machine_value v;

    switch (o->type) {
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        return judged(c->i.operand_width == 32 ? extend(o->imm.value.u, 32) : o->imm.value.u,
                      memory);
    case ZYDIS_OPERAND_TYPE_MEMORY:
        v = pl_state_address(s, c, o, memory);
        if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
            return v;
        if (pl_state_in_frame(v.n) && o->mem.segment != ZYDIS_REGISTER_FS)
            return load(s, v.n, o->size / 8);
        return unknown(6, c->pc);
    case ZYDIS_OPERAND_TYPE_REGISTER: {
        int r = number_of(o->reg.value);

        if (r < 0 || o->reg.value == ZYDIS_REGISTER_AH || o->reg.value == ZYDIS_REGISTER_BH ||
            o->reg.value == ZYDIS_REGISTER_CH || o->reg.value == ZYDIS_REGISTER_DH)
            return unknown(7, c->pc);
        v = s->registers[r];
        if (o->size < 32)
            v.n &= (UINT64_C(1) << o->size) - 1;
        if (o->size < 64) {
            v.origin = v.origin == PL_MACHINE_CONSTANT ? v.origin : PL_MACHINE_ANY;
        }
        return v;
    }
    default:
        return unknown(8, c->pc);
    }
}

static void put(struct pl_machine_state *s, const struct pl_machine_code *c,
                const ZydisDecodedOperand *o, struct pl_machine_value v,
                const struct pl_machine_memory *memory)
{
    if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        struct pl_machine_value at = pl_state_address(s, c, o, memory);

        if (pl_state_in_frame(at.n) && o->mem.segment != ZYDIS_REGISTER_FS)
            store(s, at.n, o->size / 8, o->size <= 64 ? &v : NULL);
        return;
    }
    int r = o->type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(o->reg.value) : -1;

    if (r < 0)
        return;
    if (o->size < 32)
        v = unknown(pl_hash_add(s->registers[r].n, v.n), o->size);
    else if (o->size == 32)
        v.origin = v.origin == PL_MACHINE_STACK ? PL_MACHINE_ANY : v.origin;
    s->registers[r] = v;
}

/* What arithmetic with one or two sources comes to; false when it is none that is known. */
static bool compute(const struct pl_machine_code *c, const struct pl_machine_value *a,
                    const struct pl_machine_value *b, struct pl_machine_value *result)
{
    enum pl_machine_origin sum = sum_origin(a->origin, b->origin);

    switch (c->i.mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        *result = (struct pl_machine_value){a->n + b->n, sum};
        return true;
    case ZYDIS_MNEMONIC_SUB:
        *result = (struct pl_machine_value){
            a->n - b->n, b->origin == PL_MACHINE_STACK ? PL_MACHINE_ANY : a->origin};
        return true;
    case ZYDIS_MNEMONIC_AND:
        *result = (struct pl_machine_value){a->n & b->n, a->origin};
        return true;
    case ZYDIS_MNEMONIC_OR:
        *result = (struct pl_machine_value){a->n | b->n, a->origin};
        return true;
    case ZYDIS_MNEMONIC_XOR:
        *result = (struct pl_machine_value){a->n ^ b->n, PL_MACHINE_ANY};
        return true;
    case ZYDIS_MNEMONIC_SHL:
        *result = (struct pl_machine_value){a->n << (b->n & 63), PL_MACHINE_ANY};
        return true;
    case ZYDIS_MNEMONIC_SHR:
        *result = (struct pl_machine_value){a->n >> (b->n & 63), PL_MACHINE_ANY};
        return true;
    default:
        return false;
    }
}

static void push(struct pl_machine_state *s, const struct pl_machine_value *v)
{
    s->registers[PL_MACHINE_RSP].n -= 8;
    store(s, s->registers[PL_MACHINE_RSP].n, 8, v);
}

static struct pl_machine_value pop(struct pl_machine_state *s)
{
    struct pl_machine_value v = load(s, s->registers[PL_MACHINE_RSP].n, 8);

    s->registers[PL_MACHINE_RSP].n += 8;
    return v;
}

/* Whatever it does: what it writes is a function of what it reads, or of where it stands. */
static void guess(struct pl_machine_state *s, const struct pl_machine_code *c,
                  const struct pl_machine_memory *memory)
{
    bool pure = c->i.mnemonic == ZYDIS_MNEMONIC_SAR || c->i.mnemonic == ZYDIS_MNEMONIC_NEG ||
                c->i.mnemonic == ZYDIS_MNEMONIC_NOT || c->i.mnemonic == ZYDIS_MNEMONIC_BSWAP ||
                c->i.mnemonic == ZYDIS_MNEMONIC_ROL || c->i.mnemonic == ZYDIS_MNEMONIC_ROR;
    uint64_t key = pure ? c->i.mnemonic : c->pc;

    for (unsigned k = 0; pure && k < c->i.operand_count_visible; k++)
        key = pl_hash_add(key, get(s, c, &c->operands[k], memory).n);
    for (unsigned k = 0; k < c->i.operand_count; k++) {
        const ZydisDecodedOperand *o = &c->operands[k];

        if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
            put(s, c, o, unknown(9 + k, key), memory);
    }
}

void pl_state_perform(struct pl_machine_state *s, const struct pl_machine_code *c,
                      const struct pl_machine_memory *memory)
{
    const ZydisDecodedOperand *o = c->operands;
    struct pl_machine_value a, b, r;

    switch (c->i.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_LEA:
        put(s, c, &o[0], get(s, c, &o[1], memory), memory);
        return;
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
        a = get(s, c, &o[1], memory);
        if (o[1].size < 32)
            a.n = extend(a.n, o[1].size);
        put(s, c, &o[0], a, memory);
        return;
    case ZYDIS_MNEMONIC_CDQE:
        return;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SHL:
    case ZYDIS_MNEMONIC_SHR:
        a = get(s, c, &o[0], memory);
        b = get(s, c, &o[1], memory);
        if (compute(c, &a, &b, &r))
            put(s, c, &o[0], r, memory);
        return;
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
        a = get(s, c, &o[0], memory);
        a.n += c->i.mnemonic == ZYDIS_MNEMONIC_INC ? 1 : (uint64_t)-1;
        put(s, c, &o[0], a, memory);
        return;
    case ZYDIS_MNEMONIC_IMUL:
        if (c->i.operand_count_visible == 1)
            break;
        a = get(s, c, &o[c->i.operand_count_visible - 2], memory);
        b = get(s, c, &o[c->i.operand_count_visible - 1], memory);
        put(s, c, &o[0], (struct pl_machine_value){a.n * b.n, PL_MACHINE_ANY}, memory);
        return;
    case ZYDIS_MNEMONIC_PUSH:
        a = get(s, c, &o[0], memory);
        push(s, &a);
        return;
    case ZYDIS_MNEMONIC_POP:
        a = pop(s);
        put(s, c, &o[0], a, memory);
        return;
    case ZYDIS_MNEMONIC_LEAVE:
        s->registers[PL_MACHINE_RSP] = s->registers[PL_MACHINE_RBP];
        s->registers[PL_MACHINE_RBP] = pop(s);
        return;
    case ZYDIS_MNEMONIC_XCHG:
        a = get(s, c, &o[0], memory);
        b = get(s, c, &o[1], memory);
        put(s, c, &o[0], b, memory);
        put(s, c, &o[1], a, memory);
        return;
    case ZYDIS_MNEMONIC_RET:
        return;
    default:
        break;
    }
    struct pl_machine_value sp = s->registers[PL_MACHINE_RSP];

    guess(s, c, memory);
    if (s->registers[PL_MACHINE_RSP].origin != PL_MACHINE_STACK)
        s->registers[PL_MACHINE_RSP] = sp;
}

void pl_state_called(struct pl_machine_state *s, uint64_t pc)
{
    static const uint8_t lost[] = {0, 1, 2, 6, 7, 8, 9, 10, 11};

    for (unsigned i = 0; i < sizeof(lost); i++)
        s->registers[lost[i]] = unknown(20 + lost[i], pc);
}

void pl_state_say(struct pl_machine_state *s, const struct pl_machine_said *said)
{
    if (s->n_said == PL_MACHINE_SAID) {
        memmove(&s->said[0], &s->said[1], (PL_MACHINE_SAID - 1) * sizeof(s->said[0]));
        s->n_said--;
    }
    s->said[s->n_said++] = *said;
}

void pl_state_outdate(struct pl_machine_state *s)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < s->n_said; i++) {
        if (s->said[i].size > NARROW)
            s->said[kept++] = s->said[i];
    }
    s->n_said = kept;
}
