/* SPDX-License-Identifier: MIT */
/* Waits for 100 ms until told to stop.  EXPECT clean */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
using namespace std::chrono_literals;
std::mutex m;
std::condition_variable c;
bool stop;
int rounds;
int main()
{
    std::thread t([] {
        std::unique_lock l(m);
        while (!stop) {
            c.wait_for(l, 100ms);
            rounds++;
        }
    });
    {
        std::lock_guard l(m);
        stop = true;
    }
    c.notify_all();
    t.join();
}