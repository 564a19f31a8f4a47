/* SPDX-License-Identifier: MIT */
/* A GoogleTest suite of a queue with time-outs: whatever expires, nothing is lost and nothing comes
 * twice. */
#include <gtest/gtest.h>
#include <thread>

#include "queue.hpp"

using namespace std::chrono_literals;

TEST(Queue, HandsOver)
{
    Queue<int> queue(1);
    int pushed = 0, popped = 0;
    std::thread writer([&] {
        for (int i = 0; i < 2; i++)
            pushed += queue.push(i, 10ms);
    });

    for (int i = 0; i < 2; i++)
        popped += queue.pop(10ms).has_value();
    writer.join();
    while (queue.pop(0ms))
        popped++;
    EXPECT_EQ(pushed, popped);
}

TEST(Queue, GivesUp)
{
    Queue<int> queue(1);

    EXPECT_FALSE(queue.pop(1ms));
    EXPECT_TRUE(queue.push(1, 1ms));
    EXPECT_FALSE(queue.push(2, 1ms));
}
