// SPDX-License-Identifier: MIT
// Text is pending in std::cout at the root and at the end, with a buffer of its own instead of
// stdio's; its format flags have been changed, and are as at the root in each execution.
//
// OUTPUT begun, 0xff 0xff
// OUTPUT 255 00010
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected
// EXPECT clean executions=40 restart=rollback
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected --restart fork
// EXPECT clean restart=fork same=1
//
// RUN    plait test -s random -n 40 --expect-output=%t/expected --restart exec
// EXPECT clean restart=exec same=1
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

static std::atomic<int> turn;

static void thread()
{
    std::ostringstream mine;

    turn++;
    mine << std::hex << 16;
    turn++;
    assert(mine.str() == "10");
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cout << "begun, " << std::hex << std::showbase << 255;
    std::thread t(thread);

    turn++;
    std::cout << ' ' << 255 << '\n';
    turn++;
    t.join();
    std::cout << std::dec << 255 << ' ' << std::setw(5) << std::setfill('0') << 10 << '\n';
    assert(turn == 4);
}
