/* SPDX-License-Identifier: MIT */
/*
 * Files of the program's own: in a namespace of mounts, every folder that holds files is covered by
 * an overlay whose changes are in memory.  Nobody else sees them, and they are gone with the last
 * process that does.  The same holds for queues of messages and objects of System V, which have no
 * place among files: at first there are none.
 */
#ifndef PL_ENGINE_WORKER_OVERLAY_H
#define PL_ENGINE_WORKER_OVERLAY_H

#include <stdbool.h>

/*
 * In a process that is about to become the program.  `changes`: a folder for what is changed; NULL:
 * in memory.  False, with errno, when this system does not allow it; nothing is covered then.
 * `socket`: who is told of it there may let others in (space.h); -1: nobody.
 */
bool pl_overlay_enter(const char *changes, int socket);

/*
 * Queues of messages and objects of System V of the program's own, with files that are real.
 * False where the system allows none.
 */
bool pl_overlay_objects(void);

/*
 * Nobody uses the folder any more: what was changed lies there as it is called, /tmp/a as tmp/a,
 * and nothing else.  False when nothing was changed.
 */
bool pl_overlay_tidy(const char *changes);

/*
 * A network of the worker's own, in which ports are free and no connection outlives its sockets.
 * False where the system allows none.
 */
bool pl_overlay_network(void);

#endif /* PL_ENGINE_WORKER_OVERLAY_H */
