// SPDX-License-Identifier: MIT
// std::thread: arguments, move, ids, detach, hardware_concurrency, swap.
//
// RUN    plait test -s random -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s dfs -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s random -n 50 --carrier=thread
// EXPECT clean exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> detached;

static void take(std::string text, std::unique_ptr<int> number, int &result)
{
    result = static_cast<int>(text.size()) + *number;
}

struct worker {
    int value = 0;

    void run(int n)
    {
        value = n;
    }
};

int main()
{
    int result = 0;
    worker w;
    std::thread none;
    std::thread t(take, "four", std::make_unique<int>(3), std::ref(result));
    std::thread u(&worker::run, &w, 9);

    assert(!none.joinable() && none.get_id() == std::thread::id());
    assert(t.get_id() != u.get_id() && t.get_id() != std::this_thread::get_id());
    none = std::move(t);
    assert(!t.joinable());
    none.join();
    u.join();
    assert(result == 7 && w.value == 9);
    std::thread([] { detached = 1; }).detach();
    while (!detached)
        std::this_thread::yield();
    std::vector<std::thread> many;
    std::atomic<int> sum(0);
    for (int i = 0; i < 4; i++)
        many.emplace_back([&sum, i] { sum += i; });
    for (auto &m : many)
        m.join();
    assert(sum == 6);
    assert(std::thread::hardware_concurrency() >= 1);
}
