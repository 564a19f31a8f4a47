/* SPDX-License-Identifier: MIT */
/*
 * A child becomes another program, which is on its own.  If that is the program under test once
 * more, then what is tested may well be there: frameworks that give each test a process do so.  Of
 * such a process it is said whether it has created threads, as of a child that stays what it is.
 * For that it loads this library, with a board that it only counts on (start/init.c).
 *
 * All forms come to one question: is that file the program itself?  What a shell is told to start
 * (system(), popen()) is not looked into.
 */
#include "runtime/system/libc_exec.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/board.h"
#include "runtime/core/company.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENTRIES = 2,      /* that are added */
    VARIABLES = 4096, /* more of them are left as they are */
};

/* An environment that is longer by ENTRIES, and the texts of these. */
struct longer {
    char *list[VARIABLES + ENTRIES + 1];
    char preload[PATH_MAX + 16];
    char board[64];
};

/* What `path`, from the folder `at`, leads to; with AT_EMPTY_PATH that is `at`. */
static bool is_self(int at, const char *path, int flags)
{
    struct stat self = {0}, other = {0};

    return pl_sys(SYS_newfstatat, AT_FDCWD, "/proc/self/exe", &self, 0) == 0 &&
           pl_sys(SYS_newfstatat, at, path, &other, flags) == 0 && self.st_dev == other.st_dev &&
           self.st_ino == other.st_ino;
}

static const char *variable(const char *name)
{
    for (char **v = environ; v != NULL && *v != NULL; v++) {
        if (pl_text_starts(*v, name))
            return *v + pl_text_length(name);
    }
    return NULL;
}

/* The same for a name that is looked for in PATH: the first that can be executed counts. */
static bool is_self_by_name(const char *file)
{
    const char *folders = variable("PATH=");
    char path[PATH_MAX];

    if (pl_text_contains(file, "/"))
        return is_self(AT_FDCWD, file, 0);
    for (const char *at = folders != NULL ? folders : "/bin:/usr/bin";; at++) {
        size_t n = 0;

        for (; *at != '\0' && *at != ':'; at++) {
            if (n < sizeof(path) - 1)
                path[n++] = *at;
        }
        pl_text_format(path + n, sizeof(path) - n, "%s%s", n > 0 ? "/" : "", file);
        if (pl_sys(SYS_faccessat, AT_FDCWD, path, X_OK) == 0)
            return is_self(AT_FDCWD, path, 0);
        if (*at == '\0')
            return false;
    }
}

/* A process of the campaign that is the program's doing. */
static bool is_asked(void)
{
    return pl_ready && (pl_active || (pl_stage->process.child && pl_stage->busy == 0));
}

/* A child that fork() made: the worker itself has other ways to go on. */
static bool is_child(void)
{
    return is_asked() && !pl_active;
}

/* `envp` with what lets the new program count its threads; NULL if that cannot be, or is the
 * program's own affair. */
static struct longer *lengthen(char *const envp[])
{
    Dl_info library;
    size_t n = 0;

    for (; envp != NULL && envp[n] != NULL; n++) {
        if (n >= VARIABLES || pl_text_starts(envp[n], "LD_PRELOAD="))
            return NULL;
    }
    if (dladdr((void *)lengthen, &library) == 0 || library.dli_fname == NULL)
        return NULL;
    long p = pl_sys(SYS_mmap, 0, sizeof(struct longer), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p < 0)
        return NULL;
    struct longer *to = (struct longer *)p;

    pl_text_format(to->preload, sizeof(to->preload), "LD_PRELOAD=%s", library.dli_fname);
    pl_text_format(to->board, sizeof(to->board), PL_BOARD_ENV "=" PL_BOARD_OF_PARENT "%d",
                   (int)PL_FD_BOARD);
    to->list[0] = to->preload;
    to->list[1] = to->board;
    for (size_t i = 0; i < n; i++)
        to->list[ENTRIES + i] = envp[i];
    return to;
}

/* Set `envp` to what the new program is to get.  What comes back is to be given to release(). */
static struct longer *extend(bool self, char *const **envp)
{
    struct longer *more = self ? lengthen(*envp) : NULL;

    if (more != NULL)
        *envp = more->list;
    return more;
}

/* ---- processes under control ---- */

/*
 * One that the program has forked, and that is under control as well, leaves that with its program.
 * Whoever only tries to does not.  True when it has left.
 */
static bool leave_company(const char *path)
{
    struct pl_thread *t = pl_on() && !pl_inside() ? pl_thread_self() : NULL;

    if (t == NULL || pl_stage->process.number == 0 || path == NULL ||
        (pl_text_contains(path, "/") && pl_sys(SYS_faccessat, AT_FDCWD, path, X_OK) != 0))
        return false;
    pl_enter();
    pl_board->processes++;
    pl_company_stranger(path);
    t->op.ordinal = t->ordinal;
    if (!pl_free)
        pl_company_hand_over(t);
    pl_company_quit(PL_COMPANY_LEFT);
    pl_leave();
    return true;
}

static int return_to_company(bool left, int rc)
{
    int error = errno;

    if (left)
        pl_company_return();
    errno = error;
    return rc;
}

/* It did not become another program, or somebody else did. */
static int release(struct longer *more, int rc)
{
    if (more != NULL)
        pl_sys(SYS_munmap, more, sizeof(*more));
    return rc;
}

PL_EXPOSE(int, execve, (const char *path, char *const argv[], char *const envp[]))
{
    struct longer *more = extend(is_child() && path != NULL && is_self(AT_FDCWD, path, 0), &envp);
    bool left = leave_company(path);

    return return_to_company(left, release(more, PL_FALLBACK(execve)(path, argv, envp)));
}

PL_EXPOSE(int, execv, (const char *path, char *const argv[]))
{
    return pl_in_execve(path, argv, environ);
}

PL_EXPOSE(int, fexecve, (int fd, char *const argv[], char *const envp[]))
{
    struct longer *more = extend(is_child() && is_self(fd, "", AT_EMPTY_PATH), &envp);

    bool left = leave_company("fexecve");

    return return_to_company(left, release(more, PL_FALLBACK(fexecve)(fd, argv, envp)));
}

PL_EXPOSE(int, execvpe, (const char *file, char *const argv[], char *const envp[]))
{
    struct longer *more = extend(is_child() && file != NULL && is_self_by_name(file), &envp);

    bool left = leave_company(file);

    return return_to_company(left, release(more, PL_FALLBACK(execvpe)(file, argv, envp)));
}

PL_EXPOSE(int, execvp, (const char *file, char *const argv[]))
{
    return pl_in_execvpe(file, argv, environ);
}

/* `words`: `first` and what follows, up to a NULL, as an array.  `list` then stands behind them. */
#define WORDS(list, n, first)                                  \
    size_t n = 0;                                              \
    va_start(list, first);                                     \
    for (const char *w = first; w != NULL; n++)                \
        w = va_arg(list, const char *);                        \
    va_end(list);                                              \
    char **words = __builtin_alloca((n + 1) * sizeof(*words)); \
    va_start(list, first);                                     \
    words[0] = (char *)first;                                  \
    for (size_t i = 1; i <= n; i++)                            \
    words[i] = va_arg(list, char *)

PL_EXPOSE(int, execl, (const char *path, const char *word, ...))
{
    va_list list;

    WORDS(list, n, word);
    va_end(list);
    return pl_in_execve(path, words, environ);
}

PL_EXPOSE(int, execlp, (const char *file, const char *word, ...))
{
    va_list list;

    WORDS(list, n, word);
    va_end(list);
    return pl_in_execvpe(file, words, environ);
}

PL_EXPOSE(int, execle, (const char *path, const char *word, ...))
{
    va_list list;

    WORDS(list, n, word);
    char *const *envp = va_arg(list, char *const *);

    va_end(list);
    return pl_in_execve(path, words, envp);
}

int pl_exec_spawn(pl_exec_spawner *spawn, bool by_name, pid_t *pid, const char *path,
                  const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                  char *const argv[], char *const envp[])
{
    bool self = is_asked() && path != NULL &&
                (by_name ? is_self_by_name(path) : is_self(AT_FDCWD, path, 0));
    struct longer *more = extend(self, &envp);

    return release(more, spawn(pid, path, actions, attr, argv, envp));
}
