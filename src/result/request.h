/* SPDX-License-Identifier: MIT */
/*
 * What the user asked the engine to do, whichever command it came from.  Strings
 * and lists are the command's and outlive the campaign.
 */
#ifndef PL_RESULT_REQUEST_H
#define PL_RESULT_REQUEST_H

#include "model/board.h"
#include "result/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An option that influences executions, to be recorded in schedules. */
struct pl_request_option {
    const char *name, *value; /* value is NULL for a flag */
};

/* What a progress line shows. */
struct pl_progress {
    uint64_t executions, limit; /* limit 0: none */
    uint64_t max_choices;
    uint64_t findings;
    struct pl_outlook outlook;
    uint64_t elapsed_ms, time_ms; /* time_ms 0: no limit */
    unsigned jobs;
    bool starting;   /* the program has not reached its first thread */
    bool minimizing; /* a finding is being made simpler */
    bool driving;    /* whether something predicted can happen is being tried */
};

/* What a campaign is to reach, beside its limits. */
enum pl_until_kind { PL_UNTIL_NOTHING, PL_UNTIL_COVERAGE, PL_UNTIL_PLATEAU };

struct pl_until {
    enum pl_until_kind kind;
    unsigned model;   /* 0 for M1, ... */
    double share;     /* of its tasks, up to 1 */
    uint64_t plateau; /* executions without a new task; 0: half of them, but not too few */
};

/*
 * Findings that the user does not want to hear of; see engine/findings/suppress.h for what the
 * patterns are compared with.  Patterns are NULL where anything goes.
 */
struct pl_suppression {
    unsigned kind;   /* enum pl_finding_kind; PL_FINDING_KINDS for all of them */
    const char *any; /* function, file or object */
    const char *function, *file, *object;
    char *words;      /* what the patterns point into */
    char *text;       /* the line as it was read */
    const char *path; /* of the file; the caller's */
    unsigned line;
    uint64_t findings; /* that it has matched */
};

struct pl_suppressions {
    size_t n;
    struct pl_suppression *list;
};

struct pl_marks;

struct pl_request {
    char **argv; /* of the program under test; argv[0] as the user gave it */
    struct pl_settings settings;
    unsigned jobs;        /* workers that explore together, at least 1 */
    uint64_t time_ms;     /* 0: no limit */
    const char *home;     /* for the results of all campaigns; NULL: that of the program */
    bool named;           /* by the user: the first campaign is in the home itself */
    const char *folder;   /* for schedules: the campaign's own, which the engine makes */
    uint64_t budget;      /* executions to make a finding simpler; 0: it is left as it is */
    uint64_t minimize_ms; /* and at most this long */
    uint64_t drive;       /* executions to bring about what was predicted; 0: nobody tries */
    uint64_t drive_ms;    /* and at most this long */
    const char *expect_output, *check;
    bool show_output;                     /* all that a failing execution printed is said with it */
    const char *files;                    /* of the program: "overlay", "real" or a folder */
    bool files_named;                     /* by the user */
    bool confirmed;                       /* races that are not confirmed are left out */
    bool unconfirmed;                     /* they are not, whatever else the program uses */
    bool keep_files;                      /* those of failing executions, with the schedule */
    struct pl_suppressions *suppressions; /* NULL: none; they count what they match */
    struct pl_marks *marks;               /* NULL: no code is marked */
    uint64_t paths;                       /* to be listed; UINT64_MAX: all */
    struct pl_until until;
    const char *coverage; /* predecessor sets of earlier campaigns: folder or file; or NULL */
    size_t n_options;
    const struct pl_request_option *options;

    /* Called from the engine's loop; may be NULL. */
    void (*progress)(void *context, const struct pl_progress *progress);
    void (*finding)(void *context, const struct pl_result_finding *finding, size_t number);
    void (*path)(void *context, const char *line); /* not NULL if paths is not 0 */
    void *context;
};

/* "random:bias=3" as after --strategy. */
void pl_request_strategy(const struct pl_settings *settings, char *to, size_t size);

#endif /* PL_RESULT_REQUEST_H */
