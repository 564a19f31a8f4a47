/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation of the C++ library: each function with one that depends on it, in both orders.
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=45
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete orders=45
 *
 * Pointers that are compared would not notice that memory has come again at the same address:
 * whether it does is explored.
 *
 * RUN    -DPOINTERS plait test -s dpor --outputs
 * EXPECT clean complete orders=2
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

static long value;

/* What was done to the value before. */
template <class lock> static long count_in(lock &l)
{
    long before = value++;

    l.unlock();
    return before;
}

/* ---- mutexes ---- */

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;

static void clear()
{
    value = 0;
}

static long locked()
{
    plain.lock();
    return count_in(plain);
}

static long look_shared(bool taken)
{
    if (!taken)
        return -1;
    long now = value;

    shared.unlock_shared();
    return now;
}

static long count_shared()
{
    shared.lock();
    return count_in(shared);
}

static long count_timed()
{
    timed.lock();
    return count_in(timed);
}

static long count_shared_timed()
{
    shared_timed.lock();
    return count_in(shared_timed);
}

ORDER(mutex_lock, clear(), return locked(), return locked())
ORDER(mutex_try_lock, clear(), return plain.try_lock() ? count_in(plain) : -1, return locked())
ORDER(mutex_unlock, clear(), return locked(), return plain.try_lock() ? count_in(plain) : -1)
ORDER(recursive_mutex_lock, clear(), recursive.lock(); return count_in(recursive), recursive.lock();
      return count_in(recursive))
ORDER(timed_mutex_try_lock_for, clear(), return timed.try_lock_for(1s) ? count_in(timed) : -1,
      return count_timed())
ORDER(timed_mutex_try_lock_until, clear(),
      return timed.try_lock_until(std::chrono::steady_clock::now() + 1s) ? count_in(timed) : -1,
      return count_timed())
ORDER(shared_mutex_lock, clear(), return count_shared(), shared.lock_shared();
      return look_shared(true))
ORDER(shared_mutex_lock_shared, clear(), shared.lock_shared();
      return look_shared(true), return count_shared())
ORDER(shared_mutex_try_lock_shared, clear(), return look_shared(shared.try_lock_shared()),
      return count_shared())
ORDER(shared_mutex_try_lock, clear(), return shared.try_lock() ? count_in(shared) : -1,
      shared.lock_shared();
      return look_shared(true))
ORDER(shared_mutex_unlock_shared, clear(), shared.lock_shared();
      return look_shared(true), return shared.try_lock() ? count_in(shared) : -1)
ORDER(shared_timed_mutex_try_lock_for, clear(),
      return shared_timed.try_lock_for(1s) ? count_in(shared_timed) : -1,
      return count_shared_timed())
ORDER(scoped_lock, clear(), std::scoped_lock both(plain, recursive);
      return value++, return locked())

/* ---- conditions ---- */

static std::condition_variable cond;
static std::condition_variable_any any;

template <class condition> static long wait_for_value(condition &c)
{
    std::unique_lock lock(plain);
    long waits = 0;

    for (; value == 0; waits++)
        c.wait(lock);
    return waits;
}

template <class condition> static long wait_a_while(condition &c)
{
    std::unique_lock lock(plain);
    bool late = value == 0 && c.wait_for(lock, 1s) == std::cv_status::timeout;

    return 10 * late + value;
}

static long set_value()
{
    std::lock_guard lock(plain);

    value = 1;
    return 0;
}

ORDER(condition_variable_wait, clear(), return wait_for_value(cond), set_value(); cond.notify_one();
      return 0)
ORDER(condition_variable_wait_for, clear(), return wait_a_while(cond), set_value();
      cond.notify_one(); return 0)
ORDER(condition_variable_notify_one, clear(), set_value(); cond.notify_one();
      return 0, return wait_for_value(cond))
ORDER(condition_variable_notify_all, clear(), set_value(); cond.notify_all();
      return 0, return wait_for_value(cond))
ORDER(condition_variable_any_wait, clear(), return wait_for_value(any), set_value();
      any.notify_all(); return 0)

/* ---- once ---- */

static std::optional<std::once_flag> flag;

static void unset()
{
    value = 0;
    flag.emplace();
}

ORDER(call_once, unset(), std::call_once(*flag, [] { value = 1; });
      return value, std::call_once(*flag, [] { value = 2; }); return value)

/* ---- latches, barriers, semaphores ---- */

static std::optional<std::latch> latch;
static std::optional<std::barrier<void (*)() noexcept>> barrier;
static std::optional<std::counting_semaphore<4>> sem;

static void count_phase() noexcept
{
    value++;
}

static void have_latch(int n)
{
    latch.emplace(n);
}

static void have_barrier()
{
    value = 0;
    barrier.emplace(1, count_phase);
}

static void have_sem(int n)
{
    sem.emplace(n);
}

ORDER(latch_count_down, have_latch(1), latch->count_down(); return 0, return latch->try_wait())
ORDER(latch_try_wait, have_latch(1), return latch->try_wait(), latch->count_down(); return 0)
ORDER(latch_wait, have_latch(1); value = 0, latch->wait(); return value, latch->count_down();
      value = 1; return 0)
ORDER(latch_arrive_and_wait, have_latch(1), latch->arrive_and_wait();
      return 0, return latch->try_wait())
ORDER(barrier_arrive_and_wait, have_barrier(), barrier->arrive_and_wait();
      return value, return value)
ORDER(barrier_arrive, have_barrier(), (void)barrier->arrive(); return 0, return value)
ORDER(barrier_arrive_and_drop, have_barrier(), barrier->arrive_and_drop(); return 0, return value)
ORDER(counting_semaphore_acquire, have_sem(0); value = 0, sem->acquire();
      return value, sem->release(); value = 1; return 0)
ORDER(counting_semaphore_try_acquire, have_sem(1), return sem->try_acquire(),
      return sem->try_acquire())
ORDER(counting_semaphore_release, have_sem(0), sem->release(); return 0, return sem->try_acquire())

/* ---- atomics that are waited for ---- */

static std::atomic<int> word;
static std::atomic_flag raised;
static std::atomic<std::shared_ptr<long>> pointer;
static int referred;

static void lower()
{
    word = 0;
    raised.clear();
    value = 0;
}

static long wait_for_word()
{
    word.wait(0);
    return value;
}

static long raise_word(bool all)
{
    word = 1;
    all ? word.notify_all() : word.notify_one();
    value = 1;
    return 0;
}

ORDER(atomic_wait, lower(), return wait_for_word(), return raise_word(false))
ORDER(atomic_notify_one, lower(), return raise_word(false), return wait_for_word())
ORDER(atomic_notify_all, lower(), return raise_word(true), return wait_for_word())
ORDER(atomic_flag_test_and_set, lower(), return raised.test_and_set(), return raised.test_and_set())
ORDER(atomic_flag_test, lower(), return raised.test(), return raised.test_and_set())
ORDER(atomic_ref_fetch_add, referred = 0, return std::atomic_ref(referred).fetch_add(1),
      return std::atomic_ref(referred).fetch_add(1))
ORDER(atomic_shared_ptr_store, pointer = std::make_shared<long>(1),
      pointer = std::make_shared<long>(2);
      return 0, return *pointer.load())
ORDER(atomic_shared_ptr_load, pointer = std::make_shared<long>(1), return *pointer.load(),
      pointer = std::make_shared<long>(2);
      return 0)

/* ---- promises and futures ---- */

static std::optional<std::promise<long>> promise;
static std::shared_future<long> future;

static void promise_it()
{
    promise.emplace();
    future = promise->get_future().share();
}

static long is_ready()
{
    return future.wait_for(0s) == std::future_status::ready;
}

static long fulfil(long with)
{
    try {
        promise->set_value(with);
        return future.get();
    } catch (std::future_error &) {
        return -1;
    }
}

static void defer()
{
    value = 0;
    future = std::async(std::launch::deferred, [] { return ++value; }).share();
}

ORDER(promise_set_value, promise_it(), return fulfil(1), return fulfil(2))
ORDER(promise_set_exception, promise_it(), promise->set_exception(std::make_exception_ptr(1));
      return 0, return is_ready())
ORDER(future_wait_for, promise_it(), return is_ready(), return fulfil(1))
ORDER(future_get, promise_it(); value = 0, return future.get() + value, fulfil(1); value = 10;
      return 0)
ORDER(async, defer(), return future.wait_for(0s) == std::future_status::deferred,
      return future.get())

/* ---- threads that are asked to stop ---- */

static std::optional<std::stop_source> source;

static void have_source()
{
    value = 0;
    source.emplace();
}

ORDER(stop_source_request_stop, have_source(), return source->request_stop(),
      return source->request_stop())
ORDER(stop_token_stop_requested, have_source(), return source->get_token().stop_requested(),
      return source->request_stop())
ORDER(stop_callback, have_source(), std::stop_callback call(source->get_token(), [] { value++; });
      return value, return source->request_stop())
ORDER(thread_join, clear(), std::thread t([] { value++; }); t.join(); return 0, return value)
ORDER(jthread, clear(),
      std::jthread t([](std::stop_token s) { value += s.stop_requested() ? 1 : 2; });
      return 0, return value)

#ifdef POINTERS
ORDERS(&order_atomic_shared_ptr_store, &order_atomic_shared_ptr_load)
#else
ORDERS(&order_mutex_lock, &order_mutex_try_lock, &order_mutex_unlock, &order_recursive_mutex_lock,
       &order_timed_mutex_try_lock_for, &order_timed_mutex_try_lock_until, &order_shared_mutex_lock,
       &order_shared_mutex_lock_shared, &order_shared_mutex_try_lock_shared,
       &order_shared_mutex_try_lock, &order_shared_mutex_unlock_shared,
       &order_shared_timed_mutex_try_lock_for, &order_scoped_lock, &order_condition_variable_wait,
       &order_condition_variable_wait_for, &order_condition_variable_notify_one,
       &order_condition_variable_notify_all, &order_condition_variable_any_wait, &order_call_once,
       &order_latch_count_down, &order_latch_try_wait, &order_latch_wait,
       &order_latch_arrive_and_wait, &order_barrier_arrive_and_wait, &order_barrier_arrive,
       &order_barrier_arrive_and_drop, &order_counting_semaphore_acquire,
       &order_counting_semaphore_try_acquire, &order_counting_semaphore_release, &order_atomic_wait,
       &order_atomic_notify_one, &order_atomic_notify_all, &order_atomic_flag_test_and_set,
       &order_atomic_flag_test, &order_atomic_ref_fetch_add, &order_promise_set_value,
       &order_promise_set_exception, &order_future_wait_for, &order_future_get, &order_async,
       &order_stop_source_request_stop, &order_stop_token_stop_requested, &order_stop_callback,
       &order_thread_join, &order_jthread)
#endif
