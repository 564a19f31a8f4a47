/* SPDX-License-Identifier: MIT */
/*
 * What programs of generate_calls.py ask of C++: statics with guards, call_once, exceptions,
 * destructors of what a thread has.  Each function is told which number to change, and returns what
 * it saw; there is one program in a process, so statics are its own.
 */
#include <atomic>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore.h>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

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

std::latch latch(2);
number arrived;
std::counting_semaphore<> tokens(1);
std::shared_mutex shared_mutex;
std::mutex any_mutex;
std::condition_variable_any any;
int any_told;
std::atomic<std::shared_ptr<int>> swapped;

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

/* What it has made ends when its thread is cancelled, too. */
int cxx_wait(void *semaphore, void *cell)
{
    counted c(the(cell));

    try {
        return sem_wait(static_cast<sem_t *>(semaphore)) == 0;
    } catch (...) {
        the(cell)->fetch_add(2);
        throw;
    }
}

/* Two may come. */
int cxx_latch(void *cell)
{
    if (arrived.fetch_add(1) < 2)
        latch.arrive_and_wait();
    return the(cell)->load();
}

int cxx_latch_open(void)
{
    return latch.try_wait();
}

int cxx_take_token(void)
{
    tokens.acquire();
    return 1;
}

int cxx_try_token(void)
{
    return tokens.try_acquire();
}

void cxx_give_token(void)
{
    tokens.release();
}

int cxx_wait_for_change(void *cell)
{
    the(cell)->wait(0);
    return the(cell)->load();
}

void cxx_change(void *cell, int n)
{
    the(cell)->fetch_add(n);
    the(cell)->notify_one();
}

int cxx_stoppable(void *cell)
{
    std::jthread thread(
        [cell](std::stop_token token) { the(cell)->fetch_add(token.stop_requested() ? 1 : 2); });

    thread.request_stop();
    thread.join();
    return the(cell)->load();
}

int cxx_read_shared(void *cell)
{
    std::shared_lock<std::shared_mutex> lock(shared_mutex);

    return the(cell)->load();
}

int cxx_write_shared(void *cell)
{
    std::unique_lock<std::shared_mutex> lock(shared_mutex, std::try_to_lock);

    return lock ? the(cell)->fetch_add(1) : 9;
}

/* For ever if `timed` is 0. */
int cxx_wait_any(int timed)
{
    std::unique_lock<std::mutex> lock(any_mutex);

    if (timed)
        any.wait_for(lock, std::chrono::microseconds(200), [] { return any_told > 0; });
    else
        any.wait(lock, [] { return any_told > 0; });
    return any_told;
}

void cxx_tell_any(void)
{
    std::lock_guard<std::mutex> guard(any_mutex);

    any_told++;
    any.notify_one();
}

int cxx_swap_shared(int n)
{
    std::shared_ptr<int> old = swapped.exchange(std::make_shared<int>(n));

    return old ? *old : 0;
}
}
