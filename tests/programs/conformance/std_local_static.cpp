// SPDX-License-Identifier: MIT
// A function-local static is made once, whoever comes first; again after an
// exception; and destroyed at exit.
//
// RUN    plait test -s random -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s dfs -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s random -n 50 --carrier=thread
// EXPECT clean exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

static std::atomic<int> made, failed;

struct object {
    int value;

    object() : value(0)
    {
        made++;
        value = 42;
    }
};

struct stubborn {
    stubborn()
    {
        if (failed++ == 0)
            throw std::runtime_error("first attempt");
    }
};

static int use()
{
    static object the;
    return the.value;
}

static void try_stubborn()
{
    try {
        static stubborn the;
    } catch (const std::runtime_error &) {
    }
}

int main()
{
    std::thread t([] {
        assert(use() == 42);
        try_stubborn();
    });

    assert(use() == 42);
    try_stubborn();
    t.join();
    try_stubborn();
    assert(made == 1 && failed == 2);
}
