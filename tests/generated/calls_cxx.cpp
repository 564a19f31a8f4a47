/* SPDX-License-Identifier: MIT */
/*
 * What programs of generate_calls.py ask of C++: statics with guards, call_once, exceptions,
 * destructors of what a thread has.  Each function is told which number to change, and returns what
 * it saw; there is one program in a process, so statics are its own.
 */
#include <atomic>
#include <future>
#include <memory>
#include <mutex>

namespace
{
typedef std::atomic<int> number;

number *the(void *cell)
{
    return static_cast<number *>(cell);
}

struct made {
    int value;
    made(number *n, int most) : value(n->fetch_add(1))
    {
        if (value < most)
            throw value;
    }
};

struct counted {
    number *n;
    explicit counted(number *of) : n(of)
    {
    }
    ~counted()
    {
        n->fetch_add(1);
    }
};

std::once_flag once, once_more;
std::mutex mutex;
std::promise<int> promise;
std::shared_future<int> future = promise.get_future().share();
} // namespace

extern "C" {
int cxx_static(void *cell)
{
    static made m(the(cell), 0);

    return m.value;
}

/* Whoever comes first may find that it cannot be made; then another tries. */
int cxx_static_fails(void *cell)
{
    try {
        static made m(the(cell), 1);

        return m.value;
    } catch (int value) {
        return 8 + value;
    }
}

int cxx_call_once(void *cell)
{
    std::call_once(once, [cell] { the(cell)->fetch_add(1); });
    return the(cell)->load();
}

int cxx_call_once_fails(void *cell)
{
    try {
        std::call_once(once_more, [cell] {
            if (the(cell)->fetch_add(1) == 0)
                throw 1;
        });
    } catch (int) {
        return 8;
    }
    return the(cell)->load();
}

int cxx_throw(void *cell, int n)
{
    try {
        counted c(the(cell));

        if (the(cell)->load() < n)
            throw n;
        return 0;
    } catch (int value) {
        return value;
    }
}

int cxx_lock_and_throw(void *cell, int n)
{
    try {
        std::lock_guard<std::mutex> guard(mutex);

        if (the(cell)->fetch_add(1) < n)
            throw n;
        return 0;
    } catch (int value) {
        return value;
    }
}

/* Its destructor runs when the thread ends. */
int cxx_per_thread(void *cell)
{
    static thread_local counted c(the(cell));

    return c.n == the(cell);
}

int cxx_shared(void *cell)
{
    std::shared_ptr<counted> first = std::make_shared<counted>(the(cell)), second = first;

    first.reset();
    return (int)second.use_count();
}

void cxx_set_promise(int n)
{
    promise.set_value(n);
}

int cxx_has_value(void)
{
    return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready ? future.get() : 0;
}
}
