/* SPDX-License-Identifier: MIT */
/*
 * Readers and a writer of a shared mutex.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef RACE
#define RACE 0
#endif

namespace
{
std::shared_mutex lock;
int data;
} // namespace

int main()
{
    int value = 0;
    std::thread reader([&] {
        std::shared_lock<std::shared_mutex> guard(lock);
        value = data; // @here
    });
    std::thread writer([] {
        if (RACE)
            lock.lock_shared();
        else
            lock.lock();
        data = 1; // @here
        if (RACE)
            lock.unlock_shared();
        else
            lock.unlock();
    });

    reader.join();
    writer.join();
    return value > 1;
}
