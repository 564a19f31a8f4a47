/* SPDX-License-Identifier: MIT */
/*
 * The functions of functions.def: each announces what its row says and calls libc's own.  Outside
 * control it calls libc's own and nothing else.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "runtime/system/functions.h"

#include "base/sys.h"
#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/restart/own_calls.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/file_times.h"
#include "runtime/system/libc_time.h"

#include <argz.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <mqueue.h>
#include <net/if.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <utime.h>
#include <utmp.h>
#include <utmpx.h>
#include <wordexp.h>

/* ---- what only rows ask for ---- */

static struct {
    size_t (*strnlen)(const char *, size_t);
    void *(*memchr)(const void *, int, size_t);
    char *(*strchr)(const char *, int);
} own;

static void touches_alone(const char *name, const void *p, uint64_t size, bool write,
                          struct pl_call who)
{
    pl_call_touches(p, size, write, who);
    pl_call_be_alone(name, p, size, write, who.pc);
}

static void changes_alone(const char *name, const uint64_t *state, bool write, struct pl_call who)
{
    (write ? pl_access_state : pl_access_look)(state, who.pc, who.entry);
    pl_call_be_alone(name, state, sizeof(*state), write, who.pc);
}

static wchar_t letter(const void *format, bool wide, size_t i)
{
    return wide ? ((const wchar_t *)format)[i] : ((const char *)format)[i];
}

/* Whether a format for dates has one of these conversions. */
static bool converts(const void *format, bool wide, const char *conversions)
{
    bool found = false;

    for (size_t i = 0; format != NULL && letter(format, wide, i) != 0 && !found; i++) {
        if (letter(format, wide, i) != '%')
            continue;
        do
            i++;
        while (own.memchr("_-^#+EO0123456789", (int)letter(format, wide, i), 17) != NULL);
        if (letter(format, wide, i) == 0)
            return false;
        found = own.strchr(conversions, (int)letter(format, wide, i)) != NULL;
    }
    return found;
}

#define length(s) (pl_call_text_size(s) - 1)
#define length_of(s, n) own.strnlen(s, n)
#define text_size(s) pl_call_text_size(s)
#define text_size_of(s, n) pl_call_text_size_of(s, n)
#define wide_size(s) pl_call_wide_size(s)

#define READ(p, n) p = pl_apart(&apart, p, n, PL_APART_IN);
#define WRITE(p, n) p = pl_apart(&apart, p, n, PL_APART_OUT);
#define UPDATE_OF(p, n) p = pl_apart(&apart, p, n, PL_APART_UPDATE);
#define NUMBERS(p, n) p = pl_apart(&apart, p, (n) * sizeof(int), PL_APART_NUMBERS);
#define IN(p) READ(p, sizeof(*(p)))
#define OUT(p) WRITE(p, sizeof(*(p)))
#define UPDATE(p) UPDATE_OF(p, sizeof(*(p)))
#define CHANGE(p) p = pl_apart(&apart, p, sizeof(*(p)), PL_APART_CHANGE);
#define CHANGE_OF(p, n) p = pl_apart(&apart, p, n, PL_APART_CHANGE);
#define PRINT(p, n) p = pl_apart(&apart, p, n, PL_APART_CHARACTERS);
#define CHARACTERS(p) who.unit = sizeof(*(p));
#define TEXT(s) s = pl_apart_text(&apart, s, PL_TEXT_WHOLE);
#define TEXT_OF(s, n) s = pl_apart_text(&apart, s, PL_TEXT_OF(n));
#define UNTIL(s, c, n) s = pl_apart_text(&apart, s, PL_TEXT_UNTIL(c, n));
#define READ_AT(p, n) pl_call_touches(p, n, false, who);
#define WRITE_AT(p, n) pl_call_touches(p, n, true, who);
#define ALONE_READ(name, p, n) touches_alone(#name, p, n, false, who);
#define ALONE_WRITE(name, p, n) touches_alone(#name, p, n, true, who);
#define ALONE_OF(name, p, changes) \
    touches_alone(#name, p, (p) == NULL ? 0 : sizeof(*(p)), changes, who);
#define ALONE_STATE(name, state, changes) \
    changes_alone(#name, &pl_stage->process.library[PL_STATE_##state], changes, who);
#define ENVIRONMENT pl_call_environment(who);
#define ENVIRONMENT_IF(looks) \
    if (looks)                \
        pl_call_environment(who);
#define ZONE_AGAIN    \
    HOLDS_STATE(ZONE) \
    pl_call_zone(who);
/* Seconds of the epoch are those of mktime(), and a name is that of the zone if the date has none.
 */
#define ZONE_OF(format, letters)                            \
    if (converts(format, sizeof(*(format)) > 1, letters)) { \
        ZONE_AGAIN                                          \
    }
#define IN_AT(p) READ_AT(p, sizeof(*(p)))
#define UPDATE_AT(p) WRITE_AT(p, sizeof(*(p)))
#define TEXT_AT(s) pl_text_announce(s, PL_TEXT_WHOLE, who);
#define WIDE_AT(s) pl_text_announce(s, PL_TEXT_WIDE, who);
#define WIDE(s) s = pl_apart_text(&apart, s, PL_TEXT_WIDE);
/* The text that a pointer leads to which has been read; itself where that is no copy. */
#define TEXT_BEHIND(p, kind)                                \
    if (pl_apart_back(&apart, p) != (void *)(uintptr_t)(p)) \
        *(p) = pl_apart_text(&apart, *(p), kind);           \
    else                                                    \
        pl_text_announce(*(p), kind, who);
#define WIDE_OF(s, n) s = pl_apart_text(&apart, s, PL_TEXT_WIDE_OF(n));
#define PIECES_IN(v, n) pl_call_pieces(v, n, UINT64_MAX, false, who);
/* It is one where threads are free, and in replays of that; see operate(). */
#define OPERATION apart.operates = pl_functions_recorded();
#define POINT                               \
    if (!apart.operates) {                  \
        pl_cancel_call(who.pc);             \
        who.waits = pl_cancel_wait_begin(); \
    }
#define STATE_IF(changes, name)                                                                 \
    ((changes) ? pl_access_state : pl_access_look)(&pl_stage->process.library[PL_STATE_##name], \
                                                   who.pc, who.entry);
#define STATE_LOOK(name) \
    pl_access_look(&pl_stage->process.library[PL_STATE_##name], who.pc, who.entry);
#define STATE(name) pl_access_state(&pl_stage->process.library[PL_STATE_##name], who.pc, who.entry);
/* That which libc keeps for those who have none of their own. */
#define STATE_WITHOUT(own, name) \
    if ((own) == NULL)           \
    STATE(name)
/* That of an object which libc made and only it looks into. */
#define STATE_OF(object) pl_access_state(object, who.pc, who.entry);

/* The same, where libc makes system calls under the lock that it has for that. */
#define HOLDS(object) pl_apart_hold(&apart, object);
#define HOLDS_STATE(name) HOLDS(&pl_stage->process.library[PL_STATE_##name])
/* What libc keeps changes while it makes calls, which belong to the point before. */
#define PASSES pl_apart_pass(&apart);
/* It looks at what others hold, when they do not. */
#define LOOKS_WHEN_FREE(name) \
    pl_apart_look_when_free(&apart, &pl_stage->process.library[PL_STATE_##name]);

/* ---- libc's own ---- */

#define PL_BY_HAND(...)

static struct {
#define PL_FUNCTION(group, ret, name, params, args, ...) ret(*name##_) params;
#define PL_SIMPLE PL_FUNCTION
#define PL_FINDS PL_FUNCTION
#define PL_GIVES PL_FUNCTION
#define PL_FILLS(group, ret, name, params, ...) ret(*name##_) params;
#define PL_SCATTERS PL_FILLS
#include "runtime/system/functions.def"
#undef PL_FUNCTION
#undef PL_FILLS
} libc;

extern int signgam __attribute__((weak)); /* of libm, where the program has that */

/*
 * What draws letters of a path says which path that is; so does what makes a FIFO.
 * Threads are given what the program has said.
 */
static struct {
    int (*mkstemp)(char *);
    int (*mkstemp64)(char *);
    char *(*mkdtemp)(char *);
    int (*mkfifo)(const char *, mode_t);
    int (*mkfifoat)(int, const char *, mode_t);
    int (*pthread_setattr_default_np)(const pthread_attr_t *);
} drawing;

static int draw_mkstemp(char *path)
{
    int fd = drawing.mkstemp(path);

    if (fd >= 0)
        pl_files_drawn(path);
    return fd;
}

static int draw_mkstemp64(char *path)
{
    int fd = drawing.mkstemp64(path);

    if (fd >= 0)
        pl_files_drawn(path);
    return fd;
}

static char *draw_mkdtemp(char *path)
{
    char *made = drawing.mkdtemp(path);

    if (made != NULL)
        pl_files_drawn(made);
    return made;
}

static int draw_mkfifo(const char *path, mode_t mode)
{
    int rc = drawing.mkfifo(path, mode);

    if (rc == 0)
        pl_files_fifo(AT_FDCWD, path);
    return rc;
}

static int draw_mkfifoat(int folder, const char *path, mode_t mode)
{
    int rc = drawing.mkfifoat(folder, path, mode);

    if (rc == 0)
        pl_files_fifo(folder, path);
    return rc;
}

/* What new threads get is asked for from now on. */
static int draw_pthread_setattr_default_np(const pthread_attr_t *attr)
{
    if (pl_works())
        pl_stage->fibers.default_changed = true;
    return drawing.pthread_setattr_default_np(attr);
}

/* The program is to find no descriptor that it has not opened. */
static struct {
    struct dirent *(*readdir)(DIR *);
    struct dirent64 *(*readdir64)(DIR *);
    int (*dirfd)(DIR *);
} listing;

static struct dirent *list_readdir(DIR *d)
{
    struct dirent *e;

    do
        e = listing.readdir(d);
    while (e != NULL && pl_works() && pl_own_hides(listing.dirfd(d), e->d_name));
    return e;
}

static struct dirent64 *list_readdir64(DIR *d)
{
    struct dirent64 *e;

    do
        e = listing.readdir64(d);
    while (e != NULL && pl_works() && pl_own_hides(listing.dirfd(d), e->d_name));
    return e;
}

/*
 * What waits for other processes, or is handed by one thread to another, in the kernel.  Where
 * threads are scheduled such calls are trapped.  Free threads make them here, inside of the
 * monitor, so that it is recorded who got what; and so does a replay of that.
 */
bool pl_functions_recorded(void)
{
    return pl_on() && !pl_inside() && pl_as_free();
}

/* ret, name, params, args, number of the call, its arguments */
#define OPERATIONS                                                                                 \
    OPERATES(int, mq_send, (mqd_t q, const char *from, size_t n, unsigned priority),               \
             (q, from, n, priority), SYS_mq_timedsend, AS(q), AS(from), n, priority)               \
    OPERATES(                                                                                      \
        int, mq_timedsend,                                                                         \
        (mqd_t q, const char *from, size_t n, unsigned priority, const struct timespec *until),    \
        (q, from, n, priority, until), SYS_mq_timedsend, AS(q), AS(from), n, priority, AS(until))  \
    OPERATES(ssize_t, mq_receive, (mqd_t q, char *to, size_t n, unsigned *priority),               \
             (q, to, n, priority), SYS_mq_timedreceive, AS(q), AS(to), n, AS(priority))            \
    OPERATES(ssize_t, mq_timedreceive,                                                             \
             (mqd_t q, char *to, size_t n, unsigned *priority, const struct timespec *until),      \
             (q, to, n, priority, until), SYS_mq_timedreceive, AS(q), AS(to), n, AS(priority),     \
             AS(until))                                                                            \
    OPERATES(int, msgsnd, (int q, const void *from, size_t n, int flags), (q, from, n, flags),     \
             SYS_msgsnd, AS(q), AS(from), n, AS(flags))                                            \
    OPERATES(ssize_t, msgrcv, (int q, void *to, size_t n, long type, int flags),                   \
             (q, to, n, type, flags), SYS_msgrcv, AS(q), AS(to), n, AS(type), AS(flags))           \
    OPERATES(int, semop, (int set, struct sembuf *list, size_t n), (set, list, n), SYS_semop,      \
             AS(set), AS(list), n)                                                                 \
    OPERATES(int, semtimedop,                                                                      \
             (int set, struct sembuf *list, size_t n, const struct timespec *limit),               \
             (set, list, n, limit), SYS_semtimedop, AS(set), AS(list), n, AS(limit))               \
    OPERATES(int, fstat, (int fd, struct stat *out), (fd, out), SYS_fstat, AS(fd), AS(out))        \
    OPERATES(int, fstat64, (int fd, struct stat64 *out), (fd, out), SYS_fstat, AS(fd), AS(out))    \
    OPERATES(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), SYS_pread64, \
             AS(fd), AS(to), n, AS(at))                                                            \
    OPERATES(ssize_t, pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, n, at),          \
             SYS_pread64, AS(fd), AS(to), n, AS(at))                                               \
    OPERATES(ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at),   \
             SYS_pwrite64, AS(fd), AS(from), n, AS(at))                                            \
    OPERATES(ssize_t, pwrite64, (int fd, const void *from, size_t n, off64_t at),                  \
             (fd, from, n, at), SYS_pwrite64, AS(fd), AS(from), n, AS(at))                         \
    OPERATES(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n),             \
             SYS_readlink, AS(path), AS(to), n)                                                    \
    OPERATES(pid_t, wait, (int *status), (status), SYS_wait4, AS(-1), AS(status))                  \
    OPERATES(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags), SYS_wait4, \
             AS(pid), AS(status), AS(flags))                                                       \
    OPERATES(pid_t, wait3, (int *status, int flags, struct rusage *usage), (status, flags, usage), \
             SYS_wait4, AS(-1), AS(status), AS(flags), AS(usage))                                  \
    OPERATES(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *usage),              \
             (pid, status, flags, usage), SYS_wait4, AS(pid), AS(status), AS(flags), AS(usage))    \
    OPERATES(int, waitid, (idtype_t type, id_t id, siginfo_t * info, int flags),                   \
             (type, id, info, flags), SYS_waitid, AS(type), AS(id), AS(info), AS(flags))

static struct {
#define OPERATES(ret, name, params, ...) ret(*name) params;
    OPERATIONS
#undef OPERATES
} operating;

long pl_functions_operate(struct pl_syscall c, uint64_t pc)
{
    long error = pl_calls_point(&c, pc);

    if (error != 0)
        return pl_calls_result(error);
    long result = pl_calls_result(pl_calls_make(&c, pc));

    pl_calls_end(result >= 0 && pl_thread_self()->call.cancellable, pc);
    return result;
}

#define AS(value) (uint64_t)(value)
#define OPERATES(ret, name, params, args, number, ...)                         \
    static ret operate_##name params                                           \
    {                                                                          \
        struct pl_thread *t;                                                   \
        uint64_t pc;                                                           \
                                                                               \
        if (!pl_functions_recorded() || !pl_begin(&t, &pc))                    \
            return operating.name args;                                        \
        return (ret)pl_functions_operate(PL_SYSCALL(number, __VA_ARGS__), pc); \
    }
OPERATIONS
#undef OPERATES

#define LISTS(name) (listing.name = libc.name##_, libc.name##_ = list_##name)
#define DRAWS(name) (drawing.name = libc.name##_, libc.name##_ = draw_##name)

void pl_functions_init(void)
{
#define FIND(name) *(void **)&own.name = pl_real_find(#name)
    FIND(strnlen);
    FIND(memchr);
    FIND(strchr);
#define PL_FUNCTION(group, ret, name, params, args, ...) \
    *(void **)&libc.name##_ = pl_real_find(#name);
#define PL_FILLS(group, ret, name, params, ...) *(void **)&libc.name##_ = pl_real_find(#name);
#include "runtime/system/functions.def"
#undef PL_FUNCTION
#undef PL_FILLS
#undef PL_SIMPLE
#undef PL_FINDS
#undef PL_GIVES
#undef PL_SCATTERS
    DRAWS(mkstemp);
    DRAWS(mkstemp64);
    DRAWS(mkdtemp);
    *(void **)&listing.dirfd = pl_real_find("dirfd");
    LISTS(readdir);
    LISTS(readdir64);
    DRAWS(mkfifo);
    DRAWS(mkfifoat);
#define OPERATES(ret, name, ...) operating.name = libc.name##_, libc.name##_ = operate_##name;
    OPERATIONS
#undef OPERATES
    DRAWS(pthread_setattr_default_np);
}

/* ---- the functions ---- */

#define PL_BODY(who_, accesses, call) \
    PL_CALL_LASTS who = who_;         \
    PL_APART(apart, who);             \
    if (pl_call_wanted(who)) {        \
        accesses                      \
    }                                 \
    call

#define PL_FUNCTION(group, ret, name, params, args, accesses)              \
    PL_INTERPOSE(ret, name, params)                                        \
    {                                                                      \
        PL_BODY(PL_CALL_ENTERED, accesses, return PL_LIBC_OWN(name) args;) \
    }
#define PL_SIMPLE(group, ret, name, params, args, accesses)                \
    PL_EXPOSE(ret, name, params)                                           \
    {                                                                      \
        PL_BODY(PL_CALL_EXPOSED, accesses, return PL_LIBC_OWN(name) args;) \
    }
#define PL_GIVES(group, ret, name, params, args, accesses, written)                    \
    PL_INTERPOSE(ret, name, params)                                                    \
    {                                                                                  \
        PL_BODY(PL_CALL_ENTERED, accesses, ret result = PL_LIBC_OWN(name) args;)       \
        apart.fails = !(written);                                                      \
        return (ret)(uintptr_t)pl_apart_back(&apart, (const void *)(uintptr_t)result); \
    }
#define PL_FINDS(group, ret, name, params, args, accesses) \
    PL_GIVES(group, ret, name, params, args, accesses, true)

#define PL_FILLS(group, ret, name, params, args, accesses, buffer, room, used)               \
    PL_INTERPOSE(ret, name, params)                                                          \
    {                                                                                        \
        PL_BODY(PL_CALL_ENTERED, accesses, )                                                 \
        if (!pl_call_wanted(who))                                                            \
            return PL_LIBC_OWN(name) args;                                                   \
        struct pl_fill fill_ = pl_fill_begin(buffer, room, who);                             \
        buffer = fill_.at;                                                                   \
        ret result = PL_LIBC_OWN(name) args;                                                 \
        apart.fails = (intptr_t)result == -1;                                                \
        pl_apart_end(&apart);                                                                \
        pl_fill_end(&fill_, buffer == NULL ? 0 : (used), who);                               \
        return (uintptr_t)result == (uintptr_t)fill_.at ? (ret)(uintptr_t)fill_.to : result; \
    }

/* The call fills one block of the runtime's instead, and the pieces are stored from there. */
#define PL_SCATTERS(group, ret, name, params, args, accesses, pieces, n)                         \
    PL_INTERPOSE(ret, name, params)                                                              \
    {                                                                                            \
        PL_BODY(PL_CALL_ENTERED, accesses, )                                                     \
        if (!pl_call_wanted(who))                                                                \
            return PL_LIBC_OWN(name) args;                                                       \
        struct pl_fill fill_ = pl_fill_begin_pieces(pieces, n, who);                             \
        const struct iovec *to_ = pieces;                                                        \
        int n_ = n;                                                                              \
        struct iovec all_ = {fill_.at, fill_.at != NULL ? pl_calls_bytes(to_, (uint64_t)n) : 0}; \
        if (fill_.at != NULL)                                                                    \
            pieces = &all_, n = 1;                                                               \
        ret result = PL_LIBC_OWN(name) args;                                                     \
        pl_fill_end_pieces(&fill_, to_, n_, result > 0 ? (uint64_t)result : 0, who);             \
        return result;                                                                           \
    }

#include "runtime/system/functions.def"
