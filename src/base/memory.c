/* SPDX-License-Identifier: MIT */
/*
 * See memory.h.  By string instructions or volatile accesses: a compiler that sees a loop
 * may put in a call of the function that the loop is.
 */
#include "base/memory.h"

#include <stdint.h>

void *pl_memory_copy(void *to, const void *from, size_t size)
{
    void *d = to;

    __asm__ volatile("rep movsb" : "+D"(d), "+S"(from), "+c"(size) : : "memory");
    return to;
}

void *pl_memory_move(void *to, const void *from, size_t size)
{
    if ((uintptr_t)to - (uintptr_t)from >= size)
        return pl_memory_copy(to, from, size);
    for (size_t i = size; i > 0; i--)
        ((volatile char *)to)[i - 1] = ((const char *)from)[i - 1];
    return to;
}

void *pl_memory_fill(void *to, int byte, size_t size)
{
    void *d = to;

    __asm__ volatile("rep stosb" : "+D"(d), "+c"(size) : "a"(byte) : "memory");
    return to;
}

int pl_memory_compare(const void *a, const void *b, size_t size)
{
    const volatile unsigned char *x = a, *y = b;

    for (size_t i = 0; i < size; i++) {
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}
