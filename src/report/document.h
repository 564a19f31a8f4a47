/* SPDX-License-Identifier: MIT */
/*
 * The document that every report is a view of: what a campaign or a replay came
 * to, in words.
 *
 * Strings and arrays belong to whoever filled the document and must outlive its
 * use.  No string is NULL; what is not known is empty.
 */
#ifndef PL_REPORT_DOCUMENT_H
#define PL_REPORT_DOCUMENT_H

#include "model/coverage.h"
#include "model/estimate.h"
#include "model/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* One thread's part in a finding. */
struct pl_document_thread {
    const char *name;      /* "0.1" */
    const char *waits;     /* "waits", "goes round" or empty */
    const char *operation; /* "mutex lock" */
    const char *object;    /* "accounts[0].lock" */
    const char *location;  /* "bank.c:12 (transfer)" */
    const char *holder;    /* thread that holds the object */
    const char *since;     /* where the holder acquired it */
    const char *sentence;  /* all of it, without a full stop */
    size_t n_stack;
    const char *const *stack; /* callers, innermost first */
};

/* A lock that a thread had at an access. */
struct pl_document_lock {
    const char *kind, *object; /* "mutex", "accounts[0].lock" */
    const char *since;         /* where it was acquired */
    bool shared;               /* the read side of an rwlock */
};

/* One of two accesses that do not go together. */
struct pl_document_access {
    const char *thread, *operation, *object, *location;
    const char *sentence; /* all but the stack, without a full stop */
    uint64_t size;
    size_t n_stack, n_locks;
    const char *const *stack; /* callers, innermost first */
    const struct pl_document_lock *locks;
};

/* An operation of the pair that decides. */
struct pl_document_part {
    const char *thread, *operation, *object, *location;
};

struct pl_document_finding {
    const char *kind, *meaning, *message;
    const char *location; /* "bank.c:12 (transfer)" */
    const char *other;    /* a second place that matters: where it was freed, locked, ... */
    const char *object, *thread;
    const char *schedule;   /* path of the file; empty when there is none */
    const char *unreplayed; /* why it does not replay */
    bool replays;
    const char *minimal;     /* "proven", "tried", or empty: not minimised */
    const char *unminimized; /* why it was not, although it should have been */
    uint64_t preemptions, switches;
    const char *why;     /* what decides; empty when that is not known */
    const char *passing; /* path of a schedule that passes */
    bool ordered;        /* first and second are known */
    struct pl_document_part first, second;
    const char *driven;       /* what came of trying to bring it about; empty: nobody tried */
    bool confirmed;           /* it was reached */
    uint64_t tries;           /* executions that took */
    const char *effect;       /* of a race: "none", "value", "failure"; or empty */
    const char *schedules[2]; /* of a race: in either order; empty when there is none; */
    const char *firsts[2];    /* what comes first there: "thread 0.1 at bank.c:12" */
    uint64_t signature, execution, count;
    const char *about; /* with accesses: what they have in common, "counter (4 bytes)" */
    size_t n_threads, n_stack, n_accesses;
    const struct pl_document_thread *threads;
    const struct pl_document_access *accesses; /* the earlier one first */
    const char *const *stack;                  /* callers, innermost first */
};

/* An order that was sought; numbers are of executions. */
struct pl_document_order {
    const char *text, *verdict; /* "shown", "shown-apart", "impossible", "not-shown" */
    const char *note;           /* why it was not shown */
    uint64_t first, second, both, met, reversed, between;
    const struct pl_document_finding *found; /* the execution that shows it, or NULL */
};

struct pl_document_module {
    const char *name;
    bool instrumented;
};

/* A text that executions printed. */
struct pl_document_output {
    const char *text;
    uint64_t execution, count;
};

/* What was to be suppressed, and whether there was any such finding. */
struct pl_document_suppression {
    const char *file, *text;
    unsigned line;
    uint64_t findings;
};

struct pl_document {
    const char *program, *strategy, *folder;
    const char *ended; /* why the search ended */
    const char *until; /* what was to be reached and was; may be empty */
    bool has_cover;    /* interleavings were counted */
    struct pl_coverage_tasks cover;
    const char *bounds;      /* what a bounded search counts: "preemption" */
    const char *recorded;    /* free threads: "full", "light" or "none"; NULL on other carriers */
    const char *restart;     /* how executions got a fresh program: "rollback" */
    const char *restart_why; /* what the program does that the one before could not undo */
    int64_t bound;           /* every execution with at most so many has been seen; -1: not known */
    uint64_t seed;
    unsigned jobs;
    uint64_t search_executions; /* since the search last started over */
    uint64_t executions, resumed, points, max_choices, classes, failures, lost, max_rss_kb;
    uint64_t bypassed, divergences, findings_lost, outputs_lost;
    uint64_t examined, unexamined; /* recordings that detectors were to look at; that strayed */
    unsigned max_threads;
    bool classes_overflow, complete, interrupted, instrumented;
    uint64_t max_operations;       /* of each thread, as asked for; 0: no limit */
    bool limited, complete_within; /* a thread had more to do; all up to the limit was seen */
    double seconds;
    struct pl_outlook outlook;            /* how much is still to come */
    struct pl_coverage coverage;          /* what a strategy that also samples has seen */
    const char *outside, *outside_what;   /* an access without its lock: where, of what; or empty */
    const char *atomics;                  /* where there is an atomic operation, or empty */
    uint64_t samples;                     /* executions of the search that are samples */
    uint64_t classes_once, classes_twice; /* classes seen in one execution only, in two */
    bool has_outputs;                     /* they were asked for */
    bool has_trust;                       /* some code is trusted */
    uint64_t trusted_operations;          /* performed in it */
    struct pl_times times;                /* free threads: of executions */
    uint64_t n_suppressed, suppressed;    /* different findings left out; executions with one */
    size_t n_modules, n_findings, n_outputs, n_suppressions, n_orders;
    const struct pl_document_module *modules;
    const struct pl_document_finding *findings;
    const struct pl_document_output *outputs;
    const struct pl_document_suppression *suppressions;
    const struct pl_document_order *orders;
};

struct pl_document_style {
    bool color, verbose;
};

/*
 * Why a finding of that kind shows, and the schedule that passes; nothing when that is not known.
 * `folder` goes before the name of that schedule.
 */
void pl_finding_text_why(FILE *to, unsigned kind, const char *why, const char *folder,
                         const char *passing);

/* How simple the schedule is: "1 preemption, proven minimal; 4 switches". */
void pl_finding_text_minimal(char *to, size_t size, const char *minimal, uint64_t preemptions,
                             uint64_t switches);

/* One finding as a paragraph that ends with the commands to replay and show it. */
void pl_finding_text_print(FILE *to, const struct pl_document_finding *finding, size_t number,
                           const struct pl_document_style *style);

/* What was explored, whether that was all, and what was under control. */
void pl_summary_print(FILE *to, const struct pl_document *document,
                      const struct pl_document_style *style);

/* How much is still to come, as part of a sentence; empty when nothing can be said. */
void pl_outlook_text(char *to, size_t size, const struct pl_outlook *outlook);

/* The object of --json.  "-" is standard output.  0, or -1 with errno. */
int pl_json_write(const char *path, const struct pl_document *document);

#endif /* PL_REPORT_DOCUMENT_H */
