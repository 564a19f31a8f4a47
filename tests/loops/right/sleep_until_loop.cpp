/* SPDX-License-Identifier: MIT */
/* Ticks at fixed moments until told to stop.  EXPECT clean */
#include <atomic>
#include <chrono>
#include <thread>
using namespace std::chrono_literals;
std::atomic<bool> stop;
std::atomic<int> n;
int main()
{
    std::thread t([] {
        auto next = std::chrono::steady_clock::now();
        while (!stop) {
            next += 10ms;
            std::this_thread::sleep_until(next);
            n++;
        }
    });
    std::this_thread::sleep_for(25ms);
    stop = true;
    t.join();
}