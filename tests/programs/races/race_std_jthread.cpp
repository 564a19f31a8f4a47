/* SPDX-License-Identifier: MIT */
/*
 * A stop token is no order for anything but the stop itself; the join of a jthread is.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include <stop_token>
#include <thread>

namespace
{
int data;
} // namespace

int main()
{
    {
        std::jthread worker([](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            data++;
        });
        data = 1;
        worker.request_stop();
    }
    return data != 2;
}
