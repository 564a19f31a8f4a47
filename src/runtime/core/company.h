/* SPDX-License-Identifier: MIT */
/*
 * Several processes in one execution (model/company.h): which there are, and, in a replay or a
 * search, whose turn it is.
 *
 * A replay lets one process run at a time.  Where it comes to a choice, the threads of the others
 * are options like its own; if one of them is taken, its process has the turn from then on, and
 * this one waits until it comes back.  So the schedule is followed by all of them together: its
 * state is on the board.  What follows after its end nobody has chosen: a process goes on as long
 * as it can, then the next one does.
 *
 * A search goes the same way, but only threads that can go on are options: before a choice every
 * other process is asked for them, by giving it the turn, which comes back with the answer.  Who
 * goes on in the place of a process that has ended is chosen by the next one, once the first is
 * gone; in the schedule it is a choice at the thread that has ended, as a replay makes it there.
 */
#ifndef PL_RUNTIME_CORE_COMPANY_H
#define PL_RUNTIME_CORE_COMPANY_H

#include "runtime/ground/stage.h"

/* Whether a schedule is followed by several processes. */
static inline bool pl_company_on(void)
{
    return __builtin_expect(pl_stage->process.company, 0) && !pl_free;
}

/* Whether another process of the execution runs. */
bool pl_company_has_others(void);
/* Whether the thread is of another process, which has ended and could not say so. */
bool pl_company_killed(pl_tid tid);

/* The running thread is about to fork: the number of the new process; 0 when there are too many. */
uint32_t pl_company_enlist(pl_tid first);
/* In the new one; and in one that has become another program. */
void pl_company_begin(uint32_t number);
/* It is another program's until then, and may have any number; 0: it did not come about. */
void pl_company_expect(uint32_t number);
void pl_company_expected(uint32_t number, int32_t pid);
/* Another one comes in its place. */
void pl_company_replaced(uint32_t number, int32_t pid);
/* So many threads more, or fewer, are alive in this process; how many that makes in all. */
uint32_t pl_company_count(int more);
/* This one ends, or is about to become another program that is on its own, which did not come
 * about. */
void pl_company_quit(enum pl_company_state state);
void pl_company_return(void);
/* Inside: a process that comes from the program runs this, on its own. */
bool pl_company_has(int32_t pid);    /* it runs, under control */
void pl_company_awaits(int32_t pid); /* a thread waits for a record lock that this one has */
/* Whether that one waits, so far nobody has done anything since, for one that this process has. */
bool pl_company_closes(int32_t pid);
void pl_company_stranger(const char *path);
/* All others end at once: the execution does. */
void pl_company_end(void);
/* The same from outside, until they have: what they had open is closed. */
void pl_company_settle(void);

/* Who goes on at the place of `self`; returns when that is a thread of this process. */
struct pl_thread *pl_company_choose(struct pl_thread *self);
/* A replay: wait until it is the new process's turn. */
void pl_company_await(void);
/* The process is about to become another program, which keeps the turn; and it has. */
void pl_company_hold(void);
void pl_company_resume(void);
/* The same with one on its own, after which `t` may go on. */
void pl_company_stand_aside(struct pl_thread *t);
/* The last thread of this process has ended: the turn goes to another. */
void pl_company_hand_over(struct pl_thread *t);

#endif /* PL_RUNTIME_CORE_COMPANY_H */
