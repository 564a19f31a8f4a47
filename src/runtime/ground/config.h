/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of plait's own inside the program.
 *
 * The tool opens those that it shares with the runtime before it starts the program, under
 * numbers that follow each other; the environment says where they begin.  That is above what the
 * program may have by the usual limit, so that it gets every number that it would get natively.
 * Where the limit is higher, whoever asks about, closes or replaces such a number is told that
 * there is none, as natively.
 *
 * What the runtime puts aside until the end of an execution is there as well.
 */
#ifndef PL_RUNTIME_GROUND_CONFIG_H
#define PL_RUNTIME_GROUND_CONFIG_H

#include <stdbool.h>

enum pl_fd {
    PL_FD_BOARD,
    PL_FD_STDOUT, /* the memory file behind the program's standard output */
    PL_FD_STDERR,
    PL_FD_COMMON, /* the memory file of the common */
    PL_FD_BELL,   /* an eventfd: the tool is to look */
    PL_FD_CLIENT, /* the program that runs beside this one, if there is one */
    PL_FD_ASIDE,  /* from here on: what is put aside */
    PL_FD_OWN = 256,
};

/* Where they begin; set once, before anything else here is asked. */
void pl_fd_begin(int first);
int pl_fd(enum pl_fd which);
bool pl_fd_is_own(long fd);
/* What is open is to be that one, too. */
void pl_fd_place(long fd, enum pl_fd which);
/* Another number for what is open, out of the program's way, closed by exec; or an error. */
long pl_fd_aside(long fd);
void pl_fd_close(long aside);
/* As the kernel does it, but for plait's own. */
long pl_fd_close_range(unsigned first, unsigned last, unsigned flags);

#endif /* PL_RUNTIME_GROUND_CONFIG_H */
