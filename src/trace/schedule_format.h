/* SPDX-License-Identifier: MIT */
/*
 * What reader and writer of schedule files must agree on: marks, the words for
 * operations, and the checksum.  Nobody else includes this.
 */
#ifndef PL_TRACE_SCHEDULE_FORMAT_H
#define PL_TRACE_SCHEDULE_FORMAT_H

#include "model/operation.h"

#include <stddef.h>
#include <stdint.h>

#define PL_SCHEDULE_MAGIC "plait-schedule"

/* How an operation went, when not normally; NULL for what is not written. */
static const char *const pl_schedule_format_ways[] = {
    [PL_WAY_BLOCKED] = NULL,        [PL_WAY_NORMAL] = NULL,     [PL_WAY_TIMEOUT] = "timeout",
    [PL_WAY_SPURIOUS] = "spurious", [PL_WAY_CANCEL] = "cancel", [PL_WAY_SIGNAL] = "signal",
};

enum { PL_SCHEDULE_FORMAT_WAYS = PL_WAY_SIGNAL + 1 };

#define PL_SCHEDULE_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a. */
static inline uint64_t pl_schedule_format_hash(uint64_t hash, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* In a file "mutex lock" is the one word mutex-lock. */
static inline char pl_schedule_format_dash(char c)
{
    return (char)(c == ' ' ? '-' : c);
}

#endif /* PL_TRACE_SCHEDULE_FORMAT_H */
