/* SPDX-License-Identifier: MIT */
/*
 * A static variable of a function.  Compilers look at the first byte of its guard before they call
 * anybody, so that a thread may come before the initialisation, during it, between its end and the
 * byte that says so, or after that; and either thread may be the first: four classes, since who
 * comes late does nothing that the other could notice.
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT clean complete classes=4
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * With a lock that is taken by the initialisation and around its use there are deadlocks.
 *
 * RUN    [dpor] -DLOCKED plait test -s dpor -k
 * EXPECT deadlock,deadlock complete classes=5
 *
 * RUN    -DLOCKED plait test -s dfs -k
 * EXPECT deadlock,deadlock complete classes=5
 *
 * RUN    [exitblock] -DLOCKED plait test -s exitblock:dd -k
 * EXPECT deadlock,deadlock complete
 */
#include <mutex>
#include <thread>

namespace
{
[[maybe_unused]] std::mutex lock;

int make()
{
#ifdef LOCKED
    std::lock_guard<std::mutex> guard(lock);
#endif
    return 7;
}

int get()
{
    static int value = make();
    return value;
}
} // namespace

int main()
{
    std::thread one([] { get(); }), other([] {
#ifdef LOCKED
        std::lock_guard<std::mutex> guard(lock);
#endif
        get();
    });

    one.join();
    other.join();
    return get() != 7;
}
