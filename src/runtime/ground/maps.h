/* SPDX-License-Identifier: MIT */
/*
 * What is mapped: the lines of /proc/self/maps, one by one.
 *
 * The list is read through a buffer of the caller's, which must be memory that the kernel may write
 * to; mappings must not be made or taken away meanwhile.
 */
#ifndef PL_RUNTIME_GROUND_MAPS_H
#define PL_RUNTIME_GROUND_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `access` is what follows the addresses, as in "rw-p 0000 00:00 0  path", cut if it is very long.
 */
typedef void pl_maps_each(void *arg, uint64_t start, uint64_t end, const char *access);

/* In ascending order; false when there is no list. */
bool pl_maps_walk(char *text, size_t size, pl_maps_each *each, void *arg);

/* Memory that the runtime keeps for all processes of a runner: without a file, which the program's
 * limit (RLIMIT_FSIZE) would hold for. */
#define PL_MAPS_JOURNAL UINT64_C(0x690000000000)
#define PL_MAPS_KEPT UINT64_C(0x6a0000000000)
#define PL_MAPS_KEPT_END UINT64_C(0x6b0000000000)

/* Whether the mapping at `start` is shared memory of the runtime's own. */
bool pl_maps_own(uint64_t start, const char *access);

/* What a process has at an address, by the list of that path; CLOSED: memory that cannot be read.
 */
enum pl_maps_has { PL_MAPS_NOTHING, PL_MAPS_PRIVATE, PL_MAPS_SHARED, PL_MAPS_CLOSED };
enum pl_maps_has pl_maps_at(const char *path, uint64_t addr);

/* How often a process, by the list of that path, has attached a segment of System V. */
uint64_t pl_maps_attached(const char *path, uint64_t id);

/* Whether there is memory at an address: behind the end of a mapped file there is none. */
bool pl_maps_has_memory(uint64_t addr);

#endif /* PL_RUNTIME_GROUND_MAPS_H */
