/* SPDX-License-Identifier: MIT */
/*
 * What an address is, in words that hold in every execution: static memory of a
 * module, a heap block by its origin, somebody's stack.  And the list of
 * modules, for the tool's symbols.
 */
#include "runtime/ground/place.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/ground/alive.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/look.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>

enum {
    SPACE_FOR_LATER = 8, /* modules that the first program may load when there are others, */
    SPACE_OF_OTHER = 20, /* and all that another one has */
};

static void copy_build_id(struct pl_module *m, const struct dl_phdr_info *info,
                          const ElfW(Phdr) * ph)
{
    const char *p = (const char *)(info->dlpi_addr + ph->p_vaddr);
    const char *end = p + ph->p_memsz;

    while (p + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)p;
        const char *name = p + sizeof(*note);
        const char *desc = name + ((note->n_namesz + 3) & ~3u);

        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && name[0] == 'G' &&
            note->n_descsz <= sizeof(m->build_id)) {
            m->build_id_size = (uint8_t)note->n_descsz;
            pl_memory_copy(m->build_id, desc, note->n_descsz);
            return;
        }
        p = desc + ((note->n_descsz + 3) & ~3u);
    }
}

struct walk {
    unsigned n;
    uint64_t tls;
    bool destructors; /* some module has them */
};

/* What every module has at its end: nothing, from crti.o and crtn.o. */
static bool is_empty_end(const unsigned char *code)
{
    static const unsigned char empty[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x83, 0xc4, 0x08, 0xc3};

    if (code[0] == 0xf3) /* endbr64 */
        code += 4;
    return pl_memory_compare(code, empty, sizeof(empty)) == 0;
}

/* Libraries of the system whose destructors nobody can see. */
static bool is_known(const char *path)
{
    static const char *const names[] = {"/libc.so", "/libm.so",     "/libgcc_s.so",
                                        "/ld-",     "/libplait.so", "linux-vdso"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pl_text_contains(path, names[i]))
            return true;
    }
    return false;
}

/* Beyond the one destructor that the compiler's own crtbegin.o brings. */
static bool has_destructors(const struct dl_phdr_info *info, const ElfW(Dyn) * d)
{
    for (; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_FINI_ARRAYSZ && d->d_un.d_val > sizeof(void *))
            return true;
        /* ld.so has relocated this entry in modules that it may write to. */
        if (d->d_tag == DT_FINI &&
            !is_empty_end((const unsigned char *)(d->d_un.d_ptr < info->dlpi_addr
                                                      ? info->dlpi_addr + d->d_un.d_ptr
                                                      : d->d_un.d_ptr)))
            return true;
    }
    return false;
}

/* Of the program that this process executes. */
static void own_path(char *path, size_t size)
{
    long n = pl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, size - 1);

    path[n > 0 ? n : 0] = '\0';
}

/* A client is loaded from a copy. */
static const char *path_of(const struct dl_phdr_info *info)
{
    const char *name = info->dlpi_name != NULL ? info->dlpi_name : "";

    return pl_board->settings.client_words > 0 && pl_text_starts(name, "/proc/self/fd/")
               ? pl_board->settings.client
               : name;
}

static void copy_path(struct pl_module *m, const struct dl_phdr_info *info, bool program)
{
    const char *path = path_of(info);

    pl_text_copy(m->path, sizeof(m->path), path);
    if (program && path[0] == '\0' && pl_stage->modules.first != 0)
        own_path(m->path, sizeof(m->path));
}

/* ---- several programs ---- */

uint64_t pl_place_told(uint64_t addr)
{
    return addr != 0 && addr >> PL_IMAGE_SHIFT == 0
               ? addr | (uint64_t)pl_stage->modules.image << PL_IMAGE_SHIFT
               : addr;
}

/* How many modules of this program the board can have. */
static unsigned room(void)
{
    if (pl_stage->modules.image != 0)
        return pl_board->images[pl_stage->modules.image].room;
    return pl_board->n_images > 0 ? pl_board->images[1].first : PL_BOARD_MODULES;
}

/* The number of a program on the board; 0: it is not there. */
static uint32_t find_image(const char *path)
{
    for (uint32_t i = 1; i <= pl_board->n_images; i++) {
        if (pl_board->images[i].room > 0 &&
            pl_text_equal(pl_board->modules[pl_board->images[i].first].path, path))
            return i;
    }
    return 0;
}

/* With space for what it may load later. */
static uint32_t add_image(const char *path)
{
    uint32_t i = pl_board->n_images + 1, first = pl_board->n_modules, room = SPACE_OF_OTHER;

    if (i >= PL_IMAGES)
        return PL_IMAGES - 1; /* what is there stays unnamed */
    if (i == 1)
        first += SPACE_FOR_LATER;
    if (first + room > PL_BOARD_MODULES)
        room = 0;
    pl_board->images[i].first = first;
    pl_board->images[i].room = room;
    for (uint32_t k = 0; k < room; k++)
        pl_board->modules[first + k] = (struct pl_module){0};
    if (room > 0) {
        pl_text_copy(pl_board->modules[first].path, sizeof(pl_board->modules[first].path), path);
        pl_board->n_modules = first + room;
    }
    pl_board->n_images = i;
    return i;
}

void pl_place_image(bool same, uint16_t before)
{
    int32_t self = (int32_t)pl_sys(SYS_getpid);
    char path[sizeof(pl_board->modules[0].path)];
    uint32_t nobody = 0;

    pl_stage->modules.image = before;
    if (!same) {
        own_path(path, sizeof(path));
        while (!atomic_compare_exchange_strong(&pl_board->images_taken, &nobody, (uint32_t)self)) {
            if (!pl_alive((int32_t)nobody))
                atomic_compare_exchange_strong(&pl_board->images_taken, &nobody, 0);
            nobody = 0;
            pl_sys(SYS_sched_yield);
        }
        pl_stage->modules.image = (uint16_t)find_image(path);
        if (pl_stage->modules.image == 0)
            pl_stage->modules.image = (uint16_t)add_image(path);
        pl_board->images_taken = 0;
    }
    if (pl_stage->modules.image != 0)
        pl_stage->modules.first = pl_board->images[pl_stage->modules.image].first;
}

/* ---- modules ---- */

static int visit(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct walk *w = arg;
    struct pl_module m = {.base = info->dlpi_addr, .start = UINT64_MAX, .writable = UINT64_MAX};

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uint64_t low = info->dlpi_addr + ph->p_vaddr;

        if (ph->p_type == PT_LOAD) {
            if (low < m.start)
                m.start = low;
            if (low + ph->p_memsz > m.end)
                m.end = low + ph->p_memsz;
            if ((ph->p_flags & PF_W) != 0 && low < m.writable)
                m.writable = low;
        } else if (ph->p_type == PT_GNU_STACK) {
            pl_stage->modules.stack_code |= (ph->p_flags & PF_X) != 0;
        } else if (ph->p_type == PT_NOTE) {
            copy_build_id(&m, info, ph);
        } else if (ph->p_type == PT_DYNAMIC) {
            if (!pl_look_is_there((const void *)low))
                return 0; /* a thread is in the middle of closing it */
            if (!is_known(info->dlpi_name) && has_destructors(info, (const void *)low))
                w->destructors = true;
        } else if (ph->p_type == PT_TLS) {
            uint64_t align = ph->p_align > 0 ? ph->p_align : 1;

            w->tls = (w->tls + ph->p_memsz + align - 1) / align * align;
        }
    }
    if (m.start >= m.end)
        return 0;
    if (m.start <= (uint64_t)visit && (uint64_t)visit < m.end) {
        pl_stage->modules.own_start = m.start;
        /* To the end of its last page: what the kernel has mapped right behind is not its own. */
        pl_stage->modules.own_end = (m.end + PL_PAGE - 1) & ~(uint64_t)(PL_PAGE - 1);
    }
    if (w->n >= room())
        return 0;
    m.base |= (uint64_t)pl_stage->modules.image << PL_IMAGE_SHIFT; /* 0 is a base, too */
    m.start = pl_place_told(m.start);
    m.end = pl_place_told(m.end);
    m.writable = m.writable != UINT64_MAX ? pl_place_told(m.writable) : m.writable;
    copy_path(&m, info, w->n == 0);
    struct pl_module *at = &pl_board->modules[pl_stage->modules.first + w->n++];

    m.instrumented = at->base == m.base && at->start == m.start && at->instrumented;
    *at = m;
    return 0;
}

/* dl_iterate_phdr() takes the loader's lock, which nobody else can hold: one thread runs. */
void pl_place_modules(void)
{
    struct walk w = {0};

    pl_enter();
    dl_iterate_phdr(visit, &w);
    PL_ASSERT(w.n <= PL_BOARD_MODULES);
    if (pl_board->n_images == 0)
        pl_board->n_modules = w.n;
    pl_stage->modules.tls_size = w.tls;
    pl_stage->modules.plain = !w.destructors;
    pl_leave();
}

struct question {
    uint64_t inside;
    void (*tell)(const struct dl_phdr_info *info);
};

static int answer(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct question *q = arg;

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];

        if (ph->p_type != PT_LOAD || q->inside - (info->dlpi_addr + ph->p_vaddr) >= ph->p_memsz)
            continue;
        q->tell(info);
        return 1;
    }
    return 0;
}

void pl_place_ask_loader(uint64_t inside, void (*tell)(const struct dl_phdr_info *info))
{
    struct question q = {inside, tell};

    pl_enter();
    dl_iterate_phdr(answer, &q);
    pl_leave();
}

static struct pl_module *module_of(uint64_t addr)
{
    const unsigned first = pl_stage->modules.first;

    addr = pl_place_told(addr);
    for (unsigned i = first; i < first + room() && i < pl_board->n_modules; i++) {
        struct pl_module *m = &pl_board->modules[i];

        if (addr >= m->start && addr < m->end)
            return m;
    }
    return NULL;
}

bool pl_place_data(uint64_t inside, uint64_t *start, uint64_t *end)
{
    const struct pl_module *m = module_of(inside);

    if (m == NULL || m->writable >= m->end)
        return false;
    *start = inside - (pl_place_told(inside) - m->writable);
    *end = *start + (m->end - m->writable);
    return true;
}

bool pl_place_is_constant(uint64_t addr)
{
    const struct pl_module *m = module_of(addr);

    return m != NULL && pl_place_told(addr) < m->writable;
}

void pl_place_instrumented(uint64_t inside)
{
    pl_place_modules();
    struct pl_module *m = module_of(inside);

    /* The hooks as a library serve the program that was linked with -fsanitize=thread. */
    if (m != NULL && pl_place_in_module(inside, "libtsan.so"))
        m = &pl_board->modules[pl_stage->modules.first];
    if (m != NULL)
        m->instrumented = true;
}

bool pl_place_is_instrumented(uint64_t pc)
{
    struct pl_module *m = module_of(pc);

    return m != NULL && m->instrumented;
}

bool pl_place_in_module(uint64_t pc, const char *name)
{
    struct pl_module *m = module_of(pc);

    return m != NULL && pl_text_contains(m->path, name);
}

/* A program counter as an offset in its module: the same wherever that was loaded. */
uint64_t pl_place_relative(uint64_t pc)
{
    struct pl_module *m = module_of(pc);

    return m != NULL ? pl_place_told(pc) - m->base : pc;
}

struct pl_place pl_place_of(uint64_t addr, unsigned object_kind)
{
    struct pl_place place = {.kind = PL_PLACE_NONE, .site = addr};

    if (addr == 0)
        return place;
    if (object_kind == PL_OBJECT_NONE)
        return (struct pl_place){.kind = PL_PLACE_NONE}; /* nothing of the program's */
    if (object_kind == PL_OBJECT_ONCE && addr % 4 == 1)
        place.site = --addr; /* the lock of a static guard, see pth_once.c: the guard is meant */
    if (pl_heap_describe(addr, &place, NULL)) {
        place.site = pl_place_told(place.site);
        return place;
    }
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        uint64_t low = t->main ? t->stack_high - (8 << 20) : t->stack_low;

        if (addr >= low && addr < t->stack_high) {
            place.kind = PL_PLACE_STACK;
            place.tid = i;
            place.offset = t->stack_high - addr;
            place.site = 0;
            return place;
        }
    }
    place.kind = module_of(addr) != NULL ? PL_PLACE_STATIC : PL_PLACE_OTHER;
    place.site = place.kind == PL_PLACE_STATIC ? pl_place_told(addr) : addr;
    return place;
}
