/* SPDX-License-Identifier: MIT */
/* Sets of what has been covered: merging, files, sums. */
#include "trace/covered.h"

#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-covered-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][200];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static char *text_of(const char *name)
{
    FILE *from = fopen(path_of(name), "re");
    char *text = calloc(1, 1 << 20);

    if (from == NULL || fread(text, 1, (1 << 20) - 1, from) == 0)
        text[0] = '\0';
    if (from != NULL)
        fclose(from);
    return text;
}

static void put(const char *name, const char *text)
{
    FILE *to = fopen(path_of(name), "we");

    fputs(text, to);
    fclose(to);
}

static uint32_t function(struct pl_covered *c, const char *name)
{
    uint32_t i = pl_covered_function(c, "prog", name, "prog.c");

    c->functions[i].executed = true;
    return i;
}

static uint32_t statement(struct pl_covered *c, uint32_t f, const char *place, const char *what)
{
    return pl_covered_statement(c, &(struct pl_covered_statement){.function = f,
                                                                  .place = (char *)place,
                                                                  .operation = (char *)what,
                                                                  .caller = (char *)"",
                                                                  .build = (char *)"ab",
                                                                  .pc = 4});
}

static struct pl_covered_first at(uint32_t campaign, uint64_t execution)
{
    return (struct pl_covered_first){campaign, execution};
}

/* One campaign, in which functions a and b interrupt each other; `names` may reverse the order. */
static void fill(struct pl_covered *c, const char *id, uint64_t started, uint64_t executions,
                 bool reverse, uint64_t first)
{
    uint32_t k = pl_covered_campaign(c, id, started);
    uint32_t x = function(c, reverse ? "b" : "a"), y = function(c, reverse ? "a" : "b");
    uint32_t a = reverse ? y : x, b = reverse ? x : y;
    uint32_t t = pl_covered_thread(c, 1), u = pl_covered_thread(c, 2);

    c->campaigns[k].executions = executions;
    pl_covered_interrupted(c, a, at(k, first));
    pl_covered_switch(c, a, b, at(k, first));
    pl_covered_pair(c, statement(c, a, "prog.c:3:1", "write"),
                    statement(c, b, "prog.c:9:1", "read"), at(k, first + 1));
    pl_covered_predecessor(c, statement(c, b, "prog.c:9:1", "read"),
                           statement(c, a, "prog.c:3:1", "write"), at(k, first + 1));
    pl_covered_tried(c, statement(c, b, "prog.c:9:1", "read"),
                     statement(c, b, "prog.c:9:1", "read"), at(k, first + 2));
    pl_covered_concurrent(c, statement(c, a, "prog.c:3:1", "write"),
                          statement(c, b, "prog.c:9:1", "read"), at(k, first + 1));
    pl_covered_read_from(c, statement(c, a, "prog.c:3:1", "write"),
                         statement(c, b, "prog.c:9:1", "read"), at(k, first + 2));
    pl_covered_read_first(c, statement(c, b, "prog.c:9:1", "read"),
                          statement(c, b, "prog.c:9:1", "read"), at(k, first));
    pl_covered_failing(c, statement(c, a, "prog.c:3:1", "write"),
                       statement(c, b, "prog.c:9:1", "read"), at(k, first + 2));
    pl_covered_ran(c, t, a);
    pl_covered_ran(c, u, b);
    pl_covered_together(c, t, u);
    pl_covered_together(c, u, t);
}

static void merging_is_commutative_and_idempotent(void)
{
    struct pl_covered x = {0}, y = {0}, xy = {0}, yx = {0};
    struct pl_err err;

    fill(&x, "one", 100, 10, false, 5);
    fill(&y, "two", 200, 20, true, 3);
    pl_covered_whole(&y, function(&y, "c"), at(0, 20));
    pl_covered_merge(&xy, &x);
    pl_covered_merge(&xy, &y);
    pl_covered_merge(&yx, &y);
    pl_covered_merge(&yx, &x);
    pl_covered_merge(&yx, &x);
    pl_covered_merge(&yx, &y);
    CHECK(pl_covered_write(&xy, path_of("xy"), &err) == 0);
    CHECK(pl_covered_write(&yx, path_of("yx"), &err) == 0);
    char *a = text_of("xy"), *b = text_of("yx");

    CHECK(a[0] == '{');
    CHECK_STR(a, b);
    struct pl_covered_sum sum = pl_covered_sum(&xy);

    CHECK(sum.executions == 30);
    CHECK(sum.covered[0] == 2 && sum.total[0] == 6);
    CHECK(sum.covered[1] == 1 && sum.total[1] == 2);
    CHECK(sum.covered[2] == 1 && sum.total[2] == 2);
    CHECK(sum.latest == 30); /* number 20 of the second campaign */
    /* The earlier campaign has it first. */
    CHECK(pl_covered_position(&xy, xy.switches[0].first) == 5);
    CHECK(xy.n_reads == 1 && pl_covered_position(&xy, xy.reads[0].first) == 7);
    CHECK(xy.n_first_reads == 1 && pl_covered_position(&xy, xy.first_reads[0].first) == 5);
    free(a);
    free(b);
    pl_covered_free(&x);
    pl_covered_free(&y);
    pl_covered_free(&xy);
    pl_covered_free(&yx);
}

static const struct pl_covered_order *order(const struct pl_covered_orders *orders, uint32_t a,
                                            uint32_t b)
{
    for (size_t i = 0; i < orders->n; i++) {
        if (orders->items[i].a == a && orders->items[i].b == b)
            return &orders->items[i];
    }
    return NULL;
}

/* Anything, in numbers that make equal names likely. */
static void draw(struct pl_covered *c, unsigned *seed, const char *id)
{
    static bool (*const lists[])(struct pl_covered *, uint32_t, uint32_t,
                                 struct pl_covered_first) = {
        pl_covered_pair, pl_covered_predecessor, pl_covered_tried, pl_covered_concurrent};
    uint32_t k = pl_covered_campaign(c, id, (uint64_t)id[0]);

    c->campaigns[k].executions = 50;
    for (unsigned i = 0; i < 60; i++) {
        struct pl_covered_first first = at(k, 1 + (uint64_t)(rand_r(seed) % 50));
        char name[2] = {(char)('a' + rand_r(seed) % 4), '\0'}, place[20];
        uint32_t f = function(c, name), statements[2];

        for (unsigned j = 0; j < 2; j++) {
            snprintf(place, sizeof(place), "p.c:%d", rand_r(seed) % 5);
            statements[j] = statement(c, f, place, rand_r(seed) % 2 ? "read" : "mutex lock");
        }
        lists[rand_r(seed) % 4](c, statements[0], statements[1], first);
        pl_covered_switch(c, f, function(c, "a"), first);
        pl_covered_whole(c, f, first);
        pl_covered_ran(c, pl_covered_thread(c, (uint64_t)(rand_r(seed) % 3)), f);
    }
}

static void unite(const char *name, const struct pl_covered *const *sets, size_t n)
{
    struct pl_covered c = {0};
    struct pl_err err;

    for (size_t i = 0; i < n; i++)
        pl_covered_merge(&c, sets[i]);
    CHECK(pl_covered_write(&c, path_of(name), &err) == 0);
    pl_covered_free(&c);
}

/* Each order of each set is in the union, in the same state or a better one. */
static void has_all(const struct pl_covered *sets, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pl_covered all = {0};
        struct pl_covered_orders before, after;
        size_t shown[2] = {0}, total[2];

        pl_covered_merge(&all, &sets[i]); /* first, so that its numbers stay */
        for (size_t k = 0; k < n; k++)
            pl_covered_merge(&all, &sets[k]);
        pl_covered_orders(&before, &sets[i]);
        pl_covered_orders(&after, &all);
        total[0] = before.n;
        total[1] = after.n;
        for (size_t k = 0; k < after.n; k++)
            shown[1] += after.items[k].state == PL_COVERED_SHOWN;
        for (size_t k = 0; k < before.n; k++) {
            shown[0] += before.items[k].state == PL_COVERED_SHOWN;
            const struct pl_covered_order *o = order(&after, before.items[k].a, before.items[k].b);

            CHECK(o != NULL);
            CHECK(o == NULL || before.items[k].state != PL_COVERED_SHOWN ||
                  o->state == PL_COVERED_SHOWN);
        }
        CHECK(total[0] <= total[1] && shown[0] <= shown[1]);
        pl_covered_orders_free(&before);
        pl_covered_orders_free(&after);
        pl_covered_free(&all);
    }
}

static void merging_any_sets_loses_nothing(void)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        struct pl_covered s[3] = {{0}, {0}, {0}}, xy = {0};
        unsigned state = seed;

        for (unsigned i = 0; i < 3; i++)
            draw(&s[i], &state, (const char *const[]){"x", "y", "z"}[i]);
        pl_covered_merge(&xy, &s[0]);
        pl_covered_merge(&xy, &s[1]);
        unite("xy", (const struct pl_covered *[]){&s[0], &s[1], &s[2]}, 3);
        unite("yx", (const struct pl_covered *[]){&s[2], &xy, &s[1], &xy}, 4);
        char *a = text_of("xy"), *b = text_of("yx");

        CHECK_STR(a, b);
        has_all(s, 3);
        free(a);
        free(b);
        pl_covered_free(&xy);
        for (unsigned i = 0; i < 3; i++)
            pl_covered_free(&s[i]);
    }
}

static void a_snapshot_of_a_campaign_merges_with_its_end(void)
{
    struct pl_covered early = {0}, late = {0};

    fill(&early, "one", 100, 10, false, 5);
    fill(&late, "one", 100, 50, false, 5);
    pl_covered_whole(&late, 1, at(0, 40));
    pl_covered_merge(&early, &late);
    CHECK(early.n_campaigns == 1 && pl_covered_sum(&early).executions == 50);
    CHECK(pl_covered_sum(&early).latest == 40);
    pl_covered_free(&early);
    pl_covered_free(&late);
}

static void a_file_holds_all_of_it(void)
{
    struct pl_covered c = {0}, again = {0};
    struct pl_err err;
    bool missing = true;

    fill(&c, "one", 100, 10, true, 5);
    c.functions[0].alone = c.lost = true;
    CHECK(pl_covered_write(&c, path_of("file"), &err) == 0);
    CHECK(pl_covered_read(&again, path_of("file"), &missing, &err) == 0 && !missing);
    CHECK(pl_covered_write(&again, path_of("again"), &err) == 0);
    char *a = text_of("file"), *b = text_of("again");

    CHECK_STR(a, b);
    CHECK(again.lost && again.n_statements == 2 && again.n_pairs == 1);
    CHECK(again.n_tried == 1 && again.n_concurrent == 1);
    CHECK(again.n_reads == 1 && again.n_first_reads == 1);
    CHECK(again.statements[0].pc == 4);
    free(a);
    free(b);
    pl_covered_free(&c);
    pl_covered_free(&again);
}

static bool is_refused(const char *text, const char *because)
{
    struct pl_covered c = {0};
    struct pl_err err = {PL_ERR_NONE, ""};
    bool missing;

    put("bad", text);
    int rc = pl_covered_read(&c, path_of("bad"), &missing, &err);
    bool refused = rc != 0 && !missing && strstr(err.text, because) != NULL && c.n_functions == 0 &&
                   c.n_campaigns == 0;

    pl_covered_free(&c);
    return refused;
}

#define EMPTY(version)                                                               \
    "{\"format\": \"plait coverage\", \"version\": " version ", \"campaigns\": [], " \
    "\"functions\": [], \"statements\": [], \"switches\": [], \"pairs\": [], \"threads\": []}"

static void failing_executions_have_sets_of_their_own(void)
{
    struct pl_covered c = {0}, read = {0};
    struct pl_err err;
    bool missing;

    fill(&c, "one", 100, 10, false, 5);
    CHECK(pl_covered_write(&c, path_of("failing"), &err) == 0);
    CHECK(pl_covered_read(&read, path_of("failing"), &missing, &err) == 0);
    CHECK(read.n_failing == 1 && read.n_predecessors == 1);
    uint32_t a = read.failing[0].a, b = read.failing[0].b;

    CHECK_STR(read.statements[a].operation, "write");
    CHECK(pl_covered_has_failed(&read, a, b) && !pl_covered_has_predecessor(&read, a, b));
    CHECK(pl_covered_has_predecessor(&read, b, a) && !pl_covered_has_failed(&read, b, a));
    CHECK(pl_covered_position(&read, read.failing[0].first) == 7);
    pl_covered_free(&c);
    pl_covered_free(&read);
}

/* The set in the file, without the lists that its version did not have. */
static void cut_list(char *text, const char *name)
{
    char *start = strstr(text, name), *end = start != NULL ? strstr(start, "]],") : NULL;

    CHECK(end != NULL);
    if (end != NULL)
        memmove(start, end + 3, strlen(end + 3) + 1);
}

/*
 * Files of the first version have no predecessor sets; those of the second do not say what was
 * tried, and any two statements may come in both orders.
 */
static void earlier_versions_are_read(void)
{
    struct pl_covered c = {0}, old = {0};
    struct pl_err err;
    bool missing;

    CHECK(!is_refused(EMPTY("1"), ""));
    CHECK(is_refused(EMPTY("2"), "damaged coverage file: its list of predecessors"));
    CHECK(is_refused(EMPTY("3"), "damaged coverage file: its list of predecessors"));
    CHECK(is_refused(EMPTY("4"), "damaged coverage file: its list of predecessors"));
    fill(&c, "one", 100, 10, false, 5);
    CHECK(pl_covered_write(&c, path_of("good"), &err) == 0);
    char *text = text_of("good");

    cut_list(text, "\"tried\":[[");
    cut_list(text, "\"concurrent\":[[");
    char *version = strstr(text, "\"version\":4");

    CHECK(version != NULL);
    if (version != NULL)
        version[10] = '2';
    put("bad", text);
    CHECK(pl_covered_read(&old, path_of("bad"), &missing, &err) == 0);
    CHECK(old.n_pairs == 1 && old.n_predecessors == 1 && old.n_tried == 0);
    CHECK(old.n_concurrent == 1 && pl_covered_sum(&old).total[2] == 2);
    CHECK(old.n_without_lock == old.n_statements); /* nobody looked at locks */
    free(text);
    pl_covered_free(&c);
    pl_covered_free(&old);
}

static void what_is_not_ours_is_refused(void)
{
    struct pl_covered c = {0};
    struct pl_err err;
    bool missing = false;

    CHECK(is_refused("", "damaged, or no coverage file"));
    CHECK(is_refused("{\"format\": \"plait cov", "damaged, or no coverage file"));
    CHECK(is_refused("[1]", "no coverage file"));
    CHECK(is_refused("{\"format\": \"other\"}", "no coverage file"));
    CHECK(is_refused("{\"format\": \"plait cov", "it ends too early"));
    CHECK(is_refused("{\"format\": plait}", "it is no JSON"));
    CHECK(is_refused("{\"format\": \"plait coverage\", \"version\": 5}",
                     "another version of plait: it has version 5, and this plait reads 1 to 4"));
    CHECK(is_refused("{\"format\": \"plait coverage\"}", "another version"));
    CHECK(is_refused("{\"format\": \"plait coverage\", \"version\": \"3\"}", "another version"));
    CHECK(is_refused("{\"format\": \"plait coverage\", \"version\": 3}", "damaged"));
    CHECK(is_refused("{\"format\": \"plait coverage\", \"version\": 1}", "damaged"));
    CHECK(is_refused("{\"format\": \"plait coverage\", \"version\": 2}", "damaged"));
    CHECK(pl_covered_read(&c, path_of("absent"), &missing, &err) != 0 && missing);
    CHECK(strstr(err.text, "cannot be read") != NULL);
}

/* However much of it is missing. */
static void a_file_that_was_cut_is_refused(void)
{
    struct pl_covered c = {0};
    struct pl_err err;

    fill(&c, "one", 100, 10, false, 5);
    CHECK(pl_covered_write(&c, path_of("good"), &err) == 0);
    char *text = text_of("good");

    for (size_t n = strlen(text) - 1; n > 7; n -= 7) {
        text[n] = '\0';
        CHECK(is_refused(text, "it ends too early"));
    }
    free(text);
    pl_covered_free(&c);
}

/* Each list with one entry that points outside, or is of the wrong kind. */
static void damaged_entries_are_refused(void)
{
    static const char *const bad[][2] = {
        {"\"campaigns\":[{\"id\":\"one\"", "\"campaigns\":[{\"id\":1"},
        {"\"executions\":10", "\"executions\":-1"},
        {"\"interrupted\":[0,5]", "\"interrupted\":[1,5]"},
        {"\"interrupted\":[0,5]", "\"interrupted\":[0,0]"},
        {"\"switches\":[[0,1,0,5]]", "\"switches\":[[0,2,0,5]]"},
        {"\"switches\":[[0,1,0,5]]", "\"switches\":[[0,1,0,5],[0,1,0,5]]"},
        {"\"pairs\":[[0,1,0,6]]", "\"pairs\":[[0,1,0]]"},
        {"\"tried\":[[1,1,0,7]]", "\"tried\":[[1,9,0,7]]"},
        {"\"concurrent\":[[0,1,0,6]]", "\"concurrent\":[[0,1,0,0]]"},
        {"\"reads\":[[0,1,0,7]]", "\"reads\":[[0,2,0,7]]"},
        {"\"first_reads\":[[1,1,0,5]]", "\"first_reads\":[[0,1,0,5]]"},
        {"\"place\":\"prog.c:3:1\"", "\"place\":null"},
        {"\"failing\":[[0,1,0,7]]", "\"failing\":[[0,2,0,7]]"},
        {"\"failing\":[[0,1,0,7]]", "\"failing\":{}"},
        {"\"together\":[1]", "\"together\":[7]"},
        {"\"name\":\"b\"", "\"name\":\"a\""},
    };
    struct pl_covered c = {0};
    struct pl_err err;

    fill(&c, "one", 100, 10, false, 5);
    CHECK(pl_covered_write(&c, path_of("good"), &err) == 0);
    char *good = text_of("good");

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        const char *place = strstr(good, bad[i][0]);
        char *text = calloc(1, strlen(good) + 100);

        CHECK(place != NULL);
        if (place != NULL) {
            sprintf(text, "%.*s%s%s", (int)(place - good), good, bad[i][1],
                    place + strlen(bad[i][0]));
            CHECK(is_refused(text, "damaged"));
        }
        free(text);
    }
    free(good);
    pl_covered_free(&c);
}

static void a_place_without_room_is_an_error(void)
{
    struct pl_covered c = {0};
    struct pl_err err = {PL_ERR_NONE, ""};

    CHECK(pl_covered_write(&c, path_of("none/file"), &err) != 0);
    CHECK(strstr(err.text, "cannot be written") != NULL);
}

/* What unlocks comes before what locks. */
static void impossible_orders_do_not_count(void)
{
    struct pl_covered c = {0};
    uint32_t k = pl_covered_campaign(&c, "one", 1), f = function(&c, "f");
    uint32_t lock = statement(&c, f, "p:1", "mutex lock");
    uint32_t unlock = statement(&c, f, "p:2", "mutex unlock");
    uint32_t write = statement(&c, f, "p:3", "write");

    pl_covered_pair(&c, unlock, lock, at(k, 1));
    pl_covered_pair(&c, write, write, at(k, 1));
    CHECK(pl_covered_sum(&c).total[2] == 2 && pl_covered_sum(&c).covered[2] == 2);
    pl_covered_pair(&c, write, lock, at(k, 2));
    pl_covered_concurrent(&c, lock, write, at(k, 2));
    CHECK(pl_covered_sum(&c).total[2] == 4 && pl_covered_sum(&c).covered[2] == 3);
    pl_covered_free(&c);
}

static bool is(const struct pl_covered_orders *orders, uint32_t a, uint32_t b,
               enum pl_covered_state state, enum pl_covered_why why)
{
    const struct pl_covered_order *o = order(orders, a, b);

    return o != NULL && o->state == state && o->why == why;
}

/* The same of the orders as they are now. */
static bool says(const struct pl_covered *c, uint32_t a, uint32_t b, enum pl_covered_state state,
                 enum pl_covered_why why)
{
    struct pl_covered_orders orders;

    pl_covered_orders(&orders, c);
    bool answer = is(&orders, a, b, state, why);

    pl_covered_orders_free(&orders);
    return answer;
}

/* Whatever is known about two statements comes together in one list. */
static void orders_have_one_state_each(void)
{
    struct pl_covered c = {0};
    struct pl_covered_orders orders;
    uint32_t k = pl_covered_campaign(&c, "one", 1), f = function(&c, "f");
    uint32_t lock = statement(&c, f, "p:1", "mutex lock");
    uint32_t unlock = statement(&c, f, "p:2", "mutex unlock");
    uint32_t write = statement(&c, f, "p:3", "write"), read = statement(&c, f, "p:4", "read");
    uint32_t other = statement(&c, f, "p:5", "mutex lock");

    pl_covered_pair(&c, unlock, lock, at(k, 7));
    pl_covered_concurrent(&c, unlock, lock, at(k, 7));
    pl_covered_pair(&c, write, read, at(k, 3));
    pl_covered_predecessor(&c, write, read, at(k, 2));
    pl_covered_concurrent(&c, read, write, at(k, 3));
    pl_covered_pair(&c, write, write, at(k, 1));
    pl_covered_predecessor(&c, lock, other, at(k, 5));
    pl_covered_orders(&orders, &c);
    CHECK(orders.n == 7);
    CHECK(is(&orders, unlock, lock, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    CHECK(is(&orders, lock, unlock, PL_COVERED_NEVER, PL_COVERED_HELD));
    CHECK(is(&orders, write, read, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    CHECK(order(&orders, write, read)->good && order(&orders, write, read)->first.execution == 2);
    CHECK(is(&orders, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    CHECK(is(&orders, write, write, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    CHECK(is(&orders, lock, other, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    CHECK(!order(&orders, lock, other)->pair && !order(&orders, lock, other)->seen);
    CHECK(is(&orders, other, lock, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    pl_covered_orders_free(&orders);
    pl_covered_tried(&c, read, write, at(k, 9));
    pl_covered_tried(&c, write, read, at(k, 9)); /* it has been seen all the same */
    pl_covered_orders(&orders, &c);
    CHECK(orders.n == 7);
    CHECK(is(&orders, read, write, PL_COVERED_NEVER, PL_COVERED_VAIN));
    CHECK(is(&orders, write, read, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    pl_covered_orders_free(&orders);
    pl_covered_free(&c);
}

/* What is done with a lock keeps two accesses apart, until one is seen without it. */
static void locks_keep_accesses_apart(void)
{
    struct pl_covered c = {0};
    struct pl_covered_orders orders;
    uint32_t k = pl_covered_campaign(&c, "one", 1), f = function(&c, "f");
    uint32_t lock = statement(&c, f, "p:1", "mutex lock"),
             wake = statement(&c, f, "p:2", "cond wake-up");
    uint32_t read = statement(&c, f, "p:3", "read"), write = statement(&c, f, "p:4", "write");
    char text[200];

    pl_covered_pair(&c, write, read, at(k, 3));
    pl_covered_concurrent(&c, write, read, at(k, 3));
    pl_covered_with_lock(&c, lock, read, at(k, 3));
    pl_covered_first_in_hold(&c, write, write, at(k, 3));
    pl_covered_lasting_in_hold(&c, read, read, at(k, 3));
    CHECK(says(&c, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT)); /* nobody knows of both */
    pl_covered_with_lock(&c, wake, write, at(k, 3));
    pl_covered_orders(&orders, &c);
    CHECK(is(&orders, write, read, PL_COVERED_SHOWN, PL_COVERED_WHY_NOT));
    CHECK(is(&orders, read, write, PL_COVERED_NEVER, PL_COVERED_APART));
    const struct pl_covered_order *o = order(&orders, read, write);

    CHECK(o->locks[0] == lock && o->locks[1] == wake && !o->preceded);
    pl_covered_describe_apart(&c, o->locks, o->preceded, text, sizeof(text));
    CHECK_STR(text, "both have the mutex taken at p:1 and at p:2; the first one's thread always "
                    "comes back there before it unlocks");
    pl_covered_orders_free(&orders);
    CHECK(pl_covered_sum(&c).total[2] == 1);

    struct pl_covered_hold *holds = pl_covered_holds(&c);
    bool preceded;

    CHECK(pl_covered_apart(&holds[read], &holds[write], true, &preceded) && !preceded);
    CHECK(!pl_covered_apart(&holds[read], &holds[write], false, &preceded));
    CHECK(pl_covered_apart(&holds[write], &holds[read], false, &preceded) && preceded);
    free(holds);
    pl_covered_last_in_hold(&c, read, read, at(k, 4));
    CHECK(says(&c, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    pl_covered_free(&c);
}

/* One of them without the lock, or something that did not fit, and nothing is said. */
static void what_speaks_against_it_stays(void)
{
    struct pl_covered c = {0}, other = {0};
    uint32_t k = pl_covered_campaign(&c, "one", 1), f = function(&c, "f");
    uint32_t lock = statement(&c, f, "p:1", "mutex lock");
    uint32_t read = statement(&c, f, "p:3", "read"), write = statement(&c, f, "p:4", "write");

    pl_covered_pair(&c, write, read, at(k, 3));
    pl_covered_concurrent(&c, write, read, at(k, 3));
    pl_covered_with_lock(&c, lock, read, at(k, 3));
    pl_covered_with_lock(&c, lock, write, at(k, 3));
    pl_covered_merge(&other, &c);
    CHECK(says(&other, read, write, PL_COVERED_NEVER, PL_COVERED_APART));
    other.lost = true;
    CHECK(says(&other, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    pl_covered_free(&other);
    pl_covered_without_lock(&c, write, write, at(k, 5));
    pl_covered_merge(&other, &c);
    CHECK(says(&other, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    pl_covered_free(&c);
    pl_covered_free(&other);
}

/* What creation or join has ordered each time cannot be otherwise, until it is seen to be. */
static void threads_order_statements(void)
{
    struct pl_covered c = {0}, more = {0};
    uint32_t k = pl_covered_campaign(&c, "one", 1), f = function(&c, "f");
    uint32_t write = statement(&c, f, "p:3", "write"), read = statement(&c, f, "p:4", "read");

    pl_covered_pair(&c, write, read, at(k, 3));
    CHECK(says(&c, read, write, PL_COVERED_NEVER, PL_COVERED_ORDERED));
    CHECK(pl_covered_sum(&c).total[2] == 1);
    pl_covered_merge(&more, &c);
    pl_covered_concurrent(&more, 0, 1, at(k, 8));
    pl_covered_merge(&c, &more);
    CHECK(says(&c, read, write, PL_COVERED_OPEN, PL_COVERED_WHY_NOT));
    CHECK(pl_covered_sum(&c).total[2] == 2);
    pl_covered_free(&c);
    pl_covered_free(&more);
}

static void functions_of_threads_that_never_met_are_no_pair(void)
{
    struct pl_covered c = {0};
    struct pl_covered_possible p;
    uint32_t a = function(&c, "a"), b = function(&c, "b");
    uint32_t lone = pl_covered_function(&c, "prog", "lone", "prog.c");
    uint32_t t = pl_covered_thread(&c, 1), u = pl_covered_thread(&c, 2);

    pl_covered_ran(&c, t, a);
    pl_covered_ran(&c, u, b);
    pl_covered_possible(&p, &c);
    CHECK(p.n == 2 && p.rows[lone] == UINT32_MAX);
    CHECK(!pl_covered_can(&p, p.rows[a], p.rows[b]));
    pl_covered_possible_free(&p);
    pl_covered_together(&c, t, u);
    pl_covered_possible(&p, &c);
    CHECK(pl_covered_can(&p, p.rows[a], p.rows[b]) && !pl_covered_can(&p, p.rows[b], p.rows[a]));
    pl_covered_possible_free(&p);
    pl_covered_free(&c);
}

/* Said directly: two threads that were alive at a time ran them, or it was seen. */
static bool can(const struct pl_covered *c, uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < c->n_switches; i++) {
        if (c->switches[i].a == a && c->switches[i].b == b)
            return true;
    }
    for (size_t t = 0; t < c->n_threads; t++) {
        for (size_t k = 0; k < c->threads[t].n_together; k++) {
            const struct pl_covered_thread *x = &c->threads[t];
            const struct pl_covered_thread *y = &c->threads[x->together[k]];
            bool ran[2] = {false, false};

            for (size_t i = 0; i < x->n_functions; i++)
                ran[0] |= x->functions[i] == a;
            for (size_t i = 0; i < y->n_functions; i++)
                ran[1] |= y->functions[i] == b;
            if (ran[0] && ran[1])
                return true;
        }
    }
    return false;
}

static void sorts_of_functions_say_what_is_possible(void)
{
    uint64_t rng = 7;

    for (unsigned round = 0; round < 200; round++) {
        struct pl_covered c = {0};
        struct pl_covered_possible p;
        uint32_t k = pl_covered_campaign(&c, "one", 1), n = 1 + round % 12;
        uint64_t total = 0;

        for (uint32_t i = 0; i < n; i++) {
            char name[8];

            snprintf(name, sizeof(name), "f%u", i);
            function(&c, name);
        }
        for (uint32_t t = 0; t < 5; t++)
            pl_covered_thread(&c, t + 1);
        for (unsigned i = 0; i < 3 * n; i++) {
            rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407;
            uint32_t x = (uint32_t)(rng >> 33), y = (uint32_t)(rng >> 40);

            pl_covered_ran(&c, x % 5, y % n);
            if (i % 2 == 0)
                pl_covered_together(&c, y % 5, x / 5 % 5);
            if (i % 5 == 0)
                pl_covered_switch(&c, x % n, y % n, at(k, i + 1));
        }
        pl_covered_possible(&p, &c);
        CHECK(p.n == n);
        for (uint32_t a = 0; a < n; a++) {
            for (uint32_t b = 0; b < n; b++) {
                total += can(&c, a, b);
                CHECK(pl_covered_can(&p, p.rows[a], p.rows[b]) == can(&c, a, b));
            }
        }
        CHECK(p.total == total && pl_covered_sum(&c).total[1] == total);
        pl_covered_possible_free(&p);
        pl_covered_free(&c);
    }
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    merging_is_commutative_and_idempotent();
    merging_any_sets_loses_nothing();
    a_snapshot_of_a_campaign_merges_with_its_end();
    a_file_holds_all_of_it();
    what_is_not_ours_is_refused();
    earlier_versions_are_read();
    a_file_that_was_cut_is_refused();
    failing_executions_have_sets_of_their_own();
    damaged_entries_are_refused();
    a_place_without_room_is_an_error();
    impossible_orders_do_not_count();
    orders_have_one_state_each();
    locks_keep_accesses_apart();
    what_speaks_against_it_stays();
    threads_order_statements();
    functions_of_threads_that_never_met_are_no_pair();
    sorts_of_functions_say_what_is_possible();
    for (unsigned i = 0; i < 6; i++)
        unlink(path_of((const char *const[]){"xy", "yx", "file", "again", "bad", "good"}[i]));
    rmdir(folder);
    return unit_result();
}
