/* SPDX-License-Identifier: MIT */
/* libgomp: a loop shared by a team, a critical section, and tasks. */
#include <assert.h>

static int fib(int n)
{
    int a, b;

    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int sum = 0, count = 0, result = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 4; i++)
        sum += i;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        count++;
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    result = fib(3);
    assert(sum == 6 && count == 2 && result == 2);
    return 0;
}
