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
    CHECK(pl_folder_is_ours("finding-001-exit.stdout") &&
          !pl_folder_is_ours("finding-001-exit.txt"));
    CHECK(pl_folder_number("001") == 1 && pl_folder_number("1234") == 1234);
    CHECK(pl_folder_number("12") == 0 && pl_folder_number("001x") == 0);
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

static void nothing_is_removed_by_a_start(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", home[200], path[300], command[260];
    struct pl_folder first, second, third;
    struct pl_err err;

    CHECK(mkdtemp(base) != NULL);
    snprintf(home, sizeof(home), "%s/a/b/", base);
    CHECK(pl_folder_begin(&first, home, false, "about\n", &err) == 0);
    touch(first.path, "finding-001-crash.plait");
    touch(first.path, "notes.txt");
    CHECK(pl_folder_begin(&second, home, false, "about\n", &err) == 0); /* at the same time */
    CHECK(strcmp(first.path, second.path) != 0);
    CHECK(exists(first.path, "finding-001-crash.plait"));
    pl_folder_publish(&first);
    CHECK(exists(home, "latest/finding-001-crash.plait"));
    pl_folder_end(&second); /* it came to nothing, and leaves nothing */
    CHECK(access(second.path, F_OK) != 0);

    /* One that is under way is not removed; the other is, but for what is the user's. */
    CHECK(pl_folder_begin(&third, home, false, "about\n", &err) == 0);
    touch(third.path, "finding-001-crash.plait");
    pl_folder_publish(&third);
    CHECK(pl_folder_clean(base, 0, false).campaigns == 0);
    pl_folder_end(&first);
    struct pl_folder_removed removed = pl_folder_clean(base, 0, false);

    CHECK(removed.campaigns == 1 && removed.findings == 1);
    CHECK(!exists(first.path, "finding-001-crash.plait") && exists(first.path, "notes.txt"));
    CHECK(exists(home, "latest/finding-001-crash.plait"));
    pl_folder_end(&third);
    CHECK(pl_folder_clean(base, 1, false).campaigns == 0);
    CHECK(pl_folder_clean(base, 0, false).campaigns == 1);
    CHECK(!exists(home, "latest"));

    snprintf(path, sizeof(path), "%.200s/notes.txt", first.path);
    CHECK(pl_folder_make(path, &err) == -1);
    CHECK(pl_folder_make("", &err) == -1);
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

/* Who names a folder finds the first campaign in it, and later ones below. */
static void a_named_folder_is_a_campaigns(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", home[200], command[260];
    struct pl_folder first, second, third;
    struct pl_err err;

    CHECK(mkdtemp(base) != NULL);
    snprintf(home, sizeof(home), "%s/out", base);
    CHECK(pl_folder_begin(&first, home, true, "about\n", &err) == 0);
    CHECK(strcmp(first.path, home) == 0);
    pl_folder_end(&first); /* it came to nothing: the folder stays, without a mark */
    CHECK(access(home, F_OK) == 0 && !exists(home, "campaign"));
    CHECK(pl_folder_begin(&first, home, true, "about\n", &err) == 0);
    CHECK(strcmp(first.path, home) == 0);
    CHECK(pl_folder_begin(&second, home, true, "about\n", &err) == 0); /* at the same time */
    CHECK(strcmp(second.path + strlen(home), "/002") == 0);
    touch(first.path, "finding-001-crash.plait");
    touch(second.path, "finding-001-crash.plait");
    touch(home, "notes.txt");
    pl_folder_publish(&first);
    CHECK(exists(home, "latest/notes.txt"));
    pl_folder_publish(&second);
    CHECK(!exists(home, "latest/notes.txt"));
    CHECK(exists(home, "latest/finding-001-crash.plait"));
    pl_folder_end(&first);
    pl_folder_end(&second);
    CHECK(pl_folder_begin(&third, home, true, "about\n", &err) == 0);
    CHECK(strcmp(third.path + strlen(home), "/003") == 0);
    pl_folder_end(&third);
    CHECK(exists(home, "finding-001-crash.plait"));
    CHECK(pl_folder_clean(base, 1, false).campaigns == 1); /* the oldest */
    CHECK(!exists(home, "finding-001-crash.plait") && exists(home, "notes.txt"));
    CHECK(pl_folder_clean(base, 0, false).findings == 1);
    CHECK(!exists(home, "latest"));
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

/* What leads elsewhere is neither listed nor removed, nor is what has no mark. */
static bool count(void *context, const char *path)
{
    (*(int *)context)++;
    return true;
}

static void links_are_not_followed(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", command[900];
    int n = 0;

    CHECK(mkdtemp(base) != NULL);
    snprintf(
        command, sizeof(command),
        "cd %s && mkdir -p home away/001 plain/001 && echo campaign of plait >away/001/campaign && "
        "touch away/001/finding-001-crash.plait plain/001/finding-001-crash.plait && "
        "ln -s ../away home/away && ln -s ../away/001 home/001 && "
        "echo home of results of plait >home/program",
        base);
    CHECK(system(command) == 0);
    snprintf(command, sizeof(command), "%s/home", base);
    CHECK(pl_folder_clean(command, 0, true).campaigns == 0);
    pl_folder_each_finding(command, count, &n);
    CHECK(n == 0);
    snprintf(command, sizeof(command), "%s/plain", base);
    CHECK(pl_folder_clean(command, 0, true).campaigns == 0);
    pl_folder_each_finding(command, count, &n);
    CHECK(n == 1);
    CHECK(exists(base, "away/001/finding-001-crash.plait"));
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

/* Files of the user that are called like ours. */
static void what_others_wrote_stays(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", command[400];

    CHECK(mkdtemp(base) != NULL);
    snprintf(command, sizeof(command),
             "cd %s && mkdir 001 mine && touch program mine/result.json 001/result.json && "
             "echo of my own >mine/campaign && echo campaign >001/campaign && touch coverage.json",
             base);
    CHECK(system(command) == 0);
    CHECK(pl_folder_clean(base, 0, true).campaigns == 0);
    CHECK(exists(base, "program") && exists(base, "mine/result.json"));
    CHECK(exists(base, "mine/campaign") && exists(base, "001/campaign"));
    CHECK(exists(base, "001/result.json") && exists(base, "coverage.json"));
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

/* A campaign that came to nothing leaves a folder with files of others as it was. */
static void nothing_leaves_no_mark(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", command[260];
    struct pl_folder folder;
    struct pl_err err;

    CHECK(mkdtemp(base) != NULL);
    touch(base, "notes.txt");
    touch(base, "coverage.json");
    for (unsigned i = 0; i < 2; i++) {
        CHECK(pl_folder_begin(&folder, base, true, "about\n", &err) == 0);
        CHECK_STR(folder.path, base);
        pl_folder_end(&folder);
        CHECK(!exists(base, "campaign") && exists(base, "notes.txt"));
    }
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

static void a_home_belongs_to_one_program(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", here[PATH_MAX], home[PATH_MAX], command[260];
    struct pl_err err;

    CHECK(mkdtemp(base) != NULL && getcwd(here, sizeof(here)) != NULL && chdir(base) == 0);
    CHECK(system("mkdir one two && touch one/prog two/prog prog") == 0);
    CHECK(pl_folder_home(home, "./one/prog", &err) == 0);
    CHECK_STR(home, ".plait/prog");
    CHECK(pl_folder_home(home, "two/prog", &err) == 0);
    CHECK_STR(home, ".plait/prog-2");
    CHECK(pl_folder_home(home, "one/../one/prog", &err) == 0);
    CHECK_STR(home, ".plait/prog");
    CHECK(system("ln -s /tmp .plait/prog-3") == 0); /* which leads elsewhere */
    CHECK(pl_folder_home(home, "./prog", &err) == 0);
    CHECK_STR(home, ".plait/prog-4");
    CHECK(pl_folder_home(home, "./none", &err) == -1);
    /* A suite is nobody's program, wherever it is. */
    CHECK(system("touch suite elsewhere && mkdir .plait/elsewhere") == 0);
    CHECK(pl_folder_suite(home, &err) == 0);
    CHECK_STR(home, ".plait/suite");
    CHECK(pl_folder_home(home, "./suite", &err) == 0);
    CHECK_STR(home, ".plait/suite-2");
    CHECK(pl_folder_suite(home, &err) == 0);
    CHECK_STR(home, ".plait/suite");
    pl_folder_reserve(".plait/elsewhere");
    CHECK(pl_folder_home(home, "./elsewhere", &err) == 0);
    CHECK_STR(home, ".plait/elsewhere-2");
    CHECK(system("rm -r .plait && ln -s /tmp .plait") == 0);
    CHECK(pl_folder_home(home, "./prog", &err) == -1);
    CHECK(chdir(here) == 0);
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
    nothing_is_removed_by_a_start();
    a_named_folder_is_a_campaigns();
    links_are_not_followed();
    what_others_wrote_stays();
    nothing_leaves_no_mark();
    a_home_belongs_to_one_program();
    names_are_the_same_every_time();
    return unit_result();
}
