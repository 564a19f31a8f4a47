/* SPDX-License-Identifier: MIT */
/* std::counting_semaphore with a time-out.  EXPECT clean */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>
using namespace std::chrono_literals;
std::counting_semaphore<2> s(0);
int x;
int main()
{
    std::jthread t([] {
        x = 5;
        s.release();
    });
    while (!s.try_acquire_for(10ms))
        ;
    assert(x == 5);
}