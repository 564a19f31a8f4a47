/* SPDX-License-Identifier: MIT */
/* std::latch.  EXPECT clean */
#include <atomic>
#include <cassert>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>
std::latch l(3);
std::atomic<int> n;
int main()
{
    std::vector<std::jthread> v;
    for (int i = 0; i < 2; i++)
        v.emplace_back([] {
            n++;
            l.arrive_and_wait();
            assert(n == 3);
        });
    n++;
    l.arrive_and_wait();
    assert(n == 3);
}