/* SPDX-License-Identifier: MIT */
/*
 * Strings, trees, lists and hash tables of libstdc++, whose nodes are linked by the library: some are a thread's own, others
 * lead from one thread to the other.
 */
#include <list>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>

struct Entry {
    int value = 0;
    std::string name;
};

static std::map<int, Entry *> tree;
static std::list<Entry *> row;
static std::unordered_map<int, Entry *> table;
static std::string texts[2];

static void walk(int by)
{
    std::map<int, std::string> own;

    for (auto &at : tree)
        at.second->value += by;
    for (Entry *at : row)
        at->value += by;
    for (auto &at : table)
        at.second->value += by;
    own[by] = "its own";
    own[by + 1].append(own[by]).swap(own[by + 2]);
    own.erase(by);
}

int main()
{
    Entry entries[3];
    std::list<Entry *> more;

    entries[0].name.assign("longer than the room that a string has").push_back('!');
    for (int i = 0; i < 3; i++)
        tree[i] = &entries[i];
    more.push_back(&entries[0]);
    row.splice(row.end(), more);
    table[7] = &entries[1];
    texts[1] = entries[0].name.substr(3, 20);
    texts[0].swap(texts[1]);
    const char *shared = texts[0].c_str();
    std::thread other([shared] { walk(shared[0] == 'l' ? 1 : 2); });

    walk(3);
    texts[0][0] = 'm';
    other.join();
    return entries[0].value == 99;
}
