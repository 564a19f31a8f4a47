// SPDX-License-Identifier: MIT
// std::jthread joins in its destructor; stop tokens, callbacks, and a wait that a
// stop request ends.
//
// RUN    plait test -s random -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s dfs -n 200
// EXPECT clean exit=0
//
// RUN    plait test -s random -n 50 --carrier=thread
// EXPECT clean exit=0
//
// RUN    native
// EXPECT exit=0
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
    std::atomic<int> rounds(0), called(0);
    std::mutex lock;
    std::condition_variable_any never;
    bool stopped = false;

    {
        std::jthread t([&](std::stop_token token) {
            while (!token.stop_requested()) {
                rounds++;
                std::this_thread::yield();
            }
        });
        std::jthread u([&](std::stop_token token) {
            std::unique_lock<std::mutex> guard(lock);
            stopped = !never.wait(guard, token, [] { return false; });
        });
        std::stop_callback callback(t.get_stop_token(), [&] { called++; });

        assert(t.request_stop());
        assert(!t.request_stop());
        assert(called == 1);
    }
    assert(stopped);
    std::stop_source source;
    std::stop_token token = source.get_token();
    std::jthread v([&] { source.request_stop(); });
    v.join();
    assert(token.stop_requested());
}
