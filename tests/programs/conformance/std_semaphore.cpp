// SPDX-License-Identifier: MIT
// std::counting_semaphore, latch and barrier with completion function.
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
#include <barrier>
#include <cassert>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::latch both(2);
static std::atomic<int> completions;

struct completion {
    void operator()() noexcept
    {
        completions++;
    }
};

static std::barrier<completion> rounds(2);

static void other()
{
    items.release(2);
    both.arrive_and_wait();
    for (int i = 1; i <= 2; i++) {
        rounds.arrive_and_wait();
        assert(completions >= i);
    }
}

int main()
{
    assert(!items.try_acquire());
    assert(!items.try_acquire_for(std::chrono::milliseconds(1)));
    std::thread t(other);

    items.acquire();
    items.acquire();
    assert(!items.try_acquire());
    both.count_down();
    both.wait();
    assert(both.try_wait());
    rounds.arrive_and_wait();
    rounds.arrive_and_wait();
    t.join();
    assert(completions == 2);
}
