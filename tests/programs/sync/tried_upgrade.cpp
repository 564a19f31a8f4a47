/* SPDX-License-Identifier: MIT */
/*
 * Whoever has looked under a shared lock tries for the whole lock, and begins anew if somebody else
 * has it or has been there.  Without optimisation each call has frames that it does not fill:
 * what the runtime has left there must not decide whether a round was for nothing, or no two
 * executions that begin alike would go on alike.
 *
 * RUN    [O0] plait test -s dpor
 * EXPECT clean classes=264
 *
 * RUN    [O0] plait test -s dpor:source
 * EXPECT clean classes=264
 *
 * RUN    [O0] plait test -s dpor:classic
 * EXPECT clean classes=264
 *
 * RUN    plait test -n 3000
 * EXPECT clean ended~at.most.three.times
 */
#include <cassert>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int v;

static void raise_by_one()
{
    for (;;) {
        m.lock_shared();
        int seen = v;

        m.unlock_shared();
        if (!m.try_lock()) {
            std::this_thread::yield();
            continue;
        }
        bool mine = v == seen;

        if (mine)
            v = seen + 1;
        m.unlock();
        if (mine)
            return;
    }
}

int main()
{
    std::thread a(raise_by_one), b(raise_by_one);

    a.join();
    b.join();
    assert(v == 2);
}
