/* SPDX-License-Identifier: MIT */
/* oneTBB: a loop in parallel that fills a concurrent queue, then a reduction over what is in it. */
#include <cassert>
#include <tbb/blocked_range.h>
#include <tbb/concurrent_queue.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

int main()
{
    tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
    tbb::concurrent_queue<int> queue;

    tbb::parallel_for(0, 4, [&](int i) { queue.push(i); });
    int sum = 0, one;
    while (queue.try_pop(one))
        sum += one;
    assert(sum == 6);
    sum = tbb::parallel_reduce(
        tbb::blocked_range<int>(0, 8), 0,
        [](const tbb::blocked_range<int> &range, int part) {
            for (int i = range.begin(); i != range.end(); i++)
                part += i;
            return part;
        },
        [](int a, int b) { return a + b; });
    assert(sum == 28);
    return 0;
}
