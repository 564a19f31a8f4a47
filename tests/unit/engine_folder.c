/* SPDX-License-Identifier: MIT */
/* The results folder: what is made, what is removed, what is left alone. */
#include "engine/shared/folder.h"
#include "unit.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void only_our_files_are_ours(void)
{
    CHECK(pl_folder_is_ours("finding-001-deadlock.plait"));
    CHECK(pl_folder_is_ours("finding-1234-use-after-free.plait"));
    CHECK(pl_folder_is_ours("passing-001-deadlock.plait"));
    CHECK(pl_folder_is_ours("first-001-race.plait"));
    CHECK(pl_folder_is_ours("second-001-race.plait"));
    CHECK(!pl_folder_is_ours("third-001-race.plait"));
    CHECK(!pl_folder_is_ours("passing-001-fine.plait"));
    CHECK(!pl_folder_is_ours("passing.plait"));
    CHECK(pl_folder_is_ours(".plait-123-0.tmp"));
    CHECK(!pl_folder_is_ours("finding-001-deadlock.plait.bak"));
    CHECK(pl_folder_is_ours("0123456789abcdef.inputs"));
    CHECK(!pl_folder_is_ours("0123456789abcde.inputs") && !pl_folder_is_ours("mine.inputs"));
    CHECK(!pl_folder_is_ours("finding-1-deadlock.plait"));
    CHECK(!pl_folder_is_ours("finding-001-mine.plait"));
    CHECK(!pl_folder_is_ours("my-finding-001-deadlock.plait"));
    CHECK(!pl_folder_is_ours(".plait-x.tmp"));
    CHECK(!pl_folder_is_ours("."));
}

static void touch(const char *folder, const char *name)
{
    char path[400];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *f = fopen(path, "w");

    CHECK(f != NULL);
    if (f != NULL)
        fclose(f);
}

static int exists(const char *folder, const char *name)
{
    char path[400];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void the_folder_is_made_and_cleaned(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", deep[200], command[260];
    struct pl_err err;

    CHECK(mkdtemp(base) != NULL);
    snprintf(deep, sizeof(deep), "%s/a/b/", base);
    CHECK(pl_folder_prepare(deep, &err) == 0);
    touch(deep, "finding-001-crash.plait");
    touch(deep, "notes.txt");
    CHECK(pl_folder_prepare(deep, &err) == 0);
    CHECK(!exists(deep, "finding-001-crash.plait"));
    CHECK(exists(deep, "notes.txt"));
    snprintf(deep, sizeof(deep), "%s/a/b/notes.txt", base);
    CHECK(pl_folder_prepare(deep, &err) == -1);
    CHECK(pl_folder_prepare("", &err) == -1);
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

static void names_are_the_same_every_time(void)
{
    char name[100];

    pl_folder_schedule("out//", 7, "deadlock", name, sizeof(name));
    CHECK_STR(name, "out/finding-007-deadlock.plait");
    pl_folder_order("out", 7, "race", 1, name, sizeof(name));
    CHECK_STR(name, "out/second-007-race.plait");
}

int main(void)
{
    only_our_files_are_ours();
    the_folder_is_made_and_cleaned();
    names_are_the_same_every_time();
    return unit_result();
}
