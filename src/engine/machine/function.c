/* SPDX-License-Identifier: MIT */
/* See function.h. */
#include "engine/machine/function.h"

#include "base/assert.h"
#include "base/err.h"
#include "model/site.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS_MAX = 6,    /* round loops: what holds only in some of the first does not stay */
    ESCAPED_MAX = 256, /* addresses of the frame that are given away */
    WHOLE = 1 << 20,   /* a range whose size is not known */
};

struct block {
    unsigned first, end; /* instructions */
    unsigned next[2], n_next;
    bool leaves; /* goes elsewhere by a table */
    bool calls, ends;
    bool padding;
    bool foreign; /* entered from another function, too */
    bool tabled;  /* by a table, too */
    struct pl_machine_state before, after;
};

struct function {
    const struct pl_machine_world *world;
    struct pl_machine_code *code;
    unsigned n_code;
    struct block *blocks;
    unsigned n_blocks;
    bool leaves;                       /* somewhere by a table that is not known */
    unsigned *preds, n_preds;          /* pairs: to, from; sorted */
    struct pl_machine_object *objects; /* of the frame */
    size_t n_objects;
    uint64_t escaped[ESCAPED_MAX];
    unsigned n_escaped;
};

/* ---- blocks ---- */

static void decode(struct function *f, uint64_t start, const uint8_t *bytes, size_t size)
{
    ZydisDecoder decoder;
    unsigned room = 0;
    size_t at = 0;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    while (at < size) {
        if (f->n_code == room) {
            room = room ? 2 * room : 64;
            f->code = pl_err_must(realloc(f->code, room * sizeof(*f->code)));
        }
        struct pl_machine_code *c = &f->code[f->n_code];

        if (!ZYAN_SUCCESS(
                ZydisDecoderDecodeFull(&decoder, bytes + at, size - at, &c->i, c->operands)))
            return; /* data among the code: what is behind it is not looked at */
        c->pc = start + at;
        at += c->i.length;
        f->n_code++;
    }
}

static bool is_jump(const struct pl_machine_code *c)
{
    return c->i.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE && c->i.mnemonic != ZYDIS_MNEMONIC_CALL;
}

/* Where a jump or call with a fixed target goes; 0 when it has none. */
static uint64_t target_of(const struct pl_machine_code *c)
{
    const ZydisDecodedOperand *o = &c->operands[0];

    if (c->i.operand_count_visible == 0 || o->type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
        !o->imm.is_relative)
        return 0;
    return c->pc + c->i.length + o->imm.value.u;
}

static struct pl_machine_hook called_by(const struct function *f, const struct pl_machine_code *c)
{
    uint64_t target = target_of(c), slot = 0;
    const ZydisDecodedOperand *o = &c->operands[0];

    if (target == 0 && o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == ZYDIS_REGISTER_RIP)
        slot = c->pc + c->i.length + (uint64_t)o->mem.disp.value;
    if (target == 0 && slot == 0)
        return (struct pl_machine_hook){PL_CALL_OTHER, 0, false, false};
    return f->world->called(f->world->memory.context, target, slot);
}

/* Whether a call may do anything: it ends what was announced. */
static bool is_foreign(enum pl_machine_call call)
{
    return call == PL_CALL_OTHER || call == PL_CALL_LIBRARY || call == PL_CALL_HOOK;
}

static bool goes_through(const struct function *f, const struct pl_machine_code *c)
{
    if (c->i.mnemonic == ZYDIS_MNEMONIC_CALL)
        return called_by(f, c).call != PL_CALL_ENDS;
    return !(c->i.mnemonic == ZYDIS_MNEMONIC_JMP || c->i.mnemonic == ZYDIS_MNEMONIC_RET ||
             c->i.mnemonic == ZYDIS_MNEMONIC_UD2 || c->i.mnemonic == ZYDIS_MNEMONIC_HLT);
}

/* The instruction at an address, or n_code. */
static unsigned find(const struct function *f, uint64_t pc)
{
    unsigned low = 0, high = f->n_code;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (f->code[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->n_code && f->code[low].pc == pc ? low : f->n_code;
}

static unsigned block_at(const struct function *f, unsigned first)
{
    unsigned low = 0, high = f->n_blocks;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (f->blocks[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    PL_ASSERT(low < f->n_blocks && f->blocks[low].first == first);
    return low;
}

/* What fills the space up to the next block. */
static bool is_padding(const struct pl_machine_code *c)
{
    return c->i.mnemonic == ZYDIS_MNEMONIC_NOP || c->i.mnemonic == ZYDIS_MNEMONIC_INT3;
}

/* Whether its end is like the places where a table or an exception takes over. */
static bool may_lead(const struct block *b)
{
    return b->leaves || (b->calls && !b->ends);
}

static void link_block(struct function *f, unsigned b)
{
    struct block *block = &f->blocks[b];
    const struct pl_machine_code *last = &f->code[block->end - 1];
    uint64_t target = is_jump(last) ? target_of(last) : 0;
    unsigned to = target != 0 ? find(f, target) : f->n_code;

    if (to < f->n_code)
        block->next[block->n_next++] = block_at(f, to);
    block->leaves = last->i.mnemonic == ZYDIS_MNEMONIC_JMP && target == 0;
    block->ends = last->i.mnemonic == ZYDIS_MNEMONIC_RET ||
                  (last->i.mnemonic == ZYDIS_MNEMONIC_JMP && target != 0 && to == f->n_code);
    block->padding = is_padding(&f->code[block->first]);
    if (goes_through(f, last) && b + 1 < f->n_blocks)
        block->next[block->n_next++] = b + 1;
}

/*
 * Whether the jump goes by a table of distances from the table itself, as compilers make them:
 * movslq (table,index,4),to; add table,to; jmp *to.  Such tables have been read.
 */
static bool goes_by_table(const struct function *f, unsigned at)
{
    const struct pl_machine_code *c = &f->code[at];

    if (at < 2 || c->operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
        return false;
    ZydisRegister to = c->operands[0].reg.value;
    const struct pl_machine_code *add = c - 1, *load = c - 2;
    const ZydisDecodedOperand *from = &load->operands[1];

    return add->i.mnemonic == ZYDIS_MNEMONIC_ADD &&
           add->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           add->operands[0].reg.value == to &&
           add->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           load->i.mnemonic == ZYDIS_MNEMONIC_MOVSXD && load->operands[0].reg.value == to &&
           from->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           from->mem.base == add->operands[1].reg.value && from->mem.scale == sizeof(int32_t) &&
           from->mem.disp.value == 0;
}

static void divide(struct function *f)
{
    bool *leads = pl_err_must(calloc(f->n_code + 1, sizeof(*leads)));

    leads[0] = true;
    for (unsigned i = 0; i < f->n_code; i++) {
        if (!is_jump(&f->code[i]) && goes_through(f, &f->code[i]))
            continue;
        uint64_t target = is_jump(&f->code[i]) ? target_of(&f->code[i]) : 0;

        leads[i + 1] = true;
        if (target != 0)
            leads[find(f, target)] = true;
    }
    for (unsigned i = 1; i < f->n_code; i++)
        leads[i] |= f->world->entered(f->world->memory.context, f->code[i].pc) ||
                    f->world->tabled(f->world->memory.context, f->code[i].pc);
    for (unsigned i = 0; i < f->n_code; i++)
        f->n_blocks += leads[i];
    f->blocks = pl_err_must(calloc(f->n_blocks + 1, sizeof(*f->blocks)));
    for (unsigned i = 0, b = 0; i < f->n_code; i++) {
        if (leads[i]) {
            f->blocks[b].foreign = f->world->entered(f->world->memory.context, f->code[i].pc);
            f->blocks[b].tabled = f->world->tabled(f->world->memory.context, f->code[i].pc);
            f->blocks[b++].first = i;
        }
        f->blocks[b - 1].end = i + 1;
        f->blocks[b - 1].calls |= f->code[i].i.mnemonic == ZYDIS_MNEMONIC_CALL;
    }
    free(leads);
    for (unsigned b = 0; b < f->n_blocks; b++)
        link_block(f, b);
    for (unsigned b = 0; b < f->n_blocks; b++)
        f->leaves |= f->blocks[b].leaves && !goes_by_table(f, f->blocks[b].end - 1);
}

static int by_target(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;

    return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Who comes before whom.  What nobody jumps to is entered by a table or by an exception. */
static void find_preds(struct function *f)
{
    bool *entered = pl_err_must(calloc(f->n_blocks + 1, sizeof(*entered)));
    unsigned orphans = 0, sources = 0, n = 0, tabled = 0, tables = 0;

    for (unsigned b = 0; b < f->n_blocks; b++) {
        for (unsigned k = 0; k < f->blocks[b].n_next; k++)
            entered[f->blocks[b].next[k]] = true;
        sources += may_lead(&f->blocks[b]);
        tabled += f->blocks[b].tabled;
        tables += f->blocks[b].leaves;
    }
    for (unsigned b = 1; b < f->n_blocks; b++)
        orphans += !(entered[b] |= f->blocks[b].padding || (f->blocks[b].tabled && tables > 0));
    bool many = (uint64_t)orphans * sources > (1 << 16); /* then the first few have to do */
    unsigned each = many && orphans > 0 ? 4 : sources;

    f->preds = pl_err_must(
        calloc((2 * (size_t)f->n_blocks + (size_t)orphans * each + (size_t)tabled * tables + 1) * 2,
               sizeof(*f->preds)));
    for (unsigned b = 0; b < f->n_blocks; b++) {
        for (unsigned k = 0; k < f->blocks[b].n_next; k++, n++) {
            f->preds[2 * n] = f->blocks[b].next[k];
            f->preds[2 * n + 1] = b;
        }
    }
    for (unsigned b = 1; b < f->n_blocks; b++) {
        unsigned taken = 0;

        for (unsigned p = 0; !entered[b] && p < f->n_blocks && taken < each; p++) {
            if (!may_lead(&f->blocks[p]))
                continue;
            f->preds[2 * n] = b;
            f->preds[2 * n++ + 1] = p;
            taken++;
        }
    }
    for (unsigned b = 1; b < f->n_blocks; b++) {
        f->blocks[b].foreign |= f->blocks[b].tabled && tables == 0;
        for (unsigned p = 0; f->blocks[b].tabled && p < f->n_blocks; p++) {
            if (!f->blocks[p].leaves)
                continue;
            f->preds[2 * n] = b;
            f->preds[2 * n++ + 1] = p;
        }
    }
    f->n_preds = n;
    qsort(f->preds, n, 2 * sizeof(*f->preds), by_target);
    free(entered);
}

/* ---- what holds where ---- */

static void escape(struct function *f, const struct pl_machine_value *v)
{
    if (v->origin != PL_MACHINE_STACK || !pl_state_in_frame(v->n))
        return;
    for (unsigned i = 0; i < f->n_escaped; i++) {
        if (f->escaped[i] == v->n)
            return;
    }
    if (f->n_escaped < ESCAPED_MAX)
        f->escaped[f->n_escaped++] = v->n;
}

/* Addresses of the frame that others get to know. */
static void note_escapes(struct function *f, const struct pl_machine_state *s,
                         const struct pl_machine_code *c)
{
    static const uint8_t arguments[] = {7, 6, 2, 1, 8, 9};

    if (c->i.mnemonic == ZYDIS_MNEMONIC_CALL) {
        if (is_foreign(called_by(f, c).call)) {
            for (unsigned i = 0; i < sizeof(arguments); i++)
                escape(f, &s->registers[arguments[i]]);
        }
    } else if (c->i.mnemonic == ZYDIS_MNEMONIC_MOV &&
               c->operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
               c->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && c->operands[1].size == 64 &&
               ZydisRegisterGetClass(c->operands[1].reg.value) == ZYDIS_REGCLASS_GPR64) {
        escape(f, &s->registers[ZydisRegisterGetId(c->operands[1].reg.value)]);
    }
}

static void call(const struct function *f, struct pl_machine_state *s,
                 const struct pl_machine_code *c)
{
    struct pl_machine_hook hook = called_by(f, c);
    struct pl_machine_said said = {.addr = s->registers[PL_MACHINE_RDI].n,
                                   .size = hook.size,
                                   .read = hook.read,
                                   .write = hook.write};

    if (hook.call == PL_CALL_RANGE) {
        said.size = s->registers[PL_MACHINE_RSI].n;
        if (said.size > WHOLE)
            said.size = WHOLE;
    }
    if (is_foreign(hook.call) || hook.call == PL_CALL_ENDS)
        s->n_said = 0;
    else if (hook.call != PL_CALL_NOTE) {
        pl_state_outdate(s);
        pl_state_say(s, &said);
    }
    pl_state_called(s, c->pc);
}

static bool overlaps(const struct pl_machine_said *said, uint64_t addr, uint64_t size)
{
    return addr - said->addr < said->size || said->addr - addr < size;
}

static bool is_announced(const struct pl_machine_state *s, uint64_t addr, uint64_t size, bool read,
                         bool write)
{
    for (unsigned i = 0; i < s->n_said; i++) {
        if (((read && s->said[i].read) || (write && s->said[i].write)) &&
            overlaps(&s->said[i], addr, size))
            return true;
    }
    return false;
}

/* Where registers stand in the body of the function. */
static uint64_t frame_register(const struct function *f, unsigned r)
{
    uint64_t lowest = 0;

    for (unsigned b = 0; b < f->n_blocks; b++) {
        const struct pl_machine_value *v = &f->blocks[b].after.registers[r];

        if (!f->blocks[b].after.reached || v->origin != PL_MACHINE_STACK ||
            !pl_state_in_frame(v->n))
            continue;
        if (lowest == 0 || v->n < lowest)
            lowest = v->n;
    }
    return lowest;
}

/* Only variables whose address is given away are of interest, each as a whole. */
static void find_objects(struct function *f)
{
    uint64_t base[PL_FRAME_BASES] = {[PL_FRAME_CFA] = pl_state_cfa(),
                                     [PL_FRAME_RBP] = frame_register(f, PL_MACHINE_RBP),
                                     [PL_FRAME_RSP] = frame_register(f, PL_MACHINE_RSP)};
    size_t kept = 0;

    if (f->n_escaped == 0)
        return;
    f->n_objects = f->world->objects(f->world->memory.context, f->code[0].pc, &f->objects);
    for (size_t i = 0; i < f->n_objects; i++) {
        struct pl_machine_object o = f->objects[i];
        bool given = false;

        o.addr += base[o.base];
        for (unsigned k = 0; k < f->n_escaped; k++)
            given |= f->escaped[k] - o.addr < o.size;
        if (given && base[o.base] != 0)
            f->objects[kept++] = o;
    }
    f->n_objects = kept;
}

static bool is_private(const struct function *f, uint64_t addr)
{
    if (!pl_state_in_frame(addr))
        return f->n_objects == 0; /* an element of something in the frame */
    for (size_t i = 0; i < f->n_objects; i++) {
        if (addr - f->objects[i].addr < f->objects[i].size)
            return false;
    }
    return true;
}

/* Instructions that have an operand in memory and do not access it, or only to go elsewhere. */
static bool is_harmless(const struct pl_machine_code *c)
{
    switch (c->i.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_UNCOND_BR:
        return true;
    default:
        return false;
    }
}

/* What push, pop and the like do to the stack without saying so. */
static bool is_implied(const ZydisDecodedOperand *o)
{
    return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
           (o->mem.base == ZYDIS_REGISTER_RSP || o->mem.base == ZYDIS_REGISTER_RBP);
}

/* Whether an operand is an access that nobody announced. */
static bool is_unannounced(const struct function *f, struct pl_machine_state *s,
                           const struct pl_machine_code *c, const ZydisDecodedOperand *o)
{
    if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || o->actions == 0 ||
        o->mem.type == ZYDIS_MEMOP_TYPE_AGEN || o->mem.segment == ZYDIS_REGISTER_FS ||
        o->mem.segment == ZYDIS_REGISTER_GS || is_implied(o))
        return false;
    bool read = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
    bool write = (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    struct pl_machine_value at = pl_state_address(s, c, o, &f->world->memory);
    uint64_t size = o->size / 8 ? o->size / 8 : 1;

    if (at.origin == PL_MACHINE_STACK && is_private(f, at.n))
        return false;
    if (at.origin == PL_MACHINE_CONSTANT && !write)
        return false;
    if (!(read && write) && is_announced(s, at.n, size, read, write))
        return false;
    /* What was announced before others could come in here has to be announced again. */
    pl_state_outdate(s);
    for (unsigned i = 0; i < s->n_said; i++) {
        if (read && s->said[i].write && overlaps(&s->said[i], at.n, size)) {
            s->said[i] = s->said[--s->n_said];
            i--;
        }
    }
    return true;
}

/* Whether an instruction does the same elsewhere. */
static bool is_movable(const struct pl_machine_code *c)
{
    if (c->i.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
        (c->i.attributes & ZYDIS_ATTRIB_IS_RELATIVE) != 0 ||
        c->i.mnemonic == ZYDIS_MNEMONIC_SYSCALL || c->i.mnemonic == ZYDIS_MNEMONIC_INT3)
        return false;
    return c->i.meta.category != ZYDIS_CATEGORY_CALL && c->i.meta.category != ZYDIS_CATEGORY_RET;
}

/* Whether it is a call that can be made from elsewhere, and leaves room for a jump. */
static bool is_near_call(const struct pl_machine_code *c)
{
    return c->i.mnemonic == ZYDIS_MNEMONIC_CALL && target_of(c) != 0 && c->i.length == PL_SITE_JUMP;
}

/* Where in the instruction the distance to its operand stands; 0: it has none. */
static unsigned distance_in(const struct pl_machine_code *c)
{
    for (unsigned k = 0; k < c->i.operand_count_visible; k++) {
        if (c->operands[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            c->operands[k].mem.base == ZYDIS_REGISTER_RIP)
            return c->i.raw.disp.offset;
    }
    return 0;
}

/* From an instruction on. */
static struct pl_machine_room room_at(const struct function *f, const struct block *b, unsigned at)
{
    struct pl_machine_room room = {.bytes = f->code[at].i.length,
                                   .relative_at = distance_in(&f->code[at])};
    const struct pl_machine_room none = {.relative_at = room.relative_at};

    while (room.bytes < PL_SITE_JUMP) {
        unsigned distance = ++at < b->end ? distance_in(&f->code[at]) : 0;

        /* A table may lead to any instruction. */
        if (at >= b->end || f->leaves)
            return none;
        if (is_near_call(&f->code[at])) {
            room.call_at = room.bytes;
            room.bytes += PL_SITE_JUMP;
            return room;
        }
        if ((distance != 0 && room.relative_at != 0) ||
            !(distance != 0 ? f->code[at].i.mnemonic == ZYDIS_MNEMONIC_LEA
                            : is_movable(&f->code[at])))
            return none;
        if (distance != 0)
            room.relative_at = room.bytes + distance;
        room.bytes += f->code[at].i.length;
    }
    return room;
}

static void look(struct function *f, struct pl_machine_state *s, const struct block *b, unsigned at)
{
    const struct pl_machine_code *c = &f->code[at];

    if (is_harmless(c))
        return;
    if (c->i.mnemonic == ZYDIS_MNEMONIC_RDRAND || c->i.mnemonic == ZYDIS_MNEMONIC_RDSEED ||
        c->i.mnemonic == ZYDIS_MNEMONIC_RDPMC)
        f->world->chance(f->world->to, c, room_at(f, b, at));
    for (unsigned k = 0; k < c->i.operand_count; k++) {
        if (is_unannounced(f, s, c, &c->operands[k]))
            f->world->found(f->world->to, c, k, room_at(f, b, at));
    }
}

enum pass { PASS_FLOW, PASS_ESCAPES, PASS_LOOK };

static void walk(struct function *f, struct block *b, enum pass pass)
{
    struct pl_machine_state *s = &b->after;

    pl_state_copy(s, &b->before);
    for (unsigned i = b->first; i < b->end; i++) {
        const struct pl_machine_code *c = &f->code[i];

        if (pass == PASS_ESCAPES)
            note_escapes(f, s, c);
        else if (pass == PASS_LOOK)
            look(f, s, b, i);
        if (c->i.mnemonic == ZYDIS_MNEMONIC_CALL) {
            call(f, s, c);
        } else {
            if (c->i.mnemonic == ZYDIS_MNEMONIC_SYSCALL)
                s->n_said = 0;
            pl_state_perform(s, c, &f->world->memory);
        }
    }
}

/* True when something has changed. */
static bool flow(struct function *f, unsigned b, unsigned *pred)
{
    struct block *block = &f->blocks[b];
    unsigned n = 0, start = *pred;
    struct pl_machine_state joined = {0};

    while (*pred < f->n_preds && f->preds[2 * *pred] == b)
        ++*pred;
    const struct pl_machine_state **from = pl_err_must(calloc(*pred - start + 2, sizeof(*from)));
    struct pl_machine_state entry;

    pl_state_enter(&entry);
    if (b == 0)
        from[n++] = &entry;
    for (unsigned p = start; p < *pred; p++) {
        if (f->blocks[f->preds[2 * p + 1]].after.reached)
            from[n++] = &f->blocks[f->preds[2 * p + 1]].after;
    }
    if (n == 0) {
        free(from);
        return false;
    }
    if (n == 1)
        pl_state_copy(&joined, from[0]);
    else
        pl_state_join(&joined, from, n, f->code[block->first].pc);
    free(from);
    if (block->foreign)
        joined.n_said = 0;
    bool changed = !block->before.reached || !pl_state_equal(&joined, &block->before);

    if (changed) {
        pl_state_copy(&block->before, &joined);
        walk(f, block, PASS_FLOW);
    }
    pl_state_free(&joined);
    return changed;
}

void pl_function_exits(uint64_t start, const uint8_t *bytes, size_t size,
                       void (*visit)(void *to, uint64_t target),
                       void (*takes)(void *to, uint64_t addr), void *to)
{
    struct function f = {0};

    decode(&f, start, bytes, size);
    for (unsigned i = 0; i < f.n_code; i++) {
        uint64_t target = is_jump(&f.code[i]) ? target_of(&f.code[i]) : 0;

        if (target != 0 && target - start >= size)
            visit(to, target);
        if (f.code[i].i.mnemonic == ZYDIS_MNEMONIC_LEA && distance_in(&f.code[i]) != 0)
            takes(to, f.code[i].pc + f.code[i].i.length +
                          (uint64_t)f.code[i].operands[1].mem.disp.value);
    }
    free(f.code);
}

void pl_function_read(const struct pl_machine_world *world, uint64_t start, const uint8_t *bytes,
                      size_t size)
{
    struct function f = {.world = world};
    bool changed = true;

    decode(&f, start, bytes, size);
    if (f.n_code == 0) {
        free(f.code);
        return;
    }
    divide(&f);
    find_preds(&f);
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        unsigned pred = 0;

        changed = false;
        for (unsigned b = 0; b < f.n_blocks; b++)
            changed |= flow(&f, b, &pred);
    }
    for (unsigned b = 0; b < f.n_blocks; b++) {
        if (f.blocks[b].before.reached)
            walk(&f, &f.blocks[b], PASS_ESCAPES);
    }
    find_objects(&f);
    for (unsigned b = 0; b < f.n_blocks; b++) {
        if (f.blocks[b].before.reached)
            walk(&f, &f.blocks[b], PASS_LOOK);
    }
    for (unsigned b = 0; b < f.n_blocks; b++) {
        pl_state_free(&f.blocks[b].before);
        pl_state_free(&f.blocks[b].after);
    }
    free(f.objects);
    free(f.blocks);
    free(f.preds);
    free(f.code);
}
