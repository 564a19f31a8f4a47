// SPDX-License-Identifier: MIT
// Thread local objects with destructors: each thread's own are destroyed when it ends, main's
// when the program ends, before static ones.  Whether main's were made before the root or after
// it, they are destroyed once for each execution.
//
// OUTPUT thread 1: late
// OUTPUT threads have ended
// OUTPUT main: late
// OUTPUT main: early
// OUTPUT static
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected
// EXPECT clean executions=40 restart=rollback
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected --restart fork
// EXPECT clean restart=fork same=1
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected --restart exec
// EXPECT clean restart=exec same=1
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <cstdio>
#include <string>
#include <thread>

static std::atomic<int> turn, live;

struct Named {
    std::string text;

    explicit Named(const char *t) : text(t)
    {
        live++;
    }
    ~Named()
    {
        live--;
        std::puts(text.c_str());
    }
};

static Named global("static");

static void early()
{
    thread_local Named it("main: early");
}

static void late(const char *text)
{
    thread_local Named it(text);
}

static void thread()
{
    turn++;
    late("thread 1: late");
    turn++;
}

int main()
{
    early();
    std::thread t(thread);

    int now = live; // main's early one, the static one, and perhaps the thread's

    assert(now == 2 || now == 3);
    turn++;
    turn++;
    late("main: late");
    t.join();
    assert(live == 3);
    std::puts("threads have ended");
}
