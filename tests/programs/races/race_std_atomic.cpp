/* SPDX-License-Identifier: MIT */
/*
 * Publication through std::atomic, waited for with wait() and notify_one().
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include <atomic>
#include <thread>

#ifndef RACE
#define RACE 0
#endif

namespace
{
std::atomic<int> ready;
int data;
} // namespace

int main()
{
    int value = 0;
    std::thread writer([] {
        data = 1; // @here
        ready.store(1, RACE ? std::memory_order_relaxed : std::memory_order_release);
        ready.notify_one();
    });
    std::thread reader([&] {
        ready.wait(0, std::memory_order_acquire);
        value = data; // @here
    });

    writer.join();
    reader.join();
    return value != 1;
}
