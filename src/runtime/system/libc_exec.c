/* SPDX-License-Identifier: MIT */
/*
 * A child becomes another program.
 *
 * Where several processes are tested together (model/company.h) and plait cc has built the program,
 * it stays under control: it finds this library and its number in the environment, and everything
 * else in its ticket on the board (start/join.h).  It goes on as the thread that has called here.
 *
 * All others are on their own.  If such a one is the program under test once more, then what is
 * tested may well be there: frameworks that give each test a process do so.  Of such a process it
 * is said whether it has created threads, as of a child that stays what it is.  For that it loads
 * this library, with a board that it only counts on (start/init.c).
 *
 * What a shell is told to start (system(), popen()) is looked into only where the shell becomes it.
 */
#include "runtime/system/libc_exec.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/board.h"
#include "runtime/core/company.h"
#include "runtime/core/sched.h"
#include "runtime/free/order.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/pth_mutex.h"
#include "runtime/system/functions.h"
#include "runtime/system/texts.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ENTRIES = 4,      /* that are added */
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

/* The file of a name that is looked for in PATH: the first that can be executed counts. */
static const char *find_by_name(const char *file, char *path, size_t size)
{
    const char *folders = variable("PATH=");

    if (pl_text_contains(file, "/"))
        return file;
    for (const char *at = folders != NULL ? folders : "/bin:/usr/bin";; at++) {
        size_t n = 0;

        for (; *at != '\0' && *at != ':'; at++) {
            if (n < size - 1)
                path[n++] = *at;
        }
        pl_text_format(path + n, size - n, "%s%s", n > 0 ? "/" : "", file);
        if (pl_sys(SYS_faccessat, AT_FDCWD, path, X_OK) == 0)
            return path;
        if (*at == '\0')
            return file;
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

/* How the new program stands to the board: a word of model/board.h, and the number behind it. */
struct stand {
    const char *how; /* NULL: it is on its own */
    uint32_t number;
};

/* `envp` with what lets the new program find the board; NULL if that cannot be, or is the
 * program's own affair. */
static struct longer *lengthen(char *const envp[], struct stand stand)
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
    unsigned k = 0;

    pl_text_format(to->preload, sizeof(to->preload), "LD_PRELOAD=%s", library.dli_fname);
    pl_text_format(to->board, sizeof(to->board), PL_BOARD_ENV "=%s%d:%u", stand.how,
                   pl_fd(PL_FD_BOARD), stand.number);
    to->list[k++] = to->preload;
    to->list[k++] = to->board;
    if (pl_text_equal(stand.how, PL_BOARD_JOINS)) { /* as the tool starts the first one */
        to->list[k++] = "LD_BIND_NOW=1";
        to->list[k++] = "GLIBC_TUNABLES=glibc.pthread.rseq=0";
    }
    for (size_t i = 0; i < n; i++)
        to->list[k++] = envp[i];
    return to;
}

/* Set `envp` to what the new program is to get.  What comes back is to be given to release(). */
static struct longer *extend(struct stand stand, char *const **envp)
{
    struct longer *more = stand.how != NULL ? lengthen(*envp, stand) : NULL;

    if (more != NULL)
        *envp = more->list;
    return more;
}

static void release(struct longer *more)
{
    if (more != NULL)
        pl_sys(SYS_munmap, more, sizeof(*more));
}

/* ---- processes under control ---- */

bool pl_exec_can_pass(char *const envp[])
{
    struct longer *more = lengthen(envp, (struct stand){PL_BOARD_JOINS, 0});

    release(more);
    return more != NULL;
}

void pl_exec_hand(uint32_t number, const struct pl_thread *t, bool starts, bool same)
{
    struct pl_company_ticket *to = &pl_board->company.tickets[number];

    *to = (struct pl_company_ticket){
        .starts = starts,
        .same = same,
        .image = pl_stage->modules.image,
        .n_children = starts ? 0 : t->n_children,
        .ordinal = starts ? 0 : t->ordinal,
        .parent = (int32_t)pl_sys(starts ? SYS_getpid : SYS_getppid),
        .shown = starts ? pl_own_process() : pl_own_parent(),
        .mask = t->mask,
        .now = pl_stage->now,
    };
    if (!starts)
        pl_board->company.processes[number].first = t->id; /* the others are gone */
    pl_inputs_hand(to, pl_board->company.processes[number].first);
}

/* What is on its way from here to there. */
struct passage {
    struct rlimit limits[PL_OWN_LIMITS];
    struct longer *more;
    enum pl_followed what;
    bool begun, left;
};

/* The other threads of the process are gone with its program, and so is what they hold. */
static void end_others(struct pl_thread *self, uint64_t pc)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE)
            pl_mutex_abandon_all(pl_thread_by_id(i), pc);
    }
    pl_company_count(1 - (int)pl_stage->n_alive);
}

/* The new program is under control as well: it takes everything over, the monitor and the turn. */
static void pass_on(struct pl_thread *t, bool same, uint64_t pc)
{
    uint32_t number = pl_stage->process.number;

    end_others(t, pc);
    pl_exec_hand(number, t, false, same);
    pl_board->company.tickets[number].holds = true;
    if (!pl_free)
        pl_company_hold();
}

/* It is not, or not yet. */
static void leave(struct passage *p, struct pl_thread *t, const char *path)
{
    uint32_t number = pl_stage->process.number;

    pl_board->processes++;
    pl_company_stranger(path);
    p->left = true;
    t->op.ordinal = t->ordinal;
    pl_company_quit(p->what == PL_FOLLOWED_THROUGH ? PL_COMPANY_COMING : PL_COMPANY_LEFT);
    if (p->what == PL_FOLLOWED_THROUGH) {
        pl_exec_hand(number, t, false, false);
        if (!pl_free)
            pl_company_stand_aside(t);
    } else if (!pl_free) {
        pl_company_hand_over(t);
    }
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
}

/* One under control is about to become another program, which is an operation. */
static void begin_passage(struct passage *p, struct pl_thread *t, const char *path,
                          char *const **envp, uint64_t pc)
{
    bool same = is_self(AT_FDCWD, path, 0);
    uint32_t number = pl_stage->process.number;

    p->begun = true;
    p->what = pl_followed_program(path);
    if (p->what != PL_FOLLOWED_NOT) {
        p->more = extend(
            (struct stand){p->what == PL_FOLLOWED_IS ? PL_BOARD_JOINS : PL_BOARD_THROUGH, number},
            envp);
        p->what = p->more != NULL ? p->what : PL_FOLLOWED_NOT;
    }
    pl_count_event(pc);
    if (pl_free) {
        pl_monitor_enter(PL_MONITOR_CALL);
        pl_order_halt_others(t);
    }
    t->entry = NULL;
    pl_sched_point(PL_OP_EXEC, NULL, 0, 0, pc);
    if (p->what == PL_FOLLOWED_IS)
        pass_on(t, same, pc);
    else
        leave(p, t, path);
}

/* ---- a child of vfork(), which has the memory of the thread that has called ---- */

static _Thread_local struct {
    bool lends;
    uint32_t number;     /* that the program has which it becomes; 0: that is not followed */
    bool passed, joins;  /* to such a program, perhaps by way of others; at once */
    struct longer *more; /* which is still there when it has become one */
} lent __attribute__((tls_model("initial-exec")));

void pl_exec_lend(uint32_t number)
{
    lent.lends = true;
    lent.number = number;
    lent.passed = lent.joins = false;
}

static void lends(const struct stand *stand, struct passage *p)
{
    lent.passed = stand->number != 0 && p->more != NULL;
    lent.joins = lent.passed && pl_text_equal(stand->how, PL_BOARD_JOINS);
    lent.more = p->more;
}

void pl_exec_lent(int32_t pid)
{
    if (lent.number != 0) {
        pl_company_expected(lent.number, lent.passed ? pid : 0);
        pl_board->processes -= lent.joins; /* it counts as one of these, or of those */
        pl_board->followed -= !lent.passed;
    }
    release(lent.more);
    lent.more = NULL;
    lent.lends = false;
}

/* One on its own that may become one under control, and takes nothing with it but its number; what
 * could have been followed, and has none, is said. */
static struct stand stand_of_stranger(const char *path)
{
    uint32_t number = lent.lends ? lent.number : pl_stage->process.coming;
    enum pl_followed what =
        pl_board->settings.company ? pl_followed_program(path) : PL_FOLLOWED_NOT;

    if (number == 0 && what == PL_FOLLOWED_IS)
        pl_company_stranger(path);
    if (number != 0 && what != PL_FOLLOWED_NOT)
        return (struct stand){what == PL_FOLLOWED_IS ? PL_BOARD_JOINS : PL_BOARD_THROUGH, number};
    return (struct stand){is_self(AT_FDCWD, path, 0) ? PL_BOARD_OF_PARENT : NULL, 0};
}

/* The first process is not followed; what it becomes may have threads. */
static void lose(const char *path)
{
    pl_company_stranger(path);
    if (pl_followed_program(path) == PL_FOLLOWED_IS)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_CHILDREN);
}

static bool may_begin_anew(void)
{
    return pl_ready && !pl_board->settings.restart_forced && !pl_stage->restart.testing &&
           pl_stage->restart.runner && pl_stage->process.number == 0;
}

/*
 * What another program does to files is not seen, so that nobody could take it back: executions
 * that come after begin in a new process, and prepare them again.
 */
void pl_exec_may_change_files(void)
{
    if (may_begin_anew())
        pl_rollback_spoil(PL_RESTART_EXEC, "it starts other programs, which may change files");
}

/*
 * Another program knows its parent by the kernel's number, and takes what it is told for one.
 * Where the program was told a different one for itself, the execution is made again, in a process
 * that has it.
 */
void pl_exec_starts_other(void)
{
    pl_exec_may_change_files();
    if (!may_begin_anew() || pl_board->own_number || !pl_own_pretends())
        return;
    pl_board->own_number = true;
    if (pl_on())
        pl_ports.restart->end(PL_OUTCOME_LOST);
    pl_sys(SYS_kill, pl_own_real(pl_own_process()), SIGKILL);
    pl_sys(SYS_exit_group, 0);
}

static struct passage begin(const char *path, char *const **envp, uint64_t pc)
{
    struct pl_thread *t = pl_on() && !pl_inside() ? pl_thread_self() : NULL;
    struct passage p = {0};

    pl_own_hand_over_limits(p.limits);
    if (path == NULL)
        return p;
    bool there = pl_sys(SYS_faccessat, AT_FDCWD, path, X_OK) == 0;

    if (t != NULL && pl_stage->process.number != 0) {
        if (there)
            begin_passage(&p, t, path, envp, pc);
    } else if (t != NULL && there) {
        lose(path);
    } else if (is_child() || lent.lends) {
        struct stand stand = stand_of_stranger(path);

        pl_exec_starts_other();
        p.more = extend(stand, envp);
        if (lent.lends)
            lends(&stand, &p);
    }
    return p;
}

/* It did not become another program. */
static int end(struct passage *p, int rc)
{
    int error = errno;

    pl_own_take_back_limits(p->limits);
    release(p->more);
    if (lent.lends)
        lends(&(struct stand){0}, &(struct passage){0});
    if (p->begun)
        pl_order_let_go_on();
    if (p->left)
        pl_company_return();
    else if (p->begun && pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
    errno = error;
    return rc;
}

static void announce_list(char *const list[], struct pl_call who)
{
    for (; list != NULL; list++) {
        pl_call_touches(list, sizeof(*list), false, who);
        if (*list == NULL)
            return;
        pl_text_announce(*list, PL_TEXT_WHOLE, who);
    }
}

void pl_exec_announce(const char *path, char *const argv[], char *const envp[], uint64_t pc)
{
    struct pl_call who = {.pc = pc};

    if (!pl_call_wanted(who))
        return;
    pl_text_announce(path, PL_TEXT_WHOLE, who);
    announce_list(argv, who);
    announce_list(envp, who);
}

char *const *pl_exec_environment(uint64_t pc)
{
    struct pl_call who = {.pc = pc};

    if (pl_call_wanted(who))
        pl_call_touches(&environ, sizeof(environ), false, who);
    return environ;
}

static int become(const char *path, char *const argv[], char *const envp[], uint64_t pc)
{
    pl_exec_announce(path, argv, envp, pc);
    struct passage p = begin(path, &envp, pc);

    return end(&p, PL_FALLBACK(execve)(path, argv, envp));
}

static int become_by_name(const char *file, char *const argv[], char *const envp[], uint64_t pc)
{
    char path[PATH_MAX];

    pl_exec_announce(file, argv, envp, pc);
    struct passage p =
        begin(file != NULL ? find_by_name(file, path, sizeof(path)) : NULL, &envp, pc);

    return end(&p, PL_FALLBACK(execvpe)(file, argv, envp));
}

PL_EXPOSE(int, execve, (const char *path, char *const argv[], char *const envp[]))
{
    return become(path, argv, envp, PL_CALLER);
}

PL_EXPOSE(int, execv, (const char *path, char *const argv[]))
{
    return become(path, argv, pl_exec_environment(PL_CALLER), PL_CALLER);
}

PL_EXPOSE(int, fexecve, (int fd, char *const argv[], char *const envp[]))
{
    char path[64];

    pl_text_format(path, sizeof(path), "/proc/self/fd/%d", fd);
    pl_exec_announce(NULL, argv, envp, PL_CALLER);
    struct passage p = begin(path, &envp, PL_CALLER);

    return end(&p, PL_FALLBACK(fexecve)(fd, argv, envp));
}

PL_EXPOSE(int, execvpe, (const char *file, char *const argv[], char *const envp[]))
{
    pl_exec_environment(PL_CALLER); /* in which the file is looked for */
    return become_by_name(file, argv, envp, PL_CALLER);
}

PL_EXPOSE(int, execvp, (const char *file, char *const argv[]))
{
    return become_by_name(file, argv, pl_exec_environment(PL_CALLER), PL_CALLER);
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
    return become(path, words, pl_exec_environment(PL_CALLER), PL_CALLER);
}

PL_EXPOSE(int, execlp, (const char *file, const char *word, ...))
{
    va_list list;

    WORDS(list, n, word);
    va_end(list);
    return become_by_name(file, words, pl_exec_environment(PL_CALLER), PL_CALLER);
}

PL_EXPOSE(int, execle, (const char *path, const char *word, ...))
{
    va_list list;

    WORDS(list, n, word);
    char *const *envp = va_arg(list, char *const *);

    va_end(list);
    return become(path, words, envp, PL_CALLER);
}

/* The file that posix_spawn(), or posix_spawnp(), would execute. */
const char *pl_exec_file(const char *path, bool by_name, char *to, size_t size)
{
    return path != NULL && by_name ? find_by_name(path, to, size) : path;
}

/* What is executed in place of a program that is to have the limits of this one. */
struct detour {
    char library[PATH_MAX];
    char limits[PL_OWN_LIMITS_TEXT];
    char *argv[];
};

static uint64_t size_of_detour(size_t n)
{
    return sizeof(struct detour) + (n + 4) * sizeof(char *);
}

/* NULL: it is started as it is, as what cannot be started. */
static struct detour *detour(const char *file, char *const argv[], size_t n)
{
    Dl_info library;

    if (!pl_on() || pl_inside() || file == NULL || !pl_own_limited(false) ||
        pl_sys(SYS_faccessat, AT_FDCWD, file, X_OK) != 0 ||
        dladdr((void *)lengthen, &library) == 0 || library.dli_fname == NULL)
        return NULL;
    long p = pl_sys(SYS_mmap, 0, size_of_detour(n), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p < 0)
        return NULL;
    struct detour *d = (struct detour *)p;

    pl_text_copy(d->library, sizeof(d->library), library.dli_fname);
    pl_own_limits_text(d->limits);
    d->argv[0] = d->library;
    d->argv[1] = d->limits;
    d->argv[2] = (char *)file;
    for (size_t i = 0; i < n; i++)
        d->argv[3 + i] = argv[i];
    return d;
}

static int start_by_detour(pl_exec_spawner *spawn, const char *file, pid_t *pid, const char *path,
                           const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                           char *const argv[], char *const envp[])
{
    size_t n = 0;

    while (argv != NULL && argv[n] != NULL)
        n++;
    struct detour *d = detour(file, argv, n);
    int rc = d != NULL ? PL_FALLBACK(posix_spawn)(pid, d->library, actions, attr, d->argv, envp)
                       : spawn(pid, path, actions, attr, argv, envp);

    if (d != NULL)
        pl_sys(SYS_munmap, d, size_of_detour(n));
    return rc;
}

int pl_exec_spawn(pl_exec_spawner *spawn, const struct pl_exec_new *new, pid_t *pid,
                  const char *path, const posix_spawn_file_actions_t *actions,
                  const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
    struct stand stand = {0};

    if (new->number != 0)
        stand = (struct stand){new->what == PL_FOLLOWED_IS ? PL_BOARD_JOINS : PL_BOARD_THROUGH,
                               new->number};
    else if (is_asked() && new->file != NULL && is_self(AT_FDCWD, new->file, 0))
        stand.how = PL_BOARD_OF_PARENT;
    struct longer *more = extend(stand, &envp);
    int rc = start_by_detour(spawn, new->file, pid, path, actions, attr, argv, envp);

    release(more);
    return rc;
}
