/* SPDX-License-Identifier: MIT */
/* A future is polled with a time-out.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <future>
using namespace std::chrono_literals;
int main()
{
    auto f = std::async(std::launch::async, [] { return 6 * 7; });
    int n = 0;
    while (f.wait_for(1ms) != std::future_status::ready)
        n++;
    assert(f.get() == 42);
}