/* SPDX-License-Identifier: MIT */
/*
 * std::call_once, and an initialisation that fails the first time.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it does not know what pthread_once() orders
 */
#include <mutex>
#include <thread>

namespace
{
std::once_flag once;
int data;
bool failed;
} // namespace

int main()
{
    auto work = [] {
        try {
            std::call_once(once, [] {
                data++;
                if (!failed) {
                    failed = true;
                    throw 1;
                }
            });
        } catch (int) {
        }
    };
    std::thread one(work), other(work);

    one.join();
    other.join();
    return data != 2;
}
