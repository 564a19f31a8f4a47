/* SPDX-License-Identifier: MIT */
/*
 * A destructor waits for the thread that still calls a virtual function of the object. It has
 * written the pointer to the functions by then, but not changed it. In a base class it has.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it does not see that the pointer stays as it was
 */
#include <thread>

#ifndef RACE
#define RACE 0
#endif

namespace
{
struct Base {
    std::thread worker;
    virtual int work()
    {
        return 1;
    }
    virtual ~Base()
    {
        if (worker.joinable()) // @here
            worker.join();
    }
};

struct Derived final : Base {
    int work() override
    {
        return 2;
    }
    ~Derived() override
    {
        if (!RACE)
            worker.join();
    }
};

__attribute__((noinline)) int call(Base *object)
{
    return object->work(); // @here
}
} // namespace

int main()
{
    auto *object = new Derived;

    object->worker = std::thread([object] { call(object); });
    delete object;
    return 0;
}
