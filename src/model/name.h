/* SPDX-License-Identifier: MIT */
/*
 * Names that are the same in every execution.  A thread is named by its
 * creation path: main is 0, its second child 0.2.  Inside, the path is folded
 * into 64 bits; outside, it is text.
 */
#ifndef PL_MODEL_NAME_H
#define PL_MODEL_NAME_H

#include <stdint.h>

#define PL_NAME_MAIN UINT64_C(0x9e3779b97f4a7c15)

/* The name of the n-th child (from 1) of a thread. */
static inline uint64_t pl_name_child(uint64_t parent, uint32_t n)
{
    uint64_t x = parent ^ ((uint64_t)n + UINT64_C(0x632be59bd9b4e019));

    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The name of a path such as "0.2.1"; 0 when the text is no path. */
uint64_t pl_name_parse(const char *path);

#endif /* PL_MODEL_NAME_H */
