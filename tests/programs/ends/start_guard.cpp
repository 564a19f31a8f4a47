// SPDX-License-Identifier: MIT
/*
 * A thread initialises a static object of a function, whose destructor is registered then, and
 * fails afterwards in some interleavings: a replay, for which other accesses are points, counts
 * the same events.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@order
 *
 * RUN    plait test -s random -n 100
 * EXPECT assertion location~@order
 *
 * RUN    plait test -s pct -n 100
 * EXPECT assertion location~@order
 */
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

namespace
{
std::atomic<int> step;

const std::string &name()
{
    static const std::string made(40, 'x');
    return made;
}
} // namespace

int main()
{
    std::thread t([] {
        int before = step.load();
        bool sized = name().size() == 40;
        int after = step.load();

        assert(sized && before == after); // @order
    });

    step.store(1);
    t.join();
    return 0;
}
