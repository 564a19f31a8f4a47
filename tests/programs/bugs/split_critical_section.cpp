// SPDX-License-Identifier: MIT
// Reading and writing back are two critical sections, so a deposit in between
// is overwritten.  With -DFIXED=1 one std::lock_guard covers both.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 message~balance == 30 location~@bug
//
// RUN    plait test -s dfs
// EXPECT assertion exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <cassert>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::mutex lock;
static int balance;

static int get()
{
    std::lock_guard<std::mutex> guard(lock);
    return balance;
}

static void set(int value)
{
    std::lock_guard<std::mutex> guard(lock);
    balance = value;
}

static void deposit(int amount)
{
    if (FIXED) {
        std::lock_guard<std::mutex> guard(lock);
        balance += amount;
    } else {
        set(get() + amount);
    }
}

int main()
{
    std::thread t(deposit, 20);

    deposit(10);
    t.join();
    assert(balance == 30); // @bug
}
