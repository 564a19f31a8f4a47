/* SPDX-License-Identifier: MIT */
/*
 * Which schedules are the user's own.
 *
 * A schedule names a program, its arguments, perhaps a command that checks the output and
 * variables of the environment: whoever replays it runs that.  A file from somebody else must not
 * be able to choose what.  So plait seals what it records: a keyed hash of just these words, of
 * the program as a path from the root, with a key that only this user has, on this machine.  The
 * key is made when it is first needed and kept in the user's state folder, for nobody else to
 * read.  A file that was changed, copied to another place, or made elsewhere has no seal that fits,
 * unless it runs exactly what the user has run here before.
 *
 * A seal says nothing about the rest of the file, which can do no harm.
 */
#ifndef PL_ENGINE_SHARED_OWN_H
#define PL_ENGINE_SHARED_OWN_H

#include <stdbool.h>
#include <stddef.h>

enum { PL_OWN_SEAL = 33 }; /* hex digits, and the end */

/* What a replay would run. */
struct pl_own_words {
    const char *program;          /* a path */
    const char *const *arguments; /* without the program's name; ends with NULL */
    const char *check;            /* or NULL */
    const char *client;           /* or NULL */
    const void *inputs;           /* what is fed to it, variables among that; or NULL */
    size_t n_inputs;
};

/* The seal of these words.  False when there can be none: no such program, or no place for a key.
 */
bool pl_own_seal(const struct pl_own_words *words, char seal[PL_OWN_SEAL]);

/* SipHash-2-4 of 128 bits; exposed for its test. */
void pl_own_hash(const unsigned char key[16], const void *data, size_t size, unsigned char out[16]);

/* Whether there is a key, so that what is recorded now can be known again. */
bool pl_own_is_known(void);

#endif /* PL_ENGINE_SHARED_OWN_H */
