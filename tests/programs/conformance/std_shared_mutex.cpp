// SPDX-License-Identifier: MIT
// std::shared_mutex and shared_timed_mutex.
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
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::shared_mutex lock;
static std::shared_timed_mutex timed;
static int a, b;

static void change()
{
    std::unique_lock<std::shared_mutex> guard(lock);
    a++;
    b++;
}

static void look()
{
    std::shared_lock<std::shared_mutex> guard(lock);
    assert(a == b);
}

int main()
{
    timed.lock_shared();
    std::thread([] {
        assert(!timed.try_lock());
        assert(!timed.try_lock_for(1ms));
        assert(timed.try_lock_shared());
        timed.unlock_shared();
    }).join();
    timed.unlock_shared();
    timed.lock();
    std::thread([] {
        assert(!timed.try_lock_shared_until(std::chrono::steady_clock::now() + 1ms));
    }).join();
    timed.unlock();

    std::thread t(change), u(look);
    change();
    look();
    t.join();
    u.join();
    assert(a == 2 && b == 2);
}
