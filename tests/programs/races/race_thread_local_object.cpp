/* SPDX-License-Identifier: MIT */
/*
 * An object of a thread is destroyed with the thread, before the join.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include <thread>

namespace
{
int total;

struct Count {
    int n = 0;
    ~Count()
    {
        total = n;
    }
};

thread_local Count count;
} // namespace

int main()
{
    std::thread([] { count.n = 1; }).join();
    std::thread([] { count.n = 2; }).join();
    return total != 2;
}
