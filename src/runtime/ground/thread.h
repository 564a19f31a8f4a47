/* SPDX-License-Identifier: MIT */
/*
 * A thread of the program under test: what the runtime knows of it, by who uses that.
 *
 * The structs lie on the stage, one per thread in the order of creation.  Each field belongs to the
 * room that its comment or its struct names; other rooms read it.  Only the thread itself and
 * whoever runs while it waits may change its struct; on the free carrier that is the thread itself
 * or the holder of the monitor.
 */
#ifndef PL_RUNTIME_GROUND_THREAD_H
#define PL_RUNTIME_GROUND_THREAD_H

#include "model/cover.h"
#include "model/operation.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PL_HELD_MAX = 64,
    PL_HELD_NEAR = 6, /* beside the thread; the rest elsewhere */
    PL_FRAMES_MAX = 256,
    PL_FRAMES_NEAR = 8,
    PL_SPIN_READS = 48,
    PL_CLAIMS = 8, /* runs of stripes that one access may need */
    PL_PASSED = 8,
};

/* Ends a call that an OS thread is in, and does nothing else: libc's own for cancellation, which
 * nobody sends here. */
enum { PL_SIGNAL_INTERRUPT = 32 };

enum pl_thread_state {
    PL_THREAD_UNUSED,
    PL_THREAD_ALIVE,
    PL_THREAD_ENDED, /* can be joined */
    PL_THREAD_GONE,  /* joined, or detached and ended */
};

/* A lock that a thread holds, for reports, misuse and deadlock cycles. */
struct pl_held {
    uint64_t addr;
    uint64_t pc;    /* where it was acquired */
    uint8_t object; /* enum pl_object_kind */
    bool shared;    /* read side of an rwlock */
    uint16_t depth;
};

struct pl_frame {
    uint64_t pc, sp;
};

/* Registers and stack as hashes: all of them, and without times. */
struct pl_spin_state {
    uint64_t all, plain;
};

enum { PL_SPIN_TIMES = 16, PL_SPIN_UNITS = 6, PL_SPIN_OPENED = 8 };

/* In nano-, micro-, milliseconds and seconds; its fraction of a second in the first two. */
struct pl_spin_time {
    uint64_t in[PL_SPIN_UNITS];
};

/* Times that the thread has been told or waits until: they are not part of its state. */
struct pl_spin_clock {
    struct {
        uint64_t low, high;
    } times[4];         /* where it keeps some, */
    uint64_t low, high; /* all of them between */
    unsigned next_time;
    struct pl_spin_time known[PL_SPIN_TIMES]; /* the last of spin.n_known */
};

/* The anchor of a loop and what was read since; see core/spin.c. */
struct pl_spin {
    unsigned n_known;      /* times, in the thread's clock of the stage */
    uint64_t looks;        /* of the thread at the clock, up to the anchor */
    bool armed;            /* there is an anchor */
    bool dirty;            /* something read since the anchor has been written by another thread */
    bool parked;           /* until something that it read is written */
    bool any;              /* nothing is known about what it reads: anything may end the loop */
    bool overflow;         /* more reads than fit */
    bool failed, released; /* since the anchor: a try came to nothing; a lock was given back */
    bool idle;             /* it would be parked if no schedule were followed */
    bool timely;           /* the clock was read in the last iteration: time may end the loop */
    bool waited, early;    /* since the anchor: for a moment; it came early */
    bool unjudged;         /* what it has performed last is being made; see pl_spin_judge() */
    uint8_t clearing;      /* points at which the stack is still to be cleared, */
    uint8_t differed; /* and rounds that were found to differ, since it last changed anything */
    uint8_t astray;   /* of loops that look at the clock: so many in a row at this anchor */
    uint16_t held;    /* locks held at the anchor */
    uint16_t n_reads;
    uint32_t steps, limit;
    uint32_t iterations;     /* in which nothing changed, one after the other, */
    uint32_t counted;        /* and so many when all had made many */
    uint64_t wait;           /* where and how long it has waited for a moment */
    uint64_t parked_at;      /* rounds for nothing that all had made when it was parked */
    uint32_t from;           /* the number of the operation at the anchor, */
    uint32_t idle_from;      /* and of the one at which the last of them began */
    uint64_t chain, classed; /* of the thread at the anchor */
    uint64_t key;
    uint64_t weak;       /* where a compare-exchange has failed for no reason in this round, */
    uint64_t weak_again; /* and in the last one, which ended as it had begun; or 0 */
    uint64_t failing;    /* where one could fail last, and has so often in a row: */
    uint32_t failures;
    struct pl_spin_state state; /* at the anchor */
    uint64_t filter;            /* bit set over the granules in reads[] */
    uint64_t reads[PL_SPIN_READS];
    uint64_t pc;                     /* the lowest of the loop: the same wherever the anchor is */
    uint64_t opened[PL_SPIN_OPENED]; /* files that it has opened since the anchor, 0 at the end */
};

enum { PL_FAIR_KINDS = 16 };

/* What keeps the thread from starving others, and being starved; see core/fair.h. */
struct pl_thread_fair {
    bool withheld;       /* while others can go on, */
    bool watched;        /* what it reads is compared from round to round */
    bool recurs;         /* it does the same for ever: a livelock */
    uint16_t turns;      /* how often it was withheld */
    uint16_t since;      /* rounds since the last time */
    uint32_t rounds;     /* of endless loops */
    uint32_t reads;      /* in this round that were compared */
    uint32_t failed;     /* rounds that ended as they began, after giving locks back */
    uint32_t same;       /* of them in a row in which it was and read what it had before */
    uint32_t before;     /* the same when the others had come to rest, */
    uint64_t rest;       /* which was at this point of the execution */
    uint64_t came;       /* the point at which it came to where it is */
    uint32_t starved;    /* looks in a row at which it could go on, and had not */
    uint64_t operations; /* that it had performed at the last look */
    uint64_t until;      /* points of the execution */
    uint64_t low;        /* the lowest place of its loop */
    uint64_t at_head;    /* operations that it had performed at the last round, */
    uint64_t length;     /* and from one round to the next, at most; */
    uint64_t ahead;      /* so many from here on it gives way, or 0 */
    uint64_t values;     /* read since the last round */
    uint64_t kinds[PL_FAIR_KINDS]; /* of rounds: hashes of the last ones that differ, */
    uint16_t next_kind;            /* and the one that is forgotten next */
};

/* A thread_local object to destroy at thread exit. */
struct pl_tls_dtor {
    void (*call)(void *);
    void *object;
    struct pl_tls_dtor *next;
};

/* Cancellation. */
struct pl_thread_cancel {
    bool pending, disabled, async;
    bool asked;      /* once is for ever: it is pending, or has been acted upon */
    bool acting;     /* its frames are being unwound */
    bool exiting;    /* they are gone: destructors run */
    int32_t in_call; /* of a free thread in a call of libc's that it ends: its number, or 0 */
    pl_tid by;       /* who asked for it first, */
    uint32_t at;     /* by which of its operations */
};

/* Its last atomic operation. */
struct pl_thread_atomic {
    const void *wanted; /* by a compare-exchange, or NULL */
    bool weak;          /* which may fail for no reason */
    bool adds;          /* an addition whose result is not used */
    uint32_t orders;    /* as at the gate */
    uint64_t addr, pc;  /* a crash there is the caller's */
};

/* A wide access that the program's own code makes in pieces; see access/step.h. */
struct pl_step_range {
    uint64_t addr, size, pc;
    uint64_t done; /* a bit for each piece */
    unsigned flags;
    bool again; /* it has been announced as a whole */
};

struct pl_thread_step {
    unsigned n;      /* accesses that are going on: at most two, a structure and its copy */
    bool on;         /* the processor stops after each instruction */
    bool leaving;    /* the runtime, on the way back to the program */
    bool touched;    /* some of it has been accessed */
    bool resumed;    /* at the instruction that comes next */
    bool over;       /* what is left is announced, then nothing is stepped any more */
    bool unread;     /* because an instruction cannot be read */
    uint32_t next;   /* number of the next piece, */
    uint32_t skip;   /* which is not this */
    unsigned steps;  /* instructions so far, */
    unsigned deeper; /* and in a row within a function that was called */
    uint64_t sp;     /* of the function that makes the access, */
    uint64_t callee; /* and of the one that it has called; or 0 */
    uint64_t at;     /* the instruction that comes next */
    struct pl_step_range ranges[2];
    struct pl_step_range last; /* the last wide access that was announced as a whole, */
    uint64_t last_sp;
    uint32_t last_first, last_end; /* its events */
};

/* On the free carrier; see free/free.h. */
struct pl_thread_free {
    const void *monitor; /* on whose behalf the thread is in the monitor, or NULL */
    bool performed;      /* an operation, since it went in */
    bool waiting;        /* for others to let it go on */
    bool late;           /* the time that it waits for is over */
    bool waited;         /* in the operation that it has announced */
    int32_t os_tid;      /* as the kernel calls it */
    uint32_t claimed_ordinal;
    uint64_t claimed_pc;   /* the call whose ranges are being claimed; see free_access.c */
    _Atomic bool claiming; /* it has not come out of the runtime again */
    _Atomic bool halted;   /* it waits for whoever ends the process, or its program */
    unsigned n_claims;
    struct {
        uint32_t first, last;
    } claims[PL_CLAIMS]; /* stripes that the thread holds; see order.c */
};

/* Waiting for descriptors; see system/libc_io.c. */
struct pl_thread_io {
    struct pollfd *fds; /* what poll() waits for, or NULL when op.aux says it */
    uint64_t n;
    uint32_t waits;
    int32_t end; /* of a FIFO, plus 1, while it waits for the other one; see calls_fifo.h */
    bool hopeless;
    bool holds;          /* one that it has for as long as it waits, rather than looks up again */
    bool released;       /* a replay lets it go on, since nobody else can */
    bool late;           /* it could not go on when looked at */
    uint64_t late_since; /* how many events there had been then */
    uint64_t limit;      /* when the call gives up by itself */
    uint64_t fires;      /* when a timer that it reads goes off; see timerfd.c */
    uint64_t record;     /* of what it waits for, if that is recorded; see inputs.c */
};

/* A system call as an operation; see system/calls.c. */
struct pl_thread_call {
    const void *now; /* struct pl_syscall that is announced, or NULL */
    uint8_t wait;    /* what it waits for: enum pl_ask */
    uint16_t number; /* of the call, */
    int fd;          /* and its descriptor, -1: it has none */
    bool waits;      /* it waits where it cannot go on, */
    bool begun;      /* and did so at its beginning: of a pipe, for a whole page */
    uint8_t effect, second_effect;
    uint64_t second;       /* its second resource */
    uint64_t tried;        /* what calls_changed was when it could not go on last */
    bool idle;             /* a loop that makes it need not get anywhere by it */
    bool lingered;         /* a child has been given time to end */
    bool cancellable;      /* a cancellation ends it where it waits */
    bool judged;           /* what has become of it is told when it has been made */
    bool by_number;        /* within syscall(), which is no cancellation point */
    bool for_all;          /* of users and groups: every thread is to change */
    uint16_t passing;      /* inside library functions that are operations as a whole */
    uint64_t stream_pc;    /* of the function on a FILE that it has come to last */
    uint64_t passing_from; /* the stack of the outermost of them: whatever is above has left it */
    bool unlocked;         /* a function on a FILE that does not ask who has it */
    uint16_t away;         /* the number of a call that a deputy is to make, plus 1; or 0 */
    bool beside;           /* others ran while its last call was made */
    void *deputy;          /* struct pl_deputy that makes one; see system/deputy.h */
};

/* What a handler does to a call that waits. */
enum pl_interruption {
    PL_INTERRUPTION_NONE,    /* it goes on */
    PL_INTERRUPTION_RESTART, /* it fails with EINTR, unless the handler was set with SA_RESTART */
    PL_INTERRUPTION_ALWAYS,  /* it fails with EINTR */
};

enum { PL_HANDLERS_APART = 32 }; /* numbers for handlers that may interrupt each other */

/* Functions of libc that no handler may call which comes while its thread is in one of them. */
struct pl_in_libc {
    const void *stream; /* used by one on this FILE; or NULL */
    bool heap;          /* by one that allocates or frees */
};

/* Signals of a thread; see system/signal_queue.h and system/signal_handle.c. */
enum { PL_SENT_TO_ALL = 64 };

struct pl_thread_signals {
    bool due;             /* one is pending that it does not block: its handler comes next */
    bool inside;          /* that came while it was inside of the call, which then fails */
    uint8_t apart;        /* a handler runs that came of itself, at no point of its choosing: which
                             one, or 0 */
    uint8_t n_apart;      /* how many have */
    bool looks;           /* it is about to handle one, and none comes before that */
    bool patient;         /* many have come before the announced operation: it goes first */
    uint8_t sets_timer;   /* what it announces is that, of a timer plus 1, not to change its mask */
    uint8_t sets_action;  /* or what is done about this signal, or 0 */
    bool asks;            /* it sends a signal, and is told whether the target has ended, */
    bool chooses;         /* or looks who would take one that is for the process */
    bool swapped;         /* the mask is that of a call, and `mask_before` comes back after it */
    uint8_t interruption; /* enum pl_interruption, of the announced operation */
    uint8_t raises;       /* the signal that it is about to send itself, or 0; */
    bool raises_shared;   /* by way of the process */
    bool joined;          /* the one that comes is pending when the thread sends itself the same; */
    siginfo_t joining;    /* what that one says, or signal 0 */
    uint16_t first;       /* of its queue: an index plus 1, or 0 */
    uint64_t pending;     /* bit n - 1: signal n */
    uint64_t handled;     /* those for which it has begun to run a handler */
    uint64_t returned;    /* how many had been sent, to anybody, when its last handler returned */
    uint64_t mask_before;
    struct pl_operation interrupted; /* the operation that a signal comes before */
    struct pl_handling *handling;    /* the innermost handler that runs, or NULL */
    stack_t alternate;               /* of sigaltstack(); no size: none */
    struct pl_in_libc since;         /* its last operation outside of handlers: where it has been */
    /* For the class, the last that another thread has sent it: of each bit of pl_operation.deaf,
     * and of those that have to do with all it does. */
    uint64_t sent[PL_SENT_TO_ALL + 1];
};

/* A handler that runs, and what its thread comes back to; on the stack of whoever calls it. */
struct pl_handling {
    struct pl_handling *outer;
    struct pl_operation op; /* that it came before */
    uint64_t mask;          /* of the thread, until then */
    bool on_alternate;
    uint8_t apart;
    struct pl_in_libc within; /* that it may have come while the thread was there */
};

/* The thread has called exit() or the like. */
struct pl_thread_ending {
    uint64_t pc;
    uint32_t ordinal; /* its events up to then */
    int32_t status;
};

/*
 * Of a read that is announced: what it reads is a text, and reaches as far as it is found to when
 * the read is performed; see core/reach.h.
 */
struct pl_reach {
    const char *from; /* the text, */
    const char *at;   /* and what comes next of it; NULL: nothing is announced that way */
    uint64_t most;    /* units from there on, */
    uint64_t limit;   /* and bytes */
    int32_t end;      /* a unit that is this is the last one */
    uint32_t unit;    /* bytes; where there are several, `end` is 0 */
    uint32_t ordinal; /* of the operation */
    uint32_t part;    /* as pl_thread has it, for all of the text; 0: not known yet */
    /* Mappings that had changed when it was announced: afterwards it may be gone. */
    uint32_t n_mapped;
    bool pieces; /* it ends where wide accesses are made in pieces */
};

struct pl_thread {
    /* What every point looks at comes first, close together. */
    pl_tid id, parent;
    uint8_t state;
    bool main;
    bool timer; /* it is a timer of the program, which has no thread for that, */
    bool over;  /* and has been taken back when it was about to go off */
    uint16_t n_children;
    uint64_t name;
    uint32_t ordinal;    /* events so far */
    uint32_t quiet;      /* accesses since the last point or write */
    uint64_t mapped;     /* bytes of its own range of addresses; see system/libc_map.c */
    uint64_t operations; /* points passed since the root */
    uint64_t next_step;  /* of the schedule that is followed: those before are behind it */

    struct pl_operation op; /* announced, or performed last */
    bool announced;         /* it has not been performed yet */
    bool timed;
    bool passed_by;    /* before its time-out it could have gone on, and somebody else did */
    bool awaits_timer; /* the deadline is that of a timer that is read: no time-out */
    bool woken;        /* a waiter that has been signalled, or let through a barrier */
    bool cancel_point; /* the announced operation can be cancelled */
    bool suspect;      /* its next point is an access to memory that may be its own */
    bool stepping;     /* an access is made in pieces: steps[] of the stage has it */
    bool fresh;        /* has not come to its first operation yet */
    bool started;      /* has run its first instruction */
    bool stack_known;  /* `stack` is, while its frames stay as they are */
    pl_tid beside;     /* who could have run when its time was over early, or PL_TID_NONE */
    uint32_t part;  /* number of the access among those that one call of a library function makes */
    uint32_t stack; /* its frames as a number, see feed.c */
    uint64_t call_pc;  /* of its last operation other than a memory access */
    uint64_t deadline; /* virtual nanoseconds, when timed */
    uint64_t sleeps_until;
    int32_t sleeps_by; /* of a free thread: the clock that says when that is */
    uint64_t mutex;    /* which a condition waiter must get back */
    uint64_t wait;     /* the condition, futex or barrier it waits at */
    /* At the entry of the runtime: six callee-saved registers, then the return address. */
    const uint64_t *entry;
    uint64_t stack_low, stack_high; /* what it may use; high is where its first frame begins */
    unsigned n_held, n_unlisted;    /* locks; those of them that the list had no room for */
    unsigned n_frames;
    uint32_t n_changed; /* the number of the last operation that did more than look, plus 1, */
    uint64_t chain;     /* hash of its operations that count for the class, */
    uint64_t classed;   /* and what they have added to it */
    bool reached;       /* others have sent it signals: sent[] below */
    struct pl_thread_cancel cancel;
    struct pl_spin spin;
    struct pl_thread_fair fair;
    struct pl_cover_thread cover;
    struct pl_thread_atomic atomic;
    uint64_t mask;      /* of signals */
    uint64_t waits_for; /* signals, in sigwait(); else 0 */
    struct pl_thread_signals signals;
    struct pl_held near_held[PL_HELD_NEAR];      /* see pl_thread_held() */
    struct pl_frame near_frames[PL_FRAMES_NEAR]; /* see pl_thread_frame() */

    struct pl_reach reach;
    uint64_t waits_since;              /* the time when it came to its last timed operation */
    const struct futex_waitv *several; /* futexes of which it waits for one, or NULL; */
    uint32_t n_several;                /* those that it has looked at, */
    uint32_t woken_early;              /* and the one, plus 1, that woke it before it had all */
    bool word_shared;                  /* the futex may be changed by another process, */
    uint32_t word;                     /* and has this value until then */
    bool afar; /* a thread of another process under control may let it go on: it counts up */
    uint32_t calls_before; /* a number in memory that both have, which was this; sync/others.h */
    uint32_t passage;      /* of a barrier, while its serial thread has not gone on; or 0 */
    /* initialisations that it knows to be done; see sync/pth_once.c */
    uint64_t passed[PL_PASSED];
    uint32_t users; /* OS-thread carrier: up to which change of users it has gone along */
    char title[16]; /* as pthread_setname_np() says; empty: as the process is called */
    _Alignas(8) bool detached; /* by itself: its address stands for it where its order matters */
    uint64_t treatment;        /* only the address: what libc_own.c says of it */

    /* Life and death. */
    void *(*start)(void *);
    void *arg;
    void *result;
    pl_tid joiner;    /* who is joining it, or PL_TID_NONE */
    pl_tid joined_by; /* who has, or PL_TID_NONE */

    /* The fiber. */
    void *sp;            /* saved stack pointer while not running */
    void *tp;            /* thread pointer */
    uint64_t gs;         /* base of GS, while another thread runs on the same OS thread */
    uint64_t stack_size; /* as asked for */
    uint64_t guard_size; /* as asked for; what is there is a page */
    unsigned donor;
    _Atomic uint32_t go; /* futex, OS-thread carrier: may run */
    const void *frame;   /* the stack, while it is stepping and others may run meanwhile; or NULL */
    const uint64_t
        *trapped; /* `entry`, while a system call is handed over: then entry[7] is where the
                     caller's stack is, with frames of the handing over below; or NULL */
    const uint64_t *called; /* then: the entry of the function that makes the call for the program,
                               with frames of the runtime and of libc below; or NULL */
    uint64_t sought_pc;     /* the place of its operation, in code of the program; see sought.c */

    void *cleanup;                          /* innermost struct of pthread_cleanup_push */
    _Alignas(16) unsigned char unwind[192]; /* the exception that ends the thread, behind zeros */
    struct pl_tls_dtor *dtors;
    const void **values;  /* of keys; PL_KEYS_MAX, allocated on first use */
    uint64_t clock_step;  /* by how much its last look moved the clock; 0: it did something since */
    uint64_t clock_spent; /* that its looks have moved the clock, since it last waited for time */
    uint32_t clock_patience; /* looks that stopped short of another's time-out, since then */
    uint64_t clock_looks;
    uint64_t cpu_ns;  /* that it has computed, as its looks tell */
    uint16_t n_looks; /* at the clock, and sleeps, while there were other threads */
    uint16_t n_sleeps;
    uint64_t looked_at; /* operations that it had performed when it last looked */

    struct pl_thread_free free;
    struct pl_thread_io io;
    struct pl_thread_call call;
    struct pl_thread_ending ending;
};

#endif /* PL_RUNTIME_GROUND_THREAD_H */
