// SPDX-License-Identifier: MIT
// Asio, as part of Boost or by itself: a timer, and a thread that posts.
#if __has_include(<boost/asio.hpp>)
#include <boost/asio.hpp>
namespace asio = boost::asio;
using error = boost::system::error_code;
#else
#include <asio.hpp>
using error = std::error_code;
#endif
#include <cassert>
#include <thread>
int main()
{
    asio::io_context io;
    asio::steady_timer timer(io, std::chrono::milliseconds(20));
    int fired = 0, posted = 0;
    timer.async_wait([&](const error &e) {
        assert(!e);
        fired++;
    });
    std::thread t([&] { asio::post(io, [&] { posted++; }); });
    io.run();
    t.join();
    io.restart();
    io.run();
    assert(fired == 1 && posted == 1);
}
