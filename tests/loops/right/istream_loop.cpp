/* SPDX-License-Identifier: MIT */
/* Words of a stream.  EXPECT clean */
#include <atomic>
#include <cassert>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>
std::atomic<int> n;
int main()
{
    auto g = [] {
        std::string s;
        for (int i = 0; i < 100; i++)
            s += "ab ";
        std::istringstream in(s);
        std::string w;
        while (in >> w)
            n++;
    };
    std::thread t(g);
    g();
    t.join();
    assert(n == 200);
}