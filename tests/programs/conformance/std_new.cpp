// SPDX-License-Identifier: MIT
// operator new and delete, aligned, array and nothrow forms, containers shared
// under a lock.
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
#include <cassert>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>

struct alignas(64) line {
    char bytes[64];
};

static std::mutex lock;
static std::map<int, std::string> names;

static void add(int n)
{
    std::lock_guard<std::mutex> guard(lock);
    names[n] = "a name too long for the small string optimisation " + std::to_string(n);
}

int main()
{
    std::thread t(add, 1);
    add(2);
    t.join();
    assert(names.size() == 2 && names[1].back() == '1');

    auto l = std::make_unique<line>();
    assert(reinterpret_cast<std::uintptr_t>(l.get()) % 64 == 0);
    std::unique_ptr<int[]> numbers(new int[100]());
    assert(numbers[99] == 0);
    char *c = new (std::nothrow) char[10];
    assert(c);
    delete[] c;
    bool threw = false;
    try {
        volatile std::size_t much = SIZE_MAX / 2;
        char *volatile refused = new char[much];
        delete[] refused;
    } catch (const std::bad_alloc &) {
        threw = true;
    }
    assert(threw);
}
