// SPDX-License-Identifier: MIT
// The end of a thread, by cancellation or pthread_exit(), unwinds its stack.  Who catches that and
// does not throw it again ends the program, as libc does; where it meets noexcept, C++ does, and
// finds no exception of its own.
//
// RUN    plait test
// EXPECT assertion exit=1 message~thrown
//
// RUN    -DEXITS plait test
// EXPECT assertion exit=1 message~thrown
//
// RUN    -DTERMINATED plait test
// EXPECT assertion exit=1 message~terminate
//
// RUN    -DAGAIN plait test
// EXPECT clean complete exit=0
#include <cassert>
#include <pthread.h>
#include <unistd.h>

static int caught, destroyed;

struct Counted {
    ~Counted()
    {
        destroyed++;
    }
};

#ifdef TERMINATED
static void end() noexcept
#else
static void end()
#endif
{
    Counted here;

#ifdef EXITS
    pthread_exit(nullptr);
#endif
    for (;;)
        sleep(1);
}

static void *run(void *arg)
{
    try {
        end();
    } catch (...) {
        caught++;
#ifdef AGAIN
        throw;
#endif
    }
    return arg;
}

int main()
{
    pthread_t t;
    void *result = nullptr;

    pthread_create(&t, nullptr, run, nullptr);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED && caught == 1 && destroyed == 1);
    return 0;
}
