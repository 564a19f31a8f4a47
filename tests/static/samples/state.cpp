// SPDX-License-Identifier: MIT
// A thread of std::thread deletes what it was handed when its function has returned.
#include <memory>
#include <thread>
#include <utility>

int main()
{
    auto owned = std::make_unique<int>(3);
    int *seen = owned.get();
    std::thread thread([mine = std::move(owned)] { *mine = 4; });

    *seen = 5;
    thread.join();
    return 0;
}
