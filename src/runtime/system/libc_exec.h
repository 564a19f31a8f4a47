/* SPDX-License-Identifier: MIT */
/*
 * The program under test starts a program, perhaps itself; see libc_exec.c.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_EXEC_H
#define PL_RUNTIME_SYSTEM_LIBC_EXEC_H

#include <spawn.h>
#include <stdbool.h>

typedef int pl_exec_spawner(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                            const posix_spawnattr_t *attr, char *const argv[], char *const envp[]);

/* posix_spawn(), or posix_spawnp() if `by_name`, as `spawn` does it.  If that is the program once
 * more, it counts its threads. */
int pl_exec_spawn(pl_exec_spawner *spawn, bool by_name, pid_t *pid, const char *path,
                  const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
                  char *const argv[], char *const envp[]);

#endif /* PL_RUNTIME_SYSTEM_LIBC_EXEC_H */
