/* SPDX-License-Identifier: MIT */
/*
 * What calls order, for detectors: what was done before one that sends is
 * known to whoever has received since, through the same object.  Functions of libc that are
 * interposed say so themselves, by what is declared at the end.
 *
 * The words of a row in ground/calls.def are: how, and through what, which its first argument is.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_ORDER_H
#define PL_RUNTIME_SYSTEM_CALLS_ORDER_H

#include "detect/detector.h"
#include "runtime/system/calls.h"

#include <stdint.h>

enum pl_order_way { PL_ORDER_SENDS = 1, PL_ORDER_RECEIVES = 2, PL_ORDER_BOTH = 3 };

enum pl_order_through {
    PL_ORDER_STREAM, /* what a descriptor leads to, unless it is a file: that orders nothing */
    PL_ORDER_OBJECT, /* what a descriptor leads to, whatever it is */
    PL_ORDER_QUEUE,  /* of System V, by its number */
    PL_ORDER_SEMAPHORE,
};

struct pl_order {
    uint8_t way, through; /* no way: it orders nothing */
};

/* The call is about to be made; it has come to its end with that result. */
void pl_order_before(struct pl_order o, const struct pl_syscall *c);
void pl_order_after(struct pl_order o, const struct pl_syscall *c, long result);

/* What carries the order through a descriptor; 0: nothing does, or nobody wants to know. */
uint64_t pl_order_channel(int fd);
void pl_order_tell(enum pl_sync_kind kind, uint64_t channel);
/* Something is about to go through the descriptor, or came through it. */
void pl_order_sends(int fd);
void pl_order_received(int fd);

#endif /* PL_RUNTIME_SYSTEM_CALLS_ORDER_H */
