/* SPDX-License-Identifier: MIT */
/* Two mutexes in two orders by std::scoped_lock.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
std::mutex a, b;
int x;
static void f()
{
    std::scoped_lock l(a, b);
    x++;
}
static void g()
{
    std::scoped_lock l(b, a);
    x++;
}
int main()
{
    std::thread t(f), u(g);
    t.join();
    u.join();
    assert(x == 2);
}