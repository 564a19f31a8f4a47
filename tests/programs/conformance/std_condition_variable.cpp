// SPDX-License-Identifier: MIT
// std::condition_variable and condition_variable_any: predicates, timeouts, and
// notify_all_at_thread_exit.
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
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex lock;
static std::shared_mutex shared;
static std::condition_variable changed;
static std::condition_variable_any any;
static bool ready, ready_any;

static void announce()
{
    {
        std::unique_lock<std::shared_mutex> guard(shared);
        ready_any = true;
        any.notify_all();
    }
    std::unique_lock<std::mutex> guard(lock);
    ready = true;
    std::notify_all_at_thread_exit(changed, std::move(guard));
}

int main()
{
    {
        std::unique_lock<std::mutex> guard(lock);
        auto end = std::chrono::steady_clock::now() + 2ms;

        assert(changed.wait_until(guard, end) == std::cv_status::timeout);
        assert(std::chrono::steady_clock::now() >= end);
        assert(!changed.wait_for(guard, 1ms, [] { return false; }));
        assert(changed.wait_until(guard, std::chrono::system_clock::now() + 1ms) ==
               std::cv_status::timeout);
    }
    std::thread t(announce);
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [] { return ready; });
    }
    {
        std::shared_lock<std::shared_mutex> guard(shared);
        any.wait(guard, [] { return ready_any; });
    }
    t.join();
}
