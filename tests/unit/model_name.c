/* SPDX-License-Identifier: MIT */
/* Names of threads: one path, one name, and no path but a well-formed one has one. */
#include "unit.h"

#include "model/name.h"

#include <stdlib.h>

static void a_path_is_folded_step_by_step(void)
{
    CHECK(pl_name_parse("0") == PL_NAME_MAIN);
    CHECK(pl_name_parse("0.1") == pl_name_child(PL_NAME_MAIN, 1));
    CHECK(pl_name_parse("0.2.1") == pl_name_child(pl_name_child(PL_NAME_MAIN, 2), 1));
    CHECK(pl_name_parse("0.4000") == pl_name_child(PL_NAME_MAIN, 4000));
}

static void what_is_no_path_has_no_name(void)
{
    static const char *const bad[] = {"",    "1",    "00",   "0.",           "0.0", "0..1",
                                      ".0",  "0.1.", "0.-1", "0.1 ",         "-",   "0,1",
                                      "0.x", " 0",   "0.1x", "0.99999999999"};

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK(pl_name_parse(bad[i]) == 0);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void different_paths_have_different_names(void)
{
    enum { CHILDREN = 300, ALL = 1 + CHILDREN + CHILDREN * CHILDREN };
    uint64_t *names = malloc(ALL * sizeof(*names));
    size_t n = 0;

    names[n++] = PL_NAME_MAIN;
    for (uint32_t i = 1; i <= CHILDREN; i++) {
        uint64_t child = pl_name_child(PL_NAME_MAIN, i);

        names[n++] = child;
        for (uint32_t j = 1; j <= CHILDREN; j++)
            names[n++] = pl_name_child(child, j);
    }
    CHECK(n == ALL);
    qsort(names, n, sizeof(*names), compare);
    CHECK(names[0] != 0);
    for (size_t i = 1; i < n; i++)
        CHECK(names[i] != names[i - 1]);
    free(names);
}

int main(void)
{
    a_path_is_folded_step_by_step();
    what_is_no_path_has_no_name();
    different_paths_have_different_names();
    return unit_result();
}
