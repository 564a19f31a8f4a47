// SPDX-License-Identifier: MIT
// An exception that nobody catches leaves a thread, or a destructor while another exception is
// in flight, in some interleavings.  The executions after it throw and catch as usual.
//
// RUN    plait test -s random -k -n 100
// EXPECT assertion message~terminate failures=1-99 executions=100 restart=rollback replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart fork
// EXPECT assertion message~terminate restart=fork same=1 replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart exec
// EXPECT assertion message~terminate restart=exec same=1 replay=1
//
// RUN    plait test -s random -k -n 100 -- destructor
// EXPECT assertion message~terminate failures=1-99 executions=100 restart=rollback replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart fork -- destructor
// EXPECT assertion message~terminate restart=fork same=4 replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart exec -- destructor
// EXPECT assertion message~terminate restart=exec same=4 replay=1
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

static std::atomic<int> step;
static bool in_destructor;

struct Throwing {
    ~Throwing() noexcept(false)
    {
        if (in_destructor && step == 1)
            throw std::runtime_error("second"); // with the first one in flight: terminate
    }
};

static void thread()
{
    try {
        Throwing here;

        throw std::runtime_error("first");
    } catch (const std::runtime_error &) {
    }
    if (!in_destructor && step == 2)
        throw std::runtime_error("nobody catches this");
}

int main(int argc, char **)
{
    in_destructor = argc > 1;
    std::thread t(thread);

    assert(std::uncaught_exceptions() == 0);
    try {
        throw 1;
    } catch (int) {
        step = 1;
    }
    step = 2;
    step = 3;
    t.join();
}
