// SPDX-License-Identifier: MIT
/*
 * A detached thread uses a static object, or a thread_local one of the main thread, which is
 * destroyed on the way out.
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@use
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT assertion location~@use
 *
 * RUN    -DLOCAL plait test -s dfs
 * EXPECT assertion location~@use
 *
 * RUN    [dpor] -DLOCAL plait test -s dpor
 * EXPECT assertion location~@use
 */
#include <cassert>
#include <thread>

namespace
{
struct registry {
    volatile bool alive = true;
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
