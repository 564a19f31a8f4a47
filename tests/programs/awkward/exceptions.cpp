// SPDX-License-Identifier: MIT
// Exceptions through many frames with destructors, caught and thrown again, in several threads
// with switches in between; and one that is carried from a thread to another by a
// std::exception_ptr, and thrown there.
//
// RUN    plait test -s random -n 100
// EXPECT clean executions=100 restart=rollback
//
// RUN    plait test -s random -n 100 --restart fork
// EXPECT clean restart=fork same=1
//
// RUN    plait test -s random -n 100 --restart exec
// EXPECT clean restart=exec same=1
//
// RUN    native
// EXPECT exit=0
//
// RUN    native twice
// EXPECT exit=134 location~@fresh
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex lock;
static std::exception_ptr carried;
static std::atomic<int> destroyed, caught;

struct Counted {
    ~Counted()
    {
        destroyed++;
    }
};

static void fall(int depth, const char *why)
{
    Counted here;

    if (depth == 0)
        throw std::runtime_error(why);
    try {
        fall(depth - 1, why);
    } catch (const std::logic_error &) {
        assert(false);
    } catch (...) {
        assert(std::uncaught_exceptions() == 0 && std::current_exception() != nullptr);
        throw;
    }
}

static void thrower()
{
    try {
        fall(3, "thread");
    } catch (const std::exception &e) {
        assert(e.what() == std::string("thread"));
        std::lock_guard<std::mutex> hold(lock);
        carried = std::current_exception();
        caught++;
    }
}

static void execution()
{
    std::thread t(thrower);

    assert(destroyed <= 4 && caught <= 1); // @fresh
    assert(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
    try {
        fall(3, "main");
    } catch (const std::runtime_error &e) {
        assert(e.what() == std::string("main"));
        caught++;
    }
    t.join();
    try {
        std::rethrow_exception(carried);
    } catch (const std::runtime_error &e) {
        assert(e.what() == std::string("thread"));
        caught++;
    }
    assert(caught == 3 && destroyed == 8);
}

int main(int argc, char **)
{
    execution();
    if (argc > 1)
        execution();
}
