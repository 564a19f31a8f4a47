/* SPDX-License-Identifier: MIT */
/*
 * What depends on how far a child process has come.
 *
 * A child runs by itself.  After whatever the program does that it may go on with it is given time
 * to do its part (pl_processes_rest()), so executions repeat; but a program may find it sooner or
 * later than that.  Who waits for a child may wait longer: that is an order of the program's own
 * threads, which is explored.  Who only looks would see something else, and so may who is overtaken
 * while he waits for a child that needs long; that is not explored: then the search is not
 * complete, and says so.
 */
#ifndef PL_RUNTIME_SYSTEM_CHILDREN_H
#define PL_RUNTIME_SYSTEM_CHILDREN_H

#include "model/incomplete.h"
#include "runtime/ground/stage.h"

/* Whether the questions below are worth asking: there have been children, and it is not said yet.
 */
static inline bool pl_children_matter(void)
{
    return pl_stage->process.forked &&
           !pl_incomplete_has(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
}

/* The running thread is about to make one: it will have the descriptors, and memory that is mapped
 * to be shared, of which nobody knows when it uses it. */
void pl_children_made(void);

/* A system call has been made, which may have told of the end of a child. */
void pl_children_called(long number, const uint64_t a[6], long result);

/* The running thread has seen something that a child may change at any time. */
void pl_children_decide(void);

/* It has looked whether the descriptor is ready, without waiting for that. */
void pl_children_looked(int fd);

/* It has waited at the descriptor, or for a child where fd is -1; t->io tells how. */
void pl_children_waited(const struct pl_thread *t, int fd);

#endif /* PL_RUNTIME_SYSTEM_CHILDREN_H */
