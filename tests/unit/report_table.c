/* SPDX-License-Identifier: MIT */
/* The table of a schedule, as a user sees it. */
#include "unit.h"

#include "report/fit.h"
#include "report/table.h"

#include <stdlib.h>
#include <unistd.h>

#define OPERATION(...) pl_schedule_add_operation(s, &(struct pl_schedule_line){__VA_ARGS__})
#define CHOICE(...) pl_schedule_add_choice(s, &(struct pl_schedule_line){__VA_ARGS__})

static void begin(struct pl_schedule *s)
{
    pl_schedule_init(s);
    s->program = pl_schedule_keep(s, "./bank");
    s->strategy = pl_schedule_keep(s, "random");
    s->seed = 7;
    s->execution = 12;
}

static void lost_update(struct pl_schedule *s)
{
    begin(s);
    pl_schedule_add_argument(s, "two words");
    s->finding = PL_FINDING_ASSERTION;
    s->message = pl_schedule_keep(s, "balance == 100");
    s->location = pl_schedule_keep(s, "bank.c:3");
    pl_schedule_add_detail(s, "in thread 0");
    pl_schedule_add_thread(s, "0.1", "deposit", 0, NULL);
    OPERATION(.thread = "0", .op = PL_OP_THREAD_CREATE, .target = "0.1", .location = "bank.c:1",
              .function = "main");
    CHOICE(.thread = "0", .kind = PL_CHOICE_THREAD, .target = "0.1", .taken = 1, .options = 2,
           .op = PL_OP_THREAD_JOIN);
    OPERATION(.thread = "0.1", .op = PL_OP_READ, .object = "balance", .location = "bank.c:2",
              .function = "deposit");
    CHOICE(.thread = "0.1", .kind = PL_CHOICE_VALUE, .taken = 2, .options = 4, .op = PL_OP_CHOOSE);
    OPERATION(.thread = "0.1", .op = PL_OP_SEM_TIMEDWAIT, .way = PL_WAY_TIMEOUT, .object = "s");
    OPERATION(.thread = "0.1", .op = PL_OP_THREAD_EXIT);
    OPERATION(.thread = "0", .op = PL_OP_THREAD_JOIN, .target = "0.1", .location = "bank.c:4");
}

/* The table; the caller frees it. */
static char *table(const struct pl_schedule *s, const struct pl_table_style *style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    pl_table_print(to, s, style);
    fclose(to);
    return text;
}

static void threads_are_columns_and_switches_arrows(void)
{
    struct pl_schedule s;

    lost_update(&s);

    char *text = table(&s, &(struct pl_table_style){.width = 90});

    CHECK_STR(text,
              "./bank 'two words'\n"
              "strategy random, seed 7, execution 12, 2 choices\n"
              "\n"
              "     0 main             0.1 deposit\n"
              "     -----------------  ------------------------------\n"
              "  1  thread create 0.1                                  bank.c:1  main\n"
              "     `------------------>                               switch before thread join\n"
              "  2                     read balance                    bank.c:2  deposit\n"
              "                        * chooses 2 of 0..3\n"
              "  3                     semaphore timedwait s, timeout\n"
              "  4                     thread exit\n"
              "     <------------------'                               0.1 has ended\n"
              "  5  thread join 0.1                                    bank.c:4\n"
              "\n"
              "assertion: balance == 100\n"
              "  at bank.c:3\n"
              "  in thread 0\n");
    free(text);
    pl_schedule_free(&s);
}

static void source_lines_stand_at_the_side(void)
{
    struct pl_schedule s;
    FILE *source = fopen("bank.c", "w");

    fputs("\tpthread_create(&t);\n  int b = balance; \r\n    assert(balance == 100);\n", source);
    fclose(source);
    lost_update(&s);

    struct pl_table_style style = {.width = 100, .unicode = true, .source = pl_source_open()};
    char *text = table(&s, &style);

    CHECK(strstr(text, "  bank.c:1  pthread_create(&t);\n") != NULL);
    CHECK(strstr(text, "  bank.c:2  int b = balance;\n") != NULL);
    CHECK(strstr(text, "  at bank.c:3: assert(balance == 100);\n") != NULL);
    CHECK(strstr(text, "\u2514\u2500\u2500") != NULL && strstr(text, "\u2500\u2518") != NULL);
    pl_source_close(style.source);
    free(text);
    pl_schedule_free(&s);
    CHECK(unlink("bank.c") == 0);
}

static void source_is_read_from_regular_files_only(void)
{
    struct pl_source *source = pl_source_open();
    char text[64];

    CHECK(!pl_source_line(source, "/dev/zero:1", text, sizeof(text)));
    CHECK(!pl_source_line(source, ".:1", text, sizeof(text)));
    CHECK(!pl_source_line(source, "missing.c:1", text, sizeof(text)));
    CHECK(!pl_source_line(source, "missing.c", text, sizeof(text)));
    CHECK(!pl_source_line(source, "", text, sizeof(text)));
    CHECK(!pl_source_line(source, ":7", text, sizeof(text)));
    CHECK(!pl_source_line(NULL, "missing.c:1", text, sizeof(text)));

    FILE *file = fopen("a.c", "w");

    fputs("one\n\n  thr\033ee", file);
    fclose(file);
    CHECK(pl_source_line(source, "a.c:1", text, sizeof(text)));
    CHECK_STR(text, "one");
    CHECK(!pl_source_line(source, "a.c:2", text, sizeof(text)));
    CHECK(pl_source_line(source, "a.c:3:5", text, sizeof(text)));
    CHECK_STR(text, "thr?ee");
    CHECK(pl_source_line(source, "a.c:1 (operator()(int))", text, sizeof(text)));
    CHECK_STR(text, "one");
    CHECK(!pl_source_line(source, "a.c:4", text, sizeof(text)));
    CHECK(!pl_source_line(source, "a.c:99999999999999999999", text, sizeof(text)));
    pl_source_close(source);
    CHECK(unlink("a.c") == 0);
}

static unsigned widest_line(const char *text)
{
    unsigned widest = 0;
    char line[4096];

    while (*text != '\0') {
        size_t n = strcspn(text, "\n");

        snprintf(line, sizeof(line), "%.*s", (int)n, text);
        widest = pl_fit_width(line) > widest ? pl_fit_width(line) : widest;
        text += n + (text[n] == '\n');
    }
    return widest;
}

static void no_line_is_wider_than_the_terminal(void)
{
    for (unsigned threads = 1; threads < 50; threads += 7) {
        struct pl_schedule all, *s = &all;
        char path[16], other[16];

        begin(s);
        for (unsigned i = 0; i < threads; i++) {
            snprintf(path, sizeof(path), "0.%u", i + 1);
            snprintf(other, sizeof(other), "0.%u", (i + 1) % threads + 1);
            OPERATION(.thread = path, .op = PL_OP_RWLOCK_TIMEDWRITE, .way = PL_WAY_TIMEOUT,
                      .object = "accounts[0].owner.lock_of_the_\303\244ltest",
                      .location = "a/long/way/to/the/source/of/bank.c:1234",
                      .function = "bank::account<long, unsigned long>::withdraw(int)");
            CHOICE(.thread = path, .target = other, .options = 2);
        }
        for (unsigned width = 40; width < 200; width += 9) {
            for (unsigned unicode = 0; unicode < 2; unicode++) {
                char *text = table(s, &(struct pl_table_style){.width = width, .unicode = unicode});

                CHECK(widest_line(text) <= width + (width < 60 ? 20 : 0));
                free(text);
            }
        }
        pl_schedule_free(s);
    }
}

static void many_threads_make_a_list(void)
{
    struct pl_schedule all, *s = &all;
    char path[16];

    begin(s);
    for (unsigned i = 1; i <= 40; i++) {
        snprintf(path, sizeof(path), "0.%u", i);
        OPERATION(.thread = path, .op = PL_OP_WRITE, .object = "x", .location = "a.c:1");
        OPERATION(.thread = path, .op = PL_OP_READ, .object = "x");
    }
    CHOICE(.thread = "0.40", .target = "0.1", .options = 2, .op = PL_OP_YIELD);

    char *text = table(s, &(struct pl_table_style){0});

    CHECK(strstr(text, "\n  1  > 0.1   write x  a.c:1\n  2    0.1   read x\n  3  > 0.2 ") != NULL);
    CHECK(strstr(text, "\n     -> 0.40 to 0.1: switch before yield\n") != NULL);
    CHECK(strstr(text, "\nno finding\n") != NULL);
    free(text);
    pl_schedule_free(s);
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static void long_schedules_show_head_and_tail(void)
{
    struct pl_schedule all, *s = &all;

    begin(s);
    for (unsigned i = 0; i < 1000; i++)
        OPERATION(.thread = "0", .op = PL_OP_READ, .ordinal = i);

    char *text = table(s, &(struct pl_table_style){0});

    CHECK(count_lines(text) == 5 + 400 + 1 + 2);
    CHECK(
        strstr(text, "\n 100  read\n      ... 600 rows left out; --all shows them\n 701  read\n"));
    free(text);
    text = table(s, &(struct pl_table_style){.all = true});
    CHECK(count_lines(text) == 5 + 1000 + 2);
    free(text);
    pl_schedule_free(s);
}

static void colours_come_only_when_asked_for(void)
{
    struct pl_schedule all, *s = &all;

    lost_update(s);
    OPERATION(.thread = "0", .op = PL_OP_READ, .object = "\033[31m\302\233evil\342\200\256\n");

    char *text = table(s, &(struct pl_table_style){0});

    CHECK(!strchr(text, '\033'));
    CHECK(strstr(text, "read ?[31m?evil? \n") != NULL);
    free(text);
    text = table(s, &(struct pl_table_style){.color = true});
    CHECK(strstr(text, "\033[1;31massertion\033[0m") != NULL);
    CHECK(strstr(text, "\033[31m?evil") == NULL);
    free(text);
    pl_schedule_free(s);
}

static void long_names_are_shortened_in_the_middle(void)
{
    char text[32] = "accounts[0].lock";

    pl_fit_middle(text, sizeof(text), 16, false);
    CHECK_STR(text, "accounts[0].lock");
    pl_fit_middle(text, sizeof(text), 10, false);
    CHECK_STR(text, "acco..lock");
    pl_fit_middle(text, sizeof(text), 6, true);
    CHECK_STR(text, "acc\u2026ck");
    pl_fit_end(text, sizeof(text), 3, true);
    CHECK_STR(text, "ac\u2026");
    pl_fit_end(text, sizeof(text), 1, true);
    CHECK_STR(text, "a");
    pl_fit_end(text, sizeof(text), 0, true);
    CHECK_STR(text, "");

    char tight[] = "abc"; /* no room for a sign of three bytes */

    pl_fit_end(tight, sizeof(tight), 2, true);
    CHECK_STR(tight, "a~");
}

int main(void)
{
    char folder[] = "/tmp/plait-unit-XXXXXX";

    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    threads_are_columns_and_switches_arrows();
    source_lines_stand_at_the_side();
    source_is_read_from_regular_files_only();
    no_line_is_wider_than_the_terminal();
    many_threads_make_a_list();
    long_schedules_show_head_and_tail();
    colours_come_only_when_asked_for();
    long_names_are_shortened_in_the_middle();
    CHECK(rmdir(folder) == 0);
    return unit_result();
}
