/* SPDX-License-Identifier: MIT */
/* Waits at a condition with a stop token.  EXPECT clean */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
std::mutex m;
std::condition_variable_any c;
bool ready;
int got;
int main()
{
    std::jthread t([](std::stop_token s) {
        std::unique_lock l(m);
        while (c.wait(l, s, [] { return ready; })) {
            ready = false;
            got++;
        }
    });
    {
        std::lock_guard l(m);
        ready = true;
    }
    c.notify_one();
}