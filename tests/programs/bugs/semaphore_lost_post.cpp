// SPDX-License-Identifier: MIT
// A worker releases only when it sees somebody waiting; whoever comes a moment
// later waits for ever on the std::binary_semaphore.  With -DFIXED=1 it always
// releases.
//
// RUN    plait test -s random -n 2000
// EXPECT deadlock exit=1
//
// RUN    plait test -s dfs
// EXPECT deadlock exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

static std::binary_semaphore done(0);
static std::atomic<bool> waiting;
static int result;

static void work()
{
    result = 42;
    if (FIXED || waiting)
        done.release();
}

int main()
{
    std::thread t(work);

    waiting = true;
    done.acquire();
    assert(result == 42);
    t.join();
}
