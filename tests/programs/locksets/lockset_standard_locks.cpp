// SPDX-License-Identifier: MIT
// std::mutex and std::shared_mutex, through their guards.  Destroying a heap object after
// the last use needs no lock.
//
// RUN    plait test -s dfs --detect +lockset
// EXPECT clean complete
//
// RUN    -DSLOPPY plait test -s dfs --detect +lockset
// EXPECT lockset accesses~holding rwlock .* for reading
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

struct account {
    std::mutex lock;
    std::shared_mutex gate;
    int balance = 0;
    int limit = 0;
};

static void pay_in(account *a)
{
    {
        std::lock_guard<std::mutex> guard(a->lock);
        a->balance++;
    }
    std::shared_lock<std::shared_mutex> reading(a->gate);
#ifdef SLOPPY
    a->limit++;
#else
    if (a->limit > 5)
        std::terminate();
#endif
}

static void raise_limit(account *a)
{
    std::unique_lock<std::shared_mutex> writing(a->gate);
    a->limit++;
}

int main()
{
    auto a = std::make_unique<account>();
    std::thread t(pay_in, a.get()), u(raise_limit, a.get());

    t.join();
    u.join();
    std::lock_guard<std::mutex> guard(a->lock);
    return a->balance - 1;
}
