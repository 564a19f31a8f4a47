// SPDX-License-Identifier: MIT
// std::call_once and pthread_once: flags that were used up before the root stay so, the others
// call once in each execution.
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
#include <mutex>
#include <pthread.h>
#include <thread>

static std::once_flag early_flag, late_flag;
static pthread_once_t c_flag = PTHREAD_ONCE_INIT;
static std::atomic<int> early, late, c;

static void call()
{
    std::call_once(early_flag, [] { early++; });
    std::call_once(late_flag, [] { late++; });
    pthread_once(&c_flag, [] { c++; });
    assert(early == 1 && late == 1 && c == 1);
}

static std::atomic<int> turn;

static void thread()
{
    turn++;
    call();
}

static void execution()
{
    std::thread t(thread);

    assert(turn <= 1); // @fresh
    call();
    turn++;
    t.join();
    assert(turn == 2);
}

int main(int argc, char **)
{
    std::call_once(early_flag, [] { early++; });
    execution();
    if (argc > 1)
        execution();
}
