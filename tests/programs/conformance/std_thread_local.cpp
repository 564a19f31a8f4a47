// SPDX-License-Identifier: MIT
// thread_local objects are made per thread on first use and destroyed at its end,
// last made first.
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
#include <thread>
#include <vector>

static std::atomic<int> made, destroyed;
static thread_local std::vector<int> *log_of_thread;

struct object {
    int number;

    explicit object(int n) : number(n)
    {
        made++;
    }
    ~object()
    {
        destroyed++;
        if (log_of_thread)
            log_of_thread->push_back(number);
    }
};

static thread_local object first(1);

static void use(std::vector<int> *log)
{
    static thread_local object second(2);

    log_of_thread = log;
    first.number = 1;
    std::this_thread::yield();
    second.number = 2;
}

int main()
{
    std::vector<int> a, b;
    std::thread t(use, &a), u(use, &b), lazy([] {});

    t.join();
    u.join();
    lazy.join();
    for (const auto &log : {a, b})
        assert(log.size() == 2);
    assert(made >= 4 && destroyed >= 4);
}
