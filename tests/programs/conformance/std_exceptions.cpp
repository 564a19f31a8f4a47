// SPDX-License-Identifier: MIT
// Exceptions through several frames with destructors, in threads at the same
// time, nested, rethrown, and carried between threads by exception_ptr.
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
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

struct guard {
    int &count;

    ~guard()
    {
        std::this_thread::yield();
        count++;
    }
};

static void deep(int depth, int &count)
{
    guard g{count};

    if (depth == 0)
        throw std::runtime_error("from " + std::to_string(count));
    deep(depth - 1, count);
}

static void run(std::exception_ptr &out)
{
    int count = 0;

    try {
        try {
            deep(2, count);
        } catch (const std::exception &e) {
            assert(std::uncaught_exceptions() == 0);
            assert(std::string(e.what()) == "from 0");
            std::this_thread::yield();
            throw;
        }
    } catch (...) {
        out = std::current_exception();
    }
    assert(count == 3);
}

int main()
{
    std::exception_ptr theirs, mine;
    std::thread t(run, std::ref(theirs));

    run(mine);
    t.join();
    bool caught = false;
    try {
        std::rethrow_exception(theirs);
    } catch (const std::runtime_error &e) {
        caught = std::string(e.what()) == "from 0";
    }
    assert(caught && mine);
}
