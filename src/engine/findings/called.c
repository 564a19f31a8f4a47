/* SPDX-License-Identifier: MIT */
/* See called.h. */
#include "engine/findings/called.h"

#include <stddef.h>
#include <sys/syscall.h>

static const char *const names[] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = #call,
#include "runtime/ground/calls.def"
};

const char *pl_called_name(uint64_t number)
{
    return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
