/* SPDX-License-Identifier: MIT */
/*
 * bluetooth driver: requests are counted, and whoever stops the driver waits until none is under
 * way.  A request looks whether the driver is being stopped, and counts itself only then.
 *
 * Described in: Qadeer, Wu, "KISS: keep it simple and sequential" (PLDI 2004); SCTBench,
 * CS.bluetooth_driver.
 *
 * BUG: the driver stops between a request's look at the flag and its being counted
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 1
 * ORDER: @look before @stopping and @stopped before @work
 */
#include "threads.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int pending = 1; /* one for the driver itself */
static atomic_bool stopping, idle, stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&idle, true);
}

static bool enter(void)
{
#ifdef FIXED
    atomic_fetch_add(&pending, 1);
    if (!atomic_load(&stopping))
        return true;
    leave();
    return false;
#else
    if (atomic_load(&stopping)) /* @look */
        return false;
    atomic_fetch_add(&pending, 1);
    return true;
#endif
}

static void *request(void *arg)
{
    (void)arg;
    if (enter()) {
        assert(!atomic_load(&stopped)); /* @work */
        leave();
    }
    return NULL;
}

static void *stop(void *arg)
{
    (void)arg;
    atomic_store(&stopping, true); /* @stopping */
    leave();
    if (atomic_load(&idle))
        atomic_store(&stopped, true); /* @stopped */
    return NULL;
}

int main(void)
{
    thread_start(stop, 0);
    thread_start(request, 0);
    threads_join();
    return 0;
}
