/* SPDX-License-Identifier: MIT */
/*
 * What the system tells about the process in files below /proc, with the numbers and names that
 * the program knows.
 *
 * Paths are translated by own.c; here it is what stands in stat, status and comm, and in uptime,
 * which is about the system, but tells the time.  A program that opens one of them for reading gets
 * a memory file with the text as it was then.  Natively each reading from the beginning would find
 * it anew; which numbers there are does not change.
 *
 * Memory and time that a process has used are other numbers in each execution, by what the runtime
 * needs and how busy the machine is, and a program does other things with a number that is longer.
 * So what is told follows from what the program has done: all of its memory was touched, once.
 */
#ifndef PL_RUNTIME_RESTART_SHOWN_H
#define PL_RUNTIME_RESTART_SHOWN_H

/* A file has been opened for reading, by this path: put what it is to say under its descriptor. */
void pl_shown_opened(const char *path, int fd);
/* The same in a child of the program, whose calls nobody watches: who its parent is. */
void pl_shown_to_child(const char *path, int fd);

#endif /* PL_RUNTIME_RESTART_SHOWN_H */
