/* SPDX-License-Identifier: MIT */
/* libgomp: a critical section, whose lock nobody sees. */
#include <assert.h>
int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        n++;
    }
    assert(n == 2);
    return 0;
}
