/* SPDX-License-Identifier: MIT */
/*
 * Members of streams that libstdc++.so has, and that have no row: what they change has both orders,
 * and the search is complete but for them, since somebody may find it half changed.  Not so where a
 * lock keeps the threads apart.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean incomplete orders=3 ended~of.libstdc...so.at.*stream_members.cpp
 *
 * RUN    -DLOCKED plait test -s dpor --outputs
 * EXPECT clean complete orders=3
 */
#include <iostream>
#include <locale>
#include <mutex>
#include <sstream>
#include <thread>

#include <plait.h>

static std::stringstream stream("text"), other;
[[maybe_unused]] static std::mutex mutex;

static std::unique_lock<std::mutex> kept_apart()
{
#ifdef LOCKED
    return std::unique_lock<std::mutex>(mutex);
#else
    return {};
#endif
}

static void change(unsigned which)
{
    auto lock = kept_apart();

    if (which == 0)
        stream.clear(std::ios::failbit);
    else if (which == 1)
        stream.copyfmt(other);
    else
        stream.seekg(1);
}

static int look(unsigned which)
{
    auto lock = kept_apart();

    return which == 0 ? stream.fail() : which == 1 ? (int)stream.width() : stream.peek() == 'e';
}

int main()
{
    static const char *const names[] = {"clear", "copyfmt", "seekg"};
    const unsigned which = plait_choose(3);

    other.width(7);
    std::thread t(change, which);
    const int seen = look(which);

    t.join();
    std::cout << names[which] << ' ' << seen << std::endl;
    return 0;
}
