/* SPDX-License-Identifier: MIT */
/*
 * A static variable of a function is initialised once; whoever comes later knows what that
 * did.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete
 *
 * HELGRIND race: it does not know what the compiler does at the guard
 */
#include <thread>

namespace
{
struct Table {
    int cells[4];
    Table()
    {
        for (int &cell : cells)
            cell = 1;
    }
};

int look(int i)
{
    static Table table;
    return table.cells[i];
}
} // namespace

int main()
{
    int a = 0, b = 0;
    std::thread one([&] { a = look(1); }), other([&] { b = look(2); });

    one.join();
    other.join();
    return a + b != 2;
}
