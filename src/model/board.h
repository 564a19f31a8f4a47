/* SPDX-License-Identifier: MIT */
/*
 * The board: one shared memory region at the same address in the tool, the
 * keeper and the runner.  It holds all that outlives an execution: settings,
 * the strategy's state, the choices of the current execution, findings with
 * their schedules, counters.  Whatever process dies, the board is intact.
 *
 * It is an anonymous memory file, so nothing is left behind when the last
 * process that maps it is gone.  The tool creates and maps it; the worker finds
 * its descriptor in the environment variable PLAIT_BOARD.
 *
 * State of one execution (threads, held locks, the heap) is not here but on the
 * stage (runtime/stage.h), ordinary private memory of the worker, so that fork
 * and rollback give it back together with the program's own.
 *
 * Writers: the tool writes `settings`, `steps`, `stop` and `check_status`;
 * the worker everything else.  One process of the worker runs at a time.
 */
#ifndef PL_MODEL_BOARD_H
#define PL_MODEL_BOARD_H

#include "model/choice.h"
#include "model/finding.h"
#include "model/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_BOARD_ADDRESS UINT64_C(0x600000000000)
#define PL_BOARD_MAGIC UINT64_C(0x6472616f42746c50)
#define PL_BOARD_VERSION 1
#define PL_BOARD_ENV "PLAIT_BOARD"

enum {
    PL_BOARD_MODULES = 256,
    PL_BOARD_FINDINGS = 256,
    PL_BOARD_HOT = 1 << 14,     /* pages that executions change */
    PL_BOARD_CHOICES = 8 << 20, /* of one execution */
    PL_BOARD_EVENTS = 1 << 20,  /* of a traced execution */
    PL_BOARD_STORE = 256 << 20, /* bytes for schedules and outputs of findings */
    PL_BOARD_ARENA = 512 << 20, /* bytes for the strategy */
    PL_BOARD_SHARED = 1 << 20,  /* granules known to be shared */
    PL_BOARD_CLASSES = 1 << 22, /* hash slots for equivalence classes */
    PL_BOARD_STEPS = 8 << 20,   /* of a schedule to replay */
};

/* Values of worker_status that are no wait status. */
enum { PL_WORKER_NONE = -1, PL_WORKER_HUNG = -2 };

enum pl_carrier { PL_CARRIER_FIBER, PL_CARRIER_THREAD };
enum pl_restart { PL_RESTART_ROLLBACK, PL_RESTART_FORK, PL_RESTART_EXEC };

/* When a runner that rolls back remembers the middle of an execution. */
enum pl_checkpoints { PL_CHECKPOINTS_AUTO, PL_CHECKPOINTS_OFF, PL_CHECKPOINTS_ALWAYS };

enum pl_detector {
#define PL_DETECTOR(name, text, summary) PL_DETECT_##name,
#include "model/detectors.def"
#undef PL_DETECTOR
    PL_DETECTORS
};

/* What the user asked for, as far as the worker must know. */
struct pl_settings {
    char strategy[32];
    char parameters[96]; /* key=value,... as given after the strategy's name */
    uint64_t seed;
    uint64_t executions; /* 0: no limit */
    uint64_t max_steps;
    uint64_t hang_ms;
    uint32_t detect; /* bit per enum pl_detector */
    uint8_t carrier, restart;
    uint8_t checkpoints; /* enum pl_checkpoints */
    bool restart_forced; /* an error where that restart does not suit, instead of another */
    bool keep_going;
    bool spurious, weak_cas;
    bool points_all;
    bool trace;            /* record every operation in events[] */
    bool judged;           /* the tool judges the output after each execution */
    uint8_t exit_fine[32]; /* bit per exit status that is no finding */
};

/* How an execution ended. */
enum pl_outcome {
    PL_OUTCOME_RUNNING,
    PL_OUTCOME_DONE,     /* the program ended by itself, as expected */
    PL_OUTCOME_FINDING,  /* board->finding says what */
    PL_OUTCOME_DIVERGED, /* a replay left its schedule */
    PL_OUTCOME_LOST,     /* killed from outside: to be done again */
};

/* A thread of the current execution, for whoever must print its name. */
struct pl_thread_name {
    uint64_t name;
    pl_tid parent;
    uint16_t nth; /* child of parent, from 1 */
    uint32_t unused;
    uint64_t start; /* its start function */
};

struct pl_module {
    uint64_t base; /* load bias */
    uint64_t start, end;
    bool instrumented;
    uint8_t build_id_size;
    uint8_t build_id[20];
    char path[256];
};

/* One operation of a traced execution. */
struct pl_event {
    struct pl_operation op;
    struct pl_place object;
    bool switched;   /* the thread was not the one that ran before */
    bool point;      /* a choice could have been made here */
    uint32_t choice; /* index in choices[] of the last choice made before it, plus 1; 0 for none */
};

/* A finding with what is needed to write it down. */
struct pl_found {
    struct pl_finding finding;
    uint64_t count;                             /* executions that showed it */
    uint64_t execution;                         /* the first one, from 1 */
    uint64_t n_choices;                         /* its schedule: choices[] copied to the store */
    uint64_t choices_at, threads_at, output_at; /* offsets in the store */
    uint64_t output_size;
    uint32_t n_threads;
    uint32_t points;
};

/* Why a replay left its schedule. */
struct pl_divergence {
    bool happened;
    uint64_t step; /* index in steps[]; n_steps when the schedule was at its end */
    struct pl_operation actual;
    char text[200];
};

enum pl_phase {
    PL_PHASE_START, /* the worker has not reached its root */
    PL_PHASE_RUNNING,
    PL_PHASE_CHECK,    /* waiting for the tool to judge the output */
    PL_PHASE_FINISHED, /* nothing is left to do; why says it */
};

enum pl_why {
    PL_WHY_NONE,
    PL_WHY_COMPLETE,   /* the strategy has seen all there is */
    PL_WHY_EXECUTIONS, /* the limit was reached */
    PL_WHY_STOPPED,    /* the tool said so */
    PL_WHY_FINDING,    /* a finding, and not keep_going */
    PL_WHY_ERROR,      /* error[] says what */
};

struct pl_board {
    uint64_t magic;
    uint32_t version;
    uint32_t size_of_board; /* sizeof(struct pl_board): both sides must agree */
    struct pl_settings settings;

    /* Conversation between tool and worker. */
    _Atomic uint32_t stop;         /* the tool: end after this execution */
    _Atomic uint32_t phase;        /* futex; enum pl_phase */
    uint32_t why;                  /* enum pl_why, once finished */
    _Atomic uint32_t check_status; /* futex; 0 pending, 1 fine, 2 bad, 3 failed to judge */
    _Atomic int32_t keeper_pid, runner_pid;
    _Atomic int32_t worker_status; /* exec: wait status of the worker before; see below */
    char error[512];
    char check_text[256]; /* why check_status is 2 */

    /* The campaign. */
    _Atomic uint64_t executions; /* finished ones */
    uint64_t points;             /* in finished executions */
    uint64_t events;             /* operations and accesses, points or not */
    uint64_t max_depth;          /* most choices in one execution */
    uint64_t failures;           /* executions with a finding */
    uint64_t classes;            /* distinct equivalence classes executed */
    uint64_t class_capacity;     /* of the hash set of classes; see keeper.c */
    bool classes_overflow;
    bool complete;
    bool started;          /* the strategy has been */
    bool unfair;           /* a loop was cut short: the search cannot be complete */
    uint64_t bypassed;     /* calls that left control: raw clone, vfork, ... */
    uint32_t max_threads;  /* most threads alive or not in one execution */
    uint64_t resumed;      /* executions that began at a checkpoint */
    uint64_t lost;         /* executions done again because something killed them */
    uint32_t restart_wish; /* the restart that the next runner should have */
    uint32_t restart;      /* enum pl_restart in use; it only ever goes up */
    char restart_why[200]; /* what the program does that the restart before could not undo */
    bool exit_matters;     /* the program looks whether threads have ended: exits are points */
    uint64_t restarts;     /* of the search, because more memory turned out to be shared */

    /* The execution that runs now; kept after it until the next begins. */
    uint64_t execution;     /* number, from 1 */
    _Atomic uint64_t begun; /* executions begun, also those that were lost */
    uint32_t outcome;       /* enum pl_outcome */
    bool ended;             /* strategy->end() has not been told yet */
    bool shared_grew;
    uint8_t dying_signal; /* the program is about to kill itself with it */
    int32_t dying_status; /* the program has called exit with it; -1: it has not */
    uint64_t execution_points, execution_events;
    uint64_t class_hash;
    uint64_t output_size; /* of standard output and error at its end */
    uint32_t n_threads;
    uint64_t n_choices, n_events;
    uint64_t n_decisions; /* choices with more than one option */
    struct pl_divergence divergence;
    struct pl_finding finding;
    struct pl_thread_name threads[PL_THREADS_MAX];

    /* What was under control. */
    uint32_t n_modules;
    struct pl_module modules[PL_BOARD_MODULES];

    _Atomic uint32_t n_found;
    struct pl_found found[PL_BOARD_FINDINGS];
    uint64_t found_lost; /* distinct findings beyond the table */

    uint64_t n_hot;
    uint64_t hot[PL_BOARD_HOT]; /* addresses of pages that rollback copies */

    uint64_t n_steps; /* of the schedule to replay */
    uint64_t store_used, arena_used, n_shared;
    uint64_t root_output_size; /* of the captured output when the root was reached */

    struct pl_choice choices[PL_BOARD_CHOICES];
    struct pl_event trace[PL_BOARD_EVENTS];
    struct pl_step steps[PL_BOARD_STEPS];
    uint64_t shared[PL_BOARD_SHARED];
    uint64_t class_slots[PL_BOARD_CLASSES];
    _Alignas(4096) unsigned char store[PL_BOARD_STORE];
    _Alignas(4096) unsigned char arena[PL_BOARD_ARENA];
};

/* Where every process has it. */
__attribute__((unused)) static struct pl_board *const pl_board =
    (struct pl_board *)PL_BOARD_ADDRESS;

#endif /* PL_MODEL_BOARD_H */
