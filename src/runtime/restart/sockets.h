/* SPDX-License-Identifier: MIT */
/*
 * Sockets from before the root that stay what they are, because others know their address: those
 * that listen, and those that get datagrams.  See sockets.c.
 */
#ifndef PL_RUNTIME_RESTART_SOCKETS_H
#define PL_RUNTIME_RESTART_SOCKETS_H

#include <stdbool.h>

struct pl_renewal;

/* In the keeper: whether it is such a socket, with nothing in it; the descriptors are added. */
bool pl_sockets_describe(struct pl_renewal *r, int fd);
void pl_sockets_hold(struct pl_renewal *r);  /* in a new runner */
void pl_sockets_empty(struct pl_renewal *r); /* as at the root, under the same numbers */
/* The descriptor is about to be closed: false if that can be seen in a way that is not undone. */
bool pl_sockets_close(const struct pl_renewal *r, int fd, bool *gone);
/* Whether whoever sends, connects or binds by this descriptor may mean one that is gone. */
bool pl_sockets_reaches(int fd);

#endif /* PL_RUNTIME_RESTART_SOCKETS_H */
