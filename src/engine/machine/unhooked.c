/* SPDX-License-Identifier: MIT */
/* See unhooked.h. */
#include "engine/machine/unhooked.h"

#include "base/err.h"
#include "engine/machine/image.h"
#include "engine/machine/variables.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

/* Addresses; sorted once all are there. */
struct addresses {
    uint64_t *list;
    size_t n, room;
};

/* What may be a table, and the function that takes its address. */
struct table {
    uint64_t addr, start, end;
};

struct module {
    struct pl_unhooked *to;
    struct pl_image image;
    struct addresses entered; /* by jumps from other functions */
    struct addresses tabled;  /* by jumps that go by a table */
    struct table *tables;     /* while exits are looked for */
    size_t n_tables, room;
    uint64_t start, end; /* of the function that is read */
    bool exits;          /* these are looked for */
};

/* ---- functions ---- */

static bool is_constant(const void *context, uint64_t addr)
{
    return pl_image_is_constant(&((const struct module *)context)->image, addr);
}

static struct pl_machine_hook called(const void *context, uint64_t target, uint64_t slot)
{
    return pl_image_called(&((const struct module *)context)->image, target, slot);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void add_address(struct addresses *a, uint64_t addr)
{
    if (a->n == a->room) {
        a->room = a->room ? 2 * a->room : 64;
        a->list = pl_err_must(realloc(a->list, a->room * sizeof(*a->list)));
    }
    a->list[a->n++] = addr;
}

static void sort(struct addresses *a)
{
    if (a->n > 0)
        qsort(a->list, a->n, sizeof(*a->list), by_number);
}

static bool has(const struct addresses *a, uint64_t pc)
{
    return a->n > 0 && bsearch(&pc, a->list, a->n, sizeof(pc), by_number) != NULL;
}

static bool is_entered(const void *context, uint64_t pc)
{
    return has(&((const struct module *)context)->entered, pc);
}

static bool is_tabled(const void *context, uint64_t pc)
{
    return has(&((const struct module *)context)->tabled, pc);
}

static void add_entered(void *to, uint64_t target)
{
    add_address(&((struct module *)to)->entered, target);
}

static void add_table(void *to, uint64_t addr)
{
    struct module *m = to;
    size_t size;

    if (pl_image_data(&m->image, addr, &size) == NULL)
        return;
    if (m->n_tables == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->tables = pl_err_must(realloc(m->tables, m->room * sizeof(*m->tables)));
    }
    m->tables[m->n_tables++] = (struct table){addr, m->start, m->end};
}

static int by_addr(const void *a, const void *b)
{
    const struct table *x = a, *y = b;

    return by_number(&x->addr, &y->addr);
}

/*
 * What lies there may be a table of distances from itself to code, and goes on as long as it looks
 * like one, or up to the next one: behind that the distances are others.  Places that no jump goes
 * to do no harm.
 */
static void read_table(struct module *m, const struct table *t, uint64_t next)
{
    size_t size = 0, in_code;
    const uint8_t *bytes = pl_image_data(&m->image, t->addr, &size);
    int32_t distance;

    if (size > next - t->addr)
        size = next - t->addr;
    for (size_t at = 0; at + sizeof(distance) <= size; at += sizeof(distance)) {
        memcpy(&distance, bytes + at, sizeof(distance));
        uint64_t target = t->addr + (uint64_t)(int64_t)distance;

        if (pl_image_code(&m->image, target, &in_code) == NULL)
            return;
        add_address(&m->tabled, target);
        if (target < t->start || target >= t->end)
            add_address(&m->entered, target);
    }
}

static void read_tables(struct module *m)
{
    uint64_t next = UINT64_MAX;

    if (m->n_tables > 0)
        qsort(m->tables, m->n_tables, sizeof(*m->tables), by_addr);
    for (size_t i = m->n_tables; i-- > 0;) {
        if (i + 1 < m->n_tables && m->tables[i + 1].addr > m->tables[i].addr)
            next = m->tables[i + 1].addr;
        read_table(m, &m->tables[i], next);
    }
    free(m->tables);
    m->tables = NULL;
    m->n_tables = m->room = 0;
}

static size_t objects(const void *context, uint64_t start, struct pl_machine_object **list)
{
    const struct module *m = context;

    return pl_variables_find(m->image.dwfl, start, list);
}

static uint8_t number_of(ZydisRegister r)
{
    return ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_GPR64 ? (uint8_t)ZydisRegisterGetId(r)
                                                            : PL_SITE_NO_REGISTER;
}

static uint8_t atomic_kind(const struct pl_machine_code *c)
{
    if (c->i.mnemonic == ZYDIS_MNEMONIC_XCHG)
        return PL_SITE_EXCHANGES;
    if ((c->i.attributes & ZYDIS_ATTRIB_HAS_LOCK) == 0)
        return PL_SITE_PLAIN;
    return c->i.mnemonic == ZYDIS_MNEMONIC_CMPXCHG ? PL_SITE_COMPARES : PL_SITE_ADDS;
}

/* The register that an exchange stores. */
static uint8_t source_of(const struct pl_machine_code *c)
{
    for (unsigned k = 0; k < c->i.operand_count_visible; k++) {
        if (c->operands[k].type == ZYDIS_OPERAND_TYPE_REGISTER)
            return number_of(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
                                                              c->operands[k].reg.value));
    }
    return PL_SITE_NO_REGISTER;
}

/* The site of an instruction, one for all of its operands. */
static struct pl_site *site_of(struct pl_unhooked *u, const struct pl_machine_code *c,
                               struct pl_machine_room room)
{
    if (u->n > 0 && u->sites[u->n - 1].pc == c->pc)
        return &u->sites[u->n - 1];
    if (u->n == u->room) {
        u->room = u->room ? 2 * u->room : 64;
        u->sites = pl_err_must(realloc(u->sites, u->room * sizeof(*u->sites)));
    }
    struct pl_site *site = &u->sites[u->n++];

    *site = (struct pl_site){.pc = c->pc,
                             .length = c->i.length,
                             .room = (uint8_t)room.bytes,
                             .relative_at = (uint8_t)room.relative_at,
                             .call_at = (uint8_t)room.call_at};
    return site;
}

static void chance(void *to, const struct pl_machine_code *c, struct pl_machine_room room)
{
    struct module *m = to;

    site_of(m->to, c, room)->chance = c->i.mnemonic == ZYDIS_MNEMONIC_RDRAND   ? PL_SITE_RDRAND
                                      : c->i.mnemonic == ZYDIS_MNEMONIC_RDSEED ? PL_SITE_RDSEED
                                                                               : PL_SITE_RDPMC;
}

static void found(void *to, const struct pl_machine_code *c, unsigned k,
                  struct pl_machine_room room)
{
    struct module *m = to;
    struct pl_unhooked *u = m->to;
    const ZydisDecodedOperand *o = &c->operands[k];
    bool string = (c->i.attributes &
                   (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    bool relative = o->mem.base == ZYDIS_REGISTER_RIP;
    struct pl_site_operand operand = {
        .displacement = o->mem.disp.has_displacement ? (uint64_t)o->mem.disp.value : 0,
        .size = o->size / 8 ? o->size / 8 : 1,
        .base = number_of(o->mem.base),
        .index = number_of(o->mem.index),
        .scale = o->mem.scale,
    };

    if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB || c->i.address_width != 64) {
        u->blind_pc = c->pc;
        return;
    }
    if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0)
        operand.flags |= PL_SITE_READ;
    if ((o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0)
        operand.flags |= PL_SITE_WRITE;
    if (string)
        operand.flags |= PL_SITE_REPEATS;
    if (relative)
        operand.displacement += c->pc + c->i.length;
    struct pl_site *site = site_of(u, c, room);

    if (site->n == 0) {
        site->atomic = atomic_kind(c);
        site->source = source_of(c);
    }
    if (site->n < PL_SITE_OPERANDS)
        site->operands[site->n++] = operand;
}

static void read_code(struct module *m, const struct pl_image_stretch *code)
{
    const struct pl_image_function *functions = m->image.functions;
    size_t n = m->image.n_functions;
    uint64_t low = code->start, high = code->end, done = low;
    struct pl_machine_world world = {.memory = {is_constant, m},
                                     .called = called,
                                     .entered = is_entered,
                                     .tabled = is_tabled,
                                     .objects = objects,
                                     .found = found,
                                     .chance = chance,
                                     .to = m};

    for (size_t i = 0; i < n; i++) {
        const struct pl_image_function *f = &functions[i];
        uint64_t end = f->end;

        if (f->start < low || f->start >= high || f->start < done)
            continue;
        if (end == f->start) { /* a label: up to the next one */
            end = high;
            for (size_t k = i + 1; k < n && end == high; k++) {
                if (functions[k].start > f->start && functions[k].start < high)
                    end = functions[k].start;
            }
        }
        if (end > high)
            end = high;
        done = end;
        const uint8_t *bytes = code->bytes + (f->start - low);

        m->start = f->start;
        m->end = end;
        if (m->exits)
            pl_function_exits(f->start, bytes, end - f->start, add_entered, add_table, m);
        else if (!f->skipped)
            pl_function_read(&world, f->start, bytes, end - f->start);
    }
}

static void read_module(struct pl_unhooked *u, Dwfl_Module *module)
{
    struct module m = {.to = u};

    if (!pl_image_read(&m.image, module))
        return;
    /* Where symbols have been stripped, nobody knows which calls are hooks. */
    for (int pass = 0; pass < 2 && pl_image_knows_hooks(&m.image); pass++) {
        m.exits = pass == 0;
        for (unsigned i = 0; i < m.image.n_code; i++)
            read_code(&m, &m.image.code[i]);
        read_tables(&m);
        sort(&m.entered);
        sort(&m.tabled);
    }
    if (!pl_image_knows_hooks(&m.image) && !m.image.symbols)
        dwfl_module_info(module, NULL, &u->stripped, NULL, NULL, NULL, NULL, NULL);
    free(m.entered.list);
    free(m.tabled.list);
    pl_image_free(&m.image);
}

/* ---- modules ---- */

struct search {
    struct pl_unhooked *to;
    const struct pl_board *board;
};

static int visit_module(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr start,
                        void *context)
{
    const struct search *s = context;

    for (unsigned i = 0; i < s->board->n_modules && i < PL_BOARD_MODULES; i++) {
        const struct pl_module *m = &s->board->modules[i];

        if (m->instrumented && m->start <= start && start < m->end)
            read_module(s->to, module);
    }
    return DWARF_CB_OK;
}

static int by_pc(const void *a, const void *b)
{
    const struct pl_site *x = a, *y = b;

    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void pl_unhooked_find(struct pl_unhooked *u, const struct pl_board *board, const char *program)
{
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    struct search s = {u, board};

    if (pl_symbols_session(symbols) != NULL)
        dwfl_getmodules(pl_symbols_session(symbols), visit_module, &s, 0);
    pl_symbols_close(symbols);
    if (u->n > 0)
        qsort(u->sites, u->n, sizeof(*u->sites), by_pc);
    for (size_t i = 1; i < u->n; i++) { /* what is moved has no breakpoint of its own */
        struct pl_site *before = &u->sites[i - 1];

        if (u->sites[i].pc >= before->pc + before->room)
            continue;
        before->room = 0;
        if (before->relative_at >= before->length)
            before->relative_at = 0;
        before->call_at = 0;
    }
}

void pl_unhooked_free(struct pl_unhooked *u)
{
    free(u->sites);
    *u = (struct pl_unhooked){0};
}
