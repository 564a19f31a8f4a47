// SPDX-License-Identifier: MIT
// The program ends in the middle of things: exit() is called by a destructor while an exception
// unwinds the stack, or while one is being handled, in main or in a thread.  The next execution
// begins with none in flight.
//
// OUTPUT the end
//
// RUN    plait test -s random -n 40 --expect-exit=3 --expect-output=%t/expected
// EXPECT clean executions=40 restart=rollback
//
// RUN    plait test -s random -n 40 --expect-exit=3 --expect-output=%t/expected --restart fork
// EXPECT clean restart=fork same=1
//
// RUN    plait test -s random -n 40 --expect-exit=3 --expect-output=%t/expected --restart exec
// EXPECT clean restart=exec same=1
//
// RUN    native
// EXPECT exit=3
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

static std::atomic<int> turn;
static std::atomic<bool> ending;

static void end()
{
    // The first one ends the program; the other one would do so again while it ends.
    if (ending.exchange(true))
        return;
    std::puts("the end");
    std::exit(3);
}

struct Ending {
    ~Ending()
    {
        assert(std::uncaught_exceptions() == 1);
        end();
    }
};

static void unwind()
{
    turn++;
    try {
        Ending here;
        turn++;
        throw std::runtime_error("unwinds");
    } catch (const std::runtime_error &) {
    }
}

static void handle()
{
    turn++;
    try {
        throw std::runtime_error("handled");
    } catch (const std::runtime_error &) {
        assert(std::current_exception() != nullptr);
        turn++;
        end();
    }
}

int main()
{
    std::thread t(unwind);

    assert(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
    handle();
    t.join();
    return 1;
}
