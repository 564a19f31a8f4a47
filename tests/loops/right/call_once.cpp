/* SPDX-License-Identifier: MIT */
/* std::call_once, again and again.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
std::once_flag f;
int x;
int main()
{
    auto g = [] {
        for (int i = 0; i < 3; i++)
            std::call_once(f, [] { x++; });
    };
    std::thread t(g);
    g();
    t.join();
    assert(x == 1);
}