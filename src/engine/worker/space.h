/* SPDX-License-Identifier: MIT */
/*
 * A namespace with files of its own (overlay.h) that outlives the process it was made for: the next
 * process of the same worker gets it again, if nothing in it has changed.  To make one takes longer
 * than most executions, since the kernel waits for all processors when one is gone.
 *
 * Whatever is done to files shows in a folder at the top of those that hold the changes: in its
 * entries, or in its times.  What is mounted shows in the list of mounts, and queues of messages in
 * theirs; objects of System V are each process's own in any case.  A process that lives on
 * could still change something; that there is none is for the caller to know.
 */
#ifndef PL_ENGINE_WORKER_SPACE_H
#define PL_ENGINE_WORKER_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { PL_SPACE_COVERS = 8 };

struct pl_space {
    /* Descriptors: the folder with the changes, the list of mounts, the namespace, its root, and
     * the namespace of users where there is one. */
    int changes, mounts, mounted, root, users;
    unsigned n_covers;
    struct stat covers[PL_SPACE_COVERS]; /* as they were */
    bool has_queues;
    struct stat queues;
};

/* Nothing is kept. */
extern const struct pl_space pl_space_none;

/* In the process that has covered its files: tells the tool all of it.  `changes` is its own. */
void pl_space_tell(int changes, bool users, int socket);

/* In the tool: what was told, if something was; what came without descriptors is put at `said`. */
bool pl_space_hear(struct pl_space *space, int socket, void *said, size_t size);

/* Whether it is as it was told. */
bool pl_space_is_untouched(const struct pl_space *space);

/* In a process that is about to become the program.  False, with errno, if that cannot be. */
bool pl_space_enter(const struct pl_space *space);

void pl_space_close(struct pl_space *space);

#endif /* PL_ENGINE_WORKER_SPACE_H */
