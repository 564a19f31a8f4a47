// SPDX-License-Identifier: MIT
// Boost.Asio: a timer, and a thread that posts.
#include <boost/asio.hpp>
#include <cassert>
#include <thread>
int main()
{
    boost::asio::io_context io;
    boost::asio::steady_timer timer(io, std::chrono::milliseconds(20));
    int fired = 0, posted = 0;
    timer.async_wait([&](const boost::system::error_code &e) {
        assert(!e);
        fired++;
    });
    std::thread t([&] { boost::asio::post(io, [&] { posted++; }); });
    io.run();
    t.join();
    io.restart();
    io.run();
    assert(fired == 1 && posted == 1);
}
