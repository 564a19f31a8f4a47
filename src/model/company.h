/* SPDX-License-Identifier: MIT */
/*
 * The processes of one execution, where several are under control: the program and the children
 * that it has forked.  Each has a stage of its own, and all have the board; what orders them
 * lies here, on the board.
 *
 * A thread's number is its own among all of them, and so is its name: the first thread of a
 * child is a child of the thread that forked.  So a recording, a list of choices and a trace of
 * several processes are what they are of one.
 *
 * While they run freely they have one monitor (runtime/ground/monitor.h), and one table of stripes
 * for memory that they share (runtime/free/order.c).  In a replay, or a search, one process runs at
 * a time: `turn` says which, and `wanted` which thread of it (runtime/core/company.h).
 */
#ifndef PL_MODEL_COMPANY_H
#define PL_MODEL_COMPANY_H

#include "model/finding.h"
#include "model/operation.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PL_COMPANY_MOST = 64,         /* processes of an execution; more are on their own */
    PL_COMPANY_STRIPES = 1 << 14, /* for memory that processes share */
    PL_COMPANY_NAMES = 160,       /* bytes of the names of programs that are on their own */
    PL_COMPANY_STREAMS = 16,      /* ways to the world that a new program is handed */
    PL_COMPANY_ROWS = 8,          /* threads of a process that are said to wait */
    PL_COMPANY_CHAINS = 1 << 10,  /* what processes have together, for the class */
};

enum pl_company_state {
    PL_COMPANY_NONE,
    PL_COMPANY_RUNS,
    PL_COMPANY_ENDED,
    PL_COMPANY_LEFT,   /* it has become another program, which is on its own */
    PL_COMPANY_COMING, /* it is one that is on its own, and may become one that is not */
};

/* A lock for some lines of memory: who has it, and who had it last; see runtime/free/order.c. */
struct pl_stripe {
    _Atomic uint32_t holder; /* thread plus 1 */
    uint32_t last;           /* who had it, plus 1, */
    uint32_t ordinal;        /* and at which event */
};

/* A descriptor that leads to the world (runtime/inputs/inputs.h), by what is behind it. */
struct pl_company_stream {
    uint64_t device, inode;
    int32_t number; /* as recorded */
};

/*
 * What a process that becomes another program has to know of itself there: its memory is gone.
 * Its thread goes on, or, where posix_spawn() and the like have made the process, it begins.
 */
struct pl_company_ticket {
    bool starts;
    bool same;           /* it is the same program as before */
    bool holds;          /* it has the monitor, or the turn */
    uint16_t n_children; /* that its thread has had */
    uint16_t image;      /* the program before; see struct pl_module */
    uint32_t ordinal;    /* the thread's next event */
    int32_t parent;      /* process, as the kernel knows it, */
    int32_t shown;       /* and as the program does */
    uint64_t mask, now;
    struct {
        bool known, aside;
        uint32_t times;
        uint64_t at;
    } inputs; /* as in struct pl_input_state */
    uint32_t n_streams;
    struct pl_company_stream streams[PL_COMPANY_STREAMS];
};

/* A process in which nobody can go on; see runtime/observe/standstill.h. */
struct pl_company_standing {
    uint64_t performed; /* as `performed` of all was then, plus 1; 0: it is not so */
    uint32_t n_rows;
    struct pl_row rows[PL_COMPANY_ROWS];
};

/* Whether a thread can go on, and how. */
struct pl_company_offer {
    bool can, early;
    uint64_t moment; /* that it waits for, or 0 */
};

/* The last thread of a process, which is gone when somebody else goes on in its place. */
struct pl_company_left {
    bool is;
    int32_t pid; /* 0: the process lives on, and is on its own */
    uint64_t digest;
    struct pl_operation op;
};

struct pl_company_process {
    _Atomic int32_t pid;   /* 0: not known yet */
    _Atomic uint8_t state; /* enum pl_company_state */
    _Atomic bool made;     /* before, handlers of fork() run */
    pl_tid first;          /* its first thread */
    int32_t awaits;        /* process that has a record lock for which a thread of it waits, */
    uint64_t awaited;      /* if `performed` of all is still this number */
};

struct pl_company {
    _Atomic uint32_t n;     /* processes so far, the program among them; 0: it is alone */
    _Atomic uint32_t alive; /* threads of all of them */

    /* The monitor: as in runtime/ground/monitor.c. */
    _Atomic uint32_t lock, stopped;
    _Atomic int32_t holder;  /* process that has the lock */
    _Atomic int32_t leaving; /* its end was performed, and it may not be gone yet; or 0 */
    uint32_t last, ordinal;  /* thread that performed last, plus 1, and its event */

    /* Of a replay, and of a search. */
    _Atomic uint32_t turn; /* futex: the process that runs */
    pl_tid wanted;         /* the thread that is to go on there, or PL_TID_NONE */
    bool following;        /* the schedule is not at its end */

    /* Of a search: who can go on elsewhere. */
    uint32_t asker; /* has given the turn to be told, plus 1; or 0 */
    bool grants;    /* those who wait in loops are to go round once more */
    uint64_t now;   /* the latest time of all of them */
    struct pl_company_offer offers[PL_THREADS_MAX]; /* what was said */
    struct pl_company_left left;                    /* a thread has ended with its process */
    uint64_t chains[PL_COMPANY_CHAINS]; /* who changed it last; see runtime/core/class.c */

    struct pl_company_process processes[PL_COMPANY_MOST];
    struct pl_company_ticket tickets[PL_COMPANY_MOST];
    uint64_t performed; /* operations of all of them, and whoever went on in a replay */
    struct pl_company_standing standing[PL_COMPANY_MOST];
    uint32_t at[PL_THREADS_MAX];     /* with them: the event that a thread has come to */
    int32_t os_tids[PL_THREADS_MAX]; /* of threads, as the kernel calls them */
    struct pl_stripe stripes[PL_COMPANY_STRIPES];
};

#endif /* PL_MODEL_COMPANY_H */
