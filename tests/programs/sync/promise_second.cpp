// SPDX-License-Identifier: MIT
/*
 * Two threads set the value of a promise: the second one is told that it is set.  Which is the
 * second is a matter of order, and each of them can be.
 *
 * RUN    -DCLAIM=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCLAIM=2 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DCLAIM=0 plait test -s dpor
 * EXPECT clean complete
 */
#include <cassert>
#include <future>
#include <thread>

static std::promise<int> promise;

static void offer(int value)
{
    try {
        promise.set_value(value);
    } catch (const std::future_error &) {
    }
}

int main()
{
    std::future<int> future = promise.get_future();
    std::thread t([] { offer(2); });

    offer(1);
    t.join();
    int value = future.get();

    assert(CLAIM == 0 || value == CLAIM);
}
