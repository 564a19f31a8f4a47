/* SPDX-License-Identifier: MIT */
/* libgomp: a sum of the sums of threads. */
#include <assert.h>
int main(void)
{
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 4; i++)
        sum += i;
    assert(sum == 6);
    return 0;
}
