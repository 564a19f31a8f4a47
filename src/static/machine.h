/* SPDX-License-Identifier: MIT */
/* Calls in the machine code of a file, by the names of what they call and their places in the
 * source. */
#ifndef PL_STATIC_MACHINE_H
#define PL_STATIC_MACHINE_H

#include <stdint.h>

struct pl_machine_call {
    const char *name; /* of the function */
    const char *file; /* of the source */
    uint32_t line;
    const char *function; /* that it stands in, inlined or not, as the source calls it; or NULL */
    uint64_t after;       /* the return address */
};

/* Those whose function has a name, in code that has lines. */
void pl_machine_calls(const char *path,
                      void (*visit)(const struct pl_machine_call *call, void *context),
                      void *context);

#endif /* PL_STATIC_MACHINE_H */
