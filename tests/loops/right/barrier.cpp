/* SPDX-License-Identifier: MIT */
/* std::barrier.  EXPECT clean */
#include <barrier>
#include <cassert>
#include <chrono>
#include <thread>
std::barrier<> b(2);
int x[2];
int main()
{
    std::jthread t([] {
        for (int i = 0; i < 3; i++) {
            x[0] = i;
            b.arrive_and_wait();
            assert(x[1] == i);
            b.arrive_and_wait();
        }
    });
    for (int i = 0; i < 3; i++) {
        x[1] = i;
        b.arrive_and_wait();
        assert(x[0] == i);
        b.arrive_and_wait();
    }
}