// SPDX-License-Identifier: MIT
// An exception that nobody catches leaves a thread: std::terminate.
// -DJOINABLE=1: a std::thread is destroyed without having been joined.
// -DNOEXCEPT=1: an exception leaves a noexcept function.
// -DTWO=1: another leaves main(), where it is another finding.
//
// RUN    plait test -s random -n 1000
// EXPECT assertion exit=1 location~@thrown
//
// RUN    plait test -s dfs
// EXPECT assertion exit=1 location~@thrown
//
// RUN    -DJOINABLE=1 plait test -s dfs
// EXPECT assertion exit=1
//
// RUN    -DTWO=1 plait test -s dfs -k
// EXPECT assertion,assertion exit=1 location~@thrown|@two
//
// RUN    -DNOEXCEPT=1 plait test -s dfs
// EXPECT assertion exit=1 location~@noexcept
#include <atomic>
#include <stdexcept>
#include <thread>

static std::atomic<int> value;

static void other()
{
    value = 1;
#ifndef JOINABLE
#ifndef NOEXCEPT
    if (value == 2)
        throw std::runtime_error("nobody catches this"); // @thrown
#endif
#endif
}

#ifdef NOEXCEPT
static void look()
{
    if (value != 0)
        throw std::runtime_error("leaves noexcept"); // @noexcept
}

static void quiet() noexcept
{
    look(); // @noexcept
}
#endif

int main()
{
    std::thread t(other);

#ifdef NOEXCEPT
    quiet(); // @noexcept
#endif
#ifdef JOINABLE
    if (value != 0)
        return 0;
#endif
#ifdef TWO
    if (value == 0)
        throw std::runtime_error("nor this"); // @two
#endif
    value = 2;
    t.join();
}
