/* SPDX-License-Identifier: MIT */
/* From options to settings: defaults, lists, and what is refused. */
#include "cli/settings.h"
#include "unit.h"

static struct pl_err err;

static void defaults_are_those_of_the_help(void)
{
    struct pl_options o = {0};
    struct pl_settings s;

    CHECK(pl_settings_fill(&s, &o, false, &err) == 0);
    CHECK_STR(s.strategy, "auto");
    CHECK(s.executions == 0 && s.seed == 1);
    CHECK(pl_settings_time(&s, &o) == 120000);
    CHECK(s.max_steps == 1000000000 && s.hang_ms == 30000);
    CHECK(s.carrier == PL_CARRIER_FIBER && s.restart == PL_RESTART_ROLLBACK);
    CHECK((s.detect >> PL_DETECT_DEADLOCK & 1) == 1 && (s.detect >> PL_DETECT_EXIT & 1) == 1);
    CHECK((s.detect >> PL_DETECT_RACE & 1) == 0 && (s.detect >> PL_DETECT_LOCKSET & 1) == 0);
    CHECK(s.exit_fine[0] == 1 && s.exit_fine[1] == 0);
    CHECK(!s.judged && !s.keep_going && !s.points_all);
}

static void a_time_alone_is_used_up(void)
{
    struct pl_options o = {0};
    struct pl_settings s;

    o.text[PL_OPTION_ID_time] = "5s";
    CHECK(pl_settings_fill(&s, &o, false, &err) == 0 && s.executions == 0);
    o.text[PL_OPTION_ID_strategy] = "dfs:depth=3";
    CHECK(pl_settings_fill(&s, &o, false, &err) == 0 && s.executions == 0);
    CHECK_STR(s.strategy, "dfs");
    CHECK_STR(s.parameters, "depth=3");
}

static void a_limit_that_is_given_replaces_the_default(void)
{
    struct pl_options o = {0};
    struct pl_settings s;

    o.text[PL_OPTION_ID_executions] = "50";
    o.number[PL_OPTION_ID_executions] = 50;
    CHECK(pl_settings_fill(&s, &o, false, &err) == 0 && s.executions == 50);
    CHECK(pl_settings_time(&s, &o) == 0);
    o.text[PL_OPTION_ID_executions] = NULL;
    o.text[PL_OPTION_ID_strategy] = "pairs";
    CHECK(pl_settings_fill(&s, &o, false, &err) == 0 && s.executions == 1000);
    CHECK(pl_settings_time(&s, &o) == 0);
    o.text[PL_OPTION_ID_strategy] = "auto";
    o.text[PL_OPTION_ID_time] = "5s";
    o.number[PL_OPTION_ID_time] = 5000;
    CHECK(pl_settings_fill(&s, &o, false, &err) == 0 && s.executions == 0);
    CHECK(pl_settings_time(&s, &o) == 5000);
}

static bool by_risk(const char *strategy, const char *risk, const char *no_coverage)
{
    struct pl_options o = {0};
    struct pl_settings s;

    o.text[PL_OPTION_ID_strategy] = strategy;
    o.text[PL_OPTION_ID_risk] = risk;
    o.text[PL_OPTION_ID_no_coverage] = no_coverage;
    err.class = PL_ERR_NONE;
    return pl_settings_fill(&s, &o, false, &err) == 0 && s.risk;
}

static void risk_is_for_what_is_exhaustive(void)
{
    CHECK(by_risk("dfs", NULL, NULL) && by_risk("pcb:2", NULL, NULL));
    CHECK(by_risk("hapset", "on", NULL) && by_risk("auto", "on", NULL));
    CHECK(by_risk("exitblock", "on", NULL) && by_risk("dpor:source", "on", NULL));
    CHECK(!by_risk("dfs", "off", NULL) && !by_risk("dfs", NULL, "") && err.class == PL_ERR_NONE);
    CHECK(!by_risk("dpor", NULL, NULL) && !by_risk("auto", NULL, NULL) &&
          !by_risk("exitblock", NULL, NULL) && err.class == PL_ERR_NONE);
    CHECK(!by_risk("random", NULL, NULL) && !by_risk("random", "off", NULL) &&
          err.class == PL_ERR_NONE);
    CHECK(!by_risk("random", "on", NULL) && err.class == PL_ERR_USER);
    CHECK(!by_risk("dfs", "on", "") && err.class == PL_ERR_USER);
    CHECK(!by_risk("dfs", "some", NULL) && err.class == PL_ERR_USER);
}

static void words_that_do_not_exist_are_refused(void)
{
    struct pl_options o = {0};
    struct pl_settings s;

    o.text[PL_OPTION_ID_carrier] = "train";
    CHECK(pl_settings_fill(&s, &o, false, &err) == -1);
    CHECK_STR(err.text, "--carrier cannot be 'train'. Give fiber or thread.");
    o.text[PL_OPTION_ID_carrier] = "thread";
    o.text[PL_OPTION_ID_strategy] = "replay";
    CHECK(pl_settings_fill(&s, &o, false, &err) == -1);
    CHECK(pl_settings_fill(&s, &o, true, &err) == 0 && s.carrier == PL_CARRIER_THREAD);
}

static void jobs_have_a_default_and_a_limit(void)
{
    struct pl_options o = {0};
    unsigned jobs = 0;

    CHECK(pl_settings_jobs(&jobs, &o, &err) == 0 && jobs == 1);
    o.text[PL_OPTION_ID_jobs] = "64";
    o.number[PL_OPTION_ID_jobs] = 64;
    CHECK(pl_settings_jobs(&jobs, &o, &err) == 0 && jobs == 64);
    o.text[PL_OPTION_ID_jobs] = "65";
    o.number[PL_OPTION_ID_jobs] = 65;
    CHECK(pl_settings_jobs(&jobs, &o, &err) == -1 && err.class == PL_ERR_USER);
}

static void exit_statuses_are_lists_of_ranges(void)
{
    uint8_t bits[32];

    CHECK(pl_settings_exits(bits, "0,3,8-10,255", &err) == 0);
    CHECK(bits[0] == 0x09 && bits[1] == 0x07 && bits[31] == 0x80);
    CHECK(pl_settings_exits(bits, "256", &err) == -1);
    CHECK(pl_settings_exits(bits, "", &err) == -1);
    CHECK(pl_settings_exits(bits, "1,", &err) == -1);
    CHECK(pl_settings_exits(bits, "5-3", &err) == -1);
    CHECK(pl_settings_exits(bits, "-1", &err) == -1);
    CHECK(pl_settings_exits(bits, "a", &err) == -1);
}

static void detectors_are_chosen_or_taken_away(void)
{
    uint32_t all = (1u << PL_DETECTORS) - 1, bits;

    CHECK(pl_settings_detect(&bits, "deadlock,exit", &err) == 0);
    CHECK(bits == (1u << PL_DETECT_DEADLOCK | 1u << PL_DETECT_EXIT));
    CHECK(pl_settings_detect(&bits, "+race", &err) == 0);
    uint32_t more = bits;

    CHECK((bits >> PL_DETECT_RACE & 1) == 1 && (bits >> PL_DETECT_LOCKSET & 1) == 0);
    CHECK(pl_settings_detect(&bits, "-misuse", &err) == 0);
    CHECK(bits == (more & ~(1u << PL_DETECT_MISUSE) & ~(1u << PL_DETECT_RACE)));
    CHECK(pl_settings_detect(&bits, "-misuse,+race", &err) == 0);
    CHECK(bits == (more & ~(1u << PL_DETECT_MISUSE)));
    CHECK(pl_settings_detect(&bits, "all,-exit", &err) == 0);
    CHECK(bits == (all & ~(1u << PL_DETECT_EXIT)));
    CHECK(pl_settings_detect(&bits, "deadlok", &err) == -1);
    CHECK(pl_settings_detect(&bits, "exit,", &err) == -1);
}

static void what_influences_executions_is_recorded(void)
{
    struct pl_request_option recorded[PL_OPTIONS];
    struct pl_options o = {0};

    o.text[PL_OPTION_ID_spurious] = "";
    o.text[PL_OPTION_ID_expect_exit] = "0,1";
    o.text[PL_OPTION_ID_json] = "x.json";
    CHECK(pl_settings_recorded(&o, recorded) == 2);
    CHECK_STR(recorded[0].name, "expect-exit");
    CHECK_STR(recorded[0].value, "0,1");
    CHECK_STR(recorded[1].name, "spurious");
    CHECK(recorded[1].value == NULL);
}

int main(void)
{
    defaults_are_those_of_the_help();
    a_time_alone_is_used_up();
    a_limit_that_is_given_replaces_the_default();
    risk_is_for_what_is_exhaustive();
    words_that_do_not_exist_are_refused();
    jobs_have_a_default_and_a_limit();
    exit_statuses_are_lists_of_ranges();
    detectors_are_chosen_or_taken_away();
    what_influences_executions_is_recorded();
    return unit_result();
}
