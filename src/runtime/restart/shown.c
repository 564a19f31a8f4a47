/* SPDX-License-Identifier: MIT */
/* See shown.h. */
#include "runtime/restart/shown.h"

#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/clock.h"
#include "runtime/ground/ports.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own.h"
#include "runtime/restart/proc_path.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum { TEXT = 2048, NUMBER = 24 };

struct text {
    char *to;
    size_t used; /* at most TEXT */
};

static void add(struct text *t, const char *from, size_t n)
{
    if (n > TEXT - t->used)
        n = TEXT - t->used;
    pl_memory_copy(t->to + t->used, from, n);
    t->used += n;
}

static void add_number(struct text *t, const char *before, long number)
{
    char digits[NUMBER];

    pl_text_format(digits, sizeof(digits), "%ld", number);
    add(t, before, pl_text_length(before));
    add(t, digits, pl_text_length(digits));
}

/* ---- what stands there ---- */

static void add_name(struct text *out, const struct pl_thread *t)
{
    char process[sizeof(t->title)] = {0}; /* so that the kernel may write there */

    if (t->title[0] == '\0')
        pl_sys(SYS_prctl, PR_GET_NAME, process);
    const char *name = t->title[0] != '\0' ? t->title : process;

    add(out, name, pl_text_length(name));
}

enum { PAGE = 4096, TICK = 10000000 /* nanoseconds */, COARSE = 256 * PAGE };

/* Rounded up, for what libc keeps in reserve. */
static long size_of(uint64_t bytes)
{
    return (long)((bytes + COARSE - 1) / COARSE * COARSE);
}

static long resident(struct pl_room_taken had)
{
    return size_of(had.data - had.stacks);
}

/* What a field of "stat", counted from 1, says of this thread's process.  False: as the kernel has
 * it. */
static bool tell_field(unsigned field, const struct pl_thread *t, struct pl_room_taken had,
                       long *value)
{
    enum {
        PARENT = 4,
        MINOR_FAULTS = 10,
        MAJOR_FAULTS = 12,
        USER = 14,
        SYSTEM = 15,
        THREADS = 20,
        SIZE = 23,
        RESIDENT = 24,
        STACK_AT = 29,
        CODE_AT = 30,
        PROCESSOR = 39,
        DELAY = 42
    };

    switch (field) {
    case PARENT:
        *value = pl_own_parent();
        return true;
    case MINOR_FAULTS:
    case RESIDENT:
        *value = resident(had) / PAGE;
        return true;
    case USER:
        *value = (long)((t->main ? pl_stage->clock.cpu_ns : t->cpu_ns) / TICK);
        return true;
    case MAJOR_FAULTS:
    case SYSTEM:
    case STACK_AT:
    case CODE_AT:
    case DELAY:
        *value = 0;
        return true;
    case THREADS:
        *value = pl_stage->n_alive;
        return true;
    case SIZE:
        *value = size_of(had.all);
        return true;
    case PROCESSOR:
        *value = pl_own_processor();
        return true;
    default:
        return false;
    }
}

/* "number (name) state parent ..." */
static void tell_stat(struct text *out, const struct pl_thread *t, const char *from, size_t n)
{
    const struct pl_room_taken had = pl_ports.process->taken();
    long value;
    size_t at = n;
    unsigned field = 2;

    while (at > 0 && from[at - 1] != ')')
        at--;
    add_number(out, "", pl_own_thread(t));
    add(out, " (", 2);
    add_name(out, t);
    add(out, ")", 1);
    while (at < n) {
        size_t end = at + 1;

        while (end < n && from[end] != ' ')
            end++;
        if (tell_field(++field, t, had, &value))
            add_number(out, " ", value);
        else
            add(out, from + at, end - at);
        at = end;
    }
}

/* "size resident shared text lib data dirty", in pages. */
static void tell_statm(struct text *out, const char *from, size_t n)
{
    const struct pl_room_taken had = pl_ports.process->taken();
    const long values[] = {size_of(had.all), resident(had), 0, -1, -1, size_of(had.data), -1};
    size_t at = 0;

    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        size_t end = at;

        while (end < n && from[end] != ' ' && from[end] != '\n')
            end++;
        if (values[i] >= 0)
            add_number(out, i > 0 ? " " : "", values[i] / PAGE);
        else
            add(out, from + at - 1, end - at + 1);
        at = end + 1;
    }
    add(out, "\n", 1);
}

/* A line of "status" about what has been used, without its end. */
static bool tell_use(struct text *out, const struct pl_thread *t, struct pl_room_taken had,
                     const char *line)
{
    const struct {
        const char *word;
        long bytes;
    } sizes[] = {
        {"VmPeak:\t", size_of(had.all)},  {"VmSize:\t", size_of(had.all)},
        {"VmData:\t", size_of(had.data)}, {"VmHWM:\t", resident(had)},
        {"VmRSS:\t", resident(had)},      {"RssAnon:\t", resident(had)},
    };
    static const char *const switches[] = {"voluntary_ctxt_switches:\t",
                                           "nonvoluntary_ctxt_switches:\t"};
    char text[64];

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        if (!pl_text_starts(line, sizes[i].word))
            continue;
        pl_text_format(text, sizeof(text), "%s%8lu kB", sizes[i].word,
                       (unsigned long)sizes[i].bytes / 1024);
        add(out, text, pl_text_length(text));
        return true;
    }
    for (unsigned i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
        if (!pl_text_starts(line, switches[i]))
            continue;
        add_number(out, switches[i], i == 0 ? (long)t->ordinal : 0);
        return true;
    }
    return false;
}

/* Lines with a word, a colon, a tab and what it is. */
static void tell_status(struct text *out, const struct pl_thread *t, const char *from, size_t n)
{
    const struct pl_room_taken had = pl_ports.process->taken();

    for (size_t at = 0, end; at < n; at = end) {
        const char *line = from + at;

        for (end = at; end < n && from[end] != '\n'; end++)
            ;
        end += end < n;
        if (pl_text_starts(line, "Name:\t")) {
            add(out, "Name:\t", pl_text_length("Name:\t"));
            add_name(out, t);
        } else if (pl_text_starts(line, "Tgid:\t")) {
            add_number(out, "Tgid:\t", pl_own_process());
        } else if (pl_text_starts(line, "Pid:\t")) {
            add_number(out, "Pid:\t", pl_own_thread(t));
        } else if (pl_text_starts(line, "PPid:\t")) {
            add_number(out, "PPid:\t", pl_own_parent());
        } else if (pl_text_starts(line, "NStgid:\t")) {
            add_number(out, "NStgid:\t", pl_own_process());
        } else if (pl_text_starts(line, "NSpid:\t")) {
            add_number(out, "NSpid:\t", pl_own_thread(t));
        } else if (pl_text_starts(line, "Threads:\t")) {
            add_number(out, "Threads:\t", pl_stage->n_alive);
        } else if (!tell_use(out, t, had, line)) {
            add(out, line, end - at);
            continue;
        }
        add(out, "\n", 1);
    }
}

/* A memory file in place of what was opened, with this text. */
static void put(const struct text *t, int fd)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFD);
    long own = pl_sys(SYS_memfd_create, "proc", MFD_CLOEXEC);

    if (own < 0)
        return;
    pl_sys(SYS_pwrite64, own, t->to, t->used, 0);
    pl_sys(SYS_dup3, own, fd, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    pl_sys(SYS_close, own);
}

/* How long the system runs, and rests, in hundredths of a second: by the program's clock, which is
 * moved by that much whenever somebody looks, unless it moves by itself. */
static void tell_uptime(int fd)
{
    char to[4 * NUMBER];
    uint64_t hundredth = UINT64_C(10000000);

    uint64_t up = pl_clock_now() - pl_clock_behind(CLOCK_BOOTTIME);

    if (!pl_inputs_time(CLOCK_BOOTTIME, &up)) {
        up += hundredth;
        pl_clock_reach(pl_stage->now + hundredth);
    }
    up /= hundredth;
    pl_text_format(to, sizeof(to), "%lu.%02lu 0.00\n", (unsigned long)(up / 100),
                   (unsigned long)(up % 100));
    put(&(struct text){to, pl_text_length(to)}, fd);
}

/* Apart, since its texts are for few and threads may have small stacks. */
__attribute__((noinline)) static void replace(const struct pl_thread *t, const char *file, int fd)
{
    char from[TEXT + 1] = {0}, to[TEXT]; /* the kernel is to write there */
    struct text out = {to, 0};
    long n = pl_sys(SYS_pread64, fd, from, TEXT, 0);

    if (n <= 0)
        return;
    if (pl_text_equal(file, "stat")) {
        tell_stat(&out, t, from, (size_t)n);
    } else if (pl_text_equal(file, "status")) {
        tell_status(&out, t, from, (size_t)n);
    } else if (pl_text_equal(file, "statm")) {
        tell_statm(&out, from, (size_t)n);
    } else {
        add_name(&out, t);
        add(&out, "\n", 1);
    }
    put(&out, fd);
}

/* "PPid:\t12\n", or the fourth word behind the name: the place of the number, and its end. */
static size_t parent_at(const char *file, const char *from, size_t n, size_t *end)
{
    size_t at = 0;

    if (pl_text_equal(file, "status")) {
        while (at < n && !pl_text_starts(from + at, "\nPPid:\t"))
            at++;
        at += pl_text_length("\nPPid:\t");
    } else {
        for (at = n; at > 0 && from[at - 1] != ')'; at--)
            ;
        at += pl_text_length(" S ");
    }
    for (*end = at; *end < n && from[*end] >= '0' && from[*end] <= '9';)
        ++*end;
    return at;
}

/* A file about another process: whose child it is, by the number that the program knows. */
__attribute__((noinline)) static void replace_parent(const char *file, int fd, int32_t real,
                                                     int32_t shown)
{
    char from[TEXT + 1] = {0}, to[TEXT]; /* the kernel is to write there */
    struct text out = {to, 0};
    long n = pl_sys(SYS_pread64, fd, from, TEXT, 0);
    size_t end, at = n > 0 ? parent_at(file, from, (size_t)n, &end) : (size_t)n;
    long parent = 0;

    for (size_t i = at; n > 0 && i < end; i++)
        parent = parent * 10 + (from[i] - '0');
    if (parent == 0 || parent != real || real == shown)
        return;
    add(&out, from, at);
    add_number(&out, "", shown);
    add(&out, from + end, (size_t)n - end);
    put(&out, fd);
}

static bool is_about_process(const char *file)
{
    return pl_text_equal(file, "stat") || pl_text_equal(file, "status");
}

void pl_shown_opened(const char *path, int fd)
{
    bool children = pl_stage->process.forked || pl_stage->process.company;
    struct pl_proc_path p;

    if (path == NULL)
        return;
    if (pl_text_equal(path, "/proc/uptime"))
        tell_uptime(fd);
    if (pl_free || !pl_proc_path_read(path, &p))
        return;
    const char *file = pl_proc_path_file(&p);

    if (p.thread != NULL &&
        (is_about_process(file) || pl_text_equal(file, "comm") || pl_text_equal(file, "statm")))
        replace(p.thread, file, fd);
    else if (!p.own && children && is_about_process(file))
        replace_parent(file, fd, (int32_t)pl_sys(SYS_getpid), pl_own_process());
}

void pl_shown_to_child(const char *path, int fd)
{
    int32_t parent = (int32_t)pl_sys(SYS_getppid);
    struct pl_proc_path p;

    if (pl_proc_path_read(path, &p) && is_about_process(pl_proc_path_file(&p)))
        replace_parent(pl_proc_path_file(&p), fd, parent, pl_own_shown(parent));
}
