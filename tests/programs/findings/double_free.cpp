// SPDX-License-Identifier: MIT
// Two threads delete the same object when both find it there.
//
// RUN    plait test -s random -n 1000
// EXPECT use-after-free exit=1 location~@bug
//
// RUN    plait test -s dfs
// EXPECT use-after-free exit=1
#include <atomic>
#include <thread>

static std::atomic<int *> block;

static void drop()
{
    int *mine = block;

    block = nullptr;
    delete mine; // @bug
}

int main()
{
    block = new int(1);
    std::thread t(drop);

    drop();
    t.join();
}
