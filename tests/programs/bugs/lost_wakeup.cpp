// SPDX-License-Identifier: MIT
// The flag is set without the lock, so it can change, and be announced, between
// the waiter's test and its wait.  With -DFIXED=1 it is set under the lock.
//
// RUN    plait test -s random -n 2000
// EXPECT deadlock threads=2 exit=1 location~@joins
//
// RUN    plait test -s dfs
// EXPECT deadlock exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static std::condition_variable changed;
static std::atomic<bool> flag;

static void wait_for_flag()
{
    std::unique_lock<std::mutex> guard(lock);

    while (!flag)
        changed.wait(guard);
}

int main()
{
    std::thread t(wait_for_flag);

    {
        std::unique_lock<std::mutex> guard(lock, std::defer_lock);

        if (FIXED)
            guard.lock();
        flag = true;
    }
    changed.notify_one();
    t.join(); // @joins
}
