/* SPDX-License-Identifier: MIT */
/* libgomp: a loop whose iterations are shared out. */
#include <assert.h>
int main(void)
{
    int squares[4] = {0};
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++)
        squares[i] = i * i;
    for (int i = 0; i < 4; i++)
        assert(squares[i] == i * i);
    return 0;
}
