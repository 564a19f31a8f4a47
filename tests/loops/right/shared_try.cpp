/* SPDX-License-Identifier: MIT */
/* A shared mutex is tried again and again.  EXPECT clean */
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
std::shared_mutex m;
int x;
int main()
{
    std::thread t([] {
        while (!m.try_lock())
            std::this_thread::yield();
        x++;
        m.unlock();
    });
    while (!m.try_lock_shared())
        std::this_thread::yield();
    (void)*(volatile int *)&x;
    m.unlock_shared();
    t.join();
}