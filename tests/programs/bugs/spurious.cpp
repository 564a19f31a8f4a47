// SPDX-License-Identifier: MIT
// A std::condition_variable waited for without a predicate: right as long as
// every wake-up has a notification.  Found only with --spurious.  With -DFIXED=1
// the wait has its predicate.
//
// RUN    plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    plait test -s random -n 2000 --spurious
// EXPECT assertion exit=1 message~ready location~@bug
//
// RUN    plait test -s dfs --spurious
// EXPECT assertion exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000 --spurious
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs --spurious
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static std::condition_variable changed;
static bool ready;

static void announce()
{
    std::lock_guard<std::mutex> guard(lock);

    ready = true;
    changed.notify_one();
}

int main()
{
    std::thread t(announce);

    {
        std::unique_lock<std::mutex> guard(lock);

        if (FIXED)
            changed.wait(guard, [] { return ready; });
        else if (!ready)
            changed.wait(guard);
        assert(ready); // @bug
    }
    t.join();
}
