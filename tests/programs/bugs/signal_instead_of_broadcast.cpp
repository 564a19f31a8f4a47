// SPDX-License-Identifier: MIT
// Two threads wait for the same event, and notify_one wakes one of them.  With
// -DFIXED=1 it is notify_all.
//
// RUN    plait test -s random -n 2000
// EXPECT deadlock exit=1 threads=2
//
// RUN    plait test -s dfs
// EXPECT deadlock exit=1 threads=2
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static std::condition_variable started;
static bool go;

static void wait_for_start()
{
    std::unique_lock<std::mutex> guard(lock);

    started.wait(guard, [] { return go; });
}

int main()
{
    std::thread a(wait_for_start), b(wait_for_start);

    {
        std::lock_guard<std::mutex> guard(lock);

        go = true;
        if (FIXED)
            started.notify_all();
        else
            started.notify_one();
    }
    a.join();
    b.join();
}
