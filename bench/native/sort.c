/* SPDX-License-Identifier: MIT */
/* Quicksort by hand: short functions, loads that decide branches, swaps in memory. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 100000 };

static unsigned values[SIZE];

static void swap(unsigned *a, unsigned *b)
{
    unsigned kept = *a;

    *a = *b;
    *b = kept;
}

static void sort(unsigned *from, size_t n)
{
    while (n > 1) {
        unsigned pivot = from[n / 2];
        size_t low = 0, high = n - 1;

        for (;;) {
            while (from[low] < pivot)
                low++;
            while (from[high] > pivot)
                high--;
            if (low >= high)
                break;
            swap(&from[low++], &from[high--]);
        }
        sort(from, low);
        from += low;
        n -= low;
    }
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    unsigned state = 1, digest = 0;

    for (long round = 0; round < rounds; round++) {
        for (size_t i = 0; i < SIZE; i++) {
            state = state * 1664525u + 1013904223u;
            values[i] = state;
        }
        sort(values, SIZE);
        digest ^= values[SIZE / 3];
    }
    printf("%u\n", digest);
    return 0;
}
