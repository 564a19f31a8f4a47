/* SPDX-License-Identifier: MIT */
/*
 * See sites.h.  Breakpoints are put in at the root, before the first runner is forked; copies of
 * the instructions lie near the module, since operands and the way back are relative to the
 * instruction.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/access/sites.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "model/gate.h"
#include "model/site.h"
#include "runtime/access/access.h"
#include "runtime/access/pieces.h"
#include "runtime/core/observer.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/core/trampoline.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/wide.h"

#include <sys/mman.h>
#include <ucontext.h>

enum {
    BREAKPOINT = 0xcc,
    JUMP = 0xe9,
    STUB = 48, /* bytes for a copy: the way to arrive(), the instruction, and a jump back */
    PAGE = 4096,
    STRIDE = 1 << 24, /* from one place where copies may be to the next that is tried */
    TRIES = 64,
    OLD_MAX = 64, /* bytes that one instruction reads and writes */
    RCX = 1,
    RAX = 0,
};

static void arrive_by_jump(uint64_t sp);
void pl_trampoline_entry(void);

/* ---- breakpoints and jumps ---- */

/* What copies of one region have in common: the way to arrive(), without a signal. */
struct region {
    uint64_t function, features, size, entry;
    uint8_t code[32];
};

/* At the beginning of a copy that is jumped to: leave the red zone alone, and say who calls. */
static const uint8_t prefix[] = {0x48, 0x8d, 0x64,
                                 0x24, 0x80, 0xe8}; /* lea -128(%rsp), %rsp; call */
enum { PREFIX = sizeof(prefix) + 4, NUMBER = 4 };   /* before it stands which site it is */

/*
 * The call has pushed what becomes `rip` of struct pl_trampoline_registers; here are the rest, up
 * to `function`: pushfq; push size; push features; push %rsp; push function; cld; jmp *entry.
 */
static void write_region(struct region *r)
{
    uint32_t a, b, c, d;
    const uint8_t code[] = {0x9c, 0xff, 0x35, 0, 0, 0, 0,    0xff, 0x35, 0, 0, 0, 0, 0x54,
                            0xff, 0x35, 0,    0, 0, 0, 0xfc, 0xff, 0x25, 0, 0, 0, 0};
    const struct {
        uint8_t at;
        const void *to;
    } words[] = {{3, &r->size}, {9, &r->features}, {16, &r->function}, {23, &r->entry}};

    _Static_assert(sizeof(code) <= sizeof(r->code), "room");
    r->function = (uint64_t)arrive_by_jump;
    r->entry = (uint64_t)pl_trampoline_entry;
    r->features = 0;
    r->size = 512; /* FXSAVE */
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1), "c"(0));
    if ((c >> 27 & 1) != 0) { /* OSXSAVE */
        uint32_t low, high;

        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(13), "c"(0));
        r->features = (uint64_t)high << 32 | low;
        r->size = b;
    }
    pl_memory_copy(r->code, code, sizeof(code));
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        int32_t distance = (int32_t)((int64_t)words[i].to - (int64_t)(r->code + words[i].at + 4));

        pl_memory_copy(r->code + words[i].at, &distance, sizeof(distance));
    }
}

/* Memory near an address, of which a displacement of 32 bits reaches everything around it. */
static struct region *map_near(uint64_t addr, uint64_t size)
{
    for (uint64_t i = 1; i <= TRIES; i++) {
        uint64_t at = (addr & ~(uint64_t)(PAGE - 1)) - i * STRIDE;
        long got = pl_sys(SYS_mmap, at, size, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

        if (got > 0 && (uint64_t)got == at) {
            write_region((struct region *)at);
            return (struct region *)at;
        }
        if (got > 0)
            pl_sys(SYS_munmap, got, size);
    }
    return NULL;
}

static bool fits(int64_t distance)
{
    return distance >= INT32_MIN && distance <= INT32_MAX;
}

static void put_distance(uint8_t *at, int64_t distance)
{
    int32_t n = (int32_t)distance;

    PL_ASSERT(fits(distance));
    pl_memory_copy(at, &n, sizeof(n));
}

/*
 * What has the effect of a call that ends at `end`, from elsewhere: push its low half; movl its
 * high half, 4(%rsp); jmp.  So whoever is called knows its caller, and comes back behind the call.
 */
static bool put_call(uint8_t *code, uint64_t end)
{
    const uint8_t push = 0x68, store[] = {0xc7, 0x44, 0x24, 4};
    enum { HALF = 4, BEHIND = 1 + HALF + sizeof(store) + HALF + PL_SITE_JUMP };
    int32_t distance;

    pl_memory_copy(&distance, (const uint8_t *)end - HALF, HALF);
    int64_t way = (int64_t)(end - (uint64_t)(code + BEHIND)) + distance;

    if (!fits(way))
        return false;
    *code++ = push;
    pl_memory_copy(code, &end, HALF);
    pl_memory_copy(code + HALF, store, sizeof(store));
    code += HALF + sizeof(store);
    pl_memory_copy(code, (const uint8_t *)&end + HALF, HALF);
    code[HALF] = JUMP;
    put_distance(code + HALF + 1, way);
    return true;
}

/* Copy what stands at the site; false when its operand or the way back is too far away. */
static bool copy_code(const struct pl_site *s, const struct region *region, uint64_t to)
{
    uint8_t *stub = (uint8_t *)to + NUMBER, *code = stub + PREFIX;
    uint32_t number = (uint32_t)(s - pl_board->sites);
    unsigned length = s->call_at != 0 ? s->call_at : s->room != 0 ? s->room : s->length;
    int64_t moved = (int64_t)(s->pc - (uint64_t)code);
    int32_t distance = 0;

    PL_ASSERT(length <= PL_SITE_ROOM);
    if (s->relative_at != 0)
        pl_memory_copy(&distance, (const uint8_t *)s->pc + s->relative_at, sizeof(distance));
    if (!fits(distance + moved) || !fits(moved - PL_SITE_JUMP) || !fits(-moved))
        return false;
    pl_memory_copy((void *)to, &number, NUMBER);
    pl_memory_copy(stub, prefix, sizeof(prefix));
    put_distance(stub + sizeof(prefix), (int64_t)region->code - (int64_t)code);
    pl_memory_copy(code, (const void *)s->pc, length);
    if (s->relative_at != 0)
        put_distance(code + s->relative_at, distance + moved);
    if (s->call_at != 0)
        return put_call(code + length, s->pc + s->room);
    code[length] = JUMP;
    put_distance(code + length + 1, moved - PL_SITE_JUMP);
    return true;
}

/* A jump to the copy where there is room for one, else a breakpoint. */
static bool patch(const struct pl_site *s, uint64_t stub)
{
    uint64_t page = s->pc & ~(uint64_t)(PAGE - 1);
    uint64_t size = ((s->pc + PL_SITE_JUMP - 1) & ~(uint64_t)(PAGE - 1)) + PAGE - page;
    uint8_t *at = (uint8_t *)s->pc;

    if (pl_sys(SYS_mprotect, page, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    if (s->room == 0) {
        *at = BREAKPOINT;
    } else {
        *at = JUMP;
        put_distance(at + 1, (int64_t)(stub - s->pc) - PL_SITE_JUMP);
    }
    pl_sys(SYS_mprotect, page, size, PROT_READ | PROT_EXEC);
    return true;
}

static void plant(void)
{
    struct region *region = NULL;
    uint64_t used = 0, size = 0;

    for (uint32_t i = 0; i < pl_board->n_sites; i++) {
        struct pl_site *s = &pl_board->sites[i];
        uint64_t left = sizeof(*region) + (uint64_t)(pl_board->n_sites - i) * STUB;

        s->stub = 0;
        PL_ASSERT(s->length > 0 && s->length <= PL_SITE_LENGTH && s->n <= PL_SITE_OPERANDS);
        if (region == NULL || used + STUB > size ||
            !copy_code(s, region, (uint64_t)region + used)) {
            size = (left + PAGE - 1) & ~(uint64_t)(PAGE - 1);
            used = sizeof(*region);
            region = map_near(s->pc, size);
        }
        uint64_t stub = (uint64_t)region + used;

        if (region == NULL || !copy_code(s, region, stub) || !patch(s, stub + NUMBER)) {
            pl_board->blind_pc = s->pc;
            continue;
        }
        s->stub = stub + NUMBER + PREFIX;
        used += STUB;
    }
}

/* Threads that run freely are not looked at so closely, and neither is the replay of what they did.
 */
static void learn(void)
{
    if (!pl_stage->modules.instrumented || pl_as_free() || pl_native ||
        pl_board->settings.hooks_only)
        return;
    if (pl_stage->modules.planted)
        return; /* at the root of an earlier section: the code is no longer what it was */
    pl_stage->modules.planted = true;
    pl_place_modules();
    pl_board->sites_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_SITES, &pl_board->sites_status);
    plant();
    if (pl_board->blind_pc != 0 || pl_board->stripped != 0)
        pl_incomplete_add(&pl_common->incomplete, PL_INCOMPLETE_UNHOOKED);
}

static bool never(bool rooted)
{
    return false;
}

const struct pl_observer pl_sites_observer = {.wanted = never, .root = learn};

/* ---- at breakpoints ---- */

static const struct pl_site *site_at(uint64_t pc)
{
    uint32_t low = 0, high = pl_board->n_sites;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (pl_board->sites[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    const struct pl_site *s = &pl_board->sites[low];

    return low < pl_board->n_sites && s->pc == pc && s->stub != 0 ? s : NULL;
}

uint64_t pl_sites_origin(uint64_t pc)
{
    for (uint32_t i = 0; i < pl_board->n_sites; i++) {
        if (pl_board->sites[i].stub != 0 && pc - pl_board->sites[i].stub < STUB - PREFIX)
            return pl_board->sites[i].pc;
    }
    return pc;
}

static uint64_t address_of(const struct pl_site_operand *o, const uint64_t *registers)
{
    uint64_t addr = o->displacement;

    if (o->base < PL_SITE_NO_REGISTER)
        addr += registers[o->base];
    if (o->index < PL_SITE_NO_REGISTER)
        addr += registers[o->index] * (o->scale ? o->scale : 1);
    return addr;
}

/* Whether an atomic instruction will change what is there; a lock that is taken stays taken. */
static bool will_change(const struct pl_site *s, uint64_t addr, const uint64_t *registers)
{
    uint64_t old = 0;
    uint32_t size = s->operands[0].size;
    uint64_t mask = size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;

    if (size > sizeof(old) || s->source >= PL_SITE_NO_REGISTER)
        return true;
    pl_memory_copy(&old, (const void *)addr, size);
    if (s->atomic == PL_SITE_COMPARES && old != (registers[RAX] & mask))
        return false;
    return s->atomic == PL_SITE_ADDS || old != (registers[s->source] & mask);
}

static void announce_atomic(struct pl_thread *t, const struct pl_site *s, uint64_t addr,
                            const uint64_t *registers, const uint64_t *entry)
{
    uint32_t size = s->operands[0].size;

    if (!pl_access_unhooked(addr, size, PL_ACCESS_READ | PL_ACCESS_WRITE, true, entry))
        return;
    if (will_change(s, addr, registers)) {
        pl_spin_progress(t);
        t->quiet = 0;
        pl_spin_touch(pl_alias(addr), size, pl_stage->current);
    }
}

/* Two steps: what was read is what the instruction goes by, whatever is there by now. */
static void announce_update(uint64_t addr, uint32_t size, const uint64_t *entry)
{
    unsigned char old[OLD_MAX];
    bool kept = pl_access_unhooked(addr, size, PL_ACCESS_READ, false, entry) && size <= OLD_MAX;

    if (kept)
        pl_memory_copy(old, (const void *)addr, size);
    pl_access_unhooked(addr, size, PL_ACCESS_WRITE, false, entry);
    if (kept && pl_memory_compare(old, (const void *)addr, size) != 0)
        pl_memory_copy((void *)addr, old, size);
}

/*
 * A string instruction with several elements that are one word together: others may come between
 * them, but what is no more than a word is not made in pieces, or in another order.
 */
static bool is_few(const struct pl_site *s, uint64_t count)
{
    return s->n > 0 && (s->operands[0].flags & PL_SITE_REPEATS) != 0 && count > 1 &&
           s->operands[0].size * count <= PL_WIDE_WORD;
}

static void announce(struct pl_thread *t, const struct pl_site *s, const uint64_t *registers,
                     const uint64_t *entry)
{
    for (unsigned i = s->n; i-- > 0;) { /* of a copy the source comes second, and is read first */
        const struct pl_site_operand *o = &s->operands[i];
        uint64_t addr = address_of(o, registers);
        uint64_t size = o->flags & PL_SITE_REPEATS ? o->size * registers[RCX] : o->size;
        bool read = (o->flags & PL_SITE_READ) != 0, write = (o->flags & PL_SITE_WRITE) != 0;

        if (size == 0 || (!write && pl_place_is_constant(addr)))
            continue;
        if (is_few(s, registers[RCX]) && pl_shadow_known(pl_alias(addr)))
            pl_unmodelled("rep with few bytes", PL_UNMODELLED_INSTRUCTION, entry[6]);
        else if (pl_pieces_wanted(t, addr, size))
            pl_pieces_at_once(addr, size, entry[6]);
        if (s->atomic != PL_SITE_PLAIN)
            announce_atomic(t, s, addr, registers, entry);
        else if (read && write)
            announce_update(addr, (uint32_t)size, entry);
        else
            pl_access_unhooked(addr, size, write ? PL_ACCESS_WRITE : PL_ACCESS_READ, false, entry);
    }
}

/* ---- string instructions ---- */

enum { MOVS = 0xa4, STOS = 0xaa, DIRECTION = 0x400 }; /* opcodes of bytes; the flag */

/* Which string instruction it is, as the opcode that it has for bytes. */
static uint8_t string_of(const struct pl_site *s)
{
    const uint8_t *code = (const uint8_t *)s->stub;
    unsigned i = 0;

    while (i < s->length &&
           (code[i] == 0x66 || code[i] == 0xf2 || code[i] == 0xf3 || (code[i] & 0xf0) == 0x40))
        i++;
    return i < s->length ? code[i] & 0xfe : 0;
}

/* Whether all bytes of a register that so many of are stored are the same one. */
static bool is_one_byte(uint64_t value, uint32_t size)
{
    for (uint32_t i = 1; i < size; i++) {
        if ((value >> 8 * i & 0xff) != (value & 0xff))
            return false;
    }
    return true;
}

static bool fill_in_pieces(const struct pl_site *s, const struct pl_trampoline_registers *r,
                           uint64_t size, const uint64_t *entry)
{
    return is_one_byte(r->rax, s->operands[0].size) &&
           pl_pieces_fill((void *)r->rdi, (int)(r->rax & 0xff), size, entry[6], entry);
}

/* Only what is nobody's own is announced: the source, the target, or both. */
static bool copy_in_pieces(const struct pl_site *s, const struct pl_trampoline_registers *r,
                           uint64_t size, const uint64_t *entry)
{
    void *to = (void *)r->rdi;
    const void *from = (const void *)r->rsi;

    if (r->rdi - r->rsi < size) /* what is written is read again */
        return false;
    if (s->n == 2)
        return pl_pieces_copy(to, from, size, entry[6], entry);
    if ((s->operands[0].flags & PL_SITE_WRITE) != 0)
        return pl_pieces_store(to, from, size, entry[6], entry);
    char *bytes = pl_pieces_read(from, size, entry[6], entry);

    if (bytes == NULL)
        return false;
    pl_memory_copy(to, bytes, size);
    pl_heap_free(bytes, entry[6]);
    return true;
}

/*
 * The processor makes a copy or a fill element by element, as a library function does, and others
 * may come in the middle.  True when that has been done: nothing is left to the instruction.
 */
static bool repeat_in_pieces(const struct pl_site *s, struct pl_trampoline_registers *r,
                             const uint64_t *entry)
{
    if (s->n == 0 || (s->operands[0].flags & PL_SITE_REPEATS) == 0 || (r->flags & DIRECTION) != 0 ||
        is_few(s, r->rcx))
        return false;
    uint64_t size = s->operands[0].size * r->rcx;
    uint8_t string = string_of(s);

    if (string == STOS ? !fill_in_pieces(s, r, size, entry)
                       : string != MOVS || !copy_in_pieces(s, r, size, entry))
        return false;
    r->rcx = 0;
    r->rdi += size;
    r->rsi += string == MOVS ? size : 0;
    return true;
}

/* What the instruction gives leads wherever it likes. */
static void note_chance(const struct pl_site *s)
{
    static const char *const names[] = {
        [PL_SITE_RDRAND] = "rdrand", [PL_SITE_RDSEED] = "rdseed", [PL_SITE_RDPMC] = "rdpmc"};

    PL_ASSERT(s->chance < sizeof(names) / sizeof(names[0]));
    pl_unmodelled(names[s->chance], PL_UNMODELLED_INSTRUCTION, s->pc + s->length);
}

static bool off(void)
{
    return !pl_active || pl_stage->busy != 0 || !pl_stage->rooted;
}

/* Nothing is announced; but it may be a child on its own. */
static void miss(const struct pl_site *s, const uint64_t *registers)
{
    for (unsigned i = s->n; i-- > 0;) {
        const struct pl_site_operand *o = &s->operands[i];
        uint64_t size = o->flags & PL_SITE_REPEATS ? o->size * registers[RCX] : o->size;

        pl_access_missed(address_of(o, registers), size, (o->flags & PL_SITE_READ) == 0, s->pc);
    }
}

/* On the thread's own stack, before the instruction. */
static void arrive_at(const struct pl_site *s, uint64_t sp)
{
    struct pl_trampoline_registers *r = pl_trampoline_registers(sp);
    struct pl_thread *t = pl_thread_self();
    const uint64_t registers[16] = {r->rax, r->rcx, r->rdx, r->rbx, sp,     r->rbp, r->rsi, r->rdi,
                                    r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};

    if (off()) {
        miss(s, registers);
        return;
    }
    /* Before what others take for the caller's registers: how many accesses it has announced. */
    uint64_t words[8] = {0, r->r15, r->r14, r->r13, r->r12, r->rbx, r->rbp, s->pc + s->length};
    const uint64_t *entry = &words[1];

    r->rip = s->pc; /* for whoever unwinds the stack */
    t->frame = (const void *)(sp & ~UINT64_C(7));
    if (!repeat_in_pieces(s, r, entry))
        announce(t, s, registers, entry);
    if (s->chance != PL_SITE_CERTAIN)
        note_chance(s);
    t->frame = NULL;
    t->entry = NULL;
    r->rip = s->stub;
}

static void arrive(uint64_t sp)
{
    const struct pl_site *s = site_at(pl_trampoline_registers(sp)->rip);

    PL_ASSERT(s != NULL);
    arrive_at(s, sp);
}

/* `pushed` is the stack pointer after four words behind the red zone; see write_region(). */
static void arrive_by_jump(uint64_t pushed)
{
    uint64_t sp = pushed + 4 * sizeof(uint64_t) + PL_RED_ZONE;
    uint64_t stub = pl_trampoline_registers(sp)->rip;
    uint32_t number;

    pl_memory_copy(&number, (const uint8_t *)stub - PREFIX - NUMBER, NUMBER);
    PL_ASSERT(number < pl_board->n_sites && pl_board->sites[number].stub == stub);
    arrive_at(&pl_board->sites[number], sp);
}

bool pl_sites_trap(void *context)
{
    ucontext_t *u = context;
    greg_t *gregs = u->uc_mcontext.gregs;
    const struct pl_site *s = site_at((uint64_t)gregs[REG_RIP] - 1);

    if (s == NULL)
        return false;
    if (off()) {
        const greg_t *g = gregs;
        const uint64_t registers[16] = {
            (uint64_t)g[REG_RAX], (uint64_t)g[REG_RCX], (uint64_t)g[REG_RDX], (uint64_t)g[REG_RBX],
            (uint64_t)g[REG_RSP], (uint64_t)g[REG_RBP], (uint64_t)g[REG_RSI], (uint64_t)g[REG_RDI],
            (uint64_t)g[REG_R8],  (uint64_t)g[REG_R9],  (uint64_t)g[REG_R10], (uint64_t)g[REG_R11],
            (uint64_t)g[REG_R12], (uint64_t)g[REG_R13], (uint64_t)g[REG_R14], (uint64_t)g[REG_R15]};

        miss(s, registers);
        gregs[REG_RIP] = (greg_t)s->stub;
        return true;
    }
    gregs[REG_RIP] = (greg_t)s->pc;
    pl_trampoline_push(u, arrive, (uint64_t)gregs[REG_RSP]);
    return true;
}
