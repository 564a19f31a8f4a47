/* SPDX-License-Identifier: MIT */
/* Two timed mutexes in two orders.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
using namespace std::chrono_literals;
std::timed_mutex a, b;
int x;
static void f(std::timed_mutex &p, std::timed_mutex &q)
{
    for (;;) {
        std::unique_lock l(p);
        if (q.try_lock_for(1ms)) {
            x++;
            q.unlock();
            return;
        }
    }
}
int main()
{
    std::thread t([] { f(a, b); });
    f(b, a);
    t.join();
    assert(x == 2);
}