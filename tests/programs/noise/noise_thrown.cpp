/* SPDX-License-Identifier: MIT */
/*
 * An exception of a free thread that nobody catches, because two threads have looked before either
 * took: it is found where it was thrown, and the replay finds it there as well.
 *
 * RUN    plait test -s noise -n 200
 * EXPECT assertion exit=1
 *
 * RUN    -DRIGHT plait test -s noise -n 20
 * EXPECT clean
 */
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::deque<int> numbers = {1, 2, 3};
static std::mutex lock;

static bool any()
{
    std::lock_guard<std::mutex> guard(lock);

    return !numbers.empty();
}

static bool take()
{
#ifndef RIGHT
    if (!any())
        return false;
#endif
    std::lock_guard<std::mutex> guard(lock);

#ifdef RIGHT
    if (numbers.empty())
        return false;
#endif
    if (numbers.empty())
        throw std::runtime_error("nothing is left");
    numbers.pop_front();
    return true;
}

int main()
{
    auto work = [] {
        while (take())
            ;
    };
    std::thread one(work), other(work);

    one.join();
    other.join();
    return any() ? 1 : 0;
}
