/* SPDX-License-Identifier: MIT */
/*
 * Three threads come to one initialisation.  Whoever is tried before the one that did it does it
 * himself, and keeps the others waiting: a plan in which two of them only look cannot be followed.
 *
 * FACE 0: a static local.  FACE 1: pthread_once().  FACE 2: std::call_once().
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=0 plait test -s dpor:source
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT clean complete
 */
#include <cassert>
#include <mutex>
#include <pthread.h>

static int made;

struct object {
    int value = 7;
    object()
    {
        made++;
    }
};

static pthread_once_t posix = PTHREAD_ONCE_INIT;
static std::once_flag standard;

static void make()
{
    made++;
}

static void *use(void *arg)
{
    if (FACE == 0) {
        static object one;

        assert(one.value == 7);
    } else if (FACE == 1) {
        pthread_once(&posix, make);
        assert(made == 1);
    } else {
        std::call_once(standard, make);
        assert(made == 1);
    }
    return arg;
}

int main()
{
    pthread_t t[3];

    for (pthread_t &one : t)
        pthread_create(&one, nullptr, use, nullptr);
    for (pthread_t one : t)
        pthread_join(one, nullptr);
    assert(made == 1);
}
