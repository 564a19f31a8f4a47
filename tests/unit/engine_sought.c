/* SPDX-License-Identifier: MIT */
/* Orders as users write them, and the places that they mean. */
#include "engine/worker/sought.h"

#include "unit.h"

static struct pl_sought_side sides[2];
static struct pl_err err;

static bool reads(const char *text, const char *first, unsigned line, const char *second,
                  unsigned other)
{
    return pl_sought_parse(sides, text, &err) == 0 && strcmp(sides[0].name, first) == 0 &&
           sides[0].line == line && strcmp(sides[1].name, second) == 0 && sides[1].line == other;
}

static void lines_and_functions_are_told_apart(void)
{
    CHECK(reads("a.c:10<b.c:20", "a.c", 10, "b.c", 20));
    CHECK(reads(" src/a.c:1 <b.c:2\t", "src/a.c", 1, "b.c", 2));
    CHECK(reads("push<pop", "push", 0, "pop", 0));
    CHECK(reads("ns::push<a.c:3", "ns::push", 0, "a.c", 3));
    CHECK(reads("::push<pop", "::push", 0, "pop", 0));
}

static void a_template_needs_a_blank(void)
{
    CHECK(reads("Q<int>::push < Q<int>::pop", "Q<int>::push", 0, "Q<int>::pop", 0));
    CHECK(reads("a.c:10<Q<int>::pop", "a.c", 10, "Q<int>::pop", 0));
    CHECK(pl_sought_parse(sides, "Q<int>::push<pop", &err) != 0);
    CHECK(strstr(err.text, "more than one <") != NULL);
}

static void what_makes_no_sense_is_refused(void)
{
    static const char *const bad[] = {"",
                                      "a.c:10",
                                      "<",
                                      "<a",
                                      "a<",
                                      "a.c:<b",
                                      "a.c:0<b",
                                      "a.c:10x<b",
                                      "a.c:-1<b",
                                      "a<b\nc<d",
                                      "a.c:99999999999<b"};
    char lengthy[300];

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK(pl_sought_parse(sides, bad[i], &err) != 0);
    memset(lengthy, 'x', sizeof(lengthy));
    lengthy[100] = '<';
    lengthy[sizeof(lengthy) - 1] = '\0';
    CHECK(pl_sought_parse(sides, lengthy, &err) != 0);
    CHECK(strstr(err.text, "too long") != NULL);
}

static bool fits(const char *name, unsigned line, const char *file, unsigned at,
                 const char *function)
{
    struct pl_sought_side side = {.line = line};
    struct pl_symbols_code code = {.file = file, .line = at, .function = function};

    snprintf(side.name, sizeof(side.name), "%s", name);
    return pl_sought_fits(&side, &code);
}

static void places_fit(void)
{
    CHECK(fits("a.c", 10, "src/a.c", 10, "f"));
    CHECK(fits("/code/src/a.c", 10, "src/a.c", 10, "f"));
    CHECK(fits("src/*.c", 10, "src/a.c", 10, "f"));
    CHECK(!fits("a.c", 10, "src/a.c", 11, "f"));
    CHECK(!fits("b/a.c", 10, "src/a.c", 10, "f"));
    CHECK(!fits("a.c", 10, "data.c", 10, "f"));
    CHECK(!fits("/data.c", 10, "a.c", 10, "f"));
    CHECK(!fits("a.c", 10, "", 0, "f"));
    CHECK(fits("push", 0, "a.cc", 3, "push"));
    CHECK(fits("push", 0, "a.cc", 3, "Queue<int>::push(int)"));
    CHECK(fits("Queue<int>::push", 0, "a.cc", 3, "Queue<int>::push(int)"));
    CHECK(fits("Queue<*>::push", 0, "a.cc", 3, "Queue<long>::push(int)"));
    CHECK(!fits("Queue<int>::push", 0, "a.cc", 3, "Queue<long>::push(int)"));
    CHECK(!fits("push", 0, "a.cc", 3, "Queue<int>::push_front(int)"));
    CHECK(!fits("push", 0, "a.cc", 3, ""));
}

static void all_lines_become_orders(void)
{
    static struct pl_sought sought;
    struct pl_sought_names names;

    pl_sought_open(&names, "a.c:1<b.c:2\npush<pop", &sought);
    CHECK(names.n == 2 && sought.n == 2);
    CHECK_STR(sought.orders[0].text, "a.c:1<b.c:2");
    CHECK_STR(sought.orders[1].text, "push<pop");
    CHECK(sought.orders[0].signature != sought.orders[1].signature);
    pl_sought_close(&names);
    pl_sought_open(&names, "", &sought);
    CHECK(names.n == 0 && sought.n == 0);
    pl_sought_close(&names);
}

int main(void)
{
    lines_and_functions_are_told_apart();
    a_template_needs_a_blank();
    what_makes_no_sense_is_refused();
    places_fit();
    all_lines_become_orders();
    return unit_result();
}
