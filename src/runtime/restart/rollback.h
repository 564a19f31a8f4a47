/* SPDX-License-Identifier: MIT */
/*
 * Rollback: the fastest way to a fresh program.
 *
 * A runner (runner.h) remembers the program at the root and executes many times.  After
 * each execution the memory that it changed is put back (rollback.c), what it
 * did to the kernel's state is undone (undo.c), and it jumps back to the root.
 * Every system call of the program is seen before it is made (watch.c).  One
 * that cannot be undone spoils the runner: the execution goes on and counts,
 * but at its end the runner exits, as one made by fork would, and the keeper
 * goes over to the restart that suits.  So there is never a wrong result, only
 * a slower one.
 *
 * All of this lives in the vault, private memory of the runner that is itself
 * never rolled back.
 */
#ifndef PL_RUNTIME_RESTART_ROLLBACK_H
#define PL_RUNTIME_RESTART_ROLLBACK_H

#include "base/sys.h"
#include "runtime/ground/vault.h"

/* rollback.c: memory */
/* In the keeper: make the vault; find what memory there is, unless it is in too many pieces. */
bool pl_rollback_map(void);
void pl_rollback_find(void);
/* In a runner, at the root: watch all of it.  Behind an execution: put back what that changed since
 * the checkpoint, or the root. */
void pl_rollback_arm(void);
void pl_rollback_put_back(const struct pl_checkpoint *c);
/* Memory that even a fork shares: whether there is any, and whether writes to it are noticed. */
bool pl_rollback_has_shared(void);
void pl_rollback_watch_shared(bool watched);

/*
 * The program does something that rollback cannot undo; `restart` is the kind
 * that can, PL_RESTART_ROLLBACK when only this execution is concerned.
 */
void pl_rollback_spoil(enum pl_restart restart, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool pl_rollback_fault(uint64_t addr); /* a write to watched memory: true when that was all */
void pl_rollback_touch(const void *p, uint64_t size);  /* the kernel will write here */
void pl_rollback_commit(const void *p, uint64_t size); /* stays as it is now */
void pl_rollback_open_large(uint64_t end); /* the heap's large blocks reach up to here */
bool pl_rollback_is_hot(uint64_t page);
bool pl_rollback_unmap(uint64_t start,
                       uint64_t size); /* memory from before: whether it is closed */
void pl_rollback_map_again(void);      /* all of that */
/* Whether the program has given some of it back: for the kernel it is still there. */
bool pl_rollback_is_unmapped(uint64_t start, uint64_t size);

/* checkpoint.c */
void pl_checkpoint_start(void);
void pl_checkpoint_offer(void); /* a choice may be due */
void pl_checkpoint_take(void);  /* on the vault's stack */
/* The deepest one that the next execution passes, all deeper ones forgotten; NULL: the root. */
const struct pl_checkpoint *pl_checkpoint_next(void);
void pl_checkpoint_restore(const struct pl_checkpoint *c);
void pl_checkpoint_resume(const struct pl_checkpoint *c);

/* watch.c */
const char *pl_watch_begin(void);
void pl_watch_again(void);
void pl_watch_end(void);
/* A single step of the program has ended: false when it was not made for a system call. */
bool pl_watch_trap(ucontext_t *u);
/* Make a system call as the program's, without showing it first; what the kernel returns. */
long pl_watch_make(long number, const uint64_t a[6]);
void pl_watch_handler(int signo, void (*handler)(int, siginfo_t *, void *));
void pl_watch_interruptions(void); /* PL_SIGNAL_INTERRUPT ends calls, and does nothing else */
void pl_watch_sigreturn(void);     /* switch.S */

/* undo.c */
bool pl_undo_any(void); /* whether the execution did something that pl_undo_all() undoes */
void pl_undo_all(void);
void pl_undo_opened(long fd);
enum pl_restart pl_undo_use(int fd, bool write, const char **why);
bool pl_undo_move(void); /* to another folder: whether that can be undone */
void pl_undo_mask(int before);
bool pl_undo_limit(unsigned which, const uint64_t now[2]); /* soft and hard, as they are to be */
bool pl_undo_is_before(int fd);
/* The file is one of those that hold what the program prints. */
struct stat;
bool pl_undo_is_captured(const struct stat *st);
void pl_undo_drain(int fd);
bool pl_undo_close(int fd); /* one from before the root: whether that can be undone */
bool pl_undo_flags(int fd, bool of_file);
void pl_undo_guard(uint64_t page, uint64_t grown);

/* Whether the instruction that reads the processor's clock faults; see system/tsc.h. */
extern bool pl_ticks_trapped;

/* The processor's clock, or one as good. */
static inline uint64_t pl_ticks(void)
{
    struct timespec now = {0}; /* so that the kernel may write there */

    if (__builtin_expect(!pl_ticks_trapped, 1))
        return __builtin_ia32_rdtsc();
    pl_sys(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif /* PL_RUNTIME_RESTART_ROLLBACK_H */
