/* SPDX-License-Identifier: MIT */
/* See entry.h. */
#include "runtime/ground/entry.h"

#include "base/text.h"
#include "runtime/ground/ports.h"

const uint64_t *pl_entry_now;
bool pl_entry_clear;
struct pl_ports pl_ports;

extern void *__libc_stack_end;

/*
 * The environment where the kernel has put it, behind the arguments: a program
 * built for ThreadSanitizer calls its hooks before libc knows it.
 */
char **pl_entry_environment_start(void)
{
    long *argc = __libc_stack_end;

    return (char **)(argc + 1 + *argc + 1);
}

const char *pl_entry_environment(const char *name)
{
    size_t n = pl_text_length(name);

    for (char **e = pl_entry_environment_start(); *e != NULL; e++) {
        size_t i = 0;

        while (i < n && (*e)[i] == name[i])
            i++;
        if (i == n && (*e)[n] == '=')
            return *e + n + 1;
    }
    return NULL;
}
