/* SPDX-License-Identifier: MIT */
/*
 * Processes that come from the program: its children, and theirs when those who made them have
 * ended.  They are not scheduled, only asked after.
 */
#ifndef PL_RUNTIME_SYSTEM_PROCESSES_H
#define PL_RUNTIME_SYSTEM_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

/* As /proc says of a process or of an OS thread of this one: 'S' when it sleeps; 0: it is gone. */
char pl_processes_state(long pid);

/* A file of /proc as text; false when there is none. */
bool pl_processes_read(const char *path, char *to, uint64_t size);

/* Whether one of the processes that a file of /proc lists, or of the threads that a folder does, is
 * what is looked for. */
typedef bool pl_processes_is(void *arg, long pid);
bool pl_processes_any_listed(const char *path, pl_processes_is *is, void *arg);
bool pl_processes_any_in(const char *folder, pl_processes_is *is, void *arg);

/* Whether one has not ended, and may go on; see stuck.h. */
bool pl_processes_run(void);

/* Whether one of them, ended or not, is what is looked for; not those that they have made. */
bool pl_processes_any(pl_processes_is *is, void *arg);

/*
 * The running thread has done something that they may go on with.  Each does what it can before
 * anybody else goes on, so that it does the same in every execution.
 */
void pl_processes_rest(void);

#endif /* PL_RUNTIME_SYSTEM_PROCESSES_H */
