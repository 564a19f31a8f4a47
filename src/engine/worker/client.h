/* SPDX-License-Identifier: MIT */
/*
 * The program of --client as a file that can be loaded into the process of another.
 *
 * The dynamic linker refuses programs, because two things in them hold for the first program of
 * a process only: the place of thread-local variables, and that copies of a library's variables
 * are the ones that the library uses.  The first is refused here, too; what the second means for a
 * client is in the guide.  The mark by which the linker knows a program is taken away in a copy,
 * which is in memory, so that nothing is left of it.
 */
#ifndef PL_ENGINE_WORKER_CLIENT_H
#define PL_ENGINE_WORKER_CLIENT_H

#include "base/err.h"
#include "model/board.h"

/* Fill in the client of the settings: the words of its command, the first being a program. */
int pl_client_find(struct pl_settings *settings, char *const *words, struct pl_err *err);

/* A memory file with the copy, or -1 with a sentence. */
int pl_client_copy(const char *path, struct pl_err *err);

#endif /* PL_ENGINE_WORKER_CLIENT_H */
