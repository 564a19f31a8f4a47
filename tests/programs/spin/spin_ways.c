/* SPDX-License-Identifier: MIT */
/*
 * A flag is polled: an atomic one, or -DRELAXED with relaxed loads and a fence after, a volatile
 * one, a plain one; in an empty loop or with something between.  Of a plain one with nothing but a
 * compiler barrier that keeps the load in the loop.  With -DNEVER nobody sets it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    -DPAUSE plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DPAUSE plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DPAUSE plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DPAUSE plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DPAUSE native
 * EXPECT exit=0
 *
 * RUN    -DNANOSLEEP plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DNANOSLEEP plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DNANOSLEEP plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DNANOSLEEP plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DNANOSLEEP native
 * EXPECT exit=0
 *
 * RUN    -DRELAXED plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DRELAXED plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DRELAXED plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DRELAXED plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DRELAXED native
 * EXPECT exit=0
 *
 * RUN    -DVOLATILE plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DVOLATILE plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DVOLATILE plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DVOLATILE plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DVOLATILE native
 * EXPECT exit=0
 *
 * RUN    -DVOLATILE -DUSLEEP plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DVOLATILE -DUSLEEP plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DVOLATILE -DUSLEEP plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DVOLATILE -DUSLEEP plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DVOLATILE -DUSLEEP native
 * EXPECT exit=0
 *
 * RUN    -DPLAIN -DBARRIER plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DPLAIN -DBARRIER plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DPLAIN -DBARRIER plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DPLAIN -DBARRIER plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DPLAIN -DBARRIER native
 * EXPECT exit=0
 *
 * RUN    -DPLAIN -DYIELD plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DPLAIN -DYIELD plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER -DPLAIN -DYIELD plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER -DPLAIN -DYIELD plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    -DPLAIN -DYIELD native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#if defined(VOLATILE)
static volatile int flag;
#elif defined(PLAIN)
int flag; /* not static: the compiler must not know that nobody sets it */
#else
static atomic_int flag;
#endif
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#if !defined(NEVER) && defined(RELAXED)
    atomic_store_explicit(&flag, 1, memory_order_release);
#elif !defined(NEVER)
    flag = 1;
#endif
    return arg;
}

static inline int look(void)
{
#ifdef RELAXED
    return atomic_load_explicit(&flag, memory_order_relaxed);
#else
    return flag;
#endif
}

static inline void between(void)
{
#if defined(PAUSE)
    __builtin_ia32_pause();
#elif defined(YIELD)
    sched_yield();
#elif defined(USLEEP)
    usleep(1000);
#elif defined(NANOSLEEP)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
#elif defined(BARRIER)
    __asm__ volatile("" ::: "memory");
#endif
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    while (!look())
        between();
#ifdef RELAXED
    atomic_thread_fence(memory_order_acquire);
#endif
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
