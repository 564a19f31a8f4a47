/* SPDX-License-Identifier: MIT */
/* Boost.Asio, compiled along: a context that two threads run, a strand, and a pair of sockets that
 * echo a line. */
#include <boost/asio.hpp>
#include <cassert>
#include <string>
#include <thread>

namespace asio = boost::asio;
using asio::local::stream_protocol;

int main()
{
    asio::io_context context;
    asio::strand<asio::io_context::executor_type> strand(context.get_executor());
    stream_protocol::socket client(context), server(context);
    std::string heard, answer;
    int steps = 0;

    asio::local::connect_pair(client, server);
    asio::async_read_until(
        server, asio::dynamic_buffer(heard), '\n', [&](boost::system::error_code e, size_t n) {
            assert(!e && n == 6);
            asio::async_write(server, asio::buffer(heard), [&](boost::system::error_code, size_t) {
                asio::post(strand, [&] { steps++; });
            });
        });
    asio::async_write(client, asio::buffer("hello\n", 6), [&](boost::system::error_code e, size_t) {
        assert(!e);
        asio::post(strand, [&] { steps++; });
        asio::async_read_until(client, asio::dynamic_buffer(answer), '\n',
                               [&](boost::system::error_code f, size_t) {
                                   assert(!f);
                                   asio::post(strand, [&] { steps++; });
                               });
    });
    std::thread other([&] { context.run(); });
    context.run();
    other.join();
    assert(answer == "hello\n" && steps == 3);
    return 0;
}
