/* SPDX-License-Identifier: MIT */
#include "engine/shared/glob.h"

#include "unit.h"

static void names_fit_as_a_whole(void)
{
    CHECK(pl_glob_fits("main", "main"));
    CHECK(pl_glob_fits("m*", "main"));
    CHECK(pl_glob_fits("ma[hi]n", "main"));
    CHECK(!pl_glob_fits("mai", "main"));
    CHECK(!pl_glob_fits("ain", "main"));
    CHECK(!pl_glob_fits("", ""));
    CHECK(!pl_glob_fits("*", ""));
    CHECK(pl_glob_fits("a[0].b", "a[0].b"));
    CHECK(!pl_glob_fits("a[0].b", "a[1].b"));
}

static void files_fit_with_some_of_their_folders(void)
{
    CHECK(pl_glob_fits_file("/code/x/src/a.c", "/code/x/src/a.c", 7));
    CHECK(pl_glob_fits_file("src/a.c", "/code/x/src/a.c", 7));
    CHECK(pl_glob_fits_file("a.c", "/code/x/src/a.c", 7));
    CHECK(pl_glob_fits_file("*/x/*", "/code/x/src/a.c", 7));
    CHECK(!pl_glob_fits_file("rc/a.c", "/code/x/src/a.c", 7));
    CHECK(!pl_glob_fits_file("src", "/code/x/src/a.c", 7));
    CHECK(!pl_glob_fits_file("*", "", 7));
}

static void files_fit_with_their_line(void)
{
    CHECK(pl_glob_fits_file("a.c:7", "src/a.c", 7));
    CHECK(pl_glob_fits_file("src/a.c:7", "src/a.c", 7));
    CHECK(!pl_glob_fits_file("a.c:7", "src/a.c", 70));
    CHECK(!pl_glob_fits_file("a.c:0", "src/a.c", 0));
}

static void functions_fit_without_parameters_and_suffixes(void)
{
    CHECK(pl_glob_fits_function("Queue::push", "Queue::push(int)"));
    CHECK(pl_glob_fits_function("Queue::push(int)", "Queue::push(int)"));
    CHECK(pl_glob_fits_function("Less::operator()", "Less::operator()(int, int) const"));
    CHECK(!pl_glob_fits_function("push", "Queue::push(int)"));
    CHECK(pl_glob_fits_function("work", "work.part.0"));
    CHECK(!pl_glob_fits_function("wor", "work.part.0"));
    CHECK(!pl_glob_fits_function("", ".text"));
}

int main(void)
{
    names_fit_as_a_whole();
    files_fit_with_some_of_their_folders();
    files_fit_with_their_line();
    functions_fit_without_parameters_and_suffixes();
    return unit_result();
}
