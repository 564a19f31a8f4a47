/* SPDX-License-Identifier: MIT */
/*
 * The common: one shared memory region for all workers of a campaign, at the
 * same address in each of them.  A worker's board (model/board.h) holds its own
 * execution and its part of the search; here is what they have together: what
 * was found, what was learned, who has work, and why the campaign ends.
 *
 * What is written by several is written under the lock, which says whose it
 * is.  A worker may die at any instruction.  A lock left behind is given back by
 * pl_common_recover(), called by whoever sees the death, the tool or the keeper
 * of a runner; it also completes what was half done.  Nobody else can have
 * changed anything meanwhile.  The order of the writes that it relies on stands
 * beside the fields.
 *
 * See docs/design/workers.md for how a search is divided.
 */
#ifndef PL_MODEL_COMMON_H
#define PL_MODEL_COMMON_H

#include "model/board.h"
#include "model/cover.h"
#include "model/estimate.h"
#include "model/goal.h"
#include "model/hapset.h"
#include "model/judged.h"
#include "model/pair.h"
#include "model/reads_from.h"
#include "model/sought.h"

#define PL_COMMON_ADDRESS UINT64_C(0x5f0000000000)
#define PL_COMMON_MAGIC UINT64_C(0x6e6f6d6d6f437450)

enum {
    PL_WORKERS_MAX = 64,
    PL_COMMON_FINDINGS = 256,
    PL_COMMON_STORE = 256 << 20, /* bytes for schedules and outputs of findings */
    PL_COMMON_OUTPUTS = 1 << 14, /* slots for different outputs; half of them are used */
    PL_COMMON_CLASSES = 1 << 22, /* hash slots for equivalence classes */
    PL_COMMON_PART = 1 << 20,    /* bytes of a part of the search that changes hands */
    PL_COMMON_PAIRS = 128 << 20, /* bytes for the table of pairs */
};

/* In the lowest bits of a class's slot: in how many executions it was seen. */
enum { PL_SEEN_NEVER, PL_SEEN_ONCE, PL_SEEN_TWICE, PL_SEEN_OFTEN };

/* Whether a finding counts.  One that does not is seen, but no reason to stop or to fail. */
enum pl_found_verdict {
    PL_FOUND_OPEN,
    PL_FOUND_COUNTS,
    PL_FOUND_SUPPRESSED,
    PL_FOUND_UNREPEATED, /* its execution does not come again */
    PL_FOUND_UNTIMELY,   /* more time-outs came early than may; perhaps fewer do as well */
};

/* A finding with what is needed to write it down. */
struct pl_found {
    struct pl_finding finding;
    _Atomic uint32_t verdict;                   /* futex; enum pl_found_verdict */
    uint64_t count;                             /* executions that showed it, */
    uint64_t latest;                            /* and the number of the last of them */
    uint64_t execution;                         /* the first one seen, from 1 */
    uint64_t n_choices;                         /* its schedule: choices[] copied to the store */
    uint64_t choices_at, threads_at, output_at; /* offsets in the store */
    uint64_t frames_at;                         /* of its rows; 0: they have none */
    uint64_t output_size;
    uint64_t inputs_at, inputs_size; /* an image of what it read; size 0: none */
    bool inputs_lost;                /* there was one, and no room for it */
    uint32_t n_threads;
    uint32_t points;
    uint64_t events;   /* operations and accesses, with those before the root */
    uint64_t n_shared; /* of shared[] that was known then: what is printed must not vary */
    uint32_t slot;     /* of the worker: its board has the modules */
    uint32_t section;  /* call of plait_test(), from 1; 0: none */
    uint32_t digits;   /* of what getpid() has said, or 0 */
    uint32_t early;    /* time-outs that came early, if those are more than may; or 0 */
};

/* A text that executions have printed; only its beginning is kept. */
struct pl_printed {
    uint64_t hash;      /* of all of it; 0: a free slot.  Written last */
    uint64_t count;     /* executions that printed it */
    uint64_t execution; /* the first one seen, from 1 */
    uint64_t at, size;  /* in the store */
};

enum pl_seat_state {
    PL_SEAT_ABSENT, /* the worker has not asked for work yet */
    PL_SEAT_BUSY,   /* it has work; its board says which */
    PL_SEAT_IDLE,   /* it waits */
    PL_SEAT_CALLED, /* it waits and is to look again */
    PL_SEAT_GIVEN,  /* it waits, and part[] is for it */
};

/* Where a worker gets work. */
struct pl_seat {
    _Atomic uint32_t state;  /* futex; enum pl_seat_state */
    uint64_t epoch, size;    /* of the part */
    struct pl_estimate left; /* how much of the search its worker has, see strategy.h */
    _Alignas(4096) unsigned char part[PL_COMMON_PART];
};

struct pl_common {
    uint64_t magic;
    uint32_t size_of_common; /* sizeof(struct pl_common): both sides must agree */
    uint32_t n_workers;

    /* Conversation with the tool. */
    _Atomic uint32_t stop;    /* the tool: end after this execution */
    _Atomic uint32_t listing; /* the tool: wants more paths */
    _Atomic uint32_t why;     /* enum pl_why: the campaign is over for everybody; set once */
    bool complete;            /* every execution of interest has been seen; before why */
    bool complete_within; /* but for what settings.max_operations and time_outs leave out; before
                             why */

    _Atomic uint32_t lock; /* futex; see common.c */

    /* Numbers of executions given out.  The board of the worker has its own before that. */
    uint64_t tickets;

    /*
     * What executions are judged by, such as which memory is shared, is settled
     * for an epoch.  Those of an older one say nothing about the search.
     */
    _Atomic uint64_t epoch;      /* from 1 */
    _Atomic uint32_t calm;       /* random search: all may begin; see runtime/campaign/work.c */
    bool growing;                /* while the epoch changes: if we die, it is to be changed */
    _Atomic uint32_t incomplete; /* why it cannot be complete: set of enum pl_incomplete */

    /* What has been learned, for ever. */
    bool exit_matters;    /* the program looks whether threads have ended: exits are points */
    bool signals_matter;  /* threads send signals: what that has to do with is a point */
    bool arrivals_matter; /* more threads come to a barrier than it waits for */
    bool queues_meet;     /* an operation is about two futexes */
    _Atomic uint32_t
        late; /* looks at which one execution had time pass beside endless loops: most */
    uint64_t n_shared;
    uint64_t shared[PL_BOARD_SHARED]; /* granules that several threads use */

    /*
     * How large the program is; see runtime/campaign/measure.c.  A new one is written
     * beside the old one, which executions that are under way still use.
     */
    _Atomic uint64_t profile_epoch; /* for which the last one was made; last */
    uint32_t n_profiles;            /* made so far; the last one is at (n_profiles - 1) % 2 */
    uint32_t profile_attempts;      /* in this epoch that came to nothing */

    /* The classes of this epoch; see runtime/campaign/seen.c. */
    uint64_t classes;
    _Atomic uint64_t class_capacity;
    uint64_t class_top; /* slots from here on are zero */
    bool classes_overflow;

    /* Exhaustive search: who has which part. */
    uint64_t root_epoch;     /* the last one whose search somebody has begun */
    uint64_t round;          /* of a search in rounds, from 0; they begin anew with an epoch */
    uint64_t next_round;     /* before all else that changes with the round */
    char bounds[32];         /* what the number of the round is the most of: "preemption" */
    _Atomic uint32_t n_idle; /* seats that wait */
    bool exhaustive;         /* the search is */
    uint64_t epoch_tickets;  /* given out before this epoch */
    struct pl_estimate_tree tree;

    /* The rows of result.def that workers count together. */
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) PL_COUNTED_IN_COMMON_##from(name)
#include "model/result.def"

    uint64_t stray_execution; /* the first that was not what it should have been; 0: none */
    char stray_text[200];     /* and in what, or empty */
    struct pl_operation stray_expected, stray_actual; /* and where; of no kind: not known */
    uint64_t classes_before;                          /* of earlier calls of plait_test() */
    uint32_t counted_before; /* of n_counted, by earlier calls of plait_test() */
    _Atomic uint32_t n_found;
    /* Findings that count; written by the tool when settings.suppressing, else by workers. */
    _Atomic uint32_t n_counted;
    uint64_t n_outputs; /* different ones */
    uint64_t store_used;
    struct pl_found found[PL_COMMON_FINDINGS];
    struct pl_printed outputs[PL_COMMON_OUTPUTS]; /* a hash table; see runtime/campaign/outputs.c */

    struct pl_seat seats[PL_WORKERS_MAX];
    _Atomic uint64_t class_slots[PL_COMMON_CLASSES];
    struct pl_profile profiles[2];
    struct pl_cover cover;
    struct pl_hapset hapset;
    struct pl_sought sought;
    struct pl_reads_from reads_from;
    struct pl_judgements verdicts; /* of these pairs, by all workers */
    struct pl_goals goals;
    _Alignas(4096) unsigned char pairs[PL_COMMON_PAIRS]; /* model/pair.h, by the tool */
    _Alignas(4096) unsigned char store[PL_COMMON_STORE];
};

/* Where every worker has it. */
__attribute__((unused)) static struct pl_common *const pl_common =
    (struct pl_common *)PL_COMMON_ADDRESS;

/* After pl_common_recover(), or a lock that our own slot has left behind would stop us, too. */
void pl_common_lock(struct pl_common *common, unsigned slot);
void pl_common_unlock(struct pl_common *common);

/* No process works for this board now: give back its lock and complete what it had begun. */
void pl_common_recover(struct pl_common *common, struct pl_board *board);

/* Everybody is to end because of `why`, unless there was a reason before. */
void pl_common_end(struct pl_common *common, enum pl_why why);

/* Let all who wait look again. */
void pl_common_call(struct pl_common *common);

/* Under the lock: count the seats that wait. */
void pl_common_count_idle(struct pl_common *common);

/* Under the lock: what was concluded from executions so far is void. */
void pl_common_next_epoch(struct pl_common *common);

/* Under the lock, when nobody has work: the search begins once more, with a larger bound. */
void pl_common_next_round(struct pl_common *common);

#endif /* PL_MODEL_COMMON_H */
