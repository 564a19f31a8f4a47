/* SPDX-License-Identifier: MIT */
/*
 * Descriptors from before the root that every runner makes anew; see renew.c.
 *
 * The keeper plans, once; a runner makes all of them when it starts, and after each execution those
 * that were touched.  What is planned is in the vault.
 */
#ifndef PL_RUNTIME_RESTART_RENEW_H
#define PL_RUNTIME_RESTART_RENEW_H

#include <stdbool.h>

void pl_renew_plan(void);
void pl_renew_all(void);
void pl_renew_touched(void);
bool pl_renew_any(void); /* whether any of them has been touched */
/* The descriptor is used, or closed: true if what it stands for will be made anew. */
bool pl_renew_touch(int fd);
/* A file has been opened by its name: what is done to a FIFO there its ends from before find. */
void pl_renew_opened(int fd);
/* The descriptor is closed, or stands for something else from now on. */
bool pl_renew_close(int fd);
bool pl_renew_stays(int fd); /* what it stands for is not made anew: it must not be changed */
/* Somebody sends, connects or binds by this descriptor, and may mean a socket that was closed. */
void pl_renew_reach(int fd);
/* Something is used that is still the keeper's, and may lead to what has been made anew. */
void pl_renew_mixed(const char *why);
/* What would come now is not what comes natively: the execution is made again, by exec. */
void pl_renew_throw_away(const char *why);
int pl_renew_of(int fd); /* the object that it stands for; -1: none of these */

#endif /* PL_RUNTIME_RESTART_RENEW_H */
