/* SPDX-License-Identifier: MIT */
/* See unlisted.h. */
#include "runtime/system/unlisted.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/gate.h"
#include "runtime/access/access.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/ground/vault.h"
#include "runtime/system/calls.h"
#include "runtime/system/functions.h"

#include <crypt.h>
#include <dlfcn.h>
#include <elf.h>
#include <error.h>
#include <fenv.h>
#include <grp.h>
#include <link.h>
#include <mntent.h>
#include <netdb.h>
#include <obstack.h>
#include <pwd.h>
#include <rpc/netdb.h>
#include <setjmp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <ucontext.h>

enum { MOST = 512, ARGUMENTS = 6, STUB = 16 };
#define LOWEST UINT64_C(65536) /* address that anything can have */

/* What a function keeps between calls. */
struct kept {
    enum { NOTHING, LOOKS, CHANGES, UNSEEN, SETS } how;
    enum pl_library_state state;
    unsigned *variable; /* that it sets */
    bool by_locale, by_environment;
};

/* Classes of libstdc++.so that programs see into, by hooks in what is inline. */
struct member {
    enum of {
        OF_NONE,
        OF_STREAM, /* has its state, the base class, somewhere behind it */
        OF_IOS,
        OF_BUFFER,
        OF_LOCALE,
    } of;
    bool changes;
    bool second; /* the object is the second argument: the first is for the result, or made */
};

static struct {
    const char *name;
    void *real;
    unsigned addresses;                               /* which of its arguments are, a bit each */
    unsigned written;                                 /* and may be changed through */
    uint64_t (*stored[ARGUMENTS])(const uint64_t *a); /* how much is; NULL: nobody knows */
    struct kept kept;
    struct member member;
} functions[MOST];
static unsigned n_functions;

/* ---- a call ---- */

/*
 * Stub i says its number and goes on below, where the arguments are in their registers and the
 * caller's return address is on top of the stack, as the function itself is to find them.  The
 * registers are kept as at the entry of an interposed function (entry.h).
 *
 * What others have left on the stack is cleared, as far as it will be the function's own frames:
 * they count where it makes a system call (core/spin.c), and two calls that do the same must look
 * alike.
 */
extern const char pl_unlisted_stubs[];

#define PUSH(r) "\tpush %" r "\n\t.cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset " r ", 0\n"
#define POP(r) "\tpop %" r "\n\t.cfi_adjust_cfa_offset -8\n\t.cfi_restore " r "\n"

__asm__(
    ".text\n.balign 16\npl_unlisted_stubs:\n"
    "\t.set pl_unlisted_i, 0\n"
    "\t.rept 512\n"
    "\t.balign 16\n"
    "\tmovl $pl_unlisted_i, %r11d\n"
    "\tjmp pl_unlisted_common\n"
    "\t.set pl_unlisted_i, pl_unlisted_i + 1\n"
    "\t.endr\n"
    "pl_unlisted_common:\n"
    "\t.cfi_startproc\n" PUSH("rbp") PUSH("rbx") PUSH("r12") PUSH("r13") PUSH("r14") PUSH(
        "r15") "\tpush $0\n\t.cfi_adjust_cfa_offset 8\n"
               "\tmov %rsp, %rbp\n\t.cfi_def_cfa_register rbp\n"
               "\tsub $192, %rsp\n\tand $-16, %rsp\n"
               "\tmov %rdi, (%rsp)\n\tmov %rsi, 8(%rsp)\n\tmov %rdx, 16(%rsp)\n"
               "\tmov %rcx, 24(%rsp)\n\tmov %r8, 32(%rsp)\n\tmov %r9, 40(%rsp)\n"
               "\tmov %rax, 48(%rsp)\n\tmov %r10, 56(%rsp)\n"
               "\tmovups %xmm0, 64(%rsp)\n\tmovups %xmm1, 80(%rsp)\n\tmovups %xmm2, 96(%rsp)\n"
               "\tmovups %xmm3, 112(%rsp)\n\tmovups %xmm4, 128(%rsp)\n\tmovups %xmm5, 144(%rsp)\n"
               "\tmovups %xmm6, 160(%rsp)\n\tmovups %xmm7, 176(%rsp)\n"
               "\tmov %r11d, %edi\n\tlea 8(%rbp), %rsi\n\tmov %rsp, %rdx\n"
               "\tcall pl_unlisted_called\n"
               "\tmov %rax, %r11\n\tmov %rdx, %r14\n"
               "\tmov (%rsp), %rbx\n\tmov 8(%rsp), %rsi\n\tmov 16(%rsp), %rdx\n"
               "\tmov 24(%rsp), %r12\n\tmov 32(%rsp), %r8\n\tmov 40(%rsp), %r9\n"
               "\tmov 48(%rsp), %r13\n\tmov 56(%rsp), %r10\n"
               "\tmovups 64(%rsp), %xmm0\n\tmovups 80(%rsp), %xmm1\n\tmovups 96(%rsp), %xmm2\n"
               "\tmovups 112(%rsp), %xmm3\n\tmovups 128(%rsp), %xmm4\n\tmovups 144(%rsp), %xmm5\n"
               "\tmovups 160(%rsp), %xmm6\n\tmovups 176(%rsp), %xmm7\n"
               "\tmov %r14, %rdi\n\tmov %rbp, %rcx\n\tsub %rdi, %rcx\n\tshr $3, %rcx\n"
               "\txor %eax, %eax\n\trep stosq\n"
               "\tmov %rbx, %rdi\n\tmov %r12, %rcx\n\tmov %r13, %rax\n"
               "\tmov %rbp, %rsp\n\t.cfi_def_cfa_register rsp\n"
               "\tadd $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n" POP("r15") POP("r14") POP("r13")
                   POP("r12") POP("rbx") POP("rbp") "\tjmp *%r11\n\t.cfi_endproc\n");

/*
 * Memory that another thread may have at the same time: as if it were read here, or written, for
 * what nobody but such functions touches may be shared all the same.
 */
static bool is_shared(uint64_t addr, bool written, struct pl_thread *t)
{
    if (addr < LOWEST || addr >> 47 != 0 || pl_thread_owns(t, addr) || pl_place_is_constant(addr))
        return false;
    pl_shadow_shared(addr, 1, written, t);
    return pl_shadow_known(addr);
}

/* What it keeps between calls is used, and what others keep looked at. */
static void use_kept(const struct kept *kept, const char *name, const uint64_t *entry)
{
    const uint64_t *state = &pl_stage->process.library[kept->state];
    const struct pl_call who = {.pc = entry[6], .entry = entry};

    if (kept->by_environment)
        pl_call_environment(who);
    if (kept->by_locale)
        pl_call_locale(who);
    if (kept->how == UNSEEN && pl_stage->n_unjoined > 1)
        pl_unmodelled(name, PL_UNMODELLED_FUNCTION, entry[6]);
    else if (kept->how == CHANGES)
        pl_access_state(state, entry[6], entry);
    else if (kept->how == LOOKS)
        pl_access_look(state, entry[6], entry);
    else if (kept->how == SETS)
        pl_call_touches(kept->variable, sizeof(*kept->variable), true, who);
}

/* ---- members of classes of libstdc++.so ---- */

enum { IOS = 264, BUFFER_AT = 232, BUFFER = 64, LOCALE = 8 }; /* sizes, and a place in the first */

static void use_part(uint64_t object, uint64_t size, bool changes, const uint64_t *entry)
{
    struct pl_thread *t = pl_thread_self();

    if (object < LOWEST || object >> 47 != 0 || pl_thread_owns(t, object))
        return;
    pl_access_unhooked(object, size, changes ? PL_ACCESS_WRITE : PL_ACCESS_READ, false, entry);
    pl_call_be_alone("of libstdc++.so", (const void *)object, size, changes, entry[6]);
}

/* By the rules of C++ nobody else uses it meanwhile; who does finds it half changed. */
static void use_object(struct member m, const uint64_t *arguments, const uint64_t *entry)
{
    uint64_t object = arguments[m.second];

    if (m.of == OF_STREAM)
        object += *(const uint64_t *)(*(const uint64_t *)object - 24); /* as its table says */
    if (m.of == OF_BUFFER || m.of == OF_LOCALE) {
        use_part(object, m.of == OF_BUFFER ? BUFFER : LOCALE, m.changes, entry);
        return;
    }
    use_part(object, IOS, m.changes, entry);
    if (m.of == OF_STREAM)
        use_part(*(const uint64_t *)(object + BUFFER_AT), BUFFER, m.changes, entry);
}

/* What is returned is an object of its own, the address of which comes first. */
static bool returns_object(const char *name)
{
    return pl_text_contains(name, "5imbueERKSt6locale") || pl_text_contains(name, "8pubimbue") ||
           pl_text_contains(name, "6getlocEv") || pl_text_contains(name, "4nameB5cxx11Ev") ||
           pl_text_contains(name, "3strEv");
}

/* It has no object, or one of a class within the class. */
static bool is_static(const char *member)
{
    return pl_text_starts(member, "6xalloc") || pl_text_starts(member, "15sync_with_stdio") ||
           pl_text_starts(member, "4Init") || pl_text_starts(member, "7failure") ||
           pl_text_starts(member, "6global") || pl_text_starts(member, "7classic") ||
           pl_text_starts(member, "5facet") || pl_text_starts(member, "2id");
}

/* Of what the function is a member, by its mangled name; none if it makes the object, or ends it.
 */
static struct member member_of(const char *name)
{
    static const struct {
        const char *class;
        enum of of;
    } rows[] = {
        {"Si", OF_STREAM},
        {"So", OF_STREAM},
        {"Sd", OF_STREAM},
        {"St14basic_ifstreamIcSt11char_traitsIcEE", OF_STREAM},
        {"St14basic_ofstreamIcSt11char_traitsIcEE", OF_STREAM},
        {"St13basic_fstreamIcSt11char_traitsIcEE", OF_STREAM},
        {"St9basic_iosIcSt11char_traitsIcEE", OF_IOS},
        {"St8ios_base", OF_IOS},
        {"St15basic_streambufIcSt11char_traitsIcEE", OF_BUFFER},
        {"St13basic_filebufIcSt11char_traitsIcEE", OF_BUFFER},
        {"St7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE", OF_STREAM},
        {"St7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE", OF_STREAM},
        {"St7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEE", OF_STREAM},
        {"St7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE", OF_BUFFER},
        {"St6locale", OF_LOCALE},
    };

    if (pl_text_equal(name, "_ZNSt6localeC1ERKS_"))
        return (struct member){OF_LOCALE, .second = true};
    if (!pl_text_starts(name, "_ZN"))
        return (struct member){OF_NONE};
    bool changes = name[3] != 'K';
    const char *class = name + (changes ? 3 : 4);

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!pl_text_starts(class, rows[i].class))
            continue;
        const char *member = class + pl_text_length(rows[i].class);
        bool of_none = *member == 'C' || *member == 'D' || is_static(member);

        return (struct member){of_none ? OF_NONE : rows[i].of, changes, returns_object(name)};
    }
    return (struct member){OF_NONE};
}

/* Where to go, and from where on the stack is to be cleared. */
struct way {
    void *real;
    uint64_t clear;
};

/* From here up to where the stub has put the arguments are frames that have been left. */
static uint64_t left_frames(const uint64_t *arguments, const struct pl_thread *t)
{
    enum { FRAMES = 4096, ROOM = 4096 }; /* bytes; of a stack that others may need */
    uint64_t end = (uint64_t)arguments;

    return end > t->stack_low + FRAMES + ROOM && end < t->stack_high ? end - FRAMES : end;
}

__attribute__((visibility("hidden"), used)) struct way
pl_unlisted_called(uint64_t i, const uint64_t *entry, const uint64_t *arguments);

struct way pl_unlisted_called(uint64_t i, const uint64_t *entry, const uint64_t *arguments)
{
    struct way way = {functions[i].real, (uint64_t)arguments};

    PL_ASSERT(i < n_functions);
    /* Free threads are not told apart by what they do here, nor must replays of them be. */
    if (!pl_on() || pl_inside() || pl_as_free() || pl_native || !pl_stage->rooted)
        return way;
    for (unsigned k = 0; k < ARGUMENTS && pl_stage->n_unjoined > 1; k++) {
        if (functions[i].stored[k] != NULL)
            pl_call_touches((const void *)arguments[k], functions[i].stored[k](arguments), true,
                            (struct pl_call){.pc = entry[6], .entry = entry});
        else if ((functions[i].addresses >> k & 1) != 0 &&
                 is_shared(arguments[k], (functions[i].written >> k & 1) != 0, pl_thread_self()))
            pl_unmodelled(functions[i].name, PL_UNMODELLED_FUNCTION, entry[6]);
    }
    use_kept(&functions[i].kept, functions[i].name, entry);
    if (functions[i].member.of != OF_NONE && pl_stage->n_unjoined > 1)
        use_object(functions[i].member, arguments, entry);
    way.clear = left_frames(arguments, pl_thread_self());
    return way;
}

/* ---- which there are ---- */

/* Which of its arguments are addresses, and written; 0: the function has a row, or needs none. */
static unsigned addresses_of(const char *name, unsigned *written)
{
    static const struct {
        const char *name;
        uint8_t addresses, written;
    } rows[] = {
#define PL_UNLISTED(name, arguments, written) {#name, arguments, written},
#include "runtime/system/unlisted.def"
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!pl_text_equal(name, rows[i].name))
            continue;
        *written = rows[i].written;
        return rows[i].addresses;
    }
    return 0;
}

/* How much a function stores where one of its arguments points to, by all of them. */
typedef uint64_t size_function(const uint64_t *a);

#define PL_STORES(name, argument, size)                            \
    static uint64_t size_of_##name##_##argument(const uint64_t *a) \
    {                                                              \
        return size;                                               \
    }
#include "runtime/system/unlisted.def"

/* NULL: nobody knows. */
static size_function *stores(const char *name, unsigned k)
{
    static const struct {
        const char *name;
        unsigned argument;
        size_function *size;
    } rows[] = {
#define PL_STORES(name, argument, size) {#name, argument, size_of_##name##_##argument},
#include "runtime/system/unlisted.def"
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].argument == k && pl_text_equal(name, rows[i].name))
            return rows[i].size;
    }
    return NULL;
}

static struct kept kept_by(const char *name)
{
    static const struct {
        const char *name;
        struct kept kept;
    } rows[] = {
#define PL_KEEPS(name, state, how) {#name, {how, PL_STATE_##state, NULL, false, false}},
#define PL_KEEPS_UNSEEN(name) {#name, {UNSEEN, 0, NULL, false, false}},
#define PL_SETS(name, set) {#name, {SETS, 0, &(set), false, false}},
#define PL_BY_LOCALE(name) {#name, {.by_locale = true}},
#define PL_BY_ENVIRONMENT(name) {#name, {.by_environment = true}},
#include "runtime/system/unlisted.def"
    };

    struct kept all = {NOTHING, 0, NULL, false, false};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct kept *k = &rows[i].kept;
        bool locale = all.by_locale || k->by_locale;
        bool environment = all.by_environment || k->by_environment;

        if (!pl_text_equal(name, rows[i].name))
            continue;
        if (k->how != NOTHING)
            all = *k;
        all.by_locale = locale;
        all.by_environment = environment;
    }
    return all;
}

static bool keeps(const struct kept *k)
{
    return k->how != NOTHING || k->by_locale || k->by_environment;
}

/* What leads to the function; NULL where it can be called as it is. */
static const char *stub_of(const char *name)
{
    unsigned written = 0, addresses = addresses_of(name, &written);
    struct kept kept = kept_by(name);

    for (unsigned i = 0; i < n_functions; i++) {
        if (pl_text_equal(functions[i].name, name))
            return pl_unlisted_stubs + (uint64_t)i * STUB;
    }
    struct member member = member_of(name);
    bool wanted = addresses != 0 || keeps(&kept) || member.of != OF_NONE;
    void *real = wanted && n_functions < MOST ? dlsym(RTLD_DEFAULT, name) : NULL;

    if (!(member.of != OF_NONE && pl_place_in_module((uint64_t)real, "/libstdc++.so")) &&
        !pl_place_in_module((uint64_t)real, "/libc.so") &&
        !pl_place_in_module((uint64_t)real, "/libm.so") &&
        !pl_place_in_module((uint64_t)real, "/libcrypt.so"))
        return NULL;
    functions[n_functions].name = name;
    functions[n_functions].real = real;
    functions[n_functions].addresses = addresses;
    functions[n_functions].written = written;
    for (unsigned k = 0; k < ARGUMENTS; k++)
        functions[n_functions].stored[k] = stores(name, k);
    functions[n_functions].kept = kept;
    functions[n_functions].member = member;
    return pl_unlisted_stubs + (uint64_t)n_functions++ * STUB;
}

/* What is needed of a module's dynamic section. */
struct module {
    uint64_t base;
    const ElfW(Sym) * symbols;
    const char *names;
    struct {
        const ElfW(Rela) * at;
        uint64_t size;
    } lists[2];                /* for calls, and for the rest */
    uint64_t fixed, fixed_end; /* which the loader has made read-only */
};

static void read_dynamic(struct module *m, const ElfW(Dyn) * d)
{
    for (; d->d_tag != DT_NULL; d++) {
        uint64_t at = d->d_un.d_ptr < m->base ? m->base + d->d_un.d_ptr : d->d_un.d_ptr;

        switch (d->d_tag) {
        case DT_SYMTAB:
            m->symbols = (const void *)at;
            break;
        case DT_STRTAB:
            m->names = (const char *)at;
            break;
        case DT_JMPREL:
            m->lists[0].at = (const void *)at;
            break;
        case DT_PLTRELSZ:
            m->lists[0].size = d->d_un.d_val;
            break;
        case DT_RELA:
            m->lists[1].at = (const void *)at;
            break;
        case DT_RELASZ:
            m->lists[1].size = d->d_un.d_val;
            break;
        default:
            break;
        }
    }
}

/* The word where the module has the address of a function. */
static void lead(const struct module *m, uint64_t word, const char *to)
{
    uint64_t page = word & ~(uint64_t)(PL_PAGE - 1);
    bool fixed = word >= m->fixed && word < m->fixed_end;

    if (fixed && pl_sys(SYS_mprotect, page, PL_PAGE, PROT_READ | PROT_WRITE) != 0)
        return;
    *(const char **)word = to;
    if (fixed)
        pl_sys(SYS_mprotect, page, PL_PAGE, PROT_READ);
}

static bool makes_copies(const char *name)
{
    return pl_text_equal(name, "fork") || pl_text_equal(name, "vfork") ||
           pl_text_equal(name, "_Fork");
}

static bool starts_programs(const char *name)
{
    static const char *const names[] = {
        "posix_spawn", "posix_spawnp", "system",  "popen",  "execl",    "execlp", "execle",
        "execv",       "execvp",       "execvpe", "execve", "execveat", "fexecve"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pl_text_equal(name, names[i]))
            return true;
    }
    return false;
}

static void lead_all(const struct module *m)
{
    for (unsigned k = 0; k < 2; k++) {
        for (uint64_t i = 0; i < m->lists[k].size / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *r = &m->lists[k].at[i];
            const ElfW(Sym) *s = &m->symbols[ELF64_R_SYM(r->r_info)];
            unsigned type = ELF64_R_TYPE(r->r_info);

            if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
                s->st_shndx != SHN_UNDEF || ELF64_ST_TYPE(s->st_info) != STT_FUNC)
                continue;
            const char *stub = stub_of(m->names + s->st_name);

            pl_stage->modules.forks |= makes_copies(m->names + s->st_name);
            pl_stage->modules.starts |= starts_programs(m->names + s->st_name);

            if (stub != NULL)
                lead(m, m->base + r->r_offset, stub);
        }
    }
}

void pl_unlisted_attach(const struct dl_phdr_info *info)
{
    struct module m = {.base = info->dlpi_addr};
    const ElfW(Dyn) *dynamic = NULL;

    if (pl_stage->rooted)
        return; /* what is there now is the program's in every execution */
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        uint64_t low = m.base + ph->p_vaddr;

        if (ph->p_type == PT_DYNAMIC)
            dynamic = (const void *)low;
        if (ph->p_type == PT_GNU_RELRO) {
            m.fixed = low;
            m.fixed_end = (low + ph->p_memsz) & ~(uint64_t)(PL_PAGE - 1);
        }
    }
    if (dynamic == NULL)
        return;
    read_dynamic(&m, dynamic);
    if (m.symbols != NULL && m.names != NULL)
        lead_all(&m);
}
