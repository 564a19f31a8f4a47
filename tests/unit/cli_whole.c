/* SPDX-License-Identifier: MIT */
/* plait cc --whole: what clang would do, read from what it prints, and done in three steps. */
#include "unit.h"

#include "cli/whole.h"

static struct pl_words job_of(const char *line)
{
    struct pl_words job = {0};

    pl_whole_read_job(&job, line);
    return job;
}

static const char *joined(const struct pl_words *words)
{
    static char text[1024];

    text[0] = '\0';
    for (int i = 0; i < words->n; i++) {
        strcat(text, i > 0 ? " " : "");
        strcat(text, words->at[i]);
    }
    return text;
}

static void lines_with_commands_are_told_from_others(void)
{
    struct pl_words job = job_of(" \"/usr/bin/ld\" \"-o\" \"a b\\\"c\\\\d\" \"\"");

    CHECK(job.n == 4);
    CHECK_STR(job.at[2], "a b\"c\\d");
    CHECK_STR(job.at[3], "");
    CHECK(job_of("Debian clang version 14.0.6").n == 0);
    CHECK(job_of(" (in-process)").n == 0);
    pl_words_free(&job);
}

static void what_makes_an_object_from_source_is_split(void)
{
    struct pl_words job = job_of(
        " \"clang\" \"-cc1\" \"-emit-obj\" \"-O2\" \"-fsanitize=thread\" \"-dependency-file\" "
        "\"a.d\" \"-MT\" \"a.o\" \"-sys-header-deps\" \"-o\" \"a.o\" \"-x\" \"c\" \"a.c\"");
    struct pl_words first = {0}, second = {0};

    CHECK(pl_whole_is_compile(&job));
    pl_whole_first(&job, "1.bc", &first);
    CHECK_STR(joined(&first), "clang -cc1 -emit-llvm-bc -O2 -fsanitize=thread -dependency-file a.d "
                              "-MT a.o -sys-header-deps -o 1.bc -x c a.c");
    pl_whole_second(&job, "2.bc", &second);
    CHECK_STR(joined(&second), "clang -cc1 -emit-obj -O2 -o a.o -disable-llvm-passes -mllvm "
                               "-enable-tail-merge=false -x ir 2.bc");
    pl_words_free(&job);
    pl_words_free(&first);
    pl_words_free(&second);
}

static void everything_else_is_run_as_it_is(void)
{
    static const char *const others[] = {
        " \"/usr/bin/ld\" \"-o\" \"a\" \"a.o\"",
        " \"clang\" \"-cc1\" \"-S\" \"-o\" \"a.s\" \"-x\" \"c\" \"a.c\"",
        " \"clang\" \"-cc1\" \"-emit-llvm-bc\" \"-o\" \"a.bc\" \"-x\" \"c\" \"a.c\"",
        " \"clang\" \"-cc1as\" \"-o\" \"a.o\" \"a.s\"",
        " \"clang\" \"-cc1\" \"-emit-obj\" \"-o\" \"a.o\" \"-x\" \"ir\" \"a.bc\"",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct pl_words job = job_of(others[i]);

        CHECK(job.n > 0 && !pl_whole_is_compile(&job));
        pl_words_free(&job);
    }
}

int main(void)
{
    lines_with_commands_are_told_from_others();
    what_makes_an_object_from_source_is_split();
    everything_else_is_run_as_it_is();
    return unit_result();
}
