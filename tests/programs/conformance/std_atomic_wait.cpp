// SPDX-License-Identifier: MIT
// std::atomic wait and notify, atomic_flag too.
//
// RUN    plait test -s random -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s dfs -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s random -n 50 --carrier=thread
// EXPECT clean exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> step(0);
static std::atomic<char> small(0);
static std::atomic_flag flag;

static void other()
{
    step.wait(0);
    assert(step == 1);
    step = 2;
    step.notify_one();
    small.wait(0);
    flag.test_and_set();
    flag.notify_all();
}

int main()
{
    std::thread t(other);

    step = 1;
    step.notify_all();
    step.wait(1);
    assert(step == 2);
    small = 1;
    small.notify_one();
    flag.wait(false);
    assert(flag.test());
    t.join();
}
