/* SPDX-License-Identifier: MIT */
/*
 * How much memory the program may have: RLIMIT_AS and RLIMIT_DATA.
 *
 * Most of the address space is the runtime's, which natively would not be there, and the heap lies
 * in memory that was reserved beforehand.  So the kernel is told of no limit (restart/own.h), and
 * whoever asks for memory asks here first.  What is counted is what natively would be mapped, but
 * for what libc keeps in reserve.
 */
#ifndef PL_RUNTIME_SYSTEM_ROOM_H
#define PL_RUNTIME_SYSTEM_ROOM_H

#include "runtime/ground/ports.h"

#include <stdbool.h>
#include <stdint.h>

/* So many bytes more, of a mapping of its own that is private and can be written to, or any. */
bool pl_room_for(uint64_t size, bool data);
/* Of the heap, where small blocks come out of what is mapped. */
bool pl_room_in_heap(uint64_t size);
/* What the program has now, the same in all executions that have done the same. */
struct pl_room_taken pl_room_taken(void);

#endif /* PL_RUNTIME_SYSTEM_ROOM_H */
