/* SPDX-License-Identifier: MIT */
/* Counts until its stop token says so.  EXPECT clean */
#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>
std::atomic<long> n;
int main()
{
    std::jthread t([](std::stop_token s) {
        while (!s.stop_requested())
            n++;
    });
    for (int i = 0; i < 5; i++)
        (void)n.load();
}