/* SPDX-License-Identifier: MIT */
/*
 * A latch and a semaphore of C++20.
 *
 * RUN    plait test -s random -n 300 --detect race -k
 * EXPECT clean exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include <latch>
#include <semaphore>
#include <thread>

namespace
{
std::latch arrived(2);
std::counting_semaphore<1> turn(1);
int cells[2], sum;
} // namespace

int main()
{
    auto work = [](int self) {
        cells[self] = 1;
        arrived.arrive_and_wait();
        turn.acquire();
        sum += cells[1 - self];
        turn.release();
    };
    std::thread one(work, 0), other(work, 1);

    one.join();
    other.join();
    return sum != 2;
}
