/* SPDX-License-Identifier: MIT */
/*
 * System calls as operations: announced, chosen, performed, whoever makes them.
 *
 * An interposed function calls pl_calls_point() and pl_calls_make() itself.  Everybody else's calls
 * (those that libc makes inside itself, a library's, inline assembly) come here from
 * restart/watch.c, which traps them: pl_calls_trapped() runs on the stack of the thread that made
 * the call.  calls.def says what a call uses and what it may wait for.  One that would wait parks
 * its thread and nobody else.
 *
 * While a thread is inside a library function that has been announced as a whole it *passes*: the
 * calls that libc makes there belong to that operation and are none of their own, unless they would
 * wait.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_H
#define PL_RUNTIME_SYSTEM_CALLS_H

#include "model/depend.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <limits.h>
#include <sys/uio.h>

/* A call as the kernel gets it. */
struct pl_syscall {
    long number;
    uint64_t a[6];
};

/* How many bytes the pieces are; none if there are more pieces than the kernel takes. */
static inline uint64_t pl_calls_bytes(const struct iovec *v, uint64_t n)
{
    uint64_t sum = 0;

    for (uint64_t i = 0; i < n && n <= IOV_MAX; i++)
        sum += v[i].iov_len;
    return sum;
}

#define PL_SYSCALL(n, ...) ((struct pl_syscall){(n), {__VA_ARGS__}})

/* Whether a call that was trapped at `pc` is an operation now, or touches memory of the program,
 * and must not be made where it was trapped. */
bool pl_calls_wanted(long number, uint64_t pc);
/* It is: announce, choose, perform.  What the kernel would return. */
long pl_calls_trapped(long number, const uint64_t a[6], const uint64_t *entry);
/* The same for a function that is interposed and makes it itself. */
long pl_calls_called(struct pl_syscall call, const uint64_t *entry);
/* Where the program called what is at `pc`, in code without hooks, with this stack pointer.  Only
 * reports and statements go by it. */
uint64_t pl_calls_caller(uint64_t pc, uint64_t sp);

/* Not all that the call does is known, or when: the search is complete but for it. */
void pl_calls_unmodelled(long number, uint64_t pc);

/* Announce and choose only; 0 when the call can be made now, else the error that ends it. */
long pl_calls_point(struct pl_syscall *call, uint64_t pc);
/* A call that waits at a descriptor begins: 0, or at a point, where it reads the resource; see
 * calls_kept.h and pipe_room.h. */
void pl_calls_begin(uint64_t resource, uint64_t pc);
/* Make it behind its point, in as many steps as the kernel needs. */
long pl_calls_make(struct pl_syscall *call, uint64_t pc);
/*
 * It has been made.  The end of a cancellation point of libc is one as well: libc takes a
 * cancellation until it has noticed that the kernel is done, and what the call has done is done.
 */
void pl_calls_end(bool cancellable, uint64_t pc);
/* It has failed with this error, of the kernel, of which a signal may tell besides. */
void pl_calls_failed(long error);
/*
 * A replay has the answer to a call that the recording made: it comes to the same point and is not
 * made.  From a function without an entry, whose caller is at pc.
 */
void pl_calls_stand_in(struct pl_syscall call, uint64_t pc);
/* Something that is no call by that number looks at the content of a file. */
void pl_calls_look_at(uint64_t content, uint64_t pc);
/* As libc returns it. */
static inline long pl_calls_result(long result)
{
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
}

/*
 * A library function that is an operation as a whole begins (1) or is over (-1).  One that
 * was left by longjmp() is over as soon as something happens further up on the stack.
 */
static inline void pl_calls_pass(int by)
{
    struct pl_thread *t = pl_ready && pl_active && !pl_free && !pl_native ? pl_thread_self() : NULL;
    uint64_t here = (uint64_t)__builtin_frame_address(0);

    if (t == NULL)
        return;
    if (t->call.passing == 0 || here > t->call.passing_from) {
        t->call.passing = 0;
        t->call.passing_from = here;
    }
    if (by > 0 || t->call.passing > 0)
        t->call.passing = (uint16_t)(t->call.passing + by);
}

/* Nobody can go on.  Whether the thread waits for something that may come from outside; it has been
 * given *ms of real time then, and that need not be waited for once more by others. */
bool pl_calls_outside(struct pl_thread *t, int *ms);
bool pl_calls_can_go_on(const struct pl_thread *t);

/* files.c: open files by identity. */
/* What paths lead to, which is what folders contain. */
#define PL_FILES_NAMES (PL_DEPEND_FILES | UINT64_C(4) << 56)
/* What stands for the open file behind a descriptor, or its content, in pl_depend(). */
uint64_t pl_files_open(int fd);
uint64_t pl_files_content(int fd);
/* Of the file with this number, if it has been named in this execution; else 0. */
uint64_t pl_files_content_known(uint64_t device, uint64_t file);
/* Whether it stands for one. */
bool pl_files_is_open(uint64_t resource);
bool pl_files_is_content(uint64_t resource);
/* Whether another thread has given the number anew to what it stands for, in this execution. */
bool pl_files_is_reused(int fd);
/* Whether it is an end of a pipe or of a pair of sockets that this process has made. */
bool pl_files_is_pair(int fd);
/* The file behind a new descriptor has just been created. */
void pl_files_created(int fd);
/* Whether the program locks files, as far as is known. */
bool pl_files_locks(void);
/* Whether it tells what happens to files (inotify), or what the process is (told.h); and whether
 * that depends on more than calls. */
bool pl_files_watches(int fd);
bool pl_files_tells_more(int fd);
/* What fstatat() says of mode, device, inode and, of a special file, which device it is, asked once
 * from one call of the program to the next. */
long pl_files_look_up(int folder, const char *path, int flags, struct stat *st);
uint64_t pl_files_content_at(int folder, const char *path, int flags);
/* What an event counter of the runtime stands for (timerfd.h, signalfd.h). */
enum pl_counter { PL_COUNTER_NONE, PL_COUNTER_TIMER, PL_COUNTER_SIGNALS };
enum pl_counter pl_files_stands_for(int fd);
/* Of one that stands for a timer or for signals: a number that it has, which may be
 * another one by now, or -1 when it is closed; take out what has been counted; and count more. */
int pl_files_number(int fd, uint64_t file);
void pl_files_empty(int fd);
void pl_files_fill(int fd, uint64_t count);
/* The open file behind fd has another number, with all that is known of it. */
void pl_files_kept(int fd, int held);
/* A call has been made, as a point or not: which descriptors there are now. */
void pl_files_made(long number, const uint64_t a[6], long result);
/*
 * An operation is about to change what is behind descriptors, and has: whom does that let go on?
 * Pipes, pairs of sockets and event counters are known, as far as there is room.
 */
void pl_files_look(void);
void pl_files_changed(void);
/* Whose operation made the descriptor ready for readers, or writers: op is told.  Nobody's in
 * particular: nothing is done. */
void pl_files_tell_waker(int fd, bool writes, struct pl_operation *op);
/* A child is about to be made, which has all of them, too; and whether one has what is behind fd.
 */
void pl_files_give(void);
bool pl_files_with_child(int fd);
void pl_files_fifo(int folder, const char *path); /* the program has made one there */
/* libc has drawn letters of this path: another execution that begins anew has others there. */
void pl_files_drawn(const char *path);
/* A number for a path, which is the same in every execution all the same. */
uint32_t pl_files_name(const char *path);
void pl_files_start(void); /* those that the program inherits */
void pl_files_root(void);  /* those that are open where executions begin */
bool pl_files_is_own_fifo(uint64_t device, uint64_t inode); /* the program has made it */
bool pl_files_inherited(int fd); /* open when the program started: others may have the other end */

#endif /* PL_RUNTIME_SYSTEM_CALLS_H */
