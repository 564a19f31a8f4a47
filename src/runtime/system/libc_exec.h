/* SPDX-License-Identifier: MIT */
/*
 * The program under test starts a program, perhaps itself; see libc_exec.c.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_EXEC_H
#define PL_RUNTIME_SYSTEM_LIBC_EXEC_H

#include "runtime/ground/stage.h"
#include "runtime/system/followed.h"

#include <spawn.h>
#include <stdbool.h>

typedef int pl_exec_spawner(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attr, char *const argv[], char *const envp[]);

/* A process that is to be made of that file. */
struct pl_exec_new {
    const char *file;
    enum pl_followed what;
    uint32_t number; /* among those under control; 0: it will be on its own */
};

/* The file that posix_spawn(), or posix_spawnp() if `by_name`, is about; NULL: it fails. */
const char *pl_exec_file(const char *path, bool by_name, char *to, size_t size);

/* The calling thread reads these, to make a process of them, or to become another program. */
void pl_exec_announce(const char *path, char *const argv[], char *const envp[], uint64_t pc);
/* It looks up the environment, which is handed on. */
char *const *pl_exec_environment(uint64_t pc);

/* Whether a program with this environment can be told how it stands to the board. */
bool pl_exec_can_pass(char *const envp[]);

/* Inside: what process `number` is to know of itself as another program: it goes on as thread t, or
 * begins as a child of it; whether that is the `same` program. */
void pl_exec_hand(uint32_t number, const struct pl_thread *t, bool starts, bool same);

/* posix_spawn() or posix_spawnp(), as `spawn` does it.  If that is the program once more, and on
 * its own, it counts its threads. */
int pl_exec_spawn(pl_exec_spawner *spawn, const struct pl_exec_new *new, pid_t *pid,
                  const char *path, const posix_spawn_file_actions_t *actions,
                  const posix_spawnattr_t *attr, char *const argv[], char *const envp[]);

/* A child of vfork() has the memory of the calling thread: what it becomes has that number among
 * those under control, or 0.  And it is gone from here; what vfork() has said. */
void pl_exec_lend(uint32_t number);
void pl_exec_lent(int32_t pid);

/* A child of the program becomes, or is, another one. */
void pl_exec_may_change_files(void);
/* The same of a program that is about to be started. */
void pl_exec_starts_other(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_EXEC_H */
