// SPDX-License-Identifier: MIT
// std::mutex, recursive_mutex, timed_mutex, recursive_timed_mutex and the locks.
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
#include <system_error>
#include <thread>

using namespace std::chrono_literals;

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::recursive_timed_mutex recursive_timed;
static int counter, deeper;

static void others()
{
    assert(!timed.try_lock());
    assert(!timed.try_lock_for(1ms));
    assert(!timed.try_lock_until(std::chrono::steady_clock::now() + 1ms));
    assert(!recursive_timed.try_lock_until(std::chrono::system_clock::now() + 1ms));
}

static void add()
{
    {
        std::lock_guard<std::mutex> guard(plain);
        counter++;
    }
    std::lock_guard<std::recursive_mutex> once(recursive);
    std::lock_guard<std::recursive_mutex> twice(recursive);
    deeper++;
}

int main()
{
    timed.lock();
    recursive_timed.lock();
    assert(recursive_timed.try_lock_for(1ms));
    std::thread(others).join();
    recursive_timed.unlock();
    recursive_timed.unlock();
    timed.unlock();

    std::thread t(add);
    add();
    t.join();
    assert(counter == 2 && deeper == 2);

    std::unique_lock<std::mutex> lock(plain, std::try_to_lock);
    assert(lock.owns_lock());
    bool threw = false;
    try {
        lock.lock();
    } catch (const std::system_error &e) {
        threw = e.code() == std::errc::resource_deadlock_would_occur;
    }
    assert(threw);
    lock.unlock();
    std::scoped_lock all(plain, recursive, timed);
}
