/* SPDX-License-Identifier: MIT */
/* The option parser: every way to write an option, and what is refused. */
#include "cli/options.h"
#include "unit.h"

static struct pl_options options;
static struct pl_err err;
static int rest;
static bool ended;

/* Parse words that end with NULL; returns as the parser does. */
static int parse(char command, char **words)
{
    int n = 0;

    while (words[n] != NULL)
        n++;
    memset(&options, 0, sizeof(options));
    memset(&err, 0, sizeof(err));
    rest = 0;
    return pl_options_parse(&options, command, n, words, &rest, &ended, &err);
}

#define PARSE(command, ...) parse(command, (char *[]){__VA_ARGS__, NULL})

static const char *text(enum pl_option_id id)
{
    return options.text[id] ? options.text[id] : "(not given)";
}

static void values_are_read_in_every_form(void)
{
    CHECK(PARSE('T', "--strategy=dfs", "-n5", "--seed", "0", "-kt", "90s", "./prog", "-q") == 0);
    CHECK(rest == 6 && !ended);
    CHECK_STR(text(PL_OPTION_ID_strategy), "dfs");
    CHECK(options.number[PL_OPTION_ID_executions] == 5);
    CHECK_STR(text(PL_OPTION_ID_seed), "0");
    CHECK_STR(text(PL_OPTION_ID_keep_going), "");
    CHECK(options.number[PL_OPTION_ID_time] == 90000);
    CHECK_STR(text(PL_OPTION_ID_quiet), "(not given)");
}

static void some_options_keep_all_their_values(void)
{
    CHECK(PARSE('T', "--suppressions=a", "-k", "--suppressions", "b", "./prog") == 0);
    CHECK(options.n_many == 2);
    CHECK(options.many[0].id == PL_OPTION_ID_suppressions);
    CHECK_STR(options.many[0].text, "a");
    CHECK_STR(options.many[1].text, "b");
    CHECK_STR(text(PL_OPTION_ID_suppressions), "b");
}

static void two_dashes_end_the_options(void)
{
    CHECK(PARSE('T', "-v", "--", "-prog") == 0);
    CHECK(rest == 2 && ended);
    CHECK(PARSE('T', "-", "x") == 0);
    CHECK(rest == 0);
}

static void nonsense_is_refused_with_a_sentence(void)
{
    CHECK(PARSE('T', "--executions=0") == -1 && err.class == PL_ERR_USER);
    CHECK_STR(err.text, "--executions cannot be '0'. Give a number, 1 or more.");
    CHECK(PARSE('T', "-n", "12x") == -1);
    CHECK(PARSE('T', "-n", "-1") == -1);
    CHECK(PARSE('T', "--seed=99999999999999999999999") == -1);
    CHECK(PARSE('T', "--seed=") == -1);
    CHECK(PARSE('T', "-t") == -1);
    CHECK_STR(err.text, "--time needs a value. Write --time=TIME.");
    CHECK(PARSE('T', "--keep-going=yes") == -1);
    CHECK(PARSE('T', "--output=") == -1);
    CHECK(PARSE('T', "--sead=3") == -1);
    CHECK_STR(err.text, "there is no option --sead. Did you mean --seed?");
    CHECK(PARSE('T', "--bogus-thing") == -1);
    CHECK_STR(err.text, "there is no option --bogus-thing. `plait test --help` lists the options.");
    CHECK(PARSE('T', "-x") == -1);
    CHECK(PARSE('R', "--seed=3") == -1);
    CHECK_STR(err.text,
              "plait replay has no option --seed. `plait replay --help` lists the options.");
}

static uint64_t time_of(const char *s)
{
    uint64_t ms = 0;

    return pl_options_time(s, &ms) ? ms : 0;
}

static void times_have_units(void)
{
    CHECK(time_of("30s") == 30000);
    CHECK(time_of("30") == 30000);
    CHECK(time_of("1.5m") == 90000);
    CHECK(time_of("200ms") == 200);
    CHECK(time_of("2h") == 7200000);
    CHECK(time_of("") == 0 && time_of("s") == 0 && time_of("5 s") == 0 && time_of("-5s") == 0);
    CHECK(time_of("0") == 0 && time_of("nan") == 0 && time_of("inf") == 0 && time_of("1e3s") == 0);
    CHECK(time_of("0x10s") == 0);
}

static void recorded_options_yield_to_given_ones(void)
{
    CHECK(PARSE('R', "--max-steps=7", "x.plait") == 0);
    CHECK(pl_options_default(&options, "max-steps", "9", &err) == 0);
    CHECK(pl_options_default(&options, "hang-time", "5s", &err) == 0);
    CHECK(pl_options_default(&options, "spurious", NULL, &err) == 0);
    CHECK(options.number[PL_OPTION_ID_max_steps] == 7);
    CHECK(options.number[PL_OPTION_ID_hang_time] == 5000);
    CHECK_STR(text(PL_OPTION_ID_spurious), "");
    CHECK(pl_options_default(&options, "warp", "9", &err) == -1);
    CHECK(pl_options_default(&options, "expect-exit", "", &err) == -1);
}

static void no_command_has_a_letter_or_name_twice(void)
{
    for (unsigned a = 0; a < PL_OPTIONS; a++) {
        for (unsigned b = a + 1; b < PL_OPTIONS; b++) {
            const struct pl_option *x = pl_options_row(a), *y = pl_options_row(b);

            if (strpbrk(x->commands, y->commands) == NULL)
                continue;
            CHECK(x->letter == 0 || x->letter != y->letter);
            CHECK(strcmp(x->name, y->name) != 0);
        }
    }
}

static void each_command_has_its_own_output(void)
{
    char *argv[] = {"minimize", "-o", "small.plait", "--budget=7", NULL};
    int at = 1;

    options = (struct pl_options){0};
    CHECK(pl_options_parse(&options, 'M', 4, argv, &at, &ended, &err) == 0);
    CHECK_STR(text(PL_OPTION_ID_minimized), "small.plait");
    CHECK(options.text[PL_OPTION_ID_output] == NULL);
    CHECK(options.number[PL_OPTION_ID_budget] == 7);
    options = (struct pl_options){0};
    at = 1;
    CHECK(pl_options_parse(&options, 'T', 3, argv, &at, &ended, &err) == 0);
    CHECK_STR(text(PL_OPTION_ID_output), "small.plait");
    options = (struct pl_options){0};
    at = 1;
    CHECK(pl_options_parse(&options, 'R', 3, argv, &at, &ended, &err) == -1);
}

int main(void)
{
    values_are_read_in_every_form();
    some_options_keep_all_their_values();
    two_dashes_end_the_options();
    nonsense_is_refused_with_a_sentence();
    times_have_units();
    recorded_options_yield_to_given_ones();
    no_command_has_a_letter_or_name_twice();
    each_command_has_its_own_output();
    return unit_result();
}
