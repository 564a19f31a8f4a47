/* SPDX-License-Identifier: MIT */
/*
 * What a campaign or a replay came to, in words.  The engine fills it, reports are
 * views of it.  No addresses, no numbers of this machine's processes; a report
 * needs nothing else.
 *
 * The fields are rows of two tables, model/result.def and result/finding.def, which also have
 * their JSON keys and sentences.  What stands here besides is lists and what strategies state.
 *
 * The arrays are from malloc() and freed by pl_result_free().  No text is NULL; what is
 * not known is empty.
 */
#ifndef PL_RESULT_RESULT_H
#define PL_RESULT_RESULT_H

#include "model/coverage.h"
#include "model/estimate.h"
#include "model/judged.h"
#include "model/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PL_RESULT_WORD = 64,
    PL_RESULT_LINE = 320,
    PL_RESULT_TEXT = 640,
    PL_RESULT_STACK = 24,
    PL_RESULT_LOCKS = 8
};

/* One thread's part in a finding. */
struct pl_result_thread {
#define PL_OF_THREAD_TEXT(name, size, key) char name[size];
#include "result/finding.def"
    size_t n_stack;
    char stack[PL_RESULT_STACK][PL_RESULT_LINE]; /* as that of a finding */
};

/* A lock that a thread had at an access. */
struct pl_result_lock {
#define PL_OF_LOCK_TEXT(name, size, key) char name[size];
#define PL_OF_LOCK_FLAG(name, key) bool name;
#include "result/finding.def"
};

/* One of two accesses that do not go together. */
struct pl_result_access {
#define PL_OF_ACCESS_TEXT(name, size, key) char name[size];
#define PL_OF_ACCESS_NUMBER(name, key) uint64_t name;
#include "result/finding.def"
    size_t n_stack, n_locks;
    char stack[PL_RESULT_STACK][PL_RESULT_LINE]; /* as that of a finding */
    struct pl_result_lock locks[PL_RESULT_LOCKS];
};

/* One of the two operations whose order decides. */
struct pl_result_part {
#define PL_OF_PART_TEXT(name, size, key) char name[size];
#include "result/finding.def"
};

/* Why an execution fails and another, which is like it up to here, does not. */
struct pl_result_explanation {
    char text[PL_RESULT_TEXT * 2];       /* a sentence without a full stop; empty: not known */
    char passing[PL_RESULT_LINE];        /* path of the schedule that passes; may be empty */
    bool ordered;                        /* first and second name the operations */
    struct pl_result_part first, second; /* in the order in which it fails */
};

/* What came of it when plait tried to bring it about; see engine/findings/drive.h. */
struct pl_result_driven {
    char text[PL_RESULT_TEXT]; /* a sentence without a full stop; empty: nobody tried */
    bool confirmed;
    uint64_t tries;                    /* until it was reached, or all of them */
    char effect[PL_RESULT_WORD];       /* of a race: "none", "value", "failure"; or empty */
    char schedules[2][PL_RESULT_LINE]; /* of a race, in either order; may be empty, */
    char firsts[2][PL_RESULT_TEXT];    /* and what comes first there: "thread 0.1 at bank.c:12" */
};

/* What an execution printed: the last lines, or all of them. */
struct pl_result_said {
    char *text;                /* may be NULL */
    uint64_t lines, shown;     /* there were so many, of which the text has so many */
    char path[PL_RESULT_LINE]; /* the file that has all of it; may be empty */
};

struct pl_result_finding {
#define PL_OF_FINDING_TEXT(name, size, key, when) char name[size];
#define PL_OF_FINDING_NUMBER(name, key, when) uint64_t name;
#define PL_OF_FINDING_FLAG(name, key, when) bool name;
#include "result/finding.def"
    struct pl_result_explanation explanation;
    struct pl_result_driven driven;
    struct pl_result_said out, err;
    size_t n_threads, n_stack, n_accesses;
    struct pl_result_thread *threads;
    struct pl_result_access *accesses; /* the earlier one first */
    char (*stack)[PL_RESULT_LINE];     /* callers in the program's own code, innermost first */
};

/* What became of an order that was sought. */
enum pl_order_verdict {
    PL_ORDER_NOT_SHOWN,
    PL_ORDER_SHOWN,
    PL_ORDER_LATER,      /* shown; the two do not conflict */
    PL_ORDER_IMPOSSIBLE, /* everything has been seen, and no execution has it */
    PL_ORDER_VERDICTS
};

struct pl_result_order {
    char text[PL_RESULT_LINE]; /* "a.c:10<b.c:20" */
    enum pl_order_verdict verdict;
    char note[PL_RESULT_TEXT * 2]; /* why it was not shown, without a full stop; else empty */
#define PL_OF_ORDER_NUMBER(name, key) uint64_t name;
#include "result/finding.def"
    struct pl_result_finding *found; /* the execution that shows it, or NULL */
};

/* A text that executions printed; what was asked for with --outputs. */
struct pl_result_output {
    char *text; /* its beginning, if it is long */
    uint64_t execution, count;
};

/* A shared object or program that was loaded. */
struct pl_result_module {
    char name[PL_RESULT_LINE];
    bool instrumented;
    bool unseen; /* a library without hooks whose functions are not known either */
};

/* What came of orders of static pairs, if a strategy went by them. */
struct pl_result_values {
    bool known;
    uint64_t switches; /* that were made for a reason */
    uint64_t attempts; /* at orders of pairs: a switch may be for several */
    uint64_t of[PL_JUDGED_KINDS];
    uint64_t pairs[PL_PAIR_KINDS];
    uint64_t orders, shown, failed, impossible, open; /* failed: of those that were shown */
    uint64_t aimed, met; /* executions that were led to an open one, and showed it */
};

struct pl_suppressions;

struct pl_result {
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) uint64_t name;
#define PL_RESULT_FLAG(name, key, when) bool name;
#define PL_RESULT_REAL(name, key, when) double name;
#define PL_RESULT_TEXT(name, size, key, when) char name[size];
#include "model/result.def"
    uint32_t incomplete;             /* why it is not complete: set of enum pl_incomplete */
    char unhooked[PL_RESULT_LINE];   /* where an access has no hook, if that is a reason */
    char stripped[PL_RESULT_LINE];   /* or the module without symbols that may have such */
    char unmodelled[PL_RESULT_LINE]; /* which system call is not modelled, and where it is made */
    int64_t bound;               /* of `bounds`: everything within has been seen; -1: not known */
    struct pl_outlook outlook;   /* how much is still to come */
    struct pl_coverage coverage; /* what a strategy that also samples has seen */
    struct pl_coverage_tasks cover; /* tasks, those of earlier campaigns with them */
    struct pl_times times;          /* free threads: of executions */
    struct pl_result_values values;

    size_t n_modules, n_findings, n_orders, n_outputs;
    struct pl_result_module *modules;
    char **notes;
    size_t n_notes;
    struct pl_result_finding *findings;
    struct pl_result_order *orders;   /* that were sought */
    struct pl_result_output *outputs; /* in the order of their first executions */

    /* The suppressions of the request, which have counted what they match; NULL: there are none. */
    const struct pl_suppressions *suppressions;
};

/* The JSON keys of the rows, for those who read what was written; empty: there is none. */
struct pl_result_keys {
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) const char *name;
#define PL_RESULT_FLAG(name, key, when) const char *name;
#define PL_RESULT_REAL(name, key, when) const char *name;
#define PL_RESULT_TEXT(name, size, key, when) const char *name;
#include "model/result.def"
};
extern const struct pl_result_keys pl_result_keys;

struct pl_result_finding_keys {
#define PL_OF_FINDING_TEXT(name, size, key, when) const char *name;
#include "result/finding.def"
};
extern const struct pl_result_finding_keys pl_result_finding_keys;

/* Whether the program was run, but never came to where plait controls anything: no thread. */
bool pl_result_uncontrolled(const struct pl_result *result);

/* How many suppressions there are. */
size_t pl_result_suppressions(const struct pl_result *result);

/* "shown", "shown-apart", "impossible", "not-shown" */
const char *pl_result_verdict(enum pl_order_verdict verdict);

/* Add a sentence, without a full stop, about what is no finding but should be known. */
__attribute__((format(printf, 2, 3))) void pl_result_note(struct pl_result *r, const char *format,
                                                          ...);

/* Forget who takes part in a finding; the rest is as before. */
void pl_result_forget(struct pl_result_finding *finding);
void pl_result_free(struct pl_result *result);

#endif /* PL_RESULT_RESULT_H */
