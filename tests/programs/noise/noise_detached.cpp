// SPDX-License-Identifier: MIT
// That std::thread::detach() says that the thread is nobody any more is an event, whether or not
// threads run freely: what its creator does behind it is replayed where it was.
//
// RUN    plait test -s noise -n 400
// EXPECT use-after-free exit=1
#include <atomic>
#include <thread>
#include <vector>

static std::atomic<int> sum;

struct Numbers {
    std::vector<int> *all = new std::vector<int>(8);

    ~Numbers()
    {
        delete all;
    }
};

static Numbers numbers;

int main()
{
    std::thread([] {
        for (std::size_t i = 0; i < 8; i++)
            sum += (*numbers.all)[i];
    }).detach();
    return 0;
}
