/* SPDX-License-Identifier: MIT */
/* Boost.Asio, compiled along: a timer, and two threads that each post two jobs to the one that runs
 * the context. */
#include <boost/asio.hpp>
#include <cassert>
#include <thread>

namespace asio = boost::asio;

int main()
{
    asio::io_context context;
    auto guard = asio::make_work_guard(context);
    asio::steady_timer timer(context, std::chrono::milliseconds(10));
    int ticks = 0, jobs = 0;

    auto send = [&] {
        for (int i = 0; i < 2; i++)
            asio::post(context, [&] { jobs++; });
    };
    timer.async_wait([&](boost::system::error_code e) {
        assert(!e);
        ticks++;
    });
    std::thread first(send), second(send), runs([&] { context.run(); });
    first.join();
    second.join();
    guard.reset();
    runs.join();
    assert(jobs == 4 && ticks == 1);
    return 0;
}
