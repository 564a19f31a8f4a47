// SPDX-License-Identifier: MIT
// A thread is handed a plain pointer to an object that its creator deletes.
// With -DFIXED=1 both share it.
//
// RUN    plait test -s random -n 2000
// EXPECT use-after-free exit=1 location~@bug
//
// RUN    plait test -s dfs
// EXPECT use-after-free exit=1
//
// RUN    -DFIXED=1 plait test -s random -n 2000
// EXPECT clean exit=0
//
// RUN    -DFIXED=1 plait test -s dfs
// EXPECT clean complete exit=0
//
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <memory>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

struct job {
    volatile int progress = 0;
};

int main()
{
    auto shared = std::make_shared<job>();
    std::thread t;

    if (FIXED) {
        t = std::thread([shared] { shared->progress = 100; });
    } else {
        job *plain = shared.get();
        t = std::thread([plain] {
            plain->progress = 100; // @bug
        });
    }
    shared.reset();
    t.join();
}
