/* SPDX-License-Identifier: MIT */
/*
 * The locks of the standard library.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN clean -DRACE=1: the first thread happens to come first
 * HELGRIND clean -DRACE=1: the first thread happens to come first
 */
#include <mutex>
#include <thread>

#ifndef RACE
#define RACE 0
#endif

int data; // were it the file's own, a compiler could see that nobody asks what it is

namespace
{
std::mutex lock;
} // namespace

int main()
{
    std::thread one([] {
        std::lock_guard<std::mutex> guard(lock);
        data = 1; // @here
    });
    std::thread other([] {
        std::unique_lock<std::mutex> guard(lock);
        if (RACE)
            guard.unlock();
        data = 2; // @here
    });

    one.join();
    other.join();
    return data == 3;
}
