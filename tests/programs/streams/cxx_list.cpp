/* SPDX-License-Identifier: MIT */
/*
 * Two threads put a node at the end of a std::list, or take one out, without a lock: what one of
 * them links may get lost, or lead to a
 * node that is gone.  The links are written in libstdc++.so.  With -DFIXED=1 there is a lock.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs -- out
 * EXPECT use-after-free exit=1
 *
 * RUN    plait test -s random -n 100
 * EXPECT assertion|use-after-free exit=1
 *
 * RUN    -DFIXED=1 plait test -s dpor --detect race
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs --detect race -- out
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <cassert>
#include <list>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex mutex;
static std::list<int> numbers;

template <typename Action> static void alone(Action action)
{
    if (FIXED)
        mutex.lock();
    action();
    if (FIXED)
        mutex.unlock();
}

static int forwards()
{
    int n = 0;

    for (auto i = numbers.begin(); i != numbers.end() && n < 9; ++i)
        n++;
    return n;
}

int main(int argc, char **)
{
    if (argc > 1) {
        numbers = {1, 2, 3};
        auto first = numbers.begin(), second = std::next(first);
        std::thread t([first] { alone([first] { numbers.erase(first); }); });

        alone([second] { numbers.erase(second); });
        t.join();
        assert(forwards() == 1);
    } else {
        std::thread t([] { alone([] { numbers.push_back(1); }); });

        alone([] { numbers.push_back(2); });
        t.join();
        assert(forwards() == 2);
    }
}
