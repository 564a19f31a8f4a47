// SPDX-License-Identifier: MIT
// What the C++ library keeps for the program: the handlers for terminate() and for memory that
// is short, the locale of new streams, the default resource of polymorphic allocators.
//
// RUN    plait test -s random -n 100
// EXPECT clean executions=100 restart=rollback
//
// RUN    plait test -s random -n 100 --restart fork
// EXPECT clean restart=fork same=1
//
// RUN    plait test -s random -n 100 --restart exec
// EXPECT clean restart=exec same=1
//
// RUN    native
// EXPECT exit=0
//
// RUN    native twice
// EXPECT exit=134 location~@fresh
#include <atomic>
#include <cassert>
#include <exception>
#include <locale>
#include <memory_resource>
#include <new>
#include <sstream>
#include <thread>
#include <vector>

static std::atomic<int> turn;
static std::terminate_handler terminate_at_root;

static void own_terminate()
{
    std::abort();
}

static void own_new()
{
    throw std::bad_alloc();
}

struct Points : std::numpunct<char> {
    char do_thousands_sep() const override
    {
        return '\'';
    }
    std::string do_grouping() const override
    {
        return "\3";
    }
};

static void thread()
{
    turn++;
    turn++;
}

static void execution()
{
    static std::pmr::monotonic_buffer_resource resource;
    std::ostringstream out;

    std::thread t(thread);
    assert(std::get_terminate() == terminate_at_root); // @fresh
    assert(std::get_new_handler() == nullptr && std::locale().name() == "C");
    assert(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
    turn++;
    std::set_terminate(own_terminate);
    std::set_new_handler(own_new);
    std::locale::global(std::locale(std::locale(), new Points));
    std::pmr::set_default_resource(&resource);
    turn++;
    out.imbue(std::locale());
    out << 1234567;
    assert(out.str() == "1'234'567");
    assert((std::pmr::vector<int>{1, 2, 3}.get_allocator().resource() == &resource));
    t.join();
    assert(turn == 4);
}

int main(int argc, char **)
{
    terminate_at_root = std::get_terminate();
    execution();
    if (argc > 1)
        execution();
}
