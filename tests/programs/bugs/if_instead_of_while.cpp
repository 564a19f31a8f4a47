// SPDX-License-Identifier: MIT
// A consumer that waits once for std::condition_variable believes that a
// wake-up means an item; another thread can be faster.  With -DFIXED=1 it gives
// the wait its predicate.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 message~empty location~@bug
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
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static std::condition_variable filled;
static std::deque<int> queue;

static void consume()
{
    std::unique_lock<std::mutex> guard(lock);

    if (FIXED)
        filled.wait(guard, [] { return !queue.empty(); });
    else if (queue.empty())
        filled.wait(guard);
    assert(!queue.empty()); // @bug
    queue.pop_front();
}

static void put()
{
    std::lock_guard<std::mutex> guard(lock);

    queue.push_back(1);
    filled.notify_one();
}

static bool take_if_any()
{
    std::lock_guard<std::mutex> guard(lock);

    if (queue.empty())
        return false;
    queue.pop_front();
    return true;
}

int main()
{
    std::thread t(consume);

    put();
    if (take_if_any())
        put();
    t.join();
}
