/* SPDX-License-Identifier: MIT */
#include "engine/findings/suppress.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct pl_suppressions all;
static struct pl_err err;
static char path[] = "/tmp/plait-suppress-XXXXXX";

static int read_text(const char *text)
{
    FILE *f = fopen(path, "w");

    pl_suppress_free(&all);
    fputs(text, f);
    fclose(f);
    return pl_suppress_read(&all, path, &err);
}

static const struct pl_suppress_place places[] = {
    {"Queue<int>::push(int)", "src/queue.hpp", 12, "libqueue.so.1"},
    {"main", "main.cpp", 7, "prog"},
    {"", "", 0, "queues[1].lock"},
};

static bool matches(const char *line)
{
    if (read_text(line) != 0 || all.n != 1)
        return false;
    return pl_suppress_matches(&all.list[0], PL_FINDING_DEADLOCK, places, 3);
}

static void any_place_will_do(void)
{
    CHECK(matches("deadlock:main"));
    CHECK(matches("*:main"));
    CHECK(matches("deadlock:Queue<int>::push*"));
    CHECK(matches("deadlock:*push(int)"));
    CHECK(matches("deadlock:queue.hpp"));
    CHECK(matches("deadlock:src/queue.hpp:12"));
    CHECK(matches("deadlock:queue.hpp:12"));
    CHECK(matches("deadlock:*/queue.h*"));
    CHECK(matches("deadlock:libqueue.so*"));
    CHECK(matches("deadlock:prog"));
    CHECK(matches("deadlock:queues[1].lock"));
    CHECK(matches("deadlock:queues*.lock"));
}

static void names_match_as_a_whole(void)
{
    CHECK(!matches("crash:main"));
    CHECK(!matches("deadlock:mai"));
    CHECK(!matches("deadlock:queue.hpp:1"));
    CHECK(!matches("deadlock:rc/queue.hpp"));
    CHECK(!matches("deadlock:libqueue"));
    CHECK(!matches("deadlock:?"));
}

static void fields_match_at_one_place(void)
{
    CHECK(matches("deadlock function=main"));
    CHECK(matches("deadlock function=main file=main.cpp object=prog"));
    CHECK(matches("* file=queue.hpp object=libqueue.so.?"));
    CHECK(matches("deadlock function=\"Queue<int>::push(int)\"\tfile=src/*"));
    CHECK(!matches("deadlock function=main file=queue.hpp"));
    CHECK(!matches("deadlock function=prog"));
    CHECK(!matches("deadlock object=main"));
}

static void findings_without_a_place_match_a_star_only(void)
{
    CHECK(read_text("exit:*\nexit:main\n*:*\nexit function=*\n") == 0 && all.n == 4);
    CHECK(pl_suppress_matches(&all.list[0], PL_FINDING_EXIT, NULL, 0));
    CHECK(!pl_suppress_matches(&all.list[1], PL_FINDING_EXIT, NULL, 0));
    CHECK(pl_suppress_matches(&all.list[2], PL_FINDING_EXIT, NULL, 0));
    CHECK(!pl_suppress_matches(&all.list[3], PL_FINDING_EXIT, NULL, 0));
}

static void lines_are_numbered_and_comments_left_out(void)
{
    CHECK(read_text("# one\n\n  \t\nrace:x\r\n\tmisuse:y") == 0);
    CHECK(all.n == 2);
    CHECK(all.list[0].line == 4 && all.list[1].line == 5);
    CHECK_STR(all.list[0].text, "race:x");
    CHECK_STR(all.list[1].text, "misuse:y");
}

static void nonsense_is_refused_with_its_line(void)
{
    static const char *const lines[] = {"x",
                                        ":x",
                                        "none:x",
                                        "race",
                                        "race:",
                                        "race ",
                                        "race x",
                                        "race function",
                                        "race file=",
                                        "race file=\"",
                                        "race function=a b",
                                        "**:x"};
    char where[64];

    for (unsigned i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char text[128];

        snprintf(text, sizeof(text), "race:fine\n%s\n", lines[i]);
        CHECK(read_text(text) == -1 && err.class == PL_ERR_USER);
        snprintf(where, sizeof(where), "%s:2: ", path);
        CHECK(strncmp(err.text, where, strlen(where)) == 0);
    }
}

int main(void)
{
    int fd = mkstemp(path);

    CHECK(fd >= 0);
    close(fd);
    any_place_will_do();
    names_match_as_a_whole();
    fields_match_at_one_place();
    findings_without_a_place_match_a_star_only();
    lines_are_numbered_and_comments_left_out();
    nonsense_is_refused_with_its_line();
    pl_suppress_free(&all);
    unlink(path);
    return unit_result();
}
