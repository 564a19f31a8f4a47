/* SPDX-License-Identifier: MIT */
/*
 * The board: one shared memory region per worker, at the same address in its
 * keeper and its runner, and mapped by the tool.  It holds what belongs to this
 * worker and outlives an execution: settings, the strategy's state, the choices
 * of the current execution, counters.  Whatever process dies, the board is
 * intact, and the next process of the worker goes on with it.  What workers have
 * together, such as findings, is in the common (model/common.h).
 *
 * Both are anonymous memory files, so nothing is left behind when the last
 * process that maps them is gone.  The tool creates and maps them; the worker
 * finds the board's descriptor in the environment variable PLAIT_BOARD.
 *
 * State of one execution (threads, held locks, the heap) is not here but on the
 * stage (runtime/ground/stage.h), ordinary private memory of the worker, so that fork
 * and rollback give it back together with the program's own.
 *
 * Writers: the tool writes `settings`, `slot`, `goal`, `steps`, `inputs` that are fed, answers and
 * the tail of `paths`, and `restart` while no process of the worker runs; the worker everything
 * else. One process of the worker runs at a time.
 */
#ifndef PL_MODEL_BOARD_H
#define PL_MODEL_BOARD_H

#include "base/err.h"
#include "model/choice.h"
#include "model/company.h"
#include "model/counted.h"
#include "model/coverage.h"
#include "model/detector.h"
#include "model/finding.h"
#include "model/incomplete.h"
#include "model/inputs.h"
#include "model/operation.h"
#include "model/order.h"
#include "model/profile.h"
#include "model/segments.h"
#include "model/site.h"
#include "model/sought.h"
#include "model/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_BOARD_ADDRESS UINT64_C(0x600000000000)
#define PL_BOARD_MAGIC UINT64_C(0x6472616f42746c50)
#define PL_BOARD_VERSION 1
#define PL_BOARD_ENV "PLAIT_BOARD"
#define PL_BOARD_OF_PARENT \
    "parent:"                    /* before its value, in a child that starts the program again */
#define PL_BOARD_JOINS "join:"   /* in one under control, with its number behind; see company.h */
#define PL_BOARD_THROUGH "pass:" /* in one that is not, and may become one that is */

enum {
    PL_BOARD_MODULES = 256,
    PL_BOARD_HOT = 1 << 14,     /* pages that executions change */
    PL_BOARD_CHOICES = 8 << 20, /* of one execution */
    PL_BOARD_ASKED = 1 << 20,   /* so many of them can be compared with the next one's, */
    PL_BOARD_OFFERS = 4 << 20,  /* with so many options together */
    PL_BOARD_EVENTS = 1 << 20,  /* of a traced execution */
    PL_BOARD_FRAMES = 1 << 20,  /* callers of those, with their numbers */
    PL_BOARD_ARENA = 512 << 20, /* bytes for the strategy */
    PL_BOARD_SHARED = 1 << 20,  /* granules known to be shared */
    PL_BOARD_COPIED = 1 << 12,  /* ranges that children have read in an execution */
    PL_BOARD_SITES = 1 << 14,   /* accesses without hooks */
    PL_BOARD_UNUSED = 1 << 12,  /* calls whose results may be unused */
    PL_BOARD_MARKED = 1 << 16,  /* separate stretches of code that the user has marked */
    PL_CLIENT_PATH = 256,       /* as that of a module */
    PL_CLIENT_TEXT = 2048,      /* with its arguments */
    PL_BOARD_STEPS = 8 << 20,   /* of a schedule to replay */
    PL_BOARD_ORDER = 32 << 20,  /* entries of a recording */
    PL_BOARD_NOTED = 32,        /* findings of one execution that do not end it */
};

/* Values of worker_status that are no wait status. */
enum { PL_WORKER_NONE = -1, PL_WORKER_HUNG = -2 };

enum pl_carrier { PL_CARRIER_FIBER, PL_CARRIER_THREAD, PL_CARRIER_FREE, PL_CARRIERS };
/* As spelled in schedules, and the first two after --carrier. */
__attribute__((unused)) static const char *const pl_carrier_texts[] = {"fiber", "thread", "free"};

/* How much of what happens on the free carrier is recorded. */
enum pl_record_level {
    PL_RECORD_FULL,  /* the order of all operations and accesses */
    PL_RECORD_LIGHT, /* that of synchronisation: accesses are not ordered */
    PL_RECORD_NONE,
};
/* As spelled after record= and in results. */
__attribute__((unused)) static const char *const pl_record_texts[] = {"full", "light", "none"};
enum pl_restart { PL_RESTART_ROLLBACK, PL_RESTART_FORK, PL_RESTART_EXEC };
/* As spelled after --restart and in results. */
__attribute__((unused)) static const char *const pl_restart_texts[] = {"rollback", "fork", "exec"};

/* When a runner that rolls back remembers the middle of an execution. */
enum pl_checkpoints { PL_CHECKPOINTS_AUTO, PL_CHECKPOINTS_OFF, PL_CHECKPOINTS_ALWAYS };

/* When time-outs expire; see runtime/core/expiry.h. */
enum pl_time_outs {
    PL_TIME_OUTS_FEW,   /* when nobody can run; early in an execution at most so often: */
    PL_TIME_OUTS_ANY,   /* at any point */
    PL_TIME_OUTS_LAST,  /* when nobody can run */
    PL_TIME_OUTS_NEVER, /* and sleeps as with the last one */
};
enum { PL_TIME_OUTS_BUDGET = 2 };
/* As spelled after --time-outs. */
__attribute__((unused)) static const char *const pl_time_outs_texts[] = {"few", "any", "last",
                                                                         "never"};

/* What the user asked for, as far as the worker must know. */
struct pl_settings {
    char strategy[32];
    char parameters[224]; /* key=value,... as given after the strategy's name */
    uint64_t seed;
    uint64_t executions; /* 0: no limit */
    uint64_t max_steps;
    uint64_t max_operations; /* of each thread after the root; 0: no limit */
    uint64_t hang_ms;
    uint32_t detect; /* bit per enum pl_detector */
    uint8_t carrier, restart;
    uint8_t record;      /* enum pl_record_level */
    uint8_t checkpoints; /* enum pl_checkpoints */
    uint8_t time_outs;   /* enum pl_time_outs */
    uint32_t section;    /* only this call of plait_test(), from 1; 0: all */
    uint32_t digits;     /* of what getpid() is to say; 0: as many as its number has */
    bool restart_forced; /* an error where that restart does not suit, instead of another */
    bool keep_going;
    bool spurious, weak_cas;
    bool hooks_only;  /* what no hook announces is left alone */
    bool check_pairs; /* operations are held against what the analyser knows (model/pair_check.h) */
    bool points_all;
    bool trace;         /* record every operation in events[] */
    bool starts_chosen; /* new threads begin when they are chosen, as on the free carrier */
    bool company;       /* children that the program forks are under control, too */
    bool judged;        /* the tool judges the output after each execution */
    bool outputs;       /* list what executions print */
    bool listing;       /* record paths, as long as common->listing says so, */
    bool stacks;        /* with the callers at the ends of segments */
    uint8_t marks;      /* bit per enum pl_mark: code is marked so, and the tool says which */
    bool suppressing;   /* the tool is asked which findings count */
    bool covering;      /* what interleavings show is collected; see model/cover.h */
    bool risk;          /* exhaustive strategies first take what would show something new */
    bool given;         /* the tool knows predecessor sets of earlier campaigns */
    bool seek;          /* executions are led towards the orders in `cover`, up to the last */
    char cover[PL_SOUGHT_ORDERS * PL_SOUGHT_TEXT]; /* "a.c:10<b.c:20", a line each */
    uint16_t client_words; /* 0: there is none; otherwise a program that runs beside this one */
    char
        client[PL_CLIENT_TEXT]; /* its path and arguments, one after the other, each with its end */
    uint8_t record_inputs; /* PL_INPUTS_WORLD, PL_INPUTS_CLOCKS: what executions read is kept */
    uint8_t exit_fine[32]; /* bit per exit status that is no finding */
};

/* How an execution ended. */
enum pl_outcome {
    PL_OUTCOME_RUNNING,
    PL_OUTCOME_DONE,     /* the program ended by itself, as expected */
    PL_OUTCOME_FINDING,  /* board->finding says what */
    PL_OUTCOME_DIVERGED, /* a replay left its schedule */
    PL_OUTCOME_LOST,     /* killed from outside: to be done again */
    PL_OUTCOME_CUT,      /* the strategy has ended it: the rest is of no interest */
    PL_OUTCOME_ABORTED,  /* the strategy has ended it: a thread cannot do what it was to do */
    PL_OUTCOME_SLOW,     /* given up: it used up its time while its threads made progress */
};

/* What users mark code for, by patterns; see engine/worker/marks.h. */
enum pl_mark { PL_MARK_TRUST, PL_MARK_NOISE, PL_MARKS };

/* Code from start up to end. */
struct pl_stretch {
    uint64_t start, end;
};

/* All code that is marked for one purpose, sorted. */
struct pl_marked {
    uint64_t n;
    struct pl_stretch ranges[PL_BOARD_MARKED];
};

/*
 * Addresses of further programs, which children become (model/company.h), are told apart from those
 * of the first by a number above the bits of an address: the program's own has 0.
 */
enum { PL_IMAGE_SHIFT = 48, PL_IMAGES = 64 };

struct pl_module {
    uint64_t base; /* load bias, as all of these with the number of the program */
    uint64_t start, end;
    uint64_t writable; /* the lowest address that it can write to; what is below is constant */
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
    uint32_t stack;  /* in frames[] of the board: how many callers, then they, innermost first;
                        plus 1, 0 when they are not known */
    pl_tid beside;   /* of a time-out that came early: who could have run instead, */
    uint64_t waited; /* and how long the wait was to be, in nanoseconds */
};

enum { PL_GOAL_MEMBERS = 8, PL_MEETING_BYTES = 16 };

/* Where a thread is to stand; with PL_OP_NONE whatever it does to memory there. */
struct pl_goal_member {
    uint64_t name; /* of the thread, see name.h */
    uint64_t pc;
    uint64_t since; /* where it takes what others will wait for; 0 when there is no such place */
    uint8_t op;
};

/*
 * The finding that a minimised schedule must show, and how much may be tried for
 * it; or what is to be reached all at once, so that the finding comes true.
 */
struct pl_goal {
    uint64_t signature;
    uint64_t budget; /* in executions by rollback; others count for several */
    uint8_t kind;
    uint32_t n_members; /* 0 for a schedule that is minimised */
    struct pl_goal_member members[PL_GOAL_MEMBERS];
};

/* One of two accesses that were to happen next to each other. */
struct pl_meeting_side {
    uint64_t addr;
    uint32_t size;
    bool reads;
    uint8_t n_saw, n_left;                /* bytes known of the beginning of what it touches: */
    unsigned char saw[PL_MEETING_BYTES];  /* when it came there, */
    unsigned char left[PL_MEETING_BYTES]; /* and after both */
};

/* What became of them in this execution; see runtime/observe/meeting.c. */
struct pl_meeting {
    bool happened;
    bool pending;  /* what they leave is not known yet */
    uint8_t first; /* which of them came first */
    uint8_t last;  /* the one that was the operation before, plus 1; 0: neither */
    pl_tid tid;    /* whose it was; once they have met, the first one's */
    struct pl_meeting_side sides[2];
};

/* How far the threads of a recorded execution had come at its end. */
struct pl_order_fate {
    _Atomic bool known;
    bool frozen; /* what comes after the first n entries happened after the end */
    uint64_t n;
    pl_tid last;
    uint32_t n_threads;
    uint32_t at[PL_THREADS_MAX];
};

/* Why a replay left its schedule. */
struct pl_divergence {
    bool happened;
    bool again;                   /* no replay: the strategy knows better now, and starts over */
    bool exits;                   /* with `again`: exits of threads are to be points */
    uint64_t step;                /* index in steps[]; n_steps when the schedule was at its end */
    bool input;                   /* it was about what the program reads: step says nothing */
    struct pl_operation actual;   /* what is there, or of no kind */
    struct pl_operation expected; /* of a search: what was there before, or of no kind */
    char text[200];
};

/* An operation as an execution is compared with the one before it. */
struct pl_board_offer {
    uint64_t addr, pc, name;
    uint32_t ordinal;
    pl_tid tid;
    uint8_t kind, way;
};

/* A choice that a search was asked for, for the execution after it; see runtime/core/repeat.h. */
struct pl_board_asked {
    uint64_t course;  /* hash of what was performed before */
    uint32_t first;   /* what could be performed, in offers[]; */
    uint16_t n;       /* so many, 0 where the options are no operations */
    uint16_t options; /* of the choice */
    struct pl_board_offer at;
};

struct pl_board_asked_list {
    bool of_search;        /* the list is of an execution that the next one may begin like */
    uint64_t shared_known; /* to that execution */
    uint64_t repeats;      /* so many of its choices the present one begins with */
    struct pl_board_asked list[PL_BOARD_ASKED];
    struct pl_board_offer offers[PL_BOARD_OFFERS];
};

/* What a program can do that is not modelled. */
enum pl_unmodelled {
    PL_UNMODELLED_CALL,        /* of the system */
    PL_UNMODELLED_FUNCTION,    /* of libc */
    PL_UNMODELLED_INSTRUCTION, /* of which nobody knows what it gives */
    PL_UNMODELLED_FILE,        /* that tells what others do */
};

/* Memory that a child on its own has read before it wrote it; see pl_shadow_in_child(). */
struct pl_copied {
    uint64_t addr; /* of the first granule */
    uint32_t granules;
    pl_tid maker; /* the thread that made the child */
};

/* A sample that is drawn again because an assumption does not hold; see runtime/core/redraw.h. */
struct pl_redraw {
    uint64_t keep;     /* so many of the choices before are made again */
    uint64_t furthest; /* so many choices lead to the assumption that was hardest to come to */
    uint64_t back;     /* how many of these are left out */
    uint32_t in_vain;  /* tries that got no further */
    uint32_t tries;    /* of the number of the execution */
    bool due;          /* another one is to follow */
};

enum pl_phase {
    PL_PHASE_START, /* the worker has not reached its root */
    PL_PHASE_RUNNING,
    PL_PHASE_IDLE,     /* waiting for work from another worker, however long */
    PL_PHASE_CHECK,    /* waiting for the tool to judge the output */
    PL_PHASE_MARKS,    /* waiting for the tool to say which code is marked */
    PL_PHASE_SITES,    /* waiting for the tool to say which accesses have no hooks */
    PL_PHASE_UNUSED,   /* waiting for the tool to say whether the result of a call is used */
    PL_PHASE_COVER,    /* waiting for the tool to say which functions there are */
    PL_PHASE_SOUGHT,   /* waiting for the tool to say what a place is in orders that are sought */
    PL_PHASE_PAIRS,    /* waiting for the tool to say which pairs there are */
    PL_PHASE_EXAMINE,  /* waiting for the tool to let detectors look at the recording */
    PL_PHASE_ASK,      /* waiting for the tool to answer something else */
    PL_PHASE_FINISHED, /* nothing is left to do; why says it */
};

enum pl_why {
    PL_WHY_NONE,
    PL_WHY_COMPLETE,   /* the strategy has seen all there is */
    PL_WHY_EXECUTIONS, /* the limit was reached */
    PL_WHY_STOPPED,    /* the tool said so */
    PL_WHY_FINDING,    /* a finding, and not keep_going */
    PL_WHY_SHOWN,      /* every order that was sought has been shown */
    PL_WHY_ERROR,      /* error[] says what */
};

/* What the tool says to a question of the worker, which waits for it; see runtime/ground/ask.c. */
enum pl_answer {
    PL_ANSWER_PENDING,
    PL_ANSWER_YES, /* done, or as it should be */
    PL_ANSWER_NO,  /* it is not as it should be, or cannot be had */
};

/* Values of giving other than a seat plus 1. */
#define PL_GIVING_DONE UINT32_MAX /* the other has it; it is still to be cut from our own work */

struct pl_board {
    uint64_t magic;
    uint32_t version;
    uint32_t size_of_board; /* sizeof(struct pl_board): both sides must agree */
    struct pl_settings settings;
    uint32_t slot; /* which of the campaign's workers this is, from 0 */

    /* Conversation between tool and worker. */
    _Atomic uint32_t phase;        /* enum pl_phase */
    uint32_t why;                  /* enum pl_why, once finished */
    _Atomic uint32_t check_status; /* futex; enum pl_answer */
    _Atomic int32_t keeper_pid, runner_pid;
    _Atomic int32_t worker_status;   /* exec: wait status of the worker before; see below */
    _Atomic uint32_t examine_status; /* futex; enum pl_answer */
    uint32_t error_class;            /* enum pl_err_class, before error[] */
    char error[512];
    char check_text[256]; /* why check_status is PL_ANSWER_NO */
    uint64_t check_which; /* a number for that; see engine/worker/judge.h */

    /* This worker's share of the campaign: the rows of result.def that each worker counts, and
     * more. */
#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) PL_COUNTED_ON_BOARD_##from(name)
#include "model/result.def"
    struct pl_coverage coverage;      /* as its strategy states it */
    char strangers[PL_COMPANY_NAMES]; /* programs that processes have become; see model/company.h */
    uint64_t counted_epoch;           /* to which search_executions and samples belong */
    uint64_t counted;                 /* number of the execution counted last, */
    uint64_t found_in;                /* and of the last one that had a finding at its end */
    uint64_t events;                  /* operations and accesses, points or not */
    bool started;                     /* strategy->start() has been called */
    bool instrumented;                /* a module has hooks: its accesses to memory are seen */
    uint32_t section;                 /* the call of plait_test() that is or was last explored */
    uint32_t digits;                  /* of what getpid() has said; 0: nobody has asked */
    bool own_number;                  /* it says the kernel's number: other programs know that */
    bool section_over;
    bool sections_incomplete;
    uint32_t sections_why; /* enum pl_why: how the first incomplete one ended */
    uint32_t section_why;  /* enum pl_why */
    uint64_t epoch;        /* of its work; see model/common.h */
    uint64_t shared_known; /* how many of the common's shared[] its execution knows */
    /* Before the seat's state changes: to whom a part is being given, plus 1. */
    _Atomic uint32_t giving;
    struct pl_times times; /* of strategies with `free` */
    bool own_files;        /* they are below an overlay, where the system allows that */
    bool may_cover;        /* files are real, but may be covered from the next process on; */
    bool covered;          /* so it shall be: see engine/worker/overlay.h */
    bool may_part;         /* others of the campaign may have its addresses; if one is taken, */
    bool parted;           /* it begins again in a network of its own */
    uint64_t parted_in;    /* thrown away for that, as `begun` counts */
    /* Whether the world outside has let a thread go on, or did nothing for as long as one waits. */
    struct {
        bool answered, silent;
    } outside;
    uint32_t restart_wish; /* the restart that the next runner should have */
    uint32_t restart;      /* enum pl_restart in use; it only ever goes up */
    /* The execution that showed that threads need OS threads, as `begun` counts; 0: none. */
    uint64_t own_threads;
    char restart_why[200]; /* what the program does that the restart before could not undo */

    /* The execution that runs now; kept after it until the next begins. */
    uint64_t execution;     /* number, from 1 */
    _Atomic uint64_t begun; /* executions begun, also those that were lost */
    _Atomic bool in_hand;   /* the number is this worker's and has not been settled */
    /* Which of them is to end because it is too slow, as `begun` counts; 0: none. */
    _Atomic uint64_t given_up;
    uint64_t slow_first; /* number of the first that was; 0: none */
    struct pl_redraw redraw;
    uint32_t outcome; /* enum pl_outcome */
    bool unsettled;   /* strategy->end() has not been told of it yet */
    uint32_t curious; /* how many accesses to any memory are still points, plus 1; or 0 */
    struct {
        uint64_t events, execution;
        uint64_t ns;    /* that code without events has taken, and nobody's wait has had yet */
        uint32_t ticks; /* since when there was no event */
    } late;             /* see runtime/system/late.c */
    bool early_drawn;   /* how many time-outs may expire early, and where, has been */
    bool early_free;    /* they do so at will, although few were asked for, */
    uint32_t early;     /* and so many have */
    bool shared_grew;  /* something was learned: grown[], exit_matters, arrivals_matter, queues_meet
                        */
    bool exit_matters; /* exits of threads are points */
    bool signals_matter;  /* signals are sent: masks are changed at points, and so on */
    bool arrivals_matter; /* at barriers, who arrives first */
    bool queues_meet;     /* threads are moved from one futex to another, or woken at two */
    /* What it lacks: a loop was cut short, accesses before its end were too many to be kept, a
     * thread that could go on was held back. */
    _Atomic uint32_t incomplete;
    bool stopped;         /* it ended because all that could go on were held back */
    uint64_t passed;      /* which of the first findings are misuses that it has too: bits */
    uint8_t dying_signal; /* by which the program is about to kill itself */
    uint64_t began_ns;    /* by the monotonic clock; of strategies with `free` */
    uint64_t took_ns, took_cpu_ns; /* once it is over; processor time 0: not known */
    uint64_t execution_points, execution_events;
    uint64_t root_events; /* operations and accesses before the root, which count for max_steps */
    uint64_t preemptions; /* those of the points to which a thread was made to come */
    uint64_t class_hash;
    uint64_t output_size; /* of standard output and error at its end */
    uint32_t n_threads;
    uint32_t most_alive; /* threads, at a time, in the present execution */
    uint64_t n_choices, n_events, n_frames;
    uint64_t n_decisions; /* choices with more than one option */
    uint64_t n_asked;     /* choices that the strategy was asked for, of any number of options */
    bool measuring;       /* its operations are counted in the draft */
    uint32_t attempt;     /* at measuring in this epoch, from 0 */
    bool listing;         /* its path is recorded */
    struct pl_divergence divergence;
    struct pl_finding finding; /* what ended it */
    uint64_t row_frames[PL_FINDING_ROWS]
                       [PL_FINDING_ROW_FRAMES]; /* of its rows, see n_frames there */
    uint32_t n_noted;
    struct pl_finding noted[PL_BOARD_NOTED]; /* and what detectors saw before that */
    struct pl_meeting meeting;               /* where the goal is a race */
    struct pl_thread_name threads[PL_THREADS_MAX];

    /* What was under control. */
    uint32_t n_modules;
    struct pl_module modules[PL_BOARD_MODULES];
    /* Programs beside the first, from 1 on: so many of modules[] from there on are theirs.  They
     * stay as long as the board. */
    _Atomic uint32_t images_taken; /* somebody adds one: its process; 0: nobody does */
    uint32_t n_images;
    struct {
        uint32_t first, room;
    } images[PL_IMAGES];

    /* Calls whose results may be unused; by the tool while unused_status, a futex, is
     * PL_ANSWER_PENDING. */
    _Atomic uint32_t unused_status; /* enum pl_answer: YES if it is unused */
    bool unused_wide;               /* the result has two registers */
    uint64_t unused_pc;             /* where the call returns to */
    struct pl_board_unused {
        uint64_t pc;
        bool unused;
    } unused[PL_BOARD_UNUSED]; /* what is known: a table */

    uint32_t threads_foreseen; /* of a schedule that is followed; 0: nobody knows */
    bool shadow_by_pages;      /* rollback copies its pages; see runtime/restart/rollback.h */
    uint64_t n_hot;
    uint64_t hot[PL_BOARD_HOT]; /* addresses of pages that rollback copies */

    /* Marked code; by the tool while marks_status, a futex, is PL_ANSWER_PENDING. */
    _Atomic uint32_t marks_status;
    uint64_t marked_in; /* hash of the modules that it was found in */
    struct pl_marked marked[PL_MARKS];

    /* Accesses without hooks; by the tool while sites_status, a futex, is PL_ANSWER_PENDING. */
    _Atomic uint32_t sites_status;
    uint32_t n_sites;
    uint64_t blind_pc;       /* an access that nothing can be done about; 0: none */
    uint64_t stripped;       /* in a module with hooks and without symbols; 0: there is none */
    bool impossible;         /* this execution was made for an order that does not exist */
    uint64_t unmodelled_pc;  /* the first thing done that is not modelled, if there is one; */
    uint8_t unmodelled_what; /* enum pl_unmodelled; */
    char unmodelled[40];     /* its name, or number */
    struct pl_site sites[PL_BOARD_SITES];

    uint32_t statements_told;      /* of the common: those that the tool has looked at */
    _Atomic uint32_t cover_status; /* futex; enum pl_answer: the common has them, or cannot */

    _Atomic uint32_t pairs_status; /* futex; enum pl_answer: the common has them, or cannot */
    char contradiction[400];       /* with settings.check_pairs: what the analyser does not know */

    _Atomic uint32_t sought_status; /* futex; enum pl_answer: */
    uint32_t sought_roles;          /* what this place is; see model/sought.h */
    uint64_t sought_pc;

    struct pl_goal goal;
    uint64_t n_steps; /* of the schedule to replay or to minimise */
    uint64_t n_grown;
    uint64_t root_output_size; /* of the captured output when the root was reached */

    /* The free carrier: what was recorded of this execution. */
    struct pl_order_fate fate;
    _Atomic uint64_t n_order; /* may be more than there is room for */
    struct pl_company company;

    struct pl_segments path; /* of this execution */
    struct pl_segments_ring paths;
    struct pl_choice choices[PL_BOARD_CHOICES];
    struct pl_board_asked_list asked;
    struct pl_event trace[PL_BOARD_EVENTS];
    uint64_t frames[PL_BOARD_FRAMES];     /* of the trace, see struct pl_event */
    uint32_t frames_last[PL_THREADS_MAX]; /* of each thread, as of an event */
    struct pl_step steps[PL_BOARD_STEPS];
    struct pl_inputs inputs; /* of this execution, or for every one of a schedule */
    struct pl_order_entry order[PL_BOARD_ORDER];
    struct pl_profile_draft draft;
    uint64_t grown[PL_BOARD_SHARED]; /* granules that this execution showed to be shared; see
                                        runtime/core/shadow.c */
    _Atomic bool child_armed;        /* a child of this execution has set a timer */
    uint64_t clock_gap;              /* by which clocks show more than `now`; see core/clock.h */
    int64_t clock_ahead;             /* what clocks show to the child that was made last */
    _Atomic uint32_t n_copied;       /* may be more than there is room for */
    struct pl_copied copied[PL_BOARD_COPIED];
    _Alignas(4096) unsigned char arena[PL_BOARD_ARENA];
};

/* Whether the execution that is over has shown this. */
static inline bool pl_board_shows(const struct pl_board *board, unsigned kind, uint64_t signature)
{
    const struct pl_finding *f = &board->finding;

    if (board->outcome == PL_OUTCOME_FINDING && f->kind == kind && f->signature == signature)
        return true;
    for (uint32_t i = 0; i < board->n_noted && i < PL_BOARD_NOTED; i++) {
        if (board->noted[i].kind == kind && board->noted[i].signature == signature)
            return true;
    }
    return false;
}

/* Choices that are there: an execution may make more than there is room for. */
static inline uint64_t pl_board_choices(const struct pl_board *board)
{
    return board->n_choices < PL_BOARD_CHOICES ? board->n_choices : PL_BOARD_CHOICES;
}

/* How far the execution has come: it grows as long as threads come to points by themselves. */
static inline uint64_t pl_board_progress(const struct pl_board *board)
{
    return board->execution_points - board->preemptions;
}

/* Where every process has it. */
__attribute__((unused)) static struct pl_board *const pl_board =
    (struct pl_board *)PL_BOARD_ADDRESS;

#endif /* PL_MODEL_BOARD_H */
