/* SPDX-License-Identifier: MIT */
/* libgomp: it is wrong that the first thread enters a critical section first. */
#include <assert.h>
#include <omp.h>
int main(void)
{
    int n = 0, first = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        if (n++ == 0)
            first = omp_get_thread_num();
    }
    assert(first == 0);
    return 0;
}
