/* SPDX-License-Identifier: MIT */
/* See incomplete.h.  The sentences stand in model/incomplete.def. */
#include "result/incomplete.h"

#include "base/assert.h"
#include "model/board.h"
#include "model/incomplete.h"
#include "result/sentence.h"

#include <stdio.h>
#include <string.h>

/* NULL when there is no reason. */
static const char *first_sentence(uint32_t incomplete)
{
#define PL_INCOMPLETE(name, scope, sentence)                \
    if ((incomplete & (uint32_t)PL_INCOMPLETE_##name) != 0) \
        return sentence;
#include "model/incomplete.def"
#undef PL_INCOMPLETE
    return NULL;
}

void pl_incomplete_unseen(const struct pl_result *r, char *to, size_t size)
{
    size_t at = 0;

    to[0] = '\0';
    for (size_t i = 0; i < r->n_modules && at + 1 < size; i++) {
        if (!r->modules[i].unseen)
            continue;
        int more = snprintf(to + at, size - at, "%s%s", at > 0 ? ", " : "", r->modules[i].name);

        at += more > 0 ? (size_t)more : 0;
    }
}

/* Of time-outs what --time-outs lets expire. */
static void say_early(const struct pl_result *r, char *to, size_t size)
{
    if (strcmp(r->time_outs, "few") == 0)
        snprintf(to, size, "with at most %d early time-outs", (int)PL_TIME_OUTS_BUDGET);
    else
        snprintf(to, size, "without %stime-outs",
                 strcmp(r->time_outs, "never") == 0 ? "" : "early ");
}

void pl_incomplete_within_text(const struct pl_result *r, char *to, size_t size)
{
    bool limited = (r->incomplete & (uint32_t)PL_INCOMPLETE_LIMITED) != 0;
    char early[64] = "";

    if ((r->incomplete & (uint32_t)PL_INCOMPLETE_EARLY) != 0)
        say_early(r, early, sizeof(early));
    to[0] = '\0';
    if (limited)
        snprintf(to, size, "up to %llu operation%s per thread%s",
                 (unsigned long long)r->max_operations, r->max_operations == 1 ? "" : "s",
                 early[0] != '\0' ? ", " : "");
    snprintf(to + strlen(to), size - strlen(to), "%s", early);
}

static void say_reason(const struct pl_result *r, const char *sentence, char *to, size_t size)
{
    bool bounded = (r->incomplete & (uint32_t)PL_INCOMPLETE_LEFT_OUT) != 0;
    char executions[24], seconds[40], operations[24], places[24], threads[24], early[64];
    char outside[101], beside[101], what[51]; /* a line has no room for more */
    char unhooked[151], unseen[151], strayed[251], unmodelled[151];
    const struct pl_sentence_word words[] = {
        {"reached", r->until},
        {"executions", executions},
        {"s", r->execution_limit == 1 ? "" : "s"},
        {"seconds", seconds},
        {"within", bounded ? " within the bound" : ""},
        {"outside", outside},
        {"what", what},
        {"beside", beside},
        {"places", places},
        {"threads", threads},
        {"operations", operations},
        {"unhooked", unhooked},
        {"unseen", unseen},
        {"early", early},
        {"further", r->search_impossible > 0
                        ? ", but for some that were to be reached by way of further rounds"
                        : ""},
        {"strayed", strayed},
        {"unmodelled", unmodelled},
        {NULL, NULL},
    };

    snprintf(executions, sizeof(executions), "%llu", (unsigned long long)r->execution_limit);
    snprintf(seconds, sizeof(seconds), "%.6g second%s", (double)r->time_limit_ms / 1000,
             r->time_limit_ms == 1000 ? "" : "s");
    snprintf(operations, sizeof(operations), "%llu", (unsigned long long)r->max_operations);
    say_early(r, early, sizeof(early));
    snprintf(places, sizeof(places), "%d", (int)PL_BOARD_SHARED);
    snprintf(threads, sizeof(threads), "%d", (int)PL_THREADS_MAX);
    snprintf(outside, sizeof(outside), "%.100s", r->outside[0] != '\0' ? r->outside : "one place");
    snprintf(beside, sizeof(beside), "%.100s", r->beside[0] != '\0' ? r->beside : "another");
    snprintf(what, sizeof(what), "%.50s",
             r->outside_what[0] != '\0' ? r->outside_what : "shared memory");
    if (r->stripped[0] != '\0')
        snprintf(unhooked, sizeof(unhooked), "%.100s has no symbols, and may access memory",
                 r->stripped);
    else
        snprintf(unhooked, sizeof(unhooked), "%.130s accesses memory",
                 r->unhooked[0] != '\0' ? r->unhooked : "the program");
    pl_incomplete_unseen(r, unseen, sizeof(unseen));
    snprintf(strayed, sizeof(strayed), "%.250s",
             r->strayed[0] != '\0' ? r->strayed
                                   : "an execution was not what those before it had shown");
    snprintf(unmodelled, sizeof(unmodelled), "%.150s", r->unmodelled);
    pl_sentence_fill(to, size, sentence, words);
}

/* What a search in rounds has seen in full. */
static void say_bound(const struct pl_result *r, char *to, size_t size)
{
    size_t n = strlen(to);

    snprintf(to + n, size - n, "%severy execution with at most %lld %s%s has been seen%s",
             n > 0 ? "; " : "", (long long)r->bound, r->bounds, r->bound == 1 ? "" : "s",
             (r->incomplete & (uint32_t)PL_INCOMPLETE_LIMITED) != 0
                 ? ", up to the limit of operations per thread"
                 : "");
}

bool pl_incomplete_bounded(const struct pl_result *r)
{
    const char *sentence = first_sentence(r->incomplete);

    return r->bound >= 0 && (sentence == NULL || sentence[0] == '\0');
}

void pl_incomplete_text(const struct pl_result *r, char *to, size_t size)
{
    const char *sentence = first_sentence(r->incomplete);

    PL_ASSERT(size >= PL_RESULT_LINE);
    to[0] = '\0';
    if (sentence != NULL)
        say_reason(r, sentence, to, size);
    if (r->bound >= 0)
        say_bound(r, to, size);
}
