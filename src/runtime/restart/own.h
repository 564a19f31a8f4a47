/* SPDX-License-Identifier: MIT */
/*
 * What the kernel keeps for a process and for each of its threads, as the program is to see it.
 *
 * The process that executes is a copy of the one that was started, and its threads may be fibers
 * on one OS thread.  So numbers are translated where system calls are made: the process has the
 * number that it had when it was started, threads have numbers that no process can have, and what
 * a thread says about itself alone (processors, priority, name) is kept here and not in the
 * kernel, where it would be everybody's.
 */
#ifndef PL_RUNTIME_RESTART_OWN_H
#define PL_RUNTIME_RESTART_OWN_H

#include "runtime/ground/stage.h"

#include <signal.h>
#include <sys/resource.h>

enum { PL_OWN_THREADS = 1 << 22 }; /* the kernel's numbers are below */

void pl_own_init(void); /* in the process that was started */

int32_t pl_own_process(void);      /* as getpid() says */
int32_t pl_own_tell_process(void); /* to the program, which may make a name of it: an input */
int32_t pl_own_parent(void);
/* Whether the program was told a number for itself that is not the kernel's. */
bool pl_own_pretends(void);
int32_t pl_own_thread(const struct pl_thread *t); /* as gettid() says */
int32_t pl_own_tell_thread(void);                 /* the calling one; an input, too */
int pl_own_processor(void);                       /* as sched_getcpu() says: the first allowed */
struct pl_thread *pl_own_find(int32_t tid);       /* the other way round; NULL: nobody's */

/* In a child of the program, which runs for itself: what is its parent called, and what is it?
 * What the thread that has made it has said about itself, the kernel is told of the child. */
void pl_own_forked(const struct pl_thread *t);
void pl_own_became(void);
/* It has become another program, where its parent, if it is that one, is shown so; see
 * start/join.h. */
void pl_own_joined(int32_t parent, int32_t shown); /* the same in one that is under control */
int32_t pl_own_real(int32_t pid);
int32_t pl_own_shown(int32_t pid);
void pl_own_show_sender(siginfo_t *info); /* of a signal that a child has got */

/* A new thread begins with what its creator has. */
void pl_own_inherit(struct pl_thread *t, const struct pl_thread *creator);
/* And then with what its attributes ask for: an error, and there is no such thread. */
int pl_own_ask(const struct pl_thread *t, const pthread_attr_t *attr);

/* Limits that only the program is to notice, as setrlimit() and getrlimit() know them: of processor
 * time and of memory, which the kernel is not told of, and hard ones that are lowered. */

bool pl_own_keeps_limit(int which);
long pl_own_limit(int which, const struct rlimit *new, struct rlimit *old);
uint64_t pl_own_most(int which); /* the soft one; RLIM_INFINITY where none was set */
/* Whether there is one, or one of memory, that another program would have to be told of. */
bool pl_own_limited(bool memory);
/* All of those, as start/limited.c reads them. */
enum { PL_OWN_LIMITS_TEXT = PL_OWN_LIMITS * 48 };
void pl_own_limits_text(char to[PL_OWN_LIMITS_TEXT]);
/* The process is about to become another program, and did not. */
void pl_own_hand_over_limits(struct rlimit before[PL_OWN_LIMITS]);
void pl_own_take_back_limits(const struct rlimit before[PL_OWN_LIMITS]);

#endif /* PL_RUNTIME_RESTART_OWN_H */
