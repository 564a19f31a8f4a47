/* SPDX-License-Identifier: MIT */
/*
 * The last owner of a shared pointer destroys what it points to; what the others did with it
 * is over by then.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include <memory>
#include <thread>
#include <utility>

namespace
{
struct Item {
    int data = 1;
    ~Item()
    {
        data = 0;
    }
};
} // namespace

int main()
{
    auto item = std::make_shared<Item>();
    int a = 0, b = 0;
    std::thread one([mine = item, &a]() mutable {
        a = mine->data;
        mine.reset();
    });
    std::thread other([mine = std::move(item), &b]() mutable {
        b = mine->data;
        mine.reset();
    });

    one.join();
    other.join();
    return a + b != 2;
}
