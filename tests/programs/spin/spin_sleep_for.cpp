// SPDX-License-Identifier: MIT
// A std::atomic is polled with sleep_for between; and with -DUNTIL=1 until a
// deadline that is far away.
//
// RUN    plait test -s random -n 1000
// EXPECT clean exit=0
//
// RUN    plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DUNTIL=1 plait test -s random -n 300
// EXPECT clean exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static std::atomic<bool> flag;

int main()
{
    using clock = std::chrono::steady_clock;
    std::thread t([] { flag = true; });
    [[maybe_unused]] auto end = clock::now() + std::chrono::seconds(5);

    while (!flag) {
#ifdef UNTIL
        if (clock::now() >= end)
            break;
#endif
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    t.join();
    assert(flag);
}
