/* SPDX-License-Identifier: MIT */
/* See client.h. */
#include "runtime/system/client.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/real.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_parts.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_process.h"
#include "runtime/system/libc_stdio.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <getopt.h>
#include <link.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/syscall.h>

enum { WORDS_MAX = PL_CLIENT_TEXT, FIRST_OF_PROGRAM = 3 };

/* What was loaded; the same in all executions. */
static struct {
    const struct link_map *map;
    int (*main)(int, char **, char **); /* of a library, which says where it is */
    void (*entry)(void);                /* of a program: what the linker puts before main() */
} loaded;

static struct pl_client *client(void)
{
    return &pl_stage->process.client;
}

/* ---- loading ---- */

/* dlopen() is the program's own; the runtime needs it only here, before there are threads. */
static void *open_client(const char **why)
{
    void *(*open)(const char *, int) = NULL;
    const char *(*error)(void) = NULL;
    char path[32];

    *(void **)&open = pl_real_find("dlopen");
    *(void **)&error = pl_real_find("dlerror");
    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", pl_fd(PL_FD_CLIENT));
    void *handle = open != NULL ? open(path, RTLD_NOW | RTLD_LOCAL) : NULL;

    *why = handle == NULL && error != NULL ? error() : "";
    return handle;
}

static void find_options(void);

const char *pl_client_load(void)
{
    const char *why;
    void *handle = open_client(&why);

    if (handle == NULL)
        return why;
    loaded.map = handle; /* glibc's handles are link maps */
    *(void **)&loaded.main = dlsym(handle, "main");
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)loaded.map->l_addr;

    /* A server that was linked with -rdynamic has a main() that would be found instead. */
    if (loaded.main != NULL && header->e_type == ET_DYN && header->e_entry != 0)
        loaded.main = NULL;
    loaded.entry = (void (*)(void))(loaded.map->l_addr + header->e_entry);
    find_options();
    pl_place_modules();
    return NULL;
}

/* ---- the thread that is its main() ---- */

/* As the kernel does it: the words, the environment and what describes the machine. */
static void enter(void **block, void (*entry)(void)) __attribute__((noreturn));

static void enter(void **block, void (*entry)(void))
{
    __asm__ volatile("mov %0, %%rsp\n\t"
                     "xor %%edx, %%edx\n\t" /* nothing is to be called at its exit */
                     "xor %%ebp, %%ebp\n\t"
                     "jmp *%1"
                     :
                     : "D"(block), "S"(entry)
                     : "memory");
    __builtin_unreachable();
}

static _Atomic bool listens; /* of free threads, whose process makes one execution */

static void note_listening(void)
{
    listens = true;
}

/* Both use what libc has once, such as the variables of getopt(), and free threads at any time. */
static void wait_for_server(void)
{
    enum { STEPS = 300 };
    const struct timespec step = {.tv_nsec = 1000000};

    for (unsigned i = 0; i < STEPS && !listens; i++)
        pl_sys(SYS_nanosleep, &step, NULL);
}

static void *begin(void *unused)
{
    struct {
        void *at[WORDS_MAX / 2 + 8];
        char text[PL_CLIENT_TEXT];
    } block __attribute__((aligned(16))); /* its stack grows down from here */
    unsigned n = pl_board->settings.client_words;
    char *at = block.text;

    PL_ASSERT(n > 0 && n <= WORDS_MAX / 2);
    pl_memory_copy(block.text, pl_board->settings.client, sizeof(block.text));
    block.at[0] = (void *)(uintptr_t)n;
    for (unsigned i = 0; i < n; i++) {
        block.at[1 + i] = at;
        at += pl_text_length(at) + 1;
    }
    block.at[1 + n] = NULL;
    if (pl_free || pl_native)
        wait_for_server();
    if (loaded.main != NULL)
        pl_client_run(loaded.main, (int)n, (char **)&block.at[1]);
    block.at[2 + n] = NULL; /* libc has read its environment and its auxiliary vector before */
    block.at[3 + n] = NULL;
    enter(block.at, loaded.entry);
}

void pl_client_run(int (*main)(int, char **, char **), int argc, char **argv)
{
    extern char **environ;

    if (pl_on())
        pl_board->threads[pl_thread_self()->id].start = (uint64_t)main;
    exit(main(argc, argv, environ));
    __builtin_unreachable();
}

void pl_client_begin(uint64_t pc)
{
    pthread_t thread;

    PL_ASSERT(loaded.map != NULL);
    if (pl_native) {
        pthread_create(&thread, NULL, begin, NULL);
        return;
    }
    int rc = pl_thread_create_detached(&thread, begin, NULL, pc);

    PL_ASSERT(rc == 0);
    client()->main = pl_thread_of(thread)->id;
}

static bool is_client(const struct pl_thread *t)
{
    if (client()->main == 0)
        return false;
    while (t->id != client()->main && t->parent != PL_TID_NONE)
        t = pl_thread_by_id(t->parent);
    return t->id == client()->main;
}

/* What is sent is to be there at once: nobody could tell how long to wait for the rest. */
static void note_opened(int fd, bool socket)
{
    const int yes = 1;

    if (client()->main == 0)
        return;
    uint8_t *byte = &client()->opened[fd / 8], bit = (uint8_t)(1u << fd % 8);

    *byte = (uint8_t)(is_client(pl_thread_self()) ? *byte | bit : *byte & ~bit);
    if (socket)
        pl_sys(SYS_setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

static bool is_early(long error)
{
    if (!pl_works() || pl_board->settings.client_words == 0 ||
        (!pl_native && !is_client(pl_thread_self())))
        return false;
    if (error == 0 || error == -EINPROGRESS)
        client()->reached = true;
    return !client()->reached && !client()->alone && (error == -ECONNREFUSED || error == -ENOENT);
}

/* ---- variables of libc that both have ---- */

/*
 * Those of getopt(): the client has copies that libc does not know of.  What libc keeps between two
 * calls, both must have to themselves: each may be in the middle of its options.
 */
static struct {
    char *own, *libc;
    unsigned size;
} options[4];

static const char *const option_names[] = {"optind", "opterr", "optopt", "optarg"};

/* glibc's struct _getopt_data, of which no more is used than where it is. */
struct getopt_state {
    int index, errors, letter;
    char *argument;
    int begun;
    char *next;
    int order, first, last;
};
_Static_assert(sizeof(struct getopt_state) == PL_CLIENT_OPTIONS, "as glibc has it");

static char *state; /* of libc; NULL: it was not found */

static void swap(char *a, char *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

static void swap_options(void)
{
    for (unsigned i = 0; i < 4; i++) {
        if (options[i].own != NULL && options[i].libc != NULL)
            swap(options[i].own, options[i].libc, options[i].size);
    }
    if (state != NULL)
        swap(state, client()->options, PL_CLIENT_OPTIONS);
}

/* Whether it is the client that asks; libc's variables are its own then, until the answer. */
static bool begin_options(void)
{
    if (!pl_on() || !is_client(pl_thread_self()))
        return false;
    pl_enter(); /* libc asks for a variable of the environment, where others could go on */
    swap_options();
    return true;
}

static int end_options(bool own, int option)
{
    if (own) {
        swap_options();
        pl_leave();
    }
    return option;
}

/*
 * All threads of the program ask together, without a lock: where one goes on is read, and changed
 * in a step of its own.  What others have changed in between is lost.
 */
static void use_options(struct pl_call who)
{
    if (!pl_call_wanted(who))
        return;
    pl_call_environment(who);
    pl_call_touches(&opterr, sizeof(opterr), false, who);
    pl_call_touches(&optind, sizeof(optind), false, who);
    int from = optind;

    pl_access_state(&pl_stage->process.library[PL_STATE_OPTIONS], who.pc, who.entry);
    pl_call_touches(&optind, sizeof(optind), true, who);
    pl_call_touches(&optarg, sizeof(optarg), true, who);
    pl_call_touches(&optopt, sizeof(optopt), true, who);
    optind = from;
}

#define PL_GETOPT(name, params, ...)                                         \
    PL_EXPORT int name params                                                \
    {                                                                        \
        bool own = begin_options();                                          \
                                                                             \
        if (!own)                                                            \
            use_options(PL_CALL_EXPOSED);                                    \
        return end_options(own, PL_FALLBACK(name)(argc, argv, __VA_ARGS__)); \
    }

PL_GETOPT(getopt, (int argc, char *const *argv, const char *letters), letters)

typedef int ask_long(int argc, char *const *argv, const char *letters, const struct option *names,
                     int *index);

/* Which one it was, and its flag, are stored here, behind all that libc keeps. */
static int ask_for_name(ask_long *ask, int argc, char *const *argv, const char *letters,
                        const struct option *names, int *index, struct pl_call who)
{
    enum { MOST = 128 };
    struct option copies[MOST];
    unsigned n = 0;
    int at = -1, flag;

    while (names != NULL && n < MOST && names[n].name != NULL) {
        copies[n] = names[n];
        copies[n].flag = names[n].flag != NULL ? &flag : NULL;
        n++;
    }
    if (names == NULL || n == MOST)
        return ask(argc, argv, letters, names, index);
    copies[n] = (struct option){0};
    int result = ask(argc, argv, letters, copies, &at);

    if (at >= 0 && index != NULL) {
        pl_call_touches(index, sizeof(*index), true, who);
        *index = at;
    }
    if (at >= 0 && result == 0 && names[at].flag != NULL) {
        pl_call_touches(names[at].flag, sizeof(int), true, who);
        *names[at].flag = names[at].val;
    }
    return result;
}

#define PL_GETOPT_LONG(name)                                                               \
    PL_EXPORT int name(int argc, char *const *argv, const char *letters,                   \
                       const struct option *names, int *index)                             \
    {                                                                                      \
        struct pl_call who = PL_CALL_EXPOSED;                                              \
        bool own = begin_options();                                                        \
                                                                                           \
        if (own || !pl_call_wanted(who))                                                   \
            return end_options(own, PL_FALLBACK(name)(argc, argv, letters, names, index)); \
        use_options(who);                                                                  \
        return ask_for_name(PL_FALLBACK(name), argc, argv, letters, names, index, who);    \
    }

PL_GETOPT_LONG(getopt_long)
PL_GETOPT_LONG(getopt_long_only)

/* The one place in libc that remembers a letter of ours. */
static void find_state(const char *next)
{
    for (unsigned i = 0; i < pl_board->n_modules; i++) {
        const struct pl_module *m = &pl_board->modules[i];

        if (!pl_text_contains(m->path, "/libc.so"))
            continue;
        for (uint64_t at = (m->writable + 7) & ~UINT64_C(7); at + 8 <= m->end; at += 8) {
            struct getopt_state *s = (void *)(at - offsetof(struct getopt_state, next));

            if (*(const char **)at == next && s->begun == 1 && s->index == 1)
                state = (char *)s;
        }
    }
}

static void ask_libc(void)
{
    char *words[] = {"", "-ab", NULL};

    if (PL_FALLBACK(getopt)(2, words, "ab") != 'a')
        return;
    find_state(words[1] + 2);
    while (PL_FALLBACK(getopt)(2, words, "ab") != -1) {
    }
    *(int *)dlsym(RTLD_DEFAULT, "optind") = 1;
    *(int *)dlsym(RTLD_DEFAULT, "optopt") = '?';
    if (state != NULL)
        pl_memory_fill(state, 0, PL_CLIENT_OPTIONS);
}

/* Where the program was linked to have its own copy of a variable. */
static void find_copies(void)
{
    const ElfW(Rela) *list = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *strings = NULL;
    uint64_t n = 0;

    for (const ElfW(Dyn) *d = loaded.map->l_ld; d->d_tag != DT_NULL; d++) {
        list = d->d_tag == DT_RELA ? (const void *)d->d_un.d_ptr : list;
        n = d->d_tag == DT_RELASZ ? d->d_un.d_val / sizeof(*list) : n;
        symbols = d->d_tag == DT_SYMTAB ? (const void *)d->d_un.d_ptr : symbols;
        strings = d->d_tag == DT_STRTAB ? (const void *)d->d_un.d_ptr : strings;
    }
    for (uint64_t i = 0; list != NULL && symbols != NULL && strings != NULL && i < n; i++) {
        const ElfW(Sym) *s = &symbols[ELF64_R_SYM(list[i].r_info)];

        for (unsigned k = 0; ELF64_R_TYPE(list[i].r_info) == R_X86_64_COPY && k < 4; k++) {
            if (!pl_text_equal(strings + s->st_name, option_names[k]))
                continue;
            options[k].own = (char *)(loaded.map->l_addr + list[i].r_offset);
            options[k].libc = dlsym(RTLD_DEFAULT, option_names[k]);
            options[k].size = (unsigned)s->st_size;
            PL_ASSERT(options[k].size <= 8);
        }
    }
}

static void find_options(void)
{
    ask_libc();
    find_copies();
}

/* ---- ends ---- */

/* Destructors and what it has registered with atexit(), which would run at dlclose(). */
static void destruct(void)
{
    void (**array)(void) = NULL;
    uint64_t n = 0;

    for (const ElfW(Dyn) *d = loaded.map->l_ld; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_FINI_ARRAY)
            array = (void (**)(void))(loaded.map->l_addr + d->d_un.d_ptr);
        if (d->d_tag == DT_FINI_ARRAYSZ)
            n = d->d_un.d_val / sizeof(*array);
    }
    while (array != NULL && n > 0)
        array[--n]();
}

__attribute__((noreturn)) static void end_client(int status, bool at_once, uint64_t pc)
{
    pl_sched_point(PL_OP_EXIT, NULL, 0, (uint32_t)status, pc);
    if (!at_once) {
        destruct();
        pl_stdio_flush();
    }
    pl_process_exit_now(status, pc);
}

static bool outlives(const struct pl_thread *t, int status)
{
    unsigned byte = (unsigned)status & 0xff;

    return client()->main != 0 && !pl_free && !is_client(t) &&
           (pl_board->settings.exit_fine[byte / 8] >> byte % 8 & 1) != 0;
}

/* A thread is gone without having ended. */
static void drop(struct pl_thread *t)
{
    if (t->spin.parked)
        pl_spin_unpark(t);
    t->announced = false;
    t->state = PL_THREAD_GONE;
    pl_stage->n_alive--;
    pl_ports.process->ended(t);
}

__attribute__((noreturn)) static void outlive(void)
{
    struct pl_thread *self = pl_thread_self();

    pl_stdio_flush();
    client()->alone = true;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t != self && t->state == PL_THREAD_ALIVE && !is_client(t))
            drop(t);
    }
    for (int fd = FIRST_OF_PROGRAM; fd < PL_FILES_MAX; fd++) {
        struct pl_syscall c = PL_SYSCALL(SYS_close, (uint64_t)fd);

        if (pl_stage->process.files.open[fd] != 0 && (client()->opened[fd / 8] >> fd % 8 & 1) == 0)
            pl_calls_now(&c);
    }
    pl_stage->process.calls_changed++;
    drop(self);
    pl_spin_progress(self);
    pl_sched_end_thread();
    __builtin_unreachable();
}

const struct pl_client_port pl_client_port = {
    .listens = note_listening,
    .opened = note_opened,
    .has = is_client,
    .end = end_client,
    .stays = outlives,
    .stay = outlive,
    .waits = is_early,
};
