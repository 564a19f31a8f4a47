// SPDX-License-Identifier: MIT
// That std::thread::detach() says that the thread is nobody any more is an event, whether or not
// threads run freely: what its creator does behind it is replayed where it was.
//
// RUN    plait test -s noise -n 400
// EXPECT use-after-free exit=1
#include <atomic>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<int> sum;

static std::vector<int> *numbers;

int main()
{
    numbers = new std::vector<int>(8);
    std::thread([] {
        for (std::size_t i = 0; i < 8; i++)
            sum += (*numbers)[i];
    }).detach();
    delete numbers;
    usleep(10000);
    return 0;
}
