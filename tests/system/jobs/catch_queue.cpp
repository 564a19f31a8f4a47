/* SPDX-License-Identifier: MIT */
/* A Catch2 suite of the same queue. */
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#include <thread>

#include "queue.hpp"

using namespace std::chrono_literals;

TEST_CASE("hands over")
{
    Queue<int> queue(1);
    int sum = 0;
    std::thread writer([&] {
        for (int i = 1; i <= 2; i++)
            while (!queue.push(i, 10ms))
                ;
    });

    for (int i = 0; i < 2; i++) {
        std::optional<int> got;
        while (!(got = queue.pop(10ms)))
            ;
        sum += *got;
    }
    writer.join();
    REQUIRE(sum == 3);
    REQUIRE_FALSE(queue.pop(0ms));
}
