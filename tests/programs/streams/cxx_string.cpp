/* SPDX-License-Identifier: MIT */
/*
 * A text is changed in place, letter by letter, while another thread does something with it in
 * libstdc++.so: prints it into a stream, looks it up, compares it, appends it, reads it as a
 * number. What it finds may be half of the old one and half of the new one.
 *
 * RUN    plait test -s dpor -- print
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor -- hash
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor -- append
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs -- compare
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor --detect race -- put
 * EXPECT race exit=1
 */
#include <cassert>
#include <cstring>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_set>

static std::string text = "10";

static void change()
{
    text[0] = '2';
    text[1] = '5';
}

static bool is_whole(const std::string &s)
{
    return s == "10" || s == "25";
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "print";
    std::ostringstream line;
    std::string mine = "<";

    if (std::strcmp(how, "put") == 0) { /* two threads put something into one stream */
        std::thread t([&] { line << 1; });

        line << 2;
        t.join();
        return 0;
    }
    std::thread t(change);

    if (std::strcmp(how, "print") == 0) {
        line << text;
        assert(is_whole(line.str()));
    } else if (std::strcmp(how, "hash") == 0) {
        std::size_t h = std::hash<std::string>()(text);

        assert(h == std::hash<std::string>()("10") || h == std::hash<std::string>()("25"));
    } else if (std::strcmp(how, "append") == 0) {
        mine += text;
        assert(is_whole(mine.substr(1)));
    } else {
        assert(text.compare("20") != 0);
    }
    t.join();
}
