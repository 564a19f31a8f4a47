/* SPDX-License-Identifier: MIT */
/*
 * The program of --client, which uses the one under test: both in one process, as threads of one
 * schedule.
 *
 * Its file is loaded like a library before main(); the root is there, and its main() is the first
 * thread that is created.  From then on threads are the client's if that one is among those who
 * created them, and descriptors if such a thread has opened them.  When the client ends, so does
 * the execution; when the server does, its threads and descriptors are gone, as if it had
 * been a process.
 */
#ifndef PL_RUNTIME_SYSTEM_CLIENT_H
#define PL_RUNTIME_SYSTEM_CLIENT_H

#include "runtime/ground/stage.h"

/* Before the server's main(); what keeps it from being loaded, or NULL. */
const char *pl_client_load(void);

/* The client exists from now on. */
void pl_client_begin(uint64_t pc);

/* Its main() has been found, by what the linker puts before it. */
void pl_client_run(int (*main)(int, char **, char **), int argc, char **argv)
    __attribute__((noreturn));

/* The server listens, or waits for datagrams. */
void pl_client_listens(void);

/* The running thread has a new descriptor. */
void pl_client_opened(int fd, bool socket);

/* Whether there is one, and the thread is of it. */
bool pl_client_has(const struct pl_thread *t);

/* A thread of the client ends its process; destructors run unless it wants to be gone at once. */
void pl_client_end(int status, bool at_once, uint64_t pc) __attribute__((noreturn));

/* Whether the client goes on when this thread ends its process with this status. */
bool pl_client_stays(const struct pl_thread *t, int status);

/* The server is gone; the running thread, too. */
void pl_client_stay(void) __attribute__((noreturn));

/* A connection of the client was refused: whether that says only that the server is not up yet. */
bool pl_client_waits(long error);

#endif /* PL_RUNTIME_SYSTEM_CLIENT_H */
