/* SPDX-License-Identifier: MIT */
/*
 * Loops over the lines, words and numbers of a stream, which look at a flag in between: each round
 * takes something from the stream, so nobody waits for anybody.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;
static bool stop;

static bool goes_on()
{
    std::lock_guard<std::mutex> lock(mutex);

    return !stop;
}

int main()
{
    std::string text;

    for (int i = 0; i < 120; i++)
        text += "7\n";
    std::thread lines([&] {
        std::istringstream in(text);
        std::string line;

        while (std::getline(in, line) && goes_on())
            ;
    });
    lines.join();
    std::thread words([&] {
        std::istringstream in(text);
        std::string word;

        while (in >> word && goes_on())
            ;
    });
    words.join();
    std::thread numbers([&] {
        std::istringstream in(text);
        int n;

        while (in >> n && goes_on())
            ;
    });
    numbers.join();
}
