/* SPDX-License-Identifier: MIT */
/* What follows from the rows of result.def and finding.def: JSON members and lines of the summary.
 */
#include "model/incomplete.h"
#include "report/report.h"
#include "result/request.h"
#include "trace/value.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pl_result result;

static void fresh(void)
{
    memset(&result, 0, sizeof(result));
    result.bound = -1;
    snprintf(result.program, sizeof(result.program), "./prog");
}

/* The object that is written for the result. */
static json_t *written(void)
{
    char path[] = "/tmp/plait-report-result-XXXXXX";
    int fd = mkstemp(path);

    CHECK(fd >= 0 && pl_json_write(path, &result) == 0);
    json_t *o = json_load_file(path, 0, NULL);

    CHECK(o != NULL);
    close(fd);
    unlink(path);
    return o;
}

/* The member with the key of a row, "control.bypassed" in the object "control". */
static const json_t *member(const json_t *o, const char *key)
{
    const char *dot = strchr(key, '.');
    char outer[32];

    if (dot == NULL)
        return json_object_get(o, key);
    snprintf(outer, sizeof(outer), "%.*s", (int)(dot - key), key);
    return json_object_get(json_object_get(o, outer), dot + 1);
}

/* Every number with its own value; nothing that is there under a condition is left out. */
static void fill_all(void)
{
    uint64_t n = 100;

    fresh();
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) result.name = n++;
#define PL_RESULT_FLAG(name, key, when) result.name = true;
#define PL_RESULT_REAL(name, key, when) result.name = 0.5;
#define PL_RESULT_TEXT(name, size, key, when) snprintf(result.name, sizeof(result.name), #name);
#include "model/result.def"
}

static void every_row_with_a_key_is_a_member(void)
{
    const struct pl_result *r = &result;

    fill_all();
    json_t *o = written();

#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) \
    CHECK(key[0] == '\0' || (uint64_t)json_integer_value(member(o, key)) == ((when) ? r->name : 0));
#define PL_RESULT_FLAG(name, key, when) CHECK(key[0] == '\0' || json_is_true(member(o, key)));
#define PL_RESULT_REAL(name, key, when) \
    CHECK(key[0] == '\0' || json_real_value(member(o, key)) == r->name);
#define PL_RESULT_TEXT(name, size, key, when) \
    if (key[0] != '\0')                       \
        CHECK_STR(json_string_value(member(o, key)), #name);
#define PL_RESULT_MEMBER(key, when, function) CHECK((member(o, key) != NULL) == (when));
#include "model/result.def"
    json_decref(o);
}

static void readers_know_the_keys(void)
{
    CHECK_STR(pl_result_keys.executions, "executions");
    CHECK_STR(pl_result_keys.bypassed, "control.bypassed");
    CHECK_STR(pl_result_keys.points, ""); /* there is none of its own */
    CHECK_STR(pl_result_finding_keys.kind, "kind");
}

static void what_was_not_asked_for_is_no_member(void)
{
    fresh();
    json_t *o = written();

    CHECK(json_object_get(o, "max_operations") == NULL && json_object_get(o, "bounds") == NULL);
    CHECK(json_object_get(o, "recorded") == NULL && json_object_get(o, "orders") == NULL);
    CHECK(json_object_get(o, "trusted_operations") == NULL);
    CHECK(json_object_get(o, "suppressed") == NULL && json_object_get(o, "outputs") == NULL);
    CHECK(json_is_false(json_object_get(o, "interrupted")));
    result.incomplete = PL_INCOMPLETE_INTERRUPTED;
    json_decref(o);
    o = written();
    CHECK(json_is_true(json_object_get(o, "interrupted")));
    json_decref(o);
}

static char *summary(bool verbose)
{
    struct pl_report_style style = {false, verbose, -1};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    pl_summary_print(to, &result, &style);
    fclose(to);
    return text;
}

static bool says(bool verbose, const char *sentence)
{
    char *text = summary(verbose);
    bool found = strstr(text, sentence) != NULL;

    free(text);
    return found;
}

static void numbers_are_said_when_they_are_not_0(void)
{
    fresh();
    CHECK(!says(true, "left control") && !says(true, "done again") && !says(true, "did not fit"));
    result.bypassed = 1;
    result.lost = 2;
    result.findings_lost = 3;
    result.examined = 5;
    result.unexamined = 1;
    result.incomplete = PL_INCOMPLETE_FINDING;
    CHECK(says(false, "\n            1 call left control (raw threads or processes)\n"));
    CHECK(
        says(false, "\n            2 executions done again because something killed the worker\n"));
    CHECK(says(false, "\n  at least 3 more findings did not fit\n"));
    CHECK(says(false, "\n            detectors have looked at 4 recorded orders\n"));
    CHECK(says(false, "\n            1 more could not be followed: accesses were not recorded\n"));
    CHECK(says(false, "not complete: it stopped at the first finding\n"));
}

static void trust_is_said_when_it_was_asked_for(void)
{
    fresh();
    CHECK(!says(true, "trusted"));
    result.has_trust = true;
    CHECK(says(true, "\n  trust     0 operations in trusted code\n") && !says(false, "trusted"));
}

static void a_finding_has_the_members_of_its_rows(void)
{
    static struct pl_result_thread thread = {.name = "0.1", .kind = "mutex", .n_stack = 1};
    static struct pl_result_access accesses[2];
    static struct pl_result_finding f = {
        .kind = "race", .signature = 10, .n_threads = 1, .threads = &thread};

    snprintf(thread.stack[0], sizeof(thread.stack[0]), "bank.c:12 (main)");
    json_t *o = pl_json_finding(&f);
    json_t *t = json_array_get(json_object_get(o, "threads"), 0);

    CHECK_STR(json_string_value(json_object_get(o, "signature")), "000000000000000a");
    CHECK_STR(json_string_value(json_object_get(t, "name")), "0.1");
    CHECK(json_object_get(t, "kind") == NULL && json_array_size(json_object_get(t, "stack")) == 1);
    CHECK(json_object_get(o, "unreplayed") != NULL && json_object_get(o, "minimal") == NULL);
    CHECK(json_object_get(o, "accesses") == NULL && json_object_get(o, "driven") == NULL);
    json_decref(o);

    f.replays = true;
    f.n_accesses = 2;
    f.accesses = accesses;
    accesses[1].n_locks = 1;
    accesses[1].locks[0].shared = true;
    snprintf(f.minimal, sizeof(f.minimal), "proven");
    snprintf(f.driven.text, sizeof(f.driven.text), "it was reached");
    snprintf(f.driven.effect, sizeof(f.driven.effect), "value");
    snprintf(f.driven.schedules[1], sizeof(f.driven.schedules[1]), "second.plait");
    o = pl_json_finding(&f);
    const json_t *locks =
        json_object_get(json_array_get(json_object_get(o, "accesses"), 1), "locks");

    CHECK(json_is_true(json_object_get(json_array_get(locks, 0), "shared")));
    CHECK(json_object_get(o, "unreplayed") == NULL && json_object_get(o, "preemptions") != NULL);
    CHECK(json_array_size(json_object_get(o, "schedules")) == 1);
    CHECK(json_is_false(json_object_get(o, "confirmed")));
    json_decref(o);
}

/* Whether the paragraph about a finding of this kind, with a second place, has this line. */
static bool tells(const char *kind, const char *line)
{
    struct pl_result_finding f = {0};
    struct pl_report_style style = {0};
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);

    snprintf(f.kind, sizeof(f.kind), "%s", kind);
    snprintf(f.other, sizeof(f.other), "pool.c:12 (give)");
    pl_finding_text_print(to, &f, 1, &style);
    fclose(to);
    bool found = strstr(text, line) != NULL;

    free(text);
    return found;
}

static void a_second_place_is_where_the_block_was_freed(void)
{
    CHECK(tells("use-after-free", "\n  freed at: pool.c:12 (give)\n"));
    CHECK(tells("heap-bounds", "\n  freed at: pool.c:12 (give)\n"));
    CHECK(tells("misuse", "\n  see also: pool.c:12 (give)\n"));
}

int main(void)
{
    every_row_with_a_key_is_a_member();
    readers_know_the_keys();
    what_was_not_asked_for_is_no_member();
    numbers_are_said_when_they_are_not_0();
    trust_is_said_when_it_was_asked_for();
    a_finding_has_the_members_of_its_rows();
    a_second_place_is_where_the_block_was_freed();
    return unit_result();
}
