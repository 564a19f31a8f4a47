// SPDX-License-Identifier: MIT
// Two std::threads add to a counter without a lock.  With -DFIXED=1 a
// std::mutex makes the addition atomic, with -DFIXED=2 a std::atomic does.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 message~counter == 2 location~@bug
//
// RUN    plait test -s dfs
// EXPECT assertion exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=2 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
#if FIXED == 2
static std::atomic<int> counter;
#else
static int counter;
#endif

static void add()
{
    std::unique_lock<std::mutex> guard(lock, std::defer_lock);

    if (FIXED == 1)
        guard.lock();
    counter++;
}

int main()
{
    std::thread a(add), b(add);

    a.join();
    b.join();
    assert(counter == 2); // @bug
}
