// SPDX-License-Identifier: MIT
// A lazily made singleton whose pointer is published before the object is
// filled.  With -DFIXED=1 the pointer is published last; with -DFIXED=2 a
// function-local static does it all.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 location~@bug
//
// RUN    plait test -s dfs
// EXPECT assertion exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=2 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

struct settings {
    int verbosity = 0;

    void load()
    {
        verbosity = 3;
    }
};

static std::mutex lock;
static std::atomic<settings *> instance;

static settings &get()
{
    if (FIXED == 2) {
        static settings the = [] {
            settings s;
            s.load();
            return s;
        }();
        return the;
    }
    if (!instance) {
        std::lock_guard<std::mutex> guard(lock);
        if (!instance) {
            auto *made = new settings;
            if (FIXED)
                made->load();
            instance = made;
            if (!FIXED)
                made->load();
        }
    }
    return *instance;
}

static void use()
{
    int seen = get().verbosity;
    assert(seen == 3); // @bug
}

int main()
{
    std::thread t(use);

    use();
    t.join();
    delete instance.load();
}
