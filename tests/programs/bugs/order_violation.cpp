// SPDX-License-Identifier: MIT
// A member thread starts before the members declared after it are constructed
// and so may see a limit that has not been set.  With -DFIXED=1 the thread is the
// last member.
//
// RUN    plait test -s random -n 2000
// EXPECT assertion exit=1 message~limit location~@bug
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
// RUN    -DFIXED=1 native
// EXPECT exit=0
#include <cassert>
#include <thread>

#ifndef FIXED
#define FIXED 0
#endif

struct server {
#if FIXED
    int limit = 5;
    std::thread worker{&server::serve, this};
#else
    std::thread worker{&server::serve, this};
    int limit = 5;
#endif

    void serve()
    {
        int seen = limit;
        assert(seen == 5 && "limit is set"); // @bug
    }

    ~server()
    {
        worker.join();
    }
};

int main()
{
    static char space[sizeof(server)]; // zero, as a global would be
    server *s = new (space) server;

    s->~server();
}
