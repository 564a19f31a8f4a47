/* SPDX-License-Identifier: MIT */
/*
 * What a campaign or a replay came to, in words.  No addresses, no numbers of
 * this machine's processes; a report needs nothing else.
 *
 * The arrays are from malloc() and freed by pl_result_free().
 */
#ifndef PL_ENGINE_RESULT_H
#define PL_ENGINE_RESULT_H

#include "model/coverage.h"
#include "model/estimate.h"
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
    char name[PL_RESULT_WORD];         /* "0.1" */
    char waits[PL_RESULT_WORD];        /* "waits", "goes round" or empty */
    char operation[PL_RESULT_WORD];    /* "mutex lock" */
    char kind[PL_RESULT_WORD];         /* of the object: "mutex" */
    char object[PL_RESULT_LINE];       /* "accounts+40"; may be empty */
    char location[PL_RESULT_LINE];     /* "bank.c:12 (transfer)" */
    char holder[PL_RESULT_WORD];       /* thread that holds the object, or empty */
    char since[PL_RESULT_LINE];        /* where the holder acquired it, or empty */
    char sentence[PL_RESULT_TEXT * 2]; /* all of it, without a full stop */
    size_t n_stack;
    char stack[PL_RESULT_STACK][PL_RESULT_LINE]; /* as that of a finding */
};

/* A lock that a thread had at an access. */
struct pl_result_lock {
    char kind[PL_RESULT_WORD];   /* "mutex" */
    char object[PL_RESULT_LINE]; /* "accounts[0].lock"; may be empty */
    char since[PL_RESULT_LINE];  /* "bank.c:11"; may be empty */
    bool shared;                 /* the read side of an rwlock */
};

/* One of two accesses that do not go together. */
struct pl_result_access {
    char thread[PL_RESULT_WORD];
    char operation[PL_RESULT_WORD]; /* "write" */
    char object[PL_RESULT_LINE];    /* "accounts[0].balance"; may be empty */
    char location[PL_RESULT_LINE];  /* "bank.c:12 (transfer)"; may be empty */
    uint64_t size;                  /* in bytes */
    size_t n_stack, n_locks;
    char stack[PL_RESULT_STACK][PL_RESULT_LINE]; /* as that of a finding */
    struct pl_result_lock locks[PL_RESULT_LOCKS];
    char sentence[PL_RESULT_TEXT * 4]; /* all but the stack, without a full stop */
};

/* One of the two operations whose order decides. */
struct pl_result_part {
    char thread[PL_RESULT_WORD];
    char operation[PL_RESULT_WORD];
    char object[PL_RESULT_LINE];   /* may be empty */
    char location[PL_RESULT_LINE]; /* "bank.c:12"; may be empty */
};

/* Why an execution fails and another, which is like it up to here, does not. */
struct pl_result_explanation {
    char text[PL_RESULT_TEXT * 2];       /* a sentence without a full stop; empty: not known */
    char passing[PL_RESULT_LINE];        /* path of the schedule that passes; may be empty */
    bool ordered;                        /* first and second name the operations */
    struct pl_result_part first, second; /* in the order in which it fails */
};

/* What came of it when plait tried to bring it about; see drive.h. */
struct pl_result_driven {
    char text[PL_RESULT_TEXT]; /* a sentence without a full stop; empty: nobody tried */
    bool confirmed;
    uint64_t tries;                    /* until it was reached, or all of them */
    char effect[PL_RESULT_WORD];       /* of a race: "none", "value", "failure"; or empty */
    char schedules[2][PL_RESULT_LINE]; /* of a race, in either order; may be empty, */
    char firsts[2][PL_RESULT_TEXT];    /* and what comes first there: "thread 0.1 at bank.c:12" */
};

/* What became of an order that was sought. */
enum pl_order_verdict {
    PL_ORDER_NOT_SHOWN,
    PL_ORDER_SHOWN,
    PL_ORDER_LATER,      /* shown; the two do not conflict */
    PL_ORDER_IMPOSSIBLE, /* everything has been seen, and no execution has it */
};

struct pl_result_finding {
    char kind[PL_RESULT_WORD];
    char meaning[PL_RESULT_LINE];
    char message[PL_RESULT_TEXT];
    char location[PL_RESULT_LINE];   /* "bank.c:12 (transfer)"; may be empty */
    char other[PL_RESULT_LINE];      /* a second place that matters; may be empty */
    char object[PL_RESULT_LINE];     /* what it is about; may be empty */
    char thread[PL_RESULT_WORD];     /* may be empty */
    char schedule[PL_RESULT_LINE];   /* path of the file; empty when none could be written */
    char unreplayed[PL_RESULT_TEXT]; /* why it does not replay; empty when it does */
    bool replays;
    bool unrecorded;                  /* the user wanted no schedule */
    char cover[PL_RESULT_LINE];       /* the order that it shows; else empty */
    char minimal[PL_RESULT_WORD];     /* "proven", "tried", or empty: not minimised, */
    char unminimized[PL_RESULT_TEXT]; /* and this is why; empty when nobody wanted it */
    uint32_t preemptions, switches;   /* of the minimised schedule */
    struct pl_result_explanation explanation;
    struct pl_result_driven driven;
    uint64_t signature;
    uint64_t execution, count;
    char about[PL_RESULT_LINE + 40]; /* what the accesses have in common: "counter (4 bytes)" */
    size_t n_threads, n_stack, n_accesses;
    struct pl_result_thread *threads;
    struct pl_result_access *accesses; /* the earlier one first */
    char (*stack)[PL_RESULT_LINE];     /* callers in the program's own code, innermost first */
};

/* An order that was sought; numbers are of executions, see model/sought.h. */
struct pl_result_order {
    char text[PL_RESULT_LINE]; /* "a.c:10<b.c:20" */
    enum pl_order_verdict verdict;
    char note[PL_RESULT_TEXT * 2]; /* why it was not shown, without a full stop; else empty */
    uint64_t first, second, both, met, reversed, between;
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
};

struct pl_session;

struct pl_result {
    char program[PL_RESULT_LINE];
    char strategy[PL_RESULT_WORD * 4]; /* with its parameters */
    char folder[PL_RESULT_LINE];
    uint64_t seed;
    unsigned jobs;
    uint64_t search_executions; /* since the search last started over */
    uint64_t executions, resumed, points, max_choices, classes, failures, lost;
    uint64_t classes_once, classes_twice; /* of the search that counts */
    struct pl_outlook outlook;            /* how much is still to come */
    struct pl_coverage coverage;          /* what a strategy that also samples has seen */
    uint64_t samples;                     /* executions since the search last started over */
    uint32_t max_threads;
    bool classes_overflow;
    bool complete, interrupted;
    uint64_t max_operations;     /* of each thread, as asked for; 0: no limit */
    bool limited;                /* a thread had more to do */
    bool complete_within;        /* all there is up to the limit has been seen */
    int64_t bound;               /* everything within it has been seen; -1: not known */
    char bounds[PL_RESULT_WORD]; /* what it counts: "preemption"; empty for other searches */
    char
        outside[PL_RESULT_LINE]; /* a search over blocks: "bank.c:12", an access without its lock */
    char outside_what[PL_RESULT_LINE]; /* what it accesses */
    char atomics[PL_RESULT_LINE];      /* where there is an atomic operation; all empty: nowhere */
    char ended[PL_RESULT_LINE];        /* why the search ended, without a full stop */
    double seconds;
    const char *recorded;             /* free threads: how much; NULL on other carriers */
    char restart[PL_RESULT_WORD];     /* how executions got a fresh program, at the end */
    char restart_why[PL_RESULT_LINE]; /* why not the faster one; empty when it was used */
    uint64_t max_rss_kb;

    /* What was under control. */
    bool instrumented; /* the program itself was compiled with plait cc */
    uint64_t bypassed, divergences;
    uint64_t examined,
        unexamined; /* recordings that detectors were to look at; those that strayed */
    size_t n_modules;
    struct pl_result_module *modules;

    size_t n_findings;
    struct pl_result_finding *findings;
    size_t n_orders; /* that were sought */
    struct pl_result_order *orders;
    bool has_trust;              /* some code is trusted, */
    uint64_t trusted_operations; /* and so many operations were performed in it */
    struct pl_times times;       /* free threads: of executions */
    uint64_t findings_lost;      /* distinct ones beyond what could be kept */
    uint64_t n_suppressed;       /* distinct ones that the user did not want, */
    uint64_t suppressed;         /* and the executions that showed one */

    bool has_cover;                 /* interleavings were counted, */
    struct pl_coverage_tasks cover; /* those of earlier campaigns with them */
    char until[PL_RESULT_LINE];     /* it ended because this was reached; else empty */

    bool has_outputs; /* they were asked for */
    size_t n_outputs;
    struct pl_result_output *outputs; /* in the order of their first executions */
    uint64_t outputs_lost;            /* executions whose output did not fit */
};

/* Take over what the workers have counted, and their modules. */
void pl_result_count(struct pl_result *result, const struct pl_session *session, double seconds);
void pl_result_free(struct pl_result *result);

#endif /* PL_ENGINE_RESULT_H */
