// SPDX-License-Identifier: MIT
/*
 * A detached thread uses a static object, or a thread_local one of the main thread, which is
 * destroyed on the way out.  That the destructor's store is kept although nobody may look at it
 * is asked of gcc; clang does not know how to.
 *
 * RUN    [gcc] plait test -s dfs
 * EXPECT assertion location~@use
 *
 * RUN    -DVOLATILE plait test -s dfs
 * EXPECT assertion location~@use
 *
 * RUN    [dpor] -DVOLATILE plait test -s dpor
 * EXPECT assertion location~@use
 *
 * RUN    -DLOCAL -DVOLATILE plait test -s dfs
 * EXPECT assertion location~@use
 *
 * RUN    [dpor] -DLOCAL -DVOLATILE plait test -s dpor
 * EXPECT assertion location~@use
 */
#include <cassert>
#include <thread>

namespace
{
struct registry {
#ifdef VOLATILE
    volatile
#endif
        bool alive = true;
    ~registry()
    {
        alive = false;
    }
};

#ifdef LOCAL
thread_local
#endif
    registry all;
} // namespace

int main()
{
    registry *mine = &all;

    std::thread([mine] {
        assert(mine->alive); // @use
    }).detach();
    return 0;
}
