/* SPDX-License-Identifier: MIT */
/*
 * Files, and what else has a path.  Unless inputs are recorded or fed,
 * only random devices are special; see libc_random.c.
 *
 * The inputs keep the contents of a file as they are when it is opened.  A
 * replay opens a memory file with them, whether the file is still there or not;
 * what the program writes to it goes nowhere, and calls that make, remove or
 * rename files come to what they came to, without doing it.
 *
 * stdio reads pipes and devices by itself, where nobody sees it; a FILE of such
 * a descriptor is therefore made of callbacks that go through the inputs.  There
 * is no point in the callbacks: whoever reads through stdio holds libc's lock of the FILE.
 */
#include "base/assert.h"
#include "base/claimed.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/inputs.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/look.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/shown.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/file_times.h"
#include "runtime/system/libc_exec.h"
#include "runtime/system/texts.h"

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SYS_remove = SYS_unlink }; /* what libc makes of it for a file */

static bool is_on(void)
{
    return pl_on() && (pl_inputs_recording() || pl_inputs_feeding());
}

/* Then it is the kernel that says so, and there is nothing else to tell. */
static bool is_unreadable(const char *path)
{
    return path == NULL || (pl_active && !pl_look_has_text(path));
}

/* A path, or another name, is about to be read. */
static void reads(const char *name, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_text_announce(name, PL_TEXT_WHOLE, who);
}

/* Tells paths apart in records. */
static int path_number(const char *path)
{
    return (int)(pl_files_name(path) & INT32_MAX);
}

/* What is the system's, or leads to what the tool captures. */
static bool is_left_alone(const char *path)
{
    static const char *const names[] = {"/dev/null",  "/dev/zero",   "/dev/full",
                                        "/dev/stdin", "/dev/stdout", "/dev/stderr"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (pl_text_equal(path, names[i]))
            return true;
    }
    return pl_text_starts(path, "/proc/") || pl_text_starts(path, "/sys/");
}

static void note_open(const char *path, int fd)
{
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_OPEN, path_number(path), fd, 0);

    pl_inputs_set_stream(fd, false, fd);
    if (r == NULL || fd < 0)
        return;
    r->aux = pl_standin_describe(fd);
    if (pl_standin_is_stream(r->aux))
        pl_inputs_set_stream(fd, true, fd);
    else if ((r->aux & 0xff) == PL_INPUT_CONTENT && !pl_contents_keep(r, fd))
        r->aux = PL_INPUT_REAL;
}

/* Some files say what the kernel does not know; where calls are watched, that is seen there. */
static void tell_opened(const char *path, int fd)
{
    if (pl_in_child())
        pl_shown_to_child(path, fd);
    else if (pl_on() && pl_free)
        pl_shown_opened(path, fd);
}

/* Such a process changes what the next execution finds. */
static void tell_of_change(const char *path, bool changes)
{
    if (changes && pl_in_child() && !is_left_alone(path))
        pl_exec_may_change_files();
}

static int open_file(int folder, const char *path, int flags, mode_t mode, uint64_t pc)
{
    const struct pl_syscall call =
        PL_SYSCALL(SYS_openat, (uint64_t)folder, (uint64_t)path, (uint64_t)flags, (uint64_t)mode);
    bool known = is_on() && !is_left_alone(path);

    if (pl_on() && pl_random_is_device(path) && !pl_inputs_clocks_recorded() &&
        !pl_inputs_clocks_fed()) {
        pl_calls_stand_in(call, pc);
        return pl_random_open(flags);
    }
    if (known && pl_inputs_feeding()) {
        const struct pl_input_record *r = pl_inputs_next(PL_INPUT_OPEN, path_number(path), path);

        if (r->result < 0 || (r->aux & 0xff) != PL_INPUT_REAL)
            pl_calls_stand_in(call, pc);
        if (r->result < 0)
            return (int)pl_inputs_result(r, 0);
        if ((r->aux & 0xff) != PL_INPUT_REAL)
            return pl_standin_open(r, flags);
    }
    bool waits = pl_cancel_wait_begin();
    int fd = folder == AT_FDCWD ? pl_real.open(path, flags, mode)
                                : pl_real.openat(folder, path, flags, mode);

    if (waits)
        pl_cancel_wait_end();

    if (known && pl_inputs_recording())
        note_open(path, fd);
    if (fd >= 0)
        tell_opened(path, fd);
    tell_of_change(path, fd >= 0 && (flags & (O_ACCMODE | O_CREAT)) != O_RDONLY);
    return fd;
}

static bool has_mode(int flags)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0;
}

static int open_called(int folder, const char *path, int flags, mode_t mode, struct pl_call who)
{
    if (is_unreadable(path))
        return pl_real.openat(folder, path, flags, mode);
    pl_cancel_call(who.pc);
    reads(path, who);
    return open_file(folder, path, flags, has_mode(flags) ? mode : 0, who.pc);
}

/* A mode is behind the flags if they say so; it comes in a register, as if it always were. */
#define PL_OPEN(name)                                                          \
    PL_INTERPOSE_ALWAYS(int, name, (const char *path, int flags, mode_t mode)) \
    {                                                                          \
        return open_called(AT_FDCWD, path, flags, mode, PL_CALL_ENTERED);      \
    }

PL_OPEN(open)
PL_OPEN(open64)

#define PL_OPENAT(name)                                                                    \
    PL_INTERPOSE_ALWAYS(int, name, (int folder, const char *path, int flags, mode_t mode)) \
    {                                                                                      \
        return open_called(folder, path, flags, mode, PL_CALL_ENTERED);                    \
    }

PL_OPENAT(openat)
PL_OPENAT(openat64)

#define PL_CREAT(name)                                                                           \
    PL_INTERPOSE_ALWAYS(int, name, (const char *path, mode_t mode))                              \
    {                                                                                            \
        return open_called(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode, PL_CALL_ENTERED); \
    }

PL_CREAT(creat)
PL_CREAT(creat64)

PL_INTERPOSE_ALWAYS(int, __open_2, (const char *path, int flags))
{
    return open_called(AT_FDCWD, path, flags, 0, PL_CALL_ENTERED);
}

PL_INTERPOSE_ALWAYS(int, __open64_2, (const char *path, int flags))
{
    return open_called(AT_FDCWD, path, flags, 0, PL_CALL_ENTERED);
}

/* ---- stdio ---- */

static ssize_t read_stream(void *cookie, char *buffer, size_t size)
{
    int fd = (int)(intptr_t)cookie;
    struct iovec v = {buffer, size};
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, fd);

    return r != NULL ? pl_inputs_scatter(r, &v, 1)
                     : pl_inputs_gather(fd, pl_real.read(fd, buffer, size), &v, 1);
}

static ssize_t write_stream(void *cookie, const char *buffer, size_t size)
{
    int fd = (int)(intptr_t)cookie;
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);
    ssize_t n = r != NULL ? pl_inputs_result(r, (int64_t)size)
                          : pl_inputs_keep(PL_INPUT_WRITE, fd, pl_real.write(fd, buffer, size));

    return n < 0 ? 0 : n; /* as fopencookie() wants it */
}

static int close_stream(void *cookie)
{
    int fd = (int)(intptr_t)cookie;

    for (unsigned i = 0; i < PL_INPUT_STREAMS; i++) {
        if (pl_stage->inputs.streams[i].fd == fd)
            pl_stage->inputs.streams[i].file = NULL;
    }
    pl_inputs_forget(fd);
    return pl_real.close(fd);
}

/* For fileno(). */
static void remember_stream(const FILE *file, int fd)
{
    pl_enter();
    for (unsigned i = 0; i < PL_INPUT_STREAMS; i++) {
        if (pl_stage->inputs.streams[i].file != NULL)
            continue;
        PL_ASSERT(fd >= 0);
        pl_stage->inputs.streams[i].file = file;
        pl_stage->inputs.streams[i].fd = fd;
        break;
    }
    pl_leave();
}

static FILE *make_stream(int fd, const char *mode)
{
    cookie_io_functions_t calls = {
        .read = read_stream, .write = write_stream, .close = close_stream};

    if (!pl_inputs_is_stream(fd))
        return pl_real.fdopen(fd, mode);
    FILE *file = fopencookie((void *)(intptr_t)fd, mode, calls);

    if (file != NULL)
        remember_stream(file, fd);
    return file;
}

/* As stdio reads it; -1 when it is none. */
static int flags_of(const char *mode)
{
    int flags = mode[0] == 'r'   ? O_RDONLY
                : mode[0] == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                : mode[0] == 'a' ? O_WRONLY | O_CREAT | O_APPEND
                                 : -1;

    for (const char *m = mode + 1; flags >= 0 && mode[0] != '\0' && *m != '\0' && *m != ','; m++) {
        if (*m == '+')
            flags = (flags & ~O_ACCMODE) | O_RDWR;
        flags |= *m == 'e' ? O_CLOEXEC : *m == 'x' ? O_EXCL : 0;
    }
    return flags;
}

/* Nothing has been read from it. */
static FILE *opened(const char *path, const char *mode, FILE *file)
{
    if (file != NULL)
        tell_opened(path, (fileno)(file));
    tell_of_change(path, file != NULL && (flags_of(mode) & O_ACCMODE) != O_RDONLY);
    return file;
}

/* fopen() opens by itself, not through open(). */
#define PL_FOPEN(name)                                                         \
    PL_INTERPOSE_ALWAYS(FILE *, name, (const char *path, const char *mode))    \
    {                                                                          \
        struct pl_call who = PL_CALL_ENTERED;                                  \
        if (is_unreadable(path))                                               \
            return pl_real.name(path, mode);                                   \
        reads(path, who);                                                      \
        reads(mode, who);                                                      \
        int flags = flags_of(mode);                                            \
        if (!pl_on() || flags < 0 || (!is_on() && !pl_random_is_device(path))) \
            return opened(path, mode, pl_real.name(path, mode));               \
        int fd = open_file(AT_FDCWD, path, flags, 0666, who.pc);               \
        return fd < 0 ? NULL : make_stream(fd, mode);                          \
    }

PL_FOPEN(fopen)
PL_FOPEN(fopen64)

PL_INTERPOSE_ALWAYS(FILE *, fdopen, (int fd, const char *mode))
{
    reads(mode, PL_CALL_ENTERED);
    return is_on() ? make_stream(fd, mode) : pl_real.fdopen(fd, mode);
}

static int number_of(FILE *file)
{
    for (unsigned i = 0; pl_active && i < PL_INPUT_STREAMS; i++) {
        if (pl_stage->inputs.streams[i].file == file)
            return pl_stage->inputs.streams[i].fd;
    }
    return -1;
}

PL_EXPORT int fileno(FILE *file)
{
    int fd = pl_on() ? number_of(file) : -1;

    return fd >= 0 ? fd : pl_real.fileno(file);
}

PL_EXPORT int fileno_unlocked(FILE *file)
{
    return fileno(file);
}

/* ---- what paths are, and what becomes of them ---- */

static int status(const char *path, struct stat *out,
                  int (*real)(const char *restrict, struct stat *restrict), struct pl_call who)
{
    PL_APART(apart, who);

    if (is_unreadable(path))
        return real(path, out);
    reads(path, who);
    if (pl_call_wanted(who))
        out = pl_apart(&apart, out, sizeof(*out), PL_APART_OUT);
    bool known = is_on() && !is_left_alone(path);

    if (known && pl_inputs_feeding()) {
        const struct pl_input_record *r = pl_inputs_next(PL_INPUT_STATUS, path_number(path), path);

        pl_inputs_get(r, 0, out, sizeof(*out));
        if (r->aux != PL_INPUT_REAL) {
            pl_calls_stand_in(PL_SYSCALL(SYS_stat, (uint64_t)path), who.pc);
            apart.fails = r->size == 0;
            return (int)pl_inputs_result(r, 0);
        }
    }
    int rc = real(path, out);

    apart.fails = rc != 0 || !pl_file_times_told(out);
    if (known && pl_inputs_recording()) {
        uint64_t size = rc == 0 ? sizeof(*out) : 0;

        pl_inputs_put(pl_inputs_note(PL_INPUT_STATUS, path_number(path), rc, size), 0, out, size);
    }
    return rc;
}

PL_INTERPOSE_ALWAYS(int, stat, (const char *restrict path, struct stat *restrict out))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_on();
    return status(path, out, pl_real.stat, who);
}

PL_INTERPOSE_ALWAYS(int, stat64, (const char *restrict path, struct stat64 *restrict out))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_on();
    return status(path, (struct stat *)out, pl_real.stat, who);
}

PL_INTERPOSE_ALWAYS(int, lstat, (const char *restrict path, struct stat *restrict out))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_on();
    return status(path, out, pl_real.lstat, who);
}

PL_INTERPOSE_ALWAYS(int, lstat64, (const char *restrict path, struct stat64 *restrict out))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_on();
    return status(path, (struct stat *)out, pl_real.lstat, who);
}

/*
 * A call that has come to something by what was recorded is made all the same where only the
 * program sees it, so that folders and FIFOs of its own are there for calls that are not fed.
 */
static bool is_made_again(const char *path, int result)
{
    return result == 0 && pl_board->restart == PL_RESTART_EXEC && pl_journal_is_covered(path);
}

/* A call about a path that says no more than its result. */
#define PL_PATH_CALL(name, path, ...)                                                             \
    do {                                                                                          \
        if (is_unreadable(path))                                                                  \
            return pl_real.name(__VA_ARGS__);                                                     \
        reads(path, who);                                                                         \
        bool known = is_on() && !is_left_alone(path);                                             \
        if (known && pl_inputs_feeding()) {                                                       \
            pl_calls_stand_in(PL_SYSCALL(SYS_##name, (uint64_t)(path)), who.pc);                  \
            int fed =                                                                             \
                (int)pl_inputs_result(pl_inputs_next(PL_INPUT_PATH, path_number(path), path), 0); \
            if (SYS_##name != SYS_access && is_made_again(path, fed))                             \
                pl_sys(SYS_##name, __VA_ARGS__);                                                  \
            return fed;                                                                           \
        }                                                                                         \
        int rc = pl_real.name(__VA_ARGS__);                                                       \
        tell_of_change(path, rc == 0 && SYS_##name != SYS_access);                                \
        return known ? (int)pl_inputs_keep(PL_INPUT_PATH, path_number(path), rc) : rc;            \
    } while (0)

PL_INTERPOSE_ALWAYS(int, access, (const char *path, int mode))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_PATH_CALL(access, path, path, mode);
}

PL_INTERPOSE_ALWAYS(int, unlink, (const char *path))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_PATH_CALL(unlink, path, path);
}

PL_INTERPOSE_ALWAYS(int, remove, (const char *path))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_PATH_CALL(remove, path, path);
}

PL_INTERPOSE_ALWAYS(int, rmdir, (const char *path))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_PATH_CALL(rmdir, path, path);
}

PL_INTERPOSE_ALWAYS(int, mkdir, (const char *path, mode_t mode))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_PATH_CALL(mkdir, path, path, mode);
}

PL_INTERPOSE_ALWAYS(int, rename, (const char *from, const char *to))
{
    struct pl_call who = PL_CALL_ENTERED;

    reads(to, who);
    PL_PATH_CALL(rename, from, from, to);
}

/* ---- the environment ---- */

/* Whether it is new, as far as there is room to know. */
static bool remember_name(uint32_t hash)
{
    const struct pl_claimed names = PL_CLAIMED_ALONE(pl_stage->inputs.names);

    PL_ASSERT(hash != 0);
    pl_enter();
    uint64_t *name = pl_claimed_slot(names, hash, hash);

    if (name == NULL) /* in place of another, which will be new again */
        name = pl_claimed_entry(names, hash, PL_INPUT_NAMES - 1);
    bool new = *name != hash;

    *name = hash;
    pl_leave();
    return new;
}

/* As it was when the program started: what it changes itself, it changes again. */
static void note_variable(const char *name)
{
    const char *value = pl_entry_environment(name);
    uint64_t n = pl_text_length(name), m = value != NULL ? pl_text_length(value) + 1 : 0;

    if (!remember_name((uint32_t)path_number(name) | 1))
        return;
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_ENVIRONMENT, 0, 0, n + m + 1);

    pl_inputs_put(r, 0, name, n);
    if (value != NULL) {
        pl_inputs_put(r, n, "=", 1);
        pl_inputs_put(r, n + 1, value, m - 1);
    }
    pl_inputs_put(r, n + m, "", 1);
}

/* Replays get it from the tool, before they start. */
static char *variable(const char *name, struct pl_call who)
{
    reads(name, who);
    if (pl_call_wanted(who))
        pl_call_touches(&environ, sizeof(environ), false, who);
    if (pl_on() && pl_inputs_recording())
        note_variable(name);
    return pl_real.getenv != NULL ? pl_real.getenv(name) : NULL;
}

PL_INTERPOSE_ALWAYS(char *, getenv, (const char *name))
{
    return variable(name, PL_CALL_ENTERED);
}

PL_INTERPOSE_ALWAYS(char *, secure_getenv, (const char *name))
{
    return variable(name, PL_CALL_ENTERED);
}
