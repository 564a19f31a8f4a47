// SPDX-License-Identifier: MIT
/*
 * What libstdc++.so keeps or changes by itself: where a stream is and how it prints, who a
 * std::thread is, what a resource has left, handlers and the default resource.  One thread's change
 * between the library's look and its store is lost.
 *
 * RUN    plait test -s dpor -- put
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- wide
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- take
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- format
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- join
 * EXPECT misuse|assertion
 *
 * RUN    plait test -s dpor -- monotonic
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- handler
 * EXPECT assertion location~@wrong
 *
 * RUN    plait test -s dpor -- resource
 * EXPECT assertion location~@wrong
 *
 * What pools would come to is not known, if two threads are in them at once.
 *
 * RUN    plait test -s dpor -- pools
 * EXPECT clean incomplete
 *
 * Under a lock all is well.
 *
 * RUN    plait test -s dpor -- pools locked
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- put locked
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- monotonic locked
 * EXPECT clean complete
 */
#include <cassert>
#include <cstring>
#include <exception>
#include <memory_resource>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex lock;
static bool locked;

template <class One, class Other> static void both(One one, Other other)
{
    auto under_lock = [](auto f) {
        std::unique_lock<std::mutex> held(lock, std::defer_lock);

        if (locked)
            held.lock();
        f();
    };
    std::thread t([&] { under_lock(one); });

    under_lock(other);
    t.join();
}

static bool put()
{
    std::ostringstream out;

    out << "a:";
    both([&] { out << 1; }, [&] { out << 2; });
    return out.str().size() == 4;
}

static bool wide()
{
    std::wostringstream out;

    out << L"a:";
    both([&] { out << 1; }, [&] { out << 2; });
    return out.str().size() == 4;
}

static bool take()
{
    std::istringstream in("1 2");
    int one = 0, other = 0;

    both([&] { in >> one; }, [&] { in >> other; });
    return one + other == 3;
}

static bool format()
{
    std::ostringstream out;

    both([&] { out << std::hex; }, [&] { out << 10; });
    return out.str() == "10";
}

static bool join()
{
    std::thread worker([] {});
    auto end = [&] {
        if (worker.joinable())
            worker.join();
    };

    both(end, end);
    return true;
}

template <class Resource> static bool allocate(Resource &r)
{
    void *one = nullptr, *other = nullptr;

    both([&] { one = r.allocate(16); }, [&] { other = r.allocate(16); });
    return one != other;
}

static bool monotonic()
{
    static char room[256];
    std::pmr::monotonic_buffer_resource r(room, sizeof(room));

    return allocate<std::pmr::memory_resource>(r);
}

static bool pools()
{
    std::pmr::unsynchronized_pool_resource r;

    return allocate(r);
}

static void first()
{
}

static void second()
{
}

static bool handler()
{
    both([] { std::set_terminate(first); }, [] { std::set_terminate(second); });
    return std::get_terminate() == first;
}

static bool resource()
{
    std::pmr::monotonic_buffer_resource r;
    std::pmr::memory_resource *seen = nullptr;

    both([&] { std::pmr::set_default_resource(&r); },
         [&] { seen = std::pmr::get_default_resource(); });
    std::pmr::set_default_resource(nullptr);
    return seen == std::pmr::new_delete_resource();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool (*check)();
    } cases[] = {{"put", put},       {"wide", wide},       {"take", take},
                 {"format", format}, {"join", join},       {"monotonic", monotonic},
                 {"pools", pools},   {"handler", handler}, {"resource", resource}};

    locked = argc > 2;
    for (const auto &c : cases) {
        if (argc < 2 || std::strcmp(argv[1], c.name) != 0)
            continue;
        bool right = c.check();

        assert(right); /* @wrong */
        return 0;
    }
    return 2;
}
