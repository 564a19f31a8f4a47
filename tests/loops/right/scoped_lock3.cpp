/* SPDX-License-Identifier: MIT */
/* Three mutexes in three orders by std::scoped_lock.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>
std::mutex a, b, c;
int x;
int main()
{
    std::thread t([] {
        std::scoped_lock l(a, b, c);
        x++;
    }),
        u([] {
            std::scoped_lock l(c, a, b);
            x++;
        }),
        v([] {
            std::scoped_lock l(b, c, a);
            x++;
        });
    t.join();
    u.join();
    v.join();
    assert(x == 3);
}