/* SPDX-License-Identifier: MIT */
/*
 * FIFOs that the program has open at the root.
 *
 * Who opens one by its name gets what its ends have put there, so it cannot become another pipe, as
 * those without a name do (renew.c).  But what is in it, and who was there, goes with its last end.
 * So the keeper gives its ends up, but for a number that is none of both, and a runner opens them
 * again by that: when it starts, and after each execution that has used them.
 */
#ifndef PL_RUNTIME_RESTART_FIFOS_H
#define PL_RUNTIME_RESTART_FIFOS_H

#include "runtime/ground/vault.h"

#include <stdbool.h>

/* In the keeper: whether the ends, which are listed, can be opened again.  Then `spare` is set, and
 * the result is one more end, for both ways; else -1. */
long pl_fifos_describe(struct pl_renewal *r);
/* Its numbers stand for no end from now on: in the keeper, once what is in it is known. */
void pl_fifos_give_up(const struct pl_renewal *r);
/* Whether the descriptor is of that FIFO, whoever has opened it. */
bool pl_fifos_is(const struct pl_renewal *r, int fd);
/* Each end anew, or -1: ends[2] is one that reads and writes. */
bool pl_fifos_open(const struct pl_renewal *r, const unsigned char *content, long ends[3]);

#endif /* PL_RUNTIME_RESTART_FIFOS_H */
