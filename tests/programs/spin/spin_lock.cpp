// SPDX-License-Identifier: MIT
// A spin lock of std::atomic_flag, with and (-DYIELD=1) without
// std::this_thread::yield.
//
// RUN    plait test -s random -n 1000
// EXPECT clean exit=0
//
// RUN    plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DYIELD=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void add()
{
    while (busy.test_and_set()) {
#ifdef YIELD
        std::this_thread::yield();
#endif
    }
    counter++;
    busy.clear();
}

int main()
{
    std::thread t(add);

    add();
    t.join();
    assert(counter == 2);
}
