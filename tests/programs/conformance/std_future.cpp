// SPDX-License-Identifier: MIT
// std::promise, future, shared_future, packaged_task and async, with results,
// exceptions, broken promises and deferred work.
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
#include <future>
#include <stdexcept>
#include <thread>

int main()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    assert(future.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
    std::thread t([&promise] { promise.set_value(42); });
    assert(future.get() == 42 && !future.valid());
    t.join();

    auto async = std::async(
        std::launch::async, [](int n) { return n * 2; }, 21);
    auto deferred = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    auto failing = std::async(std::launch::async, []() -> int { throw std::range_error("no"); });
    assert(async.get() == 42);
    assert(deferred.get() == std::this_thread::get_id());
    bool threw = false;
    try {
        failing.get();
    } catch (const std::range_error &) {
        threw = true;
    }
    assert(threw);

    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    std::shared_future<int> shared = task.get_future().share();
    std::thread u(std::move(task), 41), v([shared] { assert(shared.get() == 42); });
    assert(shared.get() == 42);
    u.join();
    v.join();

    std::future<void> broken = std::promise<void>().get_future();
    threw = false;
    try {
        broken.get();
    } catch (const std::future_error &e) {
        threw = e.code() == std::future_errc::broken_promise;
    }
    assert(threw);
}
