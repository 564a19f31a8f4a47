/* SPDX-License-Identifier: MIT */
/*
 * What the lower rooms of the runtime ask of those above them, which they do not know.
 *
 * Each room that stands above fills in one struct of functions; the start of the runtime
 * (start/init.c) hands all of them over before anything else runs, and they stay.  So calls
 * go down through headers and up through here, and nowhere else.
 */
#ifndef PL_RUNTIME_GROUND_PORTS_H
#define PL_RUNTIME_GROUND_PORTS_H

#include "runtime/ground/stage.h"

struct __jmp_buf_tag;

/* What is found ends the execution: observe/report.c, observe/deadlock.c. */
struct pl_findings_port {
    /* Thread t is blocked now: does that close a circle of waiting threads? */
    void (*blocked)(const struct pl_thread *t);
    /* Nobody can go on.  `spinning`: some threads go round loops that nobody can end. */
    void (*stuck)(bool spinning);
    /* Nobody of this process can, while there are others under control. */
    void (*standstill)(void);
    /* At pc the number of steps ran out; 0 when the time did. */
    void (*hang)(uint64_t pc);
    /* A block of the heap: is freed, though it is none or somebody is about to use it. */
    void (*bad_free)(uint64_t addr, bool twice, uint64_t freed_at, uint64_t site);
    void (*freed)(uint64_t addr, uint64_t size, uint64_t site);
    /* Memory is fresh: what was there before has nothing to do with it. */
    void (*fresh)(uint64_t addr, uint64_t size);
};

/* How the next execution gets a fresh program: restart/. */
struct pl_restart_port {
    void (*root)(void); /* a choice is due, or a thread is to be created: this may be the root */
    void (*begin_here)(void); /* something is found before the root */
    void (*end)(enum pl_outcome outcome) __attribute__((noreturn));
    void (*offer)(void);                            /* a checkpoint may be made here */
    void (*escape)(void) __attribute__((noreturn)); /* plait_test() has seen enough */
    /* See restart/rollback.h. */
    void (*spoil)(enum pl_restart restart, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
    void (*touch)(const void *p, uint64_t size);
    void (*commit)(const void *p, uint64_t size);
    void (*open_large)(uint64_t end);
    bool (*is_hot)(uint64_t page);
    void (*guard)(uint64_t page, uint64_t grown);
    void (*opened)(long fd);
    const char *(*watch)(void); /* the calling OS thread, too */
    void (*watch_again)(void);
};

/* Threads that run freely: free/. */
struct pl_free_port {
    void (*enter)(struct pl_thread *t);        /* it is about to enter the monitor */
    void (*leave)(void);                       /* whoever has it is about to leave */
    void (*left)(struct pl_thread *t);         /* after an operation */
    void (*point)(struct pl_thread *t);        /* wait until its operation can go on; its way */
    void (*chosen)(const struct pl_choice *c); /* other than which thread */
    void (*perform)(const struct pl_thread *t);
    void (*started)(struct pl_thread *t);
    void (*end_thread)(struct pl_thread *t) __attribute__((noreturn));
    void (*close)(void); /* the execution ends: how far everybody has come */
    void (*stop)(void);  /* by what this thread has found: everybody else stops where it is */
};

/* Memory of the program, in bytes. */
struct pl_room_taken {
    uint64_t all;
    uint64_t data;   /* private, and it can be written to */
    uint64_t stacks; /* of threads but the first, which are among both */
};

/* The process and what comes to it from outside: system/. */
struct pl_process_port {
    void (*exit)(int status, uint64_t pc) __attribute__((noreturn));
    void (*abort)(void) __attribute__((noreturn)); /* as the function does */
    /* A signal comes before the operation that t is about to perform: it becomes that of taking
     * the signal.  It may be chosen whether t was inside of its call already. */
    void (*interrupt)(struct pl_thread *t);
    /* A thread for which signals have come is about to be cancelled. */
    void (*cancelled)(struct pl_thread *t);
    /* Run the handler; true when the call that t is in fails with EINTR. */
    bool (*deliver)(struct pl_thread *t);
    /* The running thread is about to jump there: handlers that it leaves are over. */
    void (*jumps)(const struct __jmp_buf_tag *env);
    bool (*take_in)(void); /* a signal that the kernel holds back and a thread wants: it has come */
    void (*arrived)(void); /* signals have come from outside: they go to threads */
    void (*ended)(struct pl_thread *t); /* it is over: what it was to take others may */
    bool (*has_child)(void);            /* the program has processes that run */
    bool (*wait_child)(void);           /* if so, give them a millisecond of real time */
    /* The same where it may let this thread go on, or a timer of the kernel's does, or a signal
     * that is due: the kernel may have sent it, and not handed it out. */
    bool (*wait_beside)(const struct pl_thread *t, bool signalled);
    bool (*wait_io)(void);                  /* nobody can go on: input may still arrive */
    bool (*shares)(uint64_t addr);          /* memory that others may have */
    bool (*room)(uint64_t size, bool data); /* so much memory more is within its limits */
    struct pl_room_taken (*taken)(void);    /* what it has */
    uint64_t (*hope)(void); /* the same of free threads: how long others may take, in ns; or 0 */
    void (*deadly)(int number, siginfo_t *info, void *context);
    /* System calls as operations: whether one is, now; perform it, called at entry[6] with the
     * stack from entry[7] on. */
    void (*rooted)(void); /* executions begin here */
    bool (*hears)(void);  /* some signal has a handler */
    void (*rest)(void);   /* wait until processes beside the program wait, or do not */
    bool (*calls)(long number, uint64_t pc);
    long (*call)(long number, const uint64_t a[6], const uint64_t *entry);
    long (*make)(long number, const uint64_t a[6]);              /* it leaves the program */
    void (*made)(long number, const uint64_t a[6], long result); /* any call, operation or not */
    void (*attached)(uint64_t inside); /* a module with hooks is about to run */
    void (*watch_time)(void); /* the calling OS thread is to run executions: no loop keeps it */
};

/* The program of --client, where there is one: system/client.h. */
struct pl_client_port {
    void (*listens)(void);                  /* the server listens, or waits for datagrams */
    void (*opened)(int fd, bool socket);    /* the running thread has a new descriptor */
    bool (*has)(const struct pl_thread *t); /* whether there is one, and the thread is of it */
    /* A thread of the client ends its process; destructors run unless it wants to be gone. */
    void (*end)(int status, bool at_once, uint64_t pc) __attribute__((noreturn));
    /* Whether the client goes on when this thread ends its process with this status; then the
     * server is gone, the running thread, too. */
    bool (*stays)(const struct pl_thread *t, int status);
    void (*stay)(void) __attribute__((noreturn));
    /* A connection of the client was refused: does that say only that the server is not up yet? */
    bool (*waits)(long error);
};

struct pl_ports {
    const struct pl_findings_port *findings;
    const struct pl_restart_port *restart;
    const struct pl_free_port *free;
    const struct pl_process_port *process;
    const struct pl_client_port *client;
    void (*cancelled)(void) __attribute__((noreturn)); /* the running thread acts on it: sync/ */
    /* A new thread begins with what its creator has; see restart/own.h. */
    void (*inherit)(struct pl_thread *t, const struct pl_thread *creator);
    int (*ask)(const struct pl_thread *t, const pthread_attr_t *attr);
    void (*adopt)(int32_t keeper); /* native threads: in a runner; see native/native.h */
    void (*before)(enum pl_op_kind kind, const void *object, uint64_t pc); /* they do something */
    void (*after)(void);
    void (*forget_descriptor)(int fd); /* it is closed: no epoll knows it any more */
    void (*exposed)(uint64_t addr);    /* memory has become shared: core/spin.c; NULL: no matter */
};

extern struct pl_ports pl_ports;

#endif /* PL_RUNTIME_GROUND_PORTS_H */
