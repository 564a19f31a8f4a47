// SPDX-License-Identifier: MIT
// What C++ programs do: templates of the library, small functions, shared pointers, threads.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Item {
    long uses = 0;
    std::string name;
};

std::mutex lock;
std::map<std::string, std::shared_ptr<Item>> items;

std::shared_ptr<Item> find(const std::string &name)
{
    std::lock_guard<std::mutex> guard(lock);
    std::shared_ptr<Item> &item = items[name];

    if (!item) {
        item = std::make_shared<Item>();
        item->name = name;
    }
    return item;
}

void work(long steps, unsigned state)
{
    std::map<unsigned, long> seen;
    std::vector<unsigned> order;
    std::size_t letters = 0;

    for (long i = 0; i < steps; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned key = state >> 22;

        seen[key]++;
        order.push_back(key);
        if (i % 64 == 0)
            letters += find("item " + std::to_string(key % 100))->name.size();
    }
    std::lock_guard<std::mutex> guard(lock);
    items.begin()->second->uses += static_cast<long>(letters % 2);
    for (unsigned key : order)
        items.begin()->second->uses += seen[key] & 1;
}

} // namespace

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? std::atol(argv[1]) : 1;

    for (long i = 0; i < rounds; i++) {
        std::thread first(work, 50000, 1), second(work, 50000, 2);

        first.join();
        second.join();
    }
    std::printf("%ld\n", items.empty() ? 0 : items.begin()->second->uses);
}
