/* SPDX-License-Identifier: MIT */
/*
 * A promise that is kept tells its past to whoever gets the value; an exception too.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include <exception>
#include <future>
#include <stdexcept>
#include <thread>

#ifndef RACE
#define RACE 0
#endif

namespace
{
int data;
} // namespace

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread writer([&] {
        data = 1;
        if (RACE)
            promise.set_value(0);
        else
            promise.set_exception(std::make_exception_ptr(std::runtime_error("no")));
        if (RACE)
            data = 2; // @here
    });
    int value = 0;

    try {
        value = future.get();
    } catch (const std::runtime_error &e) {
        value = e.what()[0] == 'n' ? 0 : 1;
    }
    value += data; // @here
    writer.join();
    return value > 2;
}
