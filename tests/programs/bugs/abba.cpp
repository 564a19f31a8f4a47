// SPDX-License-Identifier: MIT
// Two accounts are locked in the order of the transfer.  With -DFIXED=1
// std::scoped_lock takes both locks without deadlock (by trying and backing
// off, a loop that must end).
//
// RUN    plait test -s random -n 2000
// EXPECT deadlock threads=2 exit=1
//
// RUN    plait test -s dfs
// EXPECT deadlock threads=2 exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs -n 4000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <cassert>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

struct account {
    std::mutex lock;
    int balance = 10;
};

static account a, b;

static void transfer(account &from, account &to)
{
#if FIXED
    std::scoped_lock guard(from.lock, to.lock);
#else
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock);
#endif
    from.balance -= 5;
    to.balance += 5;
}

int main()
{
    std::thread t([] { transfer(b, a); });

    transfer(a, b);
    t.join();
    assert(a.balance == 10 && b.balance == 10);
}
