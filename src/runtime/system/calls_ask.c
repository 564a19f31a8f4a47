/* SPDX-License-Identifier: MIT */
/* See calls_ask.h. */
#include "runtime/system/calls_ask.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/clock.h"
#include "runtime/core/sched.h"
#include "runtime/ground/about.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/system/calls_refused.h"
#include "runtime/system/calls_rows.h"
#include "runtime/system/processes.h"
#include "runtime/system/record_locks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/vfs.h>
#include <sys/wait.h>

enum { MOST_SEMAPHORES = 64 };

/* ---- descriptors ---- */

long pl_ask_file_system(int fd)
{
    struct statfs system = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstatfs, fd, &system) == 0 ? system.f_type : 0;
}

uint8_t pl_ask_kind(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_sys(SYS_fstat, fd, &st) != 0)
        return PL_OBJECT_FILE;
    return S_ISFIFO(st.st_mode)                                ? PL_OBJECT_PIPE
           : S_ISSOCK(st.st_mode)                              ? PL_OBJECT_SOCKET
           : (st.st_mode & S_IFMT) == 0 || S_ISCHR(st.st_mode) ? PL_OBJECT_DESCRIPTOR
                                                               : PL_OBJECT_FILE;
}

static bool may_wait(const struct stat *st)
{
    return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode) && !S_ISBLK(st->st_mode);
}

bool pl_ask_may_wait(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &st) == 0 && may_wait(&st);
}

/* A queue of messages looks like a file. */
static bool is_of_queue(const struct pl_syscall *c)
{
    return pl_arguments_of(c->number)->moment != 0;
}

uint8_t pl_ask_object(unsigned wait, const struct pl_syscall *c)
{
    static const uint8_t kinds[] = {[PL_ASK_FLOCK] = PL_OBJECT_FILE_LOCK,
                                    [PL_ASK_LOCK] = PL_OBJECT_FILE_LOCK,
                                    [PL_ASK_SEMAPHORE] = PL_OBJECT_SEMAPHORES,
                                    [PL_ASK_CHILD] = PL_OBJECT_CHILD,
                                    [PL_ASK_PARTNER] = PL_OBJECT_PIPE,
                                    [PL_ASK_REPLY] = PL_OBJECT_SOCKET,
                                    [PL_ASK_OVER] = PL_OBJECT_FILE};

    if (wait < sizeof(kinds) && kinds[wait] != 0)
        return kinds[wait];
    return is_of_queue(c) || pl_calls_row(c->number)->order.through == PL_ORDER_QUEUE
               ? PL_OBJECT_QUEUE
               : pl_ask_kind(pl_ask_fd(c));
}

bool pl_ask_is_stream(const struct pl_syscall *c)
{
    int type = 0, size = sizeof(type);

    return pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
           type == SOCK_STREAM;
}

/* How long one waits at most that takes a time; what is no time, the kernel refuses at once. */
static const struct timespec *limit_of(const struct pl_syscall *c)
{
    const struct pl_arguments *g = pl_arguments_of(c->number);
    unsigned at = g->limit != 0 ? g->limit : g->moment;

    return at != 0 ? (const struct timespec *)c->a[at - 1] : NULL;
}

/* SO_RCVTIMEO, SO_SNDTIMEO: when the call gives up by itself. */
static uint64_t socket_deadline(int fd, int option)
{
    struct timeval limit = {0, 0};
    int size = sizeof(limit);

    if (pl_sys(SYS_getsockopt, fd, SOL_SOCKET, option, &limit, &size) != 0 ||
        (limit.tv_sec == 0 && limit.tv_usec == 0))
        return PL_NEVER;
    return pl_clock_now() + (uint64_t)limit.tv_sec * 1000000000 + (uint64_t)limit.tv_usec * 1000;
}

static uint64_t deadline_of(const struct pl_syscall *c, bool in)
{
    const struct timespec *limit = limit_of(c);

    if (is_of_queue(c))
        return limit != NULL ? pl_clock_of(CLOCK_REALTIME, limit) : PL_NEVER;
    return socket_deadline((int)c->a[0], in ? SO_RCVTIMEO : SO_SNDTIMEO);
}

unsigned pl_ask_descriptors(const struct pl_syscall *c)
{
    if (c->number == SYS_waitid) /* a number of another kind, most of the time */
        return c->a[0] == P_PIDFD ? 1u << 1 : 0;
    return pl_arguments_of(c->number)->descriptors;
}

int pl_ask_fd(const struct pl_syscall *c)
{
    unsigned all = pl_ask_descriptors(c);

    return all != 0 ? (int)c->a[__builtin_ctz(all)] : -1;
}

short pl_ask_events(unsigned wait)
{
    return wait == PL_ASK_IN || wait == PL_ASK_RECEIVE                         ? POLLIN
           : wait == PL_ASK_OUT || wait == PL_ASK_SEND || wait == PL_ASK_REPLY ? POLLOUT
                                                                               : 0;
}

static bool is_ready(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};

    return pl_sys(SYS_poll, &p, 1, 0) != 0;
}

/* ---- locks of files ---- */

/* What a descriptor has locked already: LOCK_SH, LOCK_EX or LOCK_UN. */
static int flock_held(int fd)
{
    char text[1024];

    pl_about_lines(fd, text, sizeof(text));
    for (const char *s = text; *s != '\0'; s++) {
        if (!pl_text_starts(s, "FLOCK"))
            continue;
        while (*s != '\0' && *s != '\n' && !pl_text_starts(s, "WRITE") &&
               !pl_text_starts(s, "READ"))
            s++;
        return pl_text_starts(s, "WRITE") ? LOCK_EX : LOCK_SH;
    }
    return LOCK_UN;
}

/* Taken and given back at once, or not to be had. */
static bool could_flock(int fd, int how)
{
    int held = flock_held(fd);

    if ((how & ~LOCK_NB) == LOCK_UN || held == (how & ~LOCK_NB))
        return true;
    if (pl_sys(SYS_flock, fd, how | LOCK_NB) == -EAGAIN)
        return false;
    pl_sys(SYS_flock, fd, held | LOCK_NB);
    return true;
}

static bool could_lock(const struct pl_syscall *c)
{
    struct flock lock = *(const struct flock *)c->a[2];

    if (lock.l_type == F_UNLCK)
        return true;
    int ask = c->a[1] == F_OFD_SETLKW ? F_OFD_GETLK : F_GETLK;

    if (pl_sys(SYS_fcntl, c->a[0], ask, &lock) != 0 || lock.l_type == F_UNLCK)
        return true;
    return ask == F_GETLK && pl_record_locks_close(lock.l_pid);
}

/* ---- System V semaphores ---- */

/* Where it waits: the first of its operations that cannot be; NULL: all can, or it fails. */
static const struct sembuf *semop_waits_at(const struct pl_syscall *c)
{
    const struct sembuf *ops = (const struct sembuf *)c->a[1];
    int values[MOST_SEMAPHORES];

    for (uint64_t i = 0; i < c->a[2]; i++) {
        unsigned n = ops[i].sem_num;

        if (n >= MOST_SEMAPHORES)
            return NULL;
        long now = pl_sys(SYS_semctl, c->a[0], n, GETVAL);

        if (now < 0)
            return NULL; /* the call will say why */
        values[n] = (int)now;
    }
    for (uint64_t i = 0; i < c->a[2]; i++) {
        int *value = &values[ops[i].sem_num];

        if (ops[i].sem_op == 0 ? *value != 0 : *value + ops[i].sem_op < 0)
            return (ops[i].sem_flg & IPC_NOWAIT) != 0 ? NULL : &ops[i];
        *value += ops[i].sem_op;
    }
    return NULL;
}

static bool could_semop(const struct pl_syscall *c)
{
    return semop_waits_at(c) == NULL;
}

bool pl_ask_counts_waiters(const struct pl_syscall *c)
{
    return c->number == SYS_semctl && (c->a[2] == GETNCNT || c->a[2] == GETZCNT);
}

static long count_waiters(const struct pl_syscall *c)
{
    long n = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);
        const struct pl_syscall *w = t->call.now;

        if (t->state != PL_THREAD_ALIVE || !t->announced || w == NULL || !t->call.waits ||
            t->call.wait != PL_ASK_SEMAPHORE || w->a[0] != c->a[0])
            continue;
        const struct sembuf *at = semop_waits_at(w);

        if (at != NULL && at->sem_num == c->a[1])
            n += (at->sem_op == 0) == (c->a[2] == GETZCNT);
    }
    return n;
}

long pl_ask_with_waiters(const struct pl_syscall *c, long result)
{
    if (result < 0 || !pl_ask_counts_waiters(c))
        return result;
    /* The execution may have ended while this was counted. */
    if (pl_inputs_clocks_fed() && pl_inputs_has(PL_INPUT_WAITERS))
        return (long)pl_inputs_next(PL_INPUT_WAITERS, 0, "a semaphore")->result;
    result += count_waiters(c);
    pl_inputs_note(PL_INPUT_WAITERS, 0, result, 0);
    return result;
}

/* ---- System V messages ---- */

#ifndef MSG_COPY
#define MSG_COPY 040000 /* of the kernel: the message of this number, which stays */
#endif

/* Whether a call that takes messages of this type would take one of the other. */
static bool takes(long wanted, long type, bool except)
{
    return wanted == 0 || (wanted > 0 ? (type == wanted) != except : type <= -wanted);
}

/* Where the kernel cannot be asked, or says that something is wrong, there may be one. */
static bool has_message(const struct pl_syscall *c)
{
    enum { LARGEST = 8192 };
    static struct {
        long type;
        char text[LARGEST];
    } seen;

    for (long i = 0;; i++) {
        long n = pl_sys(SYS_msgrcv, c->a[0], &seen, LARGEST, i, MSG_COPY | IPC_NOWAIT);

        if (n == -ENOMSG)
            return false;
        if (n < 0 || takes((long)c->a[3], seen.type, (c->a[4] & MSG_EXCEPT) != 0))
            return true;
    }
}

static bool has_room(const struct pl_syscall *c)
{
    struct msqid_ds queue = {0};

    return pl_sys(SYS_msgctl, c->a[0], IPC_STAT, &queue) < 0 ||
           (queue.__msg_cbytes + c->a[2] <= queue.msg_qbytes && queue.msg_qnum < queue.msg_qbytes);
}

/* ---- ends of processes ---- */

static bool has_ended(const struct pl_syscall *c)
{
    siginfo_t info = {0};
    long rc;

    if (c->number == SYS_waitid)
        rc = pl_sys(SYS_waitid, c->a[0], c->a[1], &info, c->a[3] | WNOHANG | WNOWAIT, 0);
    else {
        int pid = (int)c->a[0];
        int options = WEXITED | WNOHANG | WNOWAIT | ((c->a[2] & WUNTRACED) != 0 ? WSTOPPED : 0) |
                      (int)(c->a[2] & WCONTINUED);

        rc = pl_sys(SYS_waitid,
                    pid > 0     ? P_PID
                    : pid == -1 ? P_ALL
                                : P_PGID,
                    pid > 0     ? pid
                    : pid == -1 ? 0
                                : -pid,
                    &info, options, 0);
    }
    return rc != 0 || info.si_pid != 0;
}

/* ---- what the kernel has been asked to do ---- */

/* As the kernel maps it for io_setup(). */
struct completed {
    uint32_t id, size, head, tail, magic;
};

enum { COMPLETED_MAGIC = 0xa10a10a1, BY_INDEX = 1 << 4, LIMIT_BY_INDEX = 1 << 6 };

static bool is_ring(const struct pl_syscall *c)
{
    return c->number == SYS_io_uring_enter;
}

/* One that submits first, or waits for nothing, only begins. */
static bool events_deadline(const struct pl_syscall *c, uint64_t *deadline)
{
    uint64_t flags = c->a[3];
    const struct io_uring_getevents_arg *more = (const struct io_uring_getevents_arg *)c->a[4];
    const struct timespec *limit = (const struct timespec *)c->a[4];

    if (is_ring(c)) {
        if ((flags & IORING_ENTER_GETEVENTS) == 0 || c->a[1] > 0)
            return false;
        limit = (flags & IORING_ENTER_EXT_ARG) != 0 && (flags & LIMIT_BY_INDEX) == 0
                    ? (const struct timespec *)more->ts
                    : NULL;
    }
    if (limit != NULL)
        *deadline = pl_clock_now() + pl_clock_ns(limit);
    return (long)c->a[is_ring(c) ? 2 : 1] > 0;
}

/* Of a ring: let the kernel finish what it can, without waiting; -ETIME: nothing is there. */
static long flush(const struct pl_syscall *c)
{
    static const struct timespec none = {0, 0};
    const struct io_uring_getevents_arg now = {.ts = (uint64_t)&none};

    return pl_sys(SYS_io_uring_enter, c->a[0], 0, 1,
                  IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG | (c->a[3] & BY_INDEX), &now,
                  sizeof(now));
}

/* The number behind a word in what the kernel says about a descriptor. */
static uint32_t number_behind(const char *text, const char *word)
{
    uint32_t n = 0;

    while (*text != '\0' && !pl_text_starts(text, word))
        text++;
    while (*text != '\0' && (*text < '0' || *text > '9'))
        text++;
    for (; *text >= '0' && *text <= '9'; text++)
        n = n * 10 + (uint32_t)(*text - '0');
    return n;
}

/* Whether as many are there as the call waits for. */
static bool has_events(const struct pl_syscall *c)
{
    const struct completed *of = (const struct completed *)c->a[0];
    unsigned char resident = 0; /* so that the kernel may write there */
    char text[512];

    if (is_ring(c)) {
        if (flush(c) == -ETIME)
            return false;
        if (c->a[2] <= 1 || (c->a[3] & BY_INDEX) != 0)
            return true;
        pl_about_lines((int)c->a[0], text, sizeof(text));
        return number_behind(text, "CqTail") - number_behind(text, "CqHead") >= c->a[2];
    }
    if (pl_sys(SYS_mincore, (uint64_t)of & ~UINT64_C(4095), 1, &resident) != 0 ||
        of->magic != COMPLETED_MAGIC || of->size == 0)
        return true; /* the call will say why */
    uint32_t n = (of->tail + of->size - of->head) % of->size;

    return n >= c->a[1] || n + 1 >= of->size;
}

/* Those that are there count. */
static long flushed(const struct pl_syscall *c)
{
    return flush(c) == -ETIME ? -ETIME : 0;
}

static long few(const struct pl_syscall *c)
{
    return 0;
}

static long timed_out(const struct pl_syscall *c)
{
    return -ETIMEDOUT;
}

/* ---- the questions ---- */

/* As rows have them. */
static const struct {
    long (*late)(const struct pl_syscall *c);
    bool (*tried)(const struct pl_syscall *c);
} rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define LATE(function) .late = function,
#define TRIED(function) .tried = function,
#include "runtime/ground/calls.def"
};

long pl_ask_late(const struct pl_syscall *c)
{
    unsigned row = pl_arguments_row(c->number);

    return rules[row].late != NULL ? rules[row].late(c) : -EAGAIN;
}

bool pl_ask_is_tried(const struct pl_syscall *c)
{
    return rules[pl_arguments_row(c->number)].tried != NULL;
}

bool pl_ask_may_retry(const struct pl_syscall *c)
{
    return !pl_ask_is_tried(c) || rules[pl_arguments_row(c->number)].tried(c);
}

bool pl_ask_is_told_not_to(const struct pl_syscall *c)
{
    const struct pl_arguments *g = pl_arguments_of(c->number);

    return g->nowait != 0 && (c->a[g->nowait - 1] & (g->nowait_flag | g->at_once)) != 0;
}

/* What a replay has in place of a descriptor says nothing of the descriptor. */
static bool is_stand_in(uint64_t fd)
{
    return pl_inputs_feeding() && pl_inputs_is_stream((int)fd);
}

/* Between two pipes nobody waits if either of them says so. */
static bool is_to_waitless_pipe(const struct pl_syscall *c)
{
    struct stat from = {0}, to = {0}; /* so that the kernel may write there */
    unsigned all = pl_ask_descriptors(c), second = all & (all - 1);

    if (second == 0)
        return false;
    uint64_t fd = c->a[__builtin_ctz(second)];
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    return flags >= 0 && (flags & O_NONBLOCK) != 0 && pl_sys(SYS_fstat, c->a[0], &from) == 0 &&
           pl_sys(SYS_fstat, fd, &to) == 0 && S_ISFIFO(from.st_mode) && S_ISFIFO(to.st_mode);
}

/* Whether a call that reads or writes at its first argument may have to wait there. */
static bool transfer_waits(const struct pl_syscall *c, bool in)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_ask_is_told_not_to(c) || is_to_waitless_pipe(c))
        return false;
    long flags = pl_sys(SYS_fcntl, c->a[0], F_GETFL);

    return flags >= 0 && (flags & O_NONBLOCK) == 0 && pl_sys(SYS_fstat, c->a[0], &st) == 0 &&
           (is_of_queue(c) || may_wait(&st)) &&
           (is_stand_in(c->a[0]) || !pl_refused_transfer(c, in, flags, &st));
}

bool pl_ask_waits(unsigned wait, const struct pl_syscall *c, uint64_t *deadline)
{
    const struct timespec *limit = limit_of(c);
    bool in = wait == PL_ASK_IN || wait == PL_ASK_RECEIVE;

    *deadline = PL_NEVER;
    if (!pl_clock_is_time(limit))
        return false;
    switch (wait) {
    case PL_ASK_IN:
    case PL_ASK_OUT:
    case PL_ASK_RECEIVE:
    case PL_ASK_SEND:
        if (!transfer_waits(c, in))
            return false;
        *deadline = deadline_of(c, in);
        return true;
    case PL_ASK_FLOCK:
    case PL_ASK_CHILD:
        return !pl_ask_is_told_not_to(c);
    case PL_ASK_LOCK:
        return !pl_refused_lock(c);
    case PL_ASK_PARTNER:
        return true;
    case PL_ASK_SEMAPHORE:
        if (limit != NULL)
            *deadline = pl_clock_now() + pl_clock_ns(limit);
        return true;
    case PL_ASK_REPLY:
        *deadline = socket_deadline((int)c->a[0], SO_SNDTIMEO);
        return true;
    case PL_ASK_EVENTS:
        return events_deadline(c, deadline);
    case PL_ASK_OVER:
        return true;
    case PL_ASK_RETRY:
        if (!pl_ask_is_tried(c)) {
            *deadline = deadline_of(c, pl_calls_row(c->number)->order.way == PL_ORDER_RECEIVES);
            return true;
        }
        return !pl_ask_is_told_not_to(c);
    default:
        return false;
    }
}

bool pl_ask_is_blocking(unsigned wait, const struct pl_syscall *c)
{
    uint64_t deadline;

    return pl_ask_waits(wait, c, &deadline);
}

bool pl_ask_ready(unsigned wait, const struct pl_syscall *c)
{
    switch (wait) {
    case PL_ASK_IN:
    case PL_ASK_OUT:
    case PL_ASK_RECEIVE:
    case PL_ASK_SEND:
    case PL_ASK_REPLY:
        return is_ready(pl_ask_fd(c), pl_ask_events(wait));
    case PL_ASK_FLOCK:
        return could_flock((int)c->a[0], (int)c->a[1]);
    case PL_ASK_LOCK:
        return could_lock(c);
    case PL_ASK_SEMAPHORE:
        return could_semop(c);
    case PL_ASK_CHILD:
        return has_ended(c);
    case PL_ASK_EVENTS:
        return has_events(c);
    default:
        return true;
    }
}

static bool others_live(void)
{
    return pl_processes_run() || pl_stage->restart.has_children;
}

/* Of a FIFO: any process may open it; a pipe belongs to those who have it. */
static bool has_name(int fd)
{
    long system = pl_ask_file_system(fd);

    return system != 0 && system != PIPEFS_MAGIC;
}

bool pl_ask_is_pipe(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_files_is_pair(fd) || (pl_sys(SYS_fstat, fd, &st) == 0 && S_ISFIFO(st.st_mode));
}

bool pl_ask_is_unnamed(int fd)
{
    char link[PL_ABOUT_NAMELESS];

    return pl_files_is_pair(fd) || pl_text_starts(pl_about_link(fd, link, sizeof(link)), "pipe:");
}

/*
 * Whether somebody else could make something in a set of epoll ready.  What has no number any more,
 * and what is in a set within it, is not looked up.
 */
static bool is_outside_in_set(int set)
{
    char text[2048];
    const char *at = text;
    int fd;

    if (pl_about_lines(set, text, sizeof(text)) >= sizeof(text) - 1)
        return true;
    while ((fd = pl_about_member(&at)) >= 0) {
        if (pl_sys(SYS_fcntl, fd, F_GETFD) < 0 || pl_about_is_set(fd) || pl_ask_is_outside(fd))
            return true;
    }
    return false;
}

bool pl_ask_is_outside(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (pl_about_is_set(fd))
        return others_live() || is_outside_in_set(fd);
    return others_live() || pl_files_inherited(fd) ||
           (pl_sys(SYS_fstat, fd, &st) == 0 &&
            ((S_ISSOCK(st.st_mode) && !pl_files_is_pair(fd)) || S_ISCHR(st.st_mode) ||
             (S_ISFIFO(st.st_mode) && has_name(fd) &&
              !pl_files_is_own_fifo(st.st_dev, st.st_ino))));
}

bool pl_ask_is_endless(unsigned wait)
{
    return wait == PL_ASK_REPLY || wait == PL_ASK_EVENTS || wait == PL_ASK_OVER;
}

bool pl_ask_outside(unsigned wait, const struct pl_syscall *c)
{
    if (pl_ask_is_endless(wait))
        return true;
    if (pl_ask_events(wait) == 0)
        return others_live() || wait == PL_ASK_FLOCK || wait == PL_ASK_LOCK;
    return pl_ask_is_outside(pl_ask_fd(c));
}
