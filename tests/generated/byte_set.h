/* SPDX-License-Identifier: MIT */
/* A set of byte strings, each with a number, as a hash table. */
#ifndef PL_TESTS_GENERATED_BYTE_SET_H
#define PL_TESTS_GENERATED_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry {
    uint64_t number; /* the caller's; 0 at first */
    size_t size;
    unsigned char bytes[];
};

struct byte_set {
    size_t n, capacity;
    struct entry **slots;
};

/* The entry of these bytes, which stays where it is; *is_new when it was not there. */
struct entry *byte_set_add(struct byte_set *s, const void *bytes, size_t size, bool *is_new);
void byte_set_clear(struct byte_set *s);

#endif /* PL_TESTS_GENERATED_BYTE_SET_H */
