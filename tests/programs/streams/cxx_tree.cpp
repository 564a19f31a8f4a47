/* SPDX-License-Identifier: MIT */
/*
 * A std::map is changed while another thread goes over it: libstdc++.so links the nodes and steps
 * from one to the next.  With -DFIXED=1 there is a lock, and the sum is that before or after.
 *
 * RUN    plait test -s dpor
 * EXPECT use-after-free|crash|assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s dpor --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

int main()
{
    std::mutex mutex;
    std::map<int, int> counts;

    for (int i = 0; i < 6; i++)
        counts[i] = 1;
    std::thread t([&] {
        std::unique_lock<std::mutex> lock(mutex, std::defer_lock);

        if (FIXED)
            lock.lock();
        counts[7] = 10;
        counts.erase(3);
    });
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    int sum = 0, steps = 0;

    if (FIXED)
        lock.lock();
    for (auto i = counts.begin(); i != counts.end() && steps < 9; ++i, steps++)
        sum += i->second;
    for (auto i = counts.end(); i != counts.begin() && steps < 20; steps++)
        sum += (--i)->second;
    if (FIXED)
        lock.unlock();
    t.join();
    assert(sum > 0 && (!FIXED || sum == 12 || sum == 30));
}
