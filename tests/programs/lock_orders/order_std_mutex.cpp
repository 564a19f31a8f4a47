/* SPDX-License-Identifier: MIT */
/*
 * Locks of C++, one by one in two orders, or all at once.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 * RUN -DSCOPED plait test --detect +lock-order -s random -n 200
 * EXPECT clean
 * RUN -DSHARED plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex a;
#ifdef SHARED
static std::shared_mutex b;
#else
static std::mutex b;
#endif

static void one()
{
#ifdef SCOPED
    std::scoped_lock both(a, b);
#elif defined(SHARED)
    std::lock_guard<std::mutex> first(a);
    std::shared_lock<std::shared_mutex> second(b);
#else
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
#endif
}

static void two()
{
#ifdef SCOPED
    std::scoped_lock both(b, a);
#else
    std::lock_guard<decltype(b)> first(b);
    std::lock_guard<std::mutex> second(a);
#endif
}

int main()
{
    std::thread t(one), u(two);

    t.join();
    u.join();
}
