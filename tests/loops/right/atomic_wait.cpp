/* SPDX-License-Identifier: MIT */
/* std::atomic::wait in a loop.  EXPECT clean */
#include <atomic>
#include <chrono>
#include <thread>
std::atomic<int> a;
int main()
{
    std::jthread t([] {
        for (int i = 1; i < 4; i++) {
            a = i;
            a.notify_one();
        }
    });
    int v = 0;
    while (v < 3) {
        a.wait(v);
        v = a;
    }
}