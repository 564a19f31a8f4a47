/* SPDX-License-Identifier: MIT */
/*
 * Filters of system calls (seccomp) that the program installs.
 *
 * They are about the program, and would be asked about what the runtime does beside it as well: to
 * fork, to wait, to hear of the tool.  So a filter gets a beginning that lets everything through
 * which the runtime makes, but for one place, where it makes calls of the program.
 */
#ifndef PL_RUNTIME_GROUND_FILTER_H
#define PL_RUNTIME_GROUND_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

struct pl_filter {
    struct sock_fprog program; /* instead of the program's */
    uint64_t size;             /* of the memory that it lies in */
};

/* False where it stays as it is: the kernel will refuse it, or there is no room. */
bool pl_filter_open(struct pl_filter *f, const struct sock_fprog *own);
void pl_filter_close(struct pl_filter *f);

/* Make a call of the program. */
long pl_filter_ask(long number, const uint64_t a[6]);

/* What filters say to a call that only asks, without arguments, and that the runtime answers
 * itself: an error, or 0. */
long pl_filter_refuses(long number);

#endif /* PL_RUNTIME_GROUND_FILTER_H */
