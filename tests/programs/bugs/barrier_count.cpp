// SPDX-License-Identifier: MIT
// A std::latch counts two workers, but one of them leaves early when the other
// was faster: main waits for ever.  With -DFIXED=1 it counts down all the same.
//
// RUN    plait test -s random -n 2000
// EXPECT deadlock exit=1
//
// RUN    plait test -s dfs
// EXPECT deadlock exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs -n 4000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <latch>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::latch ready(2);
static std::atomic<int> jobs(1);

static void work()
{
    if (jobs-- <= 0 && !FIXED)
        return;
    ready.count_down();
}

int main()
{
    std::thread a(work), b(work);

    ready.wait();
    a.join();
    b.join();
}
