/* SPDX-License-Identifier: MIT */
/*
 * Times of files, by the program's clock.
 *
 * The kernel stamps files with real time, and the program's clock is virtual: what it has just
 * written would be years old, or not yet written.  So whoever asks about a file is told when it was
 * changed by the clock that the program looks at.  Times from before the program was started, and
 * those that it has set itself, are told as they are.
 *
 * When a call changes a file is known from the call.  What changes otherwise (through mapped
 * memory, by a child) has changed when somebody asks for the first time; what has changed before
 * the first thread, when the program began.
 */
#ifndef PL_RUNTIME_SYSTEM_FILE_TIMES_H
#define PL_RUNTIME_SYSTEM_FILE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

struct stat;
struct statx;

/* The process begins; executions begin here. */
void pl_file_times_start(void);
void pl_file_times_root(void);
/* A call has told this about a file; true. */
bool pl_file_times_told(struct stat *st);
bool pl_file_times_told_more(struct statx *x);
/* A call is about to be made: the file that loses a name by it, and has others, perhaps.  If it has
 * been made, and not failed, that has changed the file. */
struct pl_file_times_loser {
    uint64_t device, inode; /* 0: there is none */
};
struct pl_file_times_loser pl_file_times_before(long number, const uint64_t a[6]);
void pl_file_times_lost(struct pl_file_times_loser loser);
/* A call has been made: what it has told, or changed. */
void pl_file_times_made(long number, const uint64_t a[6], long result);

#endif /* PL_RUNTIME_SYSTEM_FILE_TIMES_H */
