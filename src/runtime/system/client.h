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

/* What others ask; see ground/ports.h. */
struct pl_client_port;
extern const struct pl_client_port pl_client_port;

#endif /* PL_RUNTIME_SYSTEM_CLIENT_H */
