/* SPDX-License-Identifier: MIT */
/* See settings.h. */
#include "cli/settings.h"

#include "base/assert.h"
#include "cli/words.h"
#include "engine/worker/client.h"
#include "engine/worker/sought.h"
#include "model/common.h"
#include "model/detector.h"
#include "model/pace.h"
#include "model/strategy.h"
#include "trace/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINIMIZE_BUDGET = 6000, MINIMIZE_MS = 30000, DRIVE_TRIES = 500, DRIVE_MS = 5000 };
enum { PATHS = 1000, SAMPLES = 1000, SAMPLES_UNTIL = 100000, TIME_MS = 120000, HANG_MS = 30000 };
enum { DIGITS = 7 }; /* of the largest number that the kernel gives a process */

static bool is(const struct pl_settings *s, uint32_t traits)
{
    return pl_strategy_named_is(s->strategy, traits);
}

static int fill_strategy(struct pl_settings *s, const char *text, struct pl_err *err)
{
    size_t n = strcspn(text, ":");

    const struct pl_strategy_row *row = pl_strategy_row(text, n);

    if (row == NULL || (row->traits & PL_TRAIT_HIDDEN) != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "there is no strategy '%.*s'. `plait list strategies` lists them.",
                          (int)n, text);
    if (text[n] == ':' && strlen(text + n + 1) >= sizeof(s->parameters))
        return pl_err_set(err, PL_ERR_USER,
                          "the parameters of --strategy are too long. Give at most %zu letters.",
                          sizeof(s->parameters) - 1);
    PL_ASSERT(n < sizeof(s->strategy));
    memcpy(s->strategy, text, n);
    s->starts_chosen = s->company = (row->traits & PL_TRAIT_FREE) != 0;
    if (text[n] == ':')
        strcpy(s->parameters, text + n + 1);
    return 0;
}

/*
 * --noise is another way to give the parameters of the strategy `noise`, and to ask for it;
 * --noise-at is about that strategy only.
 */
static int fill_noise(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    const char *list = o->text[PL_OPTION_ID_noise], *at = o->text[PL_OPTION_ID_noise_at];
    const char *option = list != NULL ? "noise" : "noise-at";

    if (list == NULL && at == NULL)
        return 0;
    if (!is(s, PL_TRAIT_FREE))
        return pl_err_set(err, PL_ERR_USER,
                          "--%s is for threads that run freely, and strategy %s has them under "
                          "control. Give --strategy noise, or leave --%s out.",
                          option, s->strategy, option);
    if (list == NULL)
        return 0;
    if (s->parameters[0] != '\0')
        return pl_err_set(err, PL_ERR_USER,
                          "--noise says what stands after --strategy noise: already. Give one of "
                          "them.");
    if (strlen(list) >= sizeof(s->parameters))
        return pl_err_set(err, PL_ERR_USER, "--noise is too long. Give at most %zu letters.",
                          sizeof(s->parameters) - 1);
    strcpy(s->parameters, list);
    return 0;
}

/* The strategy as given; else what the other options ask for. */
static const char *which_strategy(const struct pl_options *o)
{
    if (o->text[PL_OPTION_ID_strategy] != NULL)
        return o->text[PL_OPTION_ID_strategy];
    bool noise = o->text[PL_OPTION_ID_noise] != NULL || o->text[PL_OPTION_ID_noise_at] != NULL;
    bool company = o->text[PL_OPTION_ID_follow_children] != NULL;

    return pl_strategy_with(noise     ? PL_TRAIT_FREE
                            : company ? PL_TRAIT_COMPANY
                                      : PL_TRAIT_DEFAULT)
        ->name;
}

static int fill_company(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    if (o->text[PL_OPTION_ID_follow_children] == NULL)
        return 0;
    if (!is(s, PL_TRAIT_COMPANY))
        return pl_err_set(err, PL_ERR_USER,
                          "--follow-children is for strategies random and noise: %s has to know "
                          "what threads of all processes are about to do. Give one of them, or "
                          "leave --follow-children out.",
                          s->strategy);
    s->company = true;
    return 0;
}

int pl_settings_exits(uint8_t bits[32], const char *list, struct pl_err *err)
{
    const char *p = list;

    PL_ASSERT(list != NULL);
    memset(bits, 0, 32);
    for (;;) {
        char *end;
        unsigned long first = strtoul(p, &end, 10), last = first;
        bool good = *p >= '0' && *p <= '9';

        if (good && *end == '-') {
            p = end + 1;
            good = *p >= '0' && *p <= '9';
            last = strtoul(p, &end, 10);
        }
        if (!good || first > last || last > 255 || (*end != ',' && *end != '\0'))
            return pl_err_set(err, PL_ERR_USER,
                              "--expect-exit cannot be '%s'. Give statuses from 0 to 255 such as "
                              "0,3 or 1-9.",
                              list);
        for (unsigned long i = first; i <= last; i++)
            bits[i / 8] = (uint8_t)(bits[i / 8] | 1u << (i % 8));
        if (*end == '\0')
            return 0;
        p = end + 1;
    }
}

static int apply_detector(uint32_t *bits, const char *name, size_t n, bool off, struct pl_err *err)
{
    uint32_t mask = 0;

    if (n == 3 && strncmp(name, "all", 3) == 0)
        mask = (UINT32_C(1) << PL_DETECTORS) - 1;
    for (unsigned i = 0; i < PL_DETECTORS; i++) {
        if (strlen(pl_detector_rows[i].text) == n &&
            strncmp(pl_detector_rows[i].text, name, n) == 0)
            mask = UINT32_C(1) << i;
    }
    if (mask == 0)
        return pl_err_set(err, PL_ERR_USER,
                          "there is no detector '%.*s'. `plait list detectors` lists them.", (int)n,
                          name);
    PL_ASSERT(mask >> PL_DETECTORS == 0);
    *bits = off ? *bits & ~mask : *bits | mask;
    return 0;
}

int pl_settings_detect(uint32_t *bits, const char *list, struct pl_err *err)
{
    /* A list that begins with a sign changes the usual ones. */
    *bits = list[0] == '-' || list[0] == '+' ? pl_detectors_with(PL_DETECTOR_USUAL) : 0;
    for (const char *p = list;;) {
        bool off = *p == '-', sign = off || *p == '+';
        size_t n = strcspn(p + sign, ",");

        if (apply_detector(bits, p + sign, n, off, err) != 0)
            return -1;
        p += sign + n;
        if (*p == '\0')
            break;
        p++;
    }
    /* What is predicted must be seen when it comes true. */
    if ((*bits & pl_detectors_with(PL_DETECTOR_FORESEES_DEADLOCKS)) != 0)
        *bits |= UINT32_C(1) << PL_DETECT_DEADLOCK;
    return 0;
}

/* One of two words; *second says which. */
static int either(const struct pl_options *o, enum pl_option_id id, const char *a, const char *b,
                  bool *second, struct pl_err *err)
{
    PL_ASSERT(id < PL_OPTIONS && strcmp(a, b) != 0);
    const char *text = o->text[id] ? o->text[id] : a;

    *second = strcmp(text, b) == 0;
    if (*second || strcmp(text, a) == 0)
        return 0;
    return pl_err_set(err, PL_ERR_USER, "--%s cannot be '%s'. Give %s or %s.",
                      pl_options_row(id)->name, text, a, b);
}

/* One of three words, the first by default; *which says which. */
static int one_of(const struct pl_options *o, enum pl_option_id id, const char *const kinds[3],
                  uint8_t *which, struct pl_err *err)
{
    PL_ASSERT(id < PL_OPTIONS);
    const char *text = o->text[id] ? o->text[id] : kinds[0];

    for (*which = 0; *which < 3; (*which)++) {
        if (strcmp(text, kinds[*which]) == 0)
            return 0;
    }
    return pl_err_set(err, PL_ERR_USER, "--%s cannot be '%s'. Give %s, %s or %s.",
                      pl_options_row(id)->name, text, kinds[0], kinds[1], kinds[2]);
}

/* What limits the search; a limit that was given is meant to be used up. */
static void fill_limits(struct pl_settings *s, const struct pl_options *o)
{
    if (o->text[PL_OPTION_ID_executions] != NULL)
        s->executions = o->number[PL_OPTION_ID_executions];
    else if (is(s, PL_TRAIT_SAMPLES) && o->text[PL_OPTION_ID_time] == NULL &&
             o->text[PL_OPTION_ID_test_time] == NULL)
        s->executions = o->text[PL_OPTION_ID_until] != NULL ? SAMPLES_UNTIL : SAMPLES;
    s->seed = o->text[PL_OPTION_ID_seed] ? o->number[PL_OPTION_ID_seed] : 1;
    s->max_steps =
        o->text[PL_OPTION_ID_max_steps] ? o->number[PL_OPTION_ID_max_steps] : PL_PACE_STEPS;
    s->max_operations = o->number[PL_OPTION_ID_max_operations];
    s->hang_ms = o->text[PL_OPTION_ID_hang_time] ? o->number[PL_OPTION_ID_hang_time] : HANG_MS;
}

uint64_t pl_settings_time(const struct pl_settings *s, const struct pl_options *o)
{
    if (is(s, PL_TRAIT_TIMED) && o->text[PL_OPTION_ID_time] == NULL && s->executions == 0)
        return TIME_MS;
    return o->number[PL_OPTION_ID_time];
}

/* Orders to look for, a line each. */
static int fill_cover(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    struct pl_sought_side sides[2];
    unsigned n = 0;

    for (unsigned i = 0; i < o->n_many; i++) {
        if (o->many[i].id != PL_OPTION_ID_cover)
            continue;
        if (n == PL_SOUGHT_ORDERS)
            return pl_err_set(err, PL_ERR_USER,
                              "--cover is given more than %d times. Look for some of them later.",
                              (int)PL_SOUGHT_ORDERS);
        if (pl_sought_parse(sides, o->many[i].text, err) != 0)
            return -1;
        if (n++ > 0)
            strcat(s->cover, "\n");
        strcat(s->cover, o->many[i].text); /* which pl_sought_parse() found short enough */
    }
    if (n > 0 && s->starts_chosen)
        return pl_err_set(err, PL_ERR_USER,
                          "--cover needs threads under control, and strategy %s lets them run "
                          "freely. Leave one of them out.",
                          s->strategy);
    return 0;
}

/*
 * What samples keeps its distribution, on which all that it promises depends.  Of the others some
 * are known to gain.
 */
static int fill_risk(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    bool off;

    if (either(o, PL_OPTION_ID_risk, "on", "off", &off, err) != 0)
        return -1;
    s->risk = s->covering && !off && is(s, PL_TRAIT_RISKS);
    if (off || o->text[PL_OPTION_ID_risk] == NULL)
        return 0;
    if (!s->covering)
        return pl_err_set(err, PL_ERR_USER, "--risk on needs coverage. Leave --no-coverage out.");
    if (is(s, PL_TRAIT_SAMPLES))
        return pl_err_set(err, PL_ERR_USER,
                          "--risk is for exhaustive strategies, and %s samples. Leave one of "
                          "them out.",
                          s->strategy);
    s->risk = true;
    return 0;
}

/* When time-outs expire. */
static int fill_time_outs(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    const char *text = o->text[PL_OPTION_ID_time_outs];
    const unsigned n = sizeof(pl_time_outs_texts) / sizeof(pl_time_outs_texts[0]);
    unsigned i = 0;

    if (text == NULL)
        return 0;
    while (i < n && strcmp(text, pl_time_outs_texts[i]) != 0)
        i++;
    if (i == n)
        return pl_err_set(err, PL_ERR_USER,
                          "--time-outs cannot be '%s'. Give never, last, few or any.", text);
    s->time_outs = (uint8_t)i;
    if (s->starts_chosen)
        return pl_err_set(err, PL_ERR_USER,
                          "--time-outs needs a virtual clock, and with strategy %s time is real. "
                          "Leave one of them out.",
                          s->strategy);
    if (i == PL_TIME_OUTS_LAST && is(s, PL_TRAIT_EXPIRES))
        return pl_err_set(err, PL_ERR_USER,
                          "--time-outs last says when a time-out expires by what all others do, "
                          "and %s goes by what two of them do. Use -s dfs, or --time-outs never.",
                          s->strategy);
    return 0;
}

/* The program that runs beside the one under test. */
static int fill_client(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    struct pl_words words = {0};

    if (o->text[PL_OPTION_ID_client] == NULL)
        return 0;
    pl_words_split(&words, o->text[PL_OPTION_ID_client]);
    int rc = pl_client_find(s, words.at, err);

    pl_words_free(&words);
    return rc;
}

static int fill_digits(struct pl_settings *s, const struct pl_options *o, struct pl_err *err)
{
    uint64_t n = o->number[PL_OPTION_ID_process_digits];

    if (n > DIGITS)
        return pl_err_set(err, PL_ERR_USER,
                          "--process-digits cannot be '%s'. Numbers of processes have up to %d.",
                          o->text[PL_OPTION_ID_process_digits], DIGITS);
    s->digits = (uint32_t)n;
    return 0;
}

int pl_settings_fill(struct pl_settings *s, const struct pl_options *o, bool replay,
                     struct pl_err *err)
{
    const char *detect = o->text[PL_OPTION_ID_detect], *exits = o->text[PL_OPTION_ID_expect_exit];
    bool thread, all;
    static const char *const checkpoints[] = {"auto", "off", "always"};

    memset(s, 0, sizeof(*s));
    if ((!replay && (fill_strategy(s, which_strategy(o), err) != 0 || fill_noise(s, o, err) != 0 ||
                     fill_company(s, o, err) != 0)) ||
        pl_settings_detect(&s->detect, detect ? detect : "+exit", err) != 0 ||
        pl_settings_exits(s->exit_fine, exits ? exits : "0", err) != 0 ||
        either(o, PL_OPTION_ID_carrier, "fiber", "thread", &thread, err) != 0 ||
        one_of(o, PL_OPTION_ID_restart, pl_restart_texts, &s->restart, err) != 0 ||
        one_of(o, PL_OPTION_ID_checkpoints, checkpoints, &s->checkpoints, err) != 0 ||
        either(o, PL_OPTION_ID_points, "shared", "all", &all, err) != 0 ||
        fill_cover(s, o, err) != 0 || fill_time_outs(s, o, err) != 0 ||
        fill_client(s, o, err) != 0 || fill_digits(s, o, err) != 0)
        return -1;
    fill_limits(s, o);
    s->carrier = thread ? PL_CARRIER_THREAD : PL_CARRIER_FIBER;
    s->restart_forced = o->text[PL_OPTION_ID_restart] != NULL;
    if (thread && s->restart == PL_RESTART_ROLLBACK && s->restart_forced)
        return pl_err_set(err, PL_ERR_USER,
                          "--restart rollback puts memory back, not OS threads. Give --carrier "
                          "fiber, or leave --restart out.");
    s->points_all = all;
    s->check_pairs = o->text[PL_OPTION_ID_check_pairs] != NULL;
    s->hooks_only = o->text[PL_OPTION_ID_hooks_only] != NULL;
    s->seek = !replay && s->cover[0] != '\0';
    s->record_inputs = o->text[PL_OPTION_ID_record_input] != NULL ? PL_INPUTS_WORLD : 0;
    if (s->record_inputs != 0)
        s->checkpoints = PL_CHECKPOINTS_OFF; /* what was read is kept from the root on */
    s->section = (uint32_t)o->number[PL_OPTION_ID_section];
    s->keep_going = o->text[PL_OPTION_ID_keep_going] != NULL;
    s->spurious = o->text[PL_OPTION_ID_spurious] != NULL;
    s->weak_cas = o->text[PL_OPTION_ID_weak_cas] != NULL;
    s->outputs = o->text[PL_OPTION_ID_outputs] != NULL;
    s->covering = !replay && o->text[PL_OPTION_ID_no_coverage] == NULL;
    s->judged = o->text[PL_OPTION_ID_expect_output] != NULL || o->text[PL_OPTION_ID_check] != NULL;
    return replay ? 0 : fill_risk(s, o, err);
}

int pl_settings_paths(struct pl_request *request, const struct pl_options *o, struct pl_err *err)
{
    const char *text = o->text[PL_OPTION_ID_paths];
    char *end = "";

    request->paths = o->text[PL_OPTION_ID_verbose] != NULL ? PATHS : 0;
    if (text != NULL && strncmp(text, "all", 3) == 0) {
        request->paths = UINT64_MAX;
        end = (char *)text + 3;
    } else if (text != NULL) {
        request->paths = strtoull(text, &end, 10);
        if (text[0] < '0' || text[0] > '9')
            end = (char *)text;
    }
    if (*end != '\0' && strcmp(end, ",stacks") != 0)
        return pl_err_set(err, PL_ERR_USER,
                          "--paths cannot be '%s'. Give a number, or all; with ,stacks behind it "
                          "for call stacks.",
                          text);
    PL_ASSERT(text == NULL || text[0] != '\0');
    request->settings.listing = request->paths != 0;
    request->settings.stacks = *end != '\0';
    return 0;
}

static int refuse_until(const char *text, struct pl_err *err)
{
    return pl_err_set(err, PL_ERR_USER,
                      "--until cannot be '%s'. Give coverage=95%%, coverage=m1:95%% (or m2, m3), "
                      "plateau or plateau=500.",
                      text);
}

/* 95% or m1:95% */
static int read_share(struct pl_until *until, const char *text, const char *whole,
                      struct pl_err *err)
{
    char *end;

    until->kind = PL_UNTIL_COVERAGE;
    until->model = 1;
    if (text[0] == 'm' && text[1] >= '1' && text[1] <= '3' && text[2] == ':') {
        until->model = (unsigned)(text[1] - '1');
        text += 3;
    }
    double share = strtod(text, &end);

    if (text[0] < '0' || text[0] > '9' || strcmp(end, "%") != 0 || !(share > 0 && share <= 100))
        return refuse_until(whole, err);
    PL_ASSERT(until->model < PL_COVER_MODELS);
    until->share = share / 100;
    return 0;
}

int pl_settings_until(struct pl_request *request, const struct pl_options *o, struct pl_err *err)
{
    const char *text = o->text[PL_OPTION_ID_until];
    struct pl_until *until = &request->until;
    char *end;

    if (text == NULL)
        return 0;
    if (!request->settings.covering)
        return pl_err_set(err, PL_ERR_USER, "--until needs coverage. Leave --no-coverage out.");
    if (strncmp(text, "coverage=", 9) == 0)
        return read_share(until, text + 9, text, err);
    until->kind = PL_UNTIL_PLATEAU;
    if (strcmp(text, "plateau") == 0)
        return 0;
    if (strncmp(text, "plateau=", 8) != 0)
        return refuse_until(text, err);
    until->plateau = strtoull(text + 8, &end, 10);
    if (text[8] < '1' || text[8] > '9' || *end != '\0')
        return refuse_until(text, err);
    return 0;
}

/* "hapset and rff": the strategies that learn, with a word before each and one between them. */
static void list_learners(char *text, size_t size, const char *before, const char *between)
{
    size_t n = 0;

    text[0] = '\0';
    for (unsigned i = PL_STRATEGIES; i-- > 0;) {
        if ((pl_strategy_rows[i].traits & PL_TRAIT_LEARNS) != 0 && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s%s", n > 0 ? between : "", before,
                                  pl_strategy_rows[i].name);
    }
}

int pl_settings_coverage(struct pl_request *request, const struct pl_options *o, struct pl_err *err)
{
    request->coverage = o->text[PL_OPTION_ID_coverage];
    if (request->coverage == NULL)
        return 0;
    if (!request->settings.covering)
        return pl_err_set(err, PL_ERR_USER,
                          "--coverage and --no-coverage exclude each other. "
                          "Leave one of them out.");
    if (!is(&request->settings, PL_TRAIT_LEARNS)) {
        char all[128], any[128];

        list_learners(all, sizeof(all), "", " and ");
        list_learners(any, sizeof(any), "-s ", " or ");
        return pl_err_set(err, PL_ERR_USER,
                          "--coverage is for the strategies %s. Add %s, or leave it out.", all,
                          any);
    }
    request->settings.given = true;
    return 0;
}

int pl_settings_jobs(unsigned *jobs, const struct pl_options *o, struct pl_err *err)
{
    uint64_t n = o->text[PL_OPTION_ID_jobs] ? o->number[PL_OPTION_ID_jobs] : 1;

    if (n > PL_WORKERS_MAX)
        return pl_err_set(err, PL_ERR_USER,
                          "--jobs cannot be %s. Give at most %d; more than the processors of this "
                          "machine gain nothing.",
                          o->text[PL_OPTION_ID_jobs], (int)PL_WORKERS_MAX);
    PL_ASSERT(n >= 1);
    *jobs = (unsigned)n;
    return 0;
}

void pl_settings_minimize(struct pl_request *request, const struct pl_options *o)
{
    request->budget =
        o->text[PL_OPTION_ID_budget] ? o->number[PL_OPTION_ID_budget] : MINIMIZE_BUDGET;
    if (o->text[PL_OPTION_ID_no_minimize] != NULL)
        request->budget = 0;
    request->minimize_ms = MINIMIZE_MS;
    request->drive = o->text[PL_OPTION_ID_drive] ? o->number[PL_OPTION_ID_drive] : DRIVE_TRIES;
    request->drive_ms = DRIVE_MS;
}

size_t pl_settings_recorded(const struct pl_options *o,
                            struct pl_request_option recorded[PL_OPTIONS])
{
    size_t n = 0;

    for (unsigned id = 0; id < PL_OPTIONS; id++) {
        const char *name = pl_options_row(id)->name;
        bool is_flag;

        /* An order goes with the schedule that shows it, and with no other. */
        if (o->text[id] == NULL || id == PL_OPTION_ID_cover ||
            !pl_schedule_knows_option(name, &is_flag))
            continue;
        recorded[n++] = (struct pl_request_option){name, is_flag ? NULL : o->text[id]};
    }
    return n;
}

/*
 * Executions, campaigns and replays do not meet through files.  But the command of --check may look
 * at them; and who records what comes from the world has others there, who may look for a file of
 * the program's, or be at the other end of a FIFO.
 */
const char *pl_settings_files(const struct pl_options *o)
{
    const char *given = o->text[PL_OPTION_ID_files];
    bool seen = o->text[PL_OPTION_ID_check] != NULL || o->text[PL_OPTION_ID_record_input] != NULL;

    if (given != NULL)
        return given;
    return seen ? "real" : "overlay";
}
