// SPDX-License-Identifier: MIT
// Static variables of functions are initialised by whoever comes first, once: in each execution
// anew, since none was at the root.  One initialiser throws at its first try.  One variable was
// initialised before the root and stays so.
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
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> made, tries;

struct Made {
    int number;
    std::string text = "a text too long to be kept inside of the string object";

    explicit Made(int fail) : number(++made)
    {
        if (fail)
            throw std::runtime_error("not yet");
    }
};

static Made &early()
{
    static Made it(0);
    return it;
}

static Made &late()
{
    static Made it(0);
    return it;
}

static Made *second_try()
{
    try {
        static Made it(tries++ == 0);
        return &it;
    } catch (const std::runtime_error &) {
        return nullptr;
    }
}

static void use()
{
    assert(early().number == 1);
    assert(late().text.size() > 40);
    second_try();
}

static void execution()
{
    std::thread t(use);

    assert(made <= 3); // @fresh
    use();
    t.join();
    assert(made == 4); // early, late, one try that failed, one that did not
    assert(second_try() != nullptr);
}

int main(int argc, char **)
{
    early();
    execution();
    if (argc > 1)
        execution();
}
