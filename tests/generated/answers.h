/* SPDX-License-Identifier: MIT */
/*
 * What the rows of the answers_*.def draw their arguments from, and what they say.
 *
 * A row is an expression.  Its arguments are drawn from small pools with valid, invalid and odd
 * values; each draw is written down by name, so that a line of the output says what was called and
 * what came of it.
 */
#ifndef PL_TESTS_GENERATED_ANSWERS_H
#define PL_TESTS_GENERATED_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { SLOTS = 14, ROOM = 1 << 16 };

struct choice {
    const char *name;
    long value;
};

extern char room[ROOM];  /* for whoever reads and writes */
extern int slots[SLOTS]; /* descriptors of every kind */

/* One of n, the same for the same seed, step and number of draws before. */
unsigned drawn(unsigned n);

long picked(const struct choice *pool, unsigned n);
int descriptor(void);
int kept(int fd); /* a descriptor that a call returned goes to one of the slots */
void put(int slot, int fd, const char *kind);
void make(int slot, unsigned kind);
unsigned kinds(void);
const struct timespec *a_time(void);
const char *a_name(void);
void *or_null(const void *pointer); /* now and then none */

void out(long value);
void out_text(const char *text);
void out_bytes(const void *bytes, size_t n);
void out_id(long id); /* of a process or a thread: whose it is */

#define PICK(...)                                \
    picked((const struct choice[]){__VA_ARGS__}, \
           sizeof(struct choice[]){__VA_ARGS__} / sizeof(struct choice))
#define C(value)              \
    {                         \
#value, (long)(value) \
    }

#endif /* PL_TESTS_GENERATED_ANSWERS_H */
