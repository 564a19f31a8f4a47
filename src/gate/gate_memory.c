/* SPDX-License-Identifier: MIT */
/*
 * memcpy, memmove and memset as newer clang calls them in instrumented code.
 * An own file, so that a program without libc is not made to need them.
 */
#include "gate/gate.h"

#include <string.h>

PL_GATE_HIDDEN void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    const struct pl_gate *gate = pl_gate_now;

    return gate ? gate->copy(to, from, size, PL_GATE_PC) : memcpy(to, from, size);
}

PL_GATE_HIDDEN void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size)
{
    const struct pl_gate *gate = pl_gate_now;

    return gate ? gate->move(to, from, size, PL_GATE_PC) : memmove(to, from, size);
}

PL_GATE_HIDDEN void *__tsan_memset(void *to, int byte, size_t size);
void *__tsan_memset(void *to, int byte, size_t size)
{
    const struct pl_gate *gate = pl_gate_now;

    return gate ? gate->fill(to, byte, size, PL_GATE_PC) : memset(to, byte, size);
}
