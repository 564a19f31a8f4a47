// SPDX-License-Identifier: MIT
// A stack of std::atomic pointers that compares only the top, so that a node
// popped and pushed again in between goes unnoticed.  With -DFIXED=1 the top is
// a pair of pointer and counter, exchanged as sixteen bytes would be: here two
// 32-bit halves of one 64-bit atomic.
//
// RUN    plait test -s random -n 2000
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
static std::atomic<int> owners[4];

static std::uint32_t pop()
{
    head old = top.load();

    while (old.node != 0) {
        head fresh = {next[old.node], old.changes + (FIXED ? 1 : 0)};

        if (top.compare_exchange_strong(old, fresh))
            break;
    }
    if (old.node != 0) {
        int before = owners[old.node]++;
        assert(before == 0 && "owned by one thread"); // @bug
    }
    return old.node;
}

static void push(std::uint32_t node)
{
    head old = top.load(), fresh;

    owners[node] = 0;
    do {
        next[node] = old.node;
        fresh = {node, old.changes + (FIXED ? 1 : 0)};
    } while (!top.compare_exchange_strong(old, fresh));
}

int main()
{
    std::thread t([] {
        pop();
        pop();
    });
    std::uint32_t first = pop();

    pop();
    if (first != 0)
        push(first);
    t.join();
}
