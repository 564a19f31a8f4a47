// SPDX-License-Identifier: MIT
// The result of wait_for is ignored: when the time runs out first, the answer
// is not there.  With -DFIXED=1 the waiter looks at the result.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 message~answer == 42 location~@bug
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
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static std::condition_variable answered;
static int answer;

static void oracle()
{
    std::lock_guard<std::mutex> guard(lock);

    answer = 42;
    answered.notify_one();
}

int main()
{
    std::thread t(oracle);

    {
        std::unique_lock<std::mutex> guard(lock);
        bool came = answered.wait_for(guard, std::chrono::seconds(1), [] { return answer != 0; });

        if (!FIXED || came)
            assert(answer == 42); // @bug
    }
    t.join();
}
