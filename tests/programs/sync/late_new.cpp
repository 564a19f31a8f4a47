// SPDX-License-Identifier: MIT
/*
 * A mutex of C++ has no function that initialises it: its constructor stores to it, here at a place
 * where another thread may hold one already.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion|misuse
 *
 * RUN    plait test -s dfs
 * EXPECT assertion|misuse
 *
 * RUN    -DEARLY plait test -s dpor
 * EXPECT clean complete
 */
#include <cassert>
#include <mutex>
#include <new>
#include <thread>

alignas(std::mutex) static unsigned char place[sizeof(std::mutex)];
static volatile int inside, clash;

static std::mutex *mutex()
{
    return reinterpret_cast<std::mutex *>(place);
}

static void section()
{
    mutex()->lock();
    clash = clash | inside;
    inside = 1;
    inside = 0;
    mutex()->unlock();
}

int main()
{
#ifdef EARLY
    new (place) std::mutex;
#endif
    std::thread t(section);
#ifndef EARLY
    new (place) std::mutex;
#endif
    section();
    t.join();
    assert(!clash);
}
