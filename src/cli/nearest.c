/* SPDX-License-Identifier: MIT */
/* See nearest.h. */
#include "cli/nearest.h"

#include "base/assert.h"

#include <string.h>

size_t pl_nearest_distance(const char *a, size_t n, const char *b)
{
    size_t row[64], n_b = strlen(b);

    if (n >= 60 || n_b >= 60)
        return 60;
    PL_ASSERT(n_b + 1 < sizeof(row) / sizeof(row[0]));
    for (size_t j = 0; j <= n_b; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t best = corner + (a[i - 1] != b[j - 1]);

            corner = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n_b];
}
