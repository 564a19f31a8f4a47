// SPDX-License-Identifier: MIT
// Destructors abort: that of a static object when the program ends, that of a thread local one
// when a thread ends, and one that runs because an exception unwinds the stack.  Each in some
// interleavings only.
//
// RUN    plait test -s random -k -n 100
// EXPECT assertion,assertion,assertion failures=1-99 executions=100 restart=rollback replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart fork
// EXPECT assertion,assertion,assertion location~@unwinding restart=fork same=1 replay=1
//
// RUN    plait test -s random -k -n 100 --no-minimize --restart exec
// EXPECT assertion,assertion,assertion location~@unwinding restart=exec same=1 replay=1
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <thread>

static std::atomic<int> step, made;

struct Counted {
    Counted()
    {
        made++;
    }
};

static struct Global : Counted {
    ~Global()
    {
        if (step == 4)
            std::abort();
    }
} global;

struct Local : Counted {
    ~Local()
    {
        if (step == 1)
            std::abort(); // @unwinding
    }
};

struct Own : Counted {
    ~Own()
    {
        if (step == 2)
            std::abort();
    }
};

static void thread()
{
    thread_local Own own;

    (void)&own;
    try {
        Local local;

        throw std::runtime_error("unwinds");
    } catch (const std::runtime_error &) {
    }
    int expected = 3;

    step.compare_exchange_strong(expected, 4); // after main's last word: the end is bad
}

int main()
{
    std::thread t(thread);
    int now = made;

    assert(now >= 1 && now <= 3); // the static one, and the thread's
    step = 1;
    step = 2;
    step = 3;
    t.join();
}
