// SPDX-License-Identifier: MIT
// A stack of std::atomic that compares only the top, so that a node popped and
// pushed again in between goes unnoticed.  With -DFIXED=1 a counter is compared
// with it.
//
// RUN    plait test -s random -n 5000
// EXPECT assertion exit=1 message~owned location~@bug
//
// RUN    plait test -s dfs
// EXPECT assertion exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

struct alignas(8) head {
    std::uint32_t node;
    std::uint32_t changes;
};

static std::atomic<head> top(head{1, 0});
static std::atomic<std::uint32_t> next[4] = {0, 2, 3, 0};

static std::uint32_t pop()
{
    head old = top.load();

    while (old.node != 0) {
        head fresh = {next[old.node], old.changes + (FIXED ? 1 : 0)};

        if (top.compare_exchange_strong(old, fresh))
            break;
    }
    return old.node;
}

static void push(std::uint32_t node)
{
    head old = top.load(), fresh;

    do {
        next[node] = old.node;
        fresh = {node, old.changes + (FIXED ? 1 : 0)};
    } while (!top.compare_exchange_strong(old, fresh));
}

int main()
{
    std::uint32_t theirs[2];
    std::thread t([&theirs] {
        for (auto &node : theirs)
            node = pop();
    });
    std::uint32_t first = pop(), mine = pop();

    if (first != 0)
        push(first);
    t.join();
    for (auto node : theirs)
        assert((mine == 0 || node != mine) && "a node is owned by one thread"); // @bug
}
