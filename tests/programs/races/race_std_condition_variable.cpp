/* SPDX-License-Identifier: MIT */
/*
 * A queue with a condition variable; the consumer who looks without the lock is a race.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include <condition_variable>
#include <mutex>
#include <thread>

#ifndef RACE
#define RACE 0
#endif

namespace
{
std::mutex lock;
std::condition_variable changed;
int items;
} // namespace

int main()
{
    std::thread producer([] {
        {
            std::lock_guard<std::mutex> guard(lock);
            items = 1; // @here
        }
        changed.notify_one();
    });
    int got = RACE ? items : 0; // @here

    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [] { return items > 0; });
        got += items;
    }
    producer.join();
    return got > 2;
}
