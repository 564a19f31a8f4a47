// SPDX-License-Identifier: MIT
// std::call_once runs once; an exception out of it lets the next caller try.
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
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static std::atomic<int> attempts, done;

static void initialise()
{
    if (attempts++ == 0)
        throw std::runtime_error("first attempt");
    done++;
}

static void call()
{
    try {
        std::call_once(once, initialise);
        assert(done == 1);
    } catch (const std::runtime_error &) {
        assert(attempts >= 1);
    }
}

int main()
{
    std::thread t(call);

    call();
    t.join();
    call();
    assert(attempts == 2 && done == 1);
}
