/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says of a descriptor and no system call does: the files of /proc/self.
 *
 * Asked with system calls of the runtime's own, by whoever models descriptors or makes them anew.
 */
#ifndef PL_RUNTIME_GROUND_ABOUT_H
#define PL_RUNTIME_GROUND_ABOUT_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Which of the first `n` numbers are open, in one question. */
void pl_about_open(bool *open, unsigned n);
/* The next number from `fd` on, below `end`, that leads to the same object; -1: none. */
int pl_about_same(int fd, int end, const struct stat *as);
/* Whether one of the numbers but 0 that the open folder lists is: descriptors, threads, processes.
 */
typedef bool pl_about_is(void *arg, long number);
bool pl_about_any(long folder, pl_about_is *is, void *arg);
/* Whether any number from `first` on is open, of those that plait has not opened itself. */
bool pl_about_open_from(int first);
/* The lines of its fdinfo as a text, which may be cut off at `size`; how many bytes, 0: none. */
uint64_t pl_about_lines(int fd, char *text, uint64_t size);
/* The path that it was opened by, or what it has in the place of one: `text`, cut off at `size`.
 */
const char *pl_about_link(int fd, char *text, uint64_t size);
enum { PL_ABOUT_NAMELESS = 32 }; /* room for what the kernel calls files that have no path */
/* Whether it is a set of epoll. */
bool pl_about_is_set(int fd);
/* Whether it tells what happens to files. */
bool pl_about_watches(int fd);
/* Whether it tells who reads it of page faults in this process' memory (userfaultfd). */
bool pl_about_takes_faults(int fd);
/* Of the lines of such a set, from *at on: the next number in it, behind which *at is then; or -1.
 */
int pl_about_member(const char **at);
/* What is registered for that number, by the lines behind it. */
uint64_t pl_about_registered(const char *at);

#endif /* PL_RUNTIME_GROUND_ABOUT_H */
