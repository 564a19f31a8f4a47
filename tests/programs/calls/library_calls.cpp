/* SPDX-License-Identifier: MIT */
/*
 * System calls of a library without hooks are the doing of the line that calls the library, and not
 * of one that its frames still have from earlier calls.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@both decides~@look<@make
 *
 * RUN    -O2 plait test -s dpor
 * EXPECT assertion location~@both decides~@look<@make
 */
#include <cassert>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <thread>

namespace fs = std::filesystem;

static fs::path path;
static bool made[2];

static void make(int which)
{
    if (!fs::exists(path)) {        /* @look */
        fs::create_directory(path); /* @make */
        made[which] = true;
    }
}

int main()
{
    char folder[] = "/tmp/plait-XXXXXX";

    if (mkdtemp(folder) == nullptr)
        return 0;
    path = fs::path(folder) / "new";
    {
        std::thread thread(make, 0);

        make(1);
        thread.join();
    }
    fs::remove_all(folder);
    assert(made[0] != made[1]); /* @both */
    return 0;
}
