/* SPDX-License-Identifier: MIT */
/* What the stage is made of besides threads, by the room whose state it is. */
#ifndef PL_RUNTIME_GROUND_PARTS_H
#define PL_RUNTIME_GROUND_PARTS_H

#include "model/board.h"
#include "runtime/ground/config.h"
#include "runtime/ground/thread.h"

#include "strategy/noise/disturb.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

enum {
    PL_KEYS_MAX = 1024,
    PL_UNSEEN = 4096,
    PL_CELLS = 1 << 20,
    PL_BUCKETS_NEAR = 1 << 8, /* while there are few cells */
    PL_BUCKETS = 1 << 16,
    PL_DETECT_MEMORY = 512 << 20, /* bytes for detectors */
    PL_SEMAPHORES = 64,
    PL_FILE_LOCKS = 16,
    PL_FDS_MAX = 256,
    PL_INPUT_FDS = 1024,   /* descriptors that inputs may come through */
    PL_FILE_TIMES = 128,   /* files whose times are known */
    PL_LAST_PAGES = 32,    /* of pipes of which is known how full they are */
    PL_ASKED = 128,        /* longer paths are asked for each time */
    PL_FIFOS = 32,         /* of the program's own that are known; others may be anybody's */
    PL_FILES_MAX = 4096,   /* descriptors whose open files are known by identity */
    PL_CONTENTS_MAX = 256, /* files whose contents are told apart */
    PL_TIMERFDS = 32,
    PL_CHANNELS = 32,
    PL_DRAWN = 8,           /* paths that mkstemp() and the like have made */
    PL_CLIENT_OPTIONS = 56, /* bytes of what libc keeps between two calls of getopt() */
    PL_SIGNALFDS = 8,
    PL_PIPED = 64,     /* that popen() has opened */
    PL_CHILDREN = 16,  /* whose ends are remembered */
    PL_KEPT = 32,      /* open files that waiting calls have, whose numbers were given up */
    PL_MAPPINGS = 256, /* of shared memory, */
    PL_ALIASES = 512,  /* and parts of them that show what others show */
    PL_ENDED = 32,     /* of files, which threads have ended */
    PL_EARLY = 32,     /* places of operations before the root */
    PL_INPUT_STREAMS = 32,
    PL_INPUT_WATCHES = 256,
    PL_INPUT_NAMES = 256,
    PL_NATIVE_SITES = 256,
    PL_NATIVE_HELD = 64, /* locks that main has when it creates the first thread */
};

/* A place in the program, as a native thread knows it; see native_access.c. */
struct pl_native_site {
    uint16_t left; /* visits that pass before the next is looked at */
    uint16_t gap;  /* visits between two that count for coverage */
    uint16_t wait; /* where all are looked at: until the next one that counts */
};

/* See alias.h. */
struct pl_mapping {
    uint64_t start, size;
    uint64_t device, file, offset; /* what it shows */
};

struct pl_aliases {
    unsigned n_mappings, n;
    uint64_t anonymous; /* shared mappings of no file so far */
    struct pl_mapping mappings[PL_MAPPINGS];
    struct pl_alias {
        uint64_t start, size, to;
    } aliases[PL_ALIASES];
    unsigned n_ended; /* more than there is room for: not all are known */
    struct pl_ended {
        struct pl_mapping what;
        uint32_t by; /* the thread */
    } ended[PL_ENDED];
};

struct pl_key {
    bool used;
    void (*destructor)(void *);
};

/*
 * Who wrote the bytes of a granule last, who has read them since; see class.c.
 * An object counts as its first byte.
 */
struct pl_cell {
    uint64_t addr; /* of the granule; 0 in cells of single bytes */
    uint64_t write, adds;
    uint32_t next;        /* in its chain: index plus 1 */
    uint32_t bytes;       /* index plus 1 of the cells of its bytes; 0: they are all the same */
    uint8_t offset, size; /* those that the cell is about, while they are; in cells of single
                             bytes, those that the additions since the last write were to */
};

/* A semaphore made by sem_open(): known by name within the program. */
struct pl_semaphore {
    char name[64];
    void *sem; /* NULL: the entry is free */
    unsigned opened;
    bool unlinked;
};

/* A FILE locked by flockfile(). */
struct pl_file_lock {
    const void *stream;
    pl_tid owner;
    unsigned depth; /* 0: the entry is free */
};

/* A pre-started OS thread whose thread control block a fiber borrows. */
struct pl_donor {
    void *tp;
    void *sp;           /* where a fiber may begin */
    void *signal_stack; /* OS-thread carrier: for the handler of crashes */
    void *loop_sp;      /* OS-thread carrier: the donor's own frames */
    bool started;
    uint64_t guard;  /* address of the guard page */
    uint64_t lowest; /* from here up to the top the slot is open, but for the guard page */
    bool guarded;    /* the guard page is above lowest, closed for this purpose */
    pl_tid user;     /* thread that used it last */
    pthread_t handle;
    _Atomic uint32_t go; /* futex, OS-thread carrier: begin a thread */
    _Atomic bool rests;  /* OS-thread carrier: it waits for go, on its own frames */
    void *tls_image;     /* its thread-local storage as it was when new */
    uint64_t tls_low, tls_size;
};

/* What is known of the program's ways to the world; see inputs.h. */
struct pl_input_state {
    bool clocks;                /* in a replay: times and random numbers are among the inputs */
    struct pl_divergence early; /* before the root: it counts for every execution */
    struct {
        bool stream;    /* what goes through it is recorded, or fed */
        bool inherited; /* was open at the start, and not used yet */
        int16_t number; /* as recorded */
    } fds[PL_INPUT_FDS];
    struct {
        const void *file; /* a FILE; NULL: the entry is free */
        int fd;
    } streams[PL_INPUT_STREAMS];
    unsigned n_watches;
    struct {
        int16_t epoll, fd;
        uint64_t data;
    } watches[PL_INPUT_WATCHES];
    uint64_t names[PL_INPUT_NAMES]; /* hashes of environment variables that are recorded */
    struct {
        bool known;
        bool aside;     /* what the thread calls is libc's own business */
        uint32_t times; /* of that record, if it holds times, that have been fed */
        uint64_t at;    /* offset of the record to be fed next; 0: there is none */
    } threads[PL_THREADS_MAX];
};

enum { PL_OBSERVERS = 16 };

/* Who is told what; see core/observer.h. */
struct pl_observing {
    uint32_t wanted; /* bit per observer, and the highest: the lists are made of them */
    uint8_t n_announced, n_chosen, n_performed, n_idle, n_last;
    void (*announced[PL_OBSERVERS])(struct pl_thread *t, struct pl_operation *op);
    void (*chosen[PL_OBSERVERS])(const struct pl_thread *t, bool switched);
    void (*performed[PL_OBSERVERS])(struct pl_thread *t, const struct pl_operation *op);
    void (*idle[PL_OBSERVERS])(struct pl_thread *t, uint32_t from);
    void (*last[PL_OBSERVERS])(void);
};

enum { PL_FAIR_PLACES = 256 };

/* A place that a thread comes to again and again; see core/fair.c. */
struct pl_fair_place {
    uint64_t pc, sp;
    pl_tid tid;
    uint16_t held; /* locks */
    uint32_t count;
};

struct pl_fair_state {
    bool endless;                /* some loop is known to be */
    unsigned n_withheld;         /* threads */
    uint32_t idle;               /* rounds for nothing of all threads since the last progress, */
    uint32_t idle_seen;          /* when all had made many */
    uint64_t next_look;          /* points of the execution */
    uint64_t learning;           /* until then places are counted; 0: they are not */
    unsigned n_places, n_before; /* the second: when they were counted before */
    uint32_t looks, alone;       /* and those in a row at which one thread at most could go on */
    uint64_t late;               /* looks at which somebody waited for time beside endless loops, */
    uint64_t late_before;        /* and in an execution before this one */
    uint64_t last_look;
    uint32_t hogs;    /* points since then of threads that make accesses without points */
    uint32_t windows; /* times that places were counted */
    bool guarded;     /* the program may have made some of its own memory unreadable */
    bool digest_known;
    uint64_t digest; /* of memory that no hook has touched; see core/recur.h */
};

enum { PL_PREDICTED = 512 };

/* Noise in this execution; the same for all threads once it has begun.  See noise.c. */
struct pl_noising {
    bool on;        /* something is disturbed */
    bool may_raise; /* a nice value that was raised may be lowered again */
    struct pl_disturb_asks asks;
    unsigned n_predicted;
    uint64_t predicted[PL_PREDICTED]; /* places that detectors have named, sorted */
};

/* How executions begin anew; see restart/. */
struct pl_restart_state {
    bool runner;  /* this process executes */
    bool watched; /* the vault is there and system calls are shown */
    bool scanned_shadow;
    bool unprotected;    /* shared memory is no longer watched */
    unsigned scanned;    /* donors when memory was last looked at, plus 1 */
    bool has_children;   /* the program had started processes before the root */
    bool flocked;        /* it has locked files by flock() before the root */
    bool advised;        /* it has said what memory children are not to have */
    bool marked;         /* the program says itself where executions begin */
    bool testing;        /* in plait_test(): the keeper goes on when the search is over */
    bool alone;          /* found something before the root: there is no keeper */
    uint32_t sections;   /* calls of plait_test() so far */
    uint64_t error_size; /* of what was written to standard error before the root */
};

/* A descriptor at the root. */
struct pl_root_fd {
    bool open, used, empty_pipe;
    int64_t offset, flags;
    uint64_t device, inode;
};

/* The donors of fibers; see core/fiber.c. */
struct pl_fibers_state {
    unsigned n_donors;
    bool have_wrfsbase;
    uint64_t next;
    uint64_t default_stack; /* of threads that ask for nothing */
    bool default_changed;   /* and may get something else: libc must be asked */
};

/* What is loaded; see ground/place.c. */
struct pl_modules_state {
    bool stack_code;   /* some module has code on the stack */
    bool plain;        /* no module has destructors; see libc_process.c */
    bool instrumented; /* some module calls the hooks */
    bool planted;      /* what has no hooks is announced; see access/sites.c */
    bool forks;        /* some module with hooks calls fork() */
    bool starts;       /* or another program */
    uint16_t image;    /* the number of this program; 0: the first */
    uint32_t first;    /* where its modules begin on the board */
    uint64_t tls_size;
    uint64_t own_start, own_end; /* of libplait.so */
    uint64_t signal_stack;       /* of its handlers */
};

/* Detectors; see observe/feed.c. */
struct pl_feed_state {
    bool on, alone; /* they look at accesses; also at those of a single thread */
    uint64_t used;  /* of detect_memory */
    void *stacks;
};

/* Places of operations before the root; see observe/cover.c. */
struct pl_early {
    uint32_t n;
    uint64_t places[PL_EARLY];
};

/* See native/native_thread.c. */
struct pl_native_state {
    unsigned n_held;
    uint64_t held[PL_NATIVE_HELD];
};

/* Keys and named semaphores of the program; passages of its barriers. */
struct pl_objects_state {
    struct pl_key keys[PL_KEYS_MAX];
    uint64_t key_numbers; /* only its address means something: which keys are in use */
    struct pl_semaphore semaphores[PL_SEMAPHORES];
    uint32_t passages; /* so far */
};

/* Open files by identity; see system/files.c. */
struct pl_content {
    uint64_t device, inode;
    uint32_t name;
};

/* In the identity of an open file: one of a pair of sockets; the lowest bit says which. */
#define PL_FILES_PAIR (UINT32_C(1) << 30)

/* A descriptor that keeps readers or writers waiting, and whose operation let them go on last. */
struct pl_channel {
    int fd;              /* plus 1; 0: the entry is free */
    uint8_t ready;       /* when it was looked at */
    pl_tid by[2];        /* for readers and writers: a thread, or PL_TID_NONE, */
    uint32_t ordinal[2]; /* and which of its operations */
    pl_tid ended[2];     /* who made it wait again; PL_TID_NONE: nobody, PL_THREADS_MAX: several */
};

/* An open file that a waiting call has, behind a number that the program does not know. */
struct pl_kept {
    pl_tid tid;
    bool inherited;
    int number, held; /* what the call was given, and what is left of it */
};

/* Times of a file, by the kernel and by the clock; see system/file_times.h. */
struct pl_file_time {
    uint64_t device, inode;
    uint64_t real[4], shown[4];
};

struct pl_file_times {
    uint64_t started, rooted; /* in real time */
    uint32_t n;
    struct pl_file_time known[PL_FILE_TIMES];
};

struct pl_fifo {
    uint64_t device, inode;
};

/* How far the last page of a pipe is filled; see system/pipe_room.h. */
struct pl_last_page {
    uint64_t pipe; /* identity of the open file */
    uint16_t end;
};

/* What a path leads to, as the kernel has said since the last call of the program. */
struct pl_asked {
    bool known;
    int32_t folder, flags, result;
    uint32_t mode;
    uint64_t device, inode, special;
    char path[PL_ASKED];
};

struct pl_files {
    uint32_t open[PL_FILES_MAX]; /* by descriptor; 0: not known */
    pl_tid
        closer[PL_FILES_MAX]; /* who has given the number up in this execution, plus 1; 0: nobody */
    bool slow[PL_FILES_MAX];  /* what was given up there last may have been waited at */
    pl_tid opener[PL_FILES_MAX]; /* who has got the number last, plus 1; 0: nobody since the root */
    unsigned n_kept;
    struct pl_kept kept[PL_KEPT];
    bool inherited[PL_FDS_MAX];
    uint32_t given[PL_FILES_MAX]; /* what open[] was when a child was made that has them, too */
    uint64_t told;                /* the device of files about processes */
    uint32_t n_made;              /* before the root */
    bool locked;                  /* something has been locked in this execution */
    bool unlocked;                /* a file was closed whose lock only the keeper still has */
    bool watching;                /* a descriptor was made that tells what happens to files */
    unsigned n_channels;
    struct pl_channel channels[PL_CHANNELS];
    unsigned n_last_pages;
    struct pl_last_page last_pages[PL_LAST_PAGES];
    unsigned n_contents;
    struct pl_content contents[PL_CONTENTS_MAX];
    unsigned n_drawn; /* paths with letters that libc drew before the root */
    char drawn[PL_DRAWN][128];
    unsigned n_fifos; /* that the program has made: nobody outside knows of them */
    struct pl_fifo fifos[PL_FIFOS];
    struct pl_asked asked;
    int exclusive;   /* the set of epoll with something that wakes only one of several, plus 1 */
    bool exclusives; /* there is another such set */
};

/* A signal that system() ignores while it waits. */
struct pl_shell_signal {
    bool known; /* what is done about it, other than ignoring it */
    struct sigaction action;
};

/* What system() and popen() have under way; see system/libc_shell.c. */
struct pl_shells {
    unsigned n; /* threads in system() */
    struct pl_shell_signal signals[2];
    struct {
        _Atomic(void *) file; /* a FILE */
        pid_t pid;
    } opened[PL_PIPED];
};

/* A timer that is read through a descriptor; see system/timerfd.c. */
struct pl_timerfd {
    uint64_t file; /* identity of the open file; 0: the entry is free */
    int fd;
    int clock;
    uint64_t next, interval; /* virtual nanoseconds; next is 0 while it is not armed */
    uint64_t shown;          /* what clocks will show then, as it was when the timer was set */
};

enum { PL_SIGNALS = 64, PL_SIGNALS_QUEUED = 1024, PL_SIGNALS_OUTSIDE = 64, PL_TIMERS = 64 };

/* A signal that is pending for a thread or for the process; see system/signal_queue.h. */
struct pl_signal {
    uint16_t next; /* of the queue, or of those that are free: an index plus 1; or 0 */
    pl_tid sender;
    bool goes_on;    /* the operation of its thread could be performed when it was sent */
    bool shared;     /* it was sent to the process: another thread may have it as well */
    uint32_t sent;   /* the ordinal of the operation that sent it */
    uint64_t number; /* of all that were sent in this execution */
    siginfo_t info;
};

/* What the program does about a signal, as the kernel would keep it. */
struct pl_action {
    void (*handler)(int, siginfo_t *, void *);
    uint64_t mask;
    int flags;
};

/* A timer of the program; see system/libc_timer.c. */
struct pl_timer {
    bool used, armed, again; /* again: it has gone off since it was set */
    clockid_t clock;
    struct sigevent event;
    uint64_t deadline, interval; /* virtual nanoseconds */
    uint32_t setting;            /* how often it was set */
    int overrun;
    pl_tid target; /* of SIGEV_THREAD_ID, or PL_TID_NONE */
    pl_tid thread; /* that goes off for it */
};

/* When time-outs expire; see core/expiry.h. */
struct pl_expiries {
    uint8_t rule; /* enum pl_time_outs, in this execution */
    bool any;     /* whatever has a moment may go on at any point; with NEVER only sleeps have */
    bool classes; /* a search by classes makes it: who is parked waits for others only */
    uint8_t budget;
    uint8_t rarity;      /* early ones are offered at one of 2^rarity points, */
    uint64_t draw;       /* which this decides */
    uint32_t spent;      /* expired early so far */
    unsigned n_withheld; /* threads whose time had not come, when last looked at */
    uint64_t passed;     /* since when somebody who is withheld (fair.c) could have gone on */
    bool unclear;        /* whether a parked thread goes round first depends on the rule */
};

/* Signals: what the program does about them, those pending for the process, timers. */
struct pl_signals_state {
    uint64_t next_timer;      /* when the first of the timers goes off; 0: none does */
    unsigned n_timers;        /* threads that are timers */
    uint64_t pending;         /* for the process; bit n - 1: signal n */
    uint64_t forgotten;       /* sent to a thread that once handled it, when it was ignored */
    uint64_t raised, changed; /* by calls that failed; what is done about them: beside others */
    uint16_t first, free, n_used;
    uint64_t n_sent;
    uint64_t kernel_mask; /* of the OS thread that carries fibers */
    struct pl_action actions[PL_SIGNALS + 1];
    struct pl_timer timers[PL_TIMERS];
    struct pl_signal queued[PL_SIGNALS_QUEUED];
    /* Filled by handlers of the kernel's signals, emptied at points. */
    volatile uint32_t n_arrived, n_seen;
    siginfo_t outside[PL_SIGNALS_OUTSIDE];
};

/* Signals that are read through a descriptor; see system/signalfd.c. */
struct pl_signalfd {
    uint64_t file; /* identity of the open file; 0: the entry is free */
    uint64_t wanted;
    int fd;
    bool known; /* that one is pending, whoever's it is */
};

/* State that libc keeps between calls. */
enum pl_library_state {
    PL_STATE_RANDOM,
    PL_STATE_THREADS,
    PL_STATE_LOCALE,
    PL_STATE_OPTIONS,
    PL_STATE_TABLE,
    PL_STATE_ZONE,
    PL_STATE_LOG,
    PL_STATE_FORKS,
    PL_STATE_HANDLERS,
    PL_STATE_RESOURCE,
    PL_STATE_USERS,
    PL_STATE_GROUPS,
    PL_STATE_LOGINS,
    PL_STATE_SERVICES,
    PL_STATE_PROTOCOLS,
    PL_STATE_NETWORKS,
    PL_STATE_SHADOW,
    PL_STATE_MESSAGES,
    PL_STATE_PATTERN,
    PL_STATE_SYNTAX,
    PL_STATE_NETGROUPS,
    PL_STATE_HOSTS,
    PL_STATE_ALIASES,
    PL_STATE_GROUP_SHADOW,
    PL_STATE_SHIFT,   /* in the middle of which character of several bytes a conversion is */
    PL_STATE_MODULES, /* which are loaded */
    PL_STATE_BREAK,   /* where the data of the process end */
    PL_LIBRARY_STATES
};

/* What functions of libc return the address of, and change; see system/answers.c. */
enum pl_lookup_kind {
    PL_LOOKUP_USER,
    PL_LOOKUP_GROUP,
    PL_LOOKUP_SERVICE,
    PL_LOOKUP_PROTOCOL,
    PL_LOOKUP_HOST,
    PL_LOOKUP_NUMBER,
    PL_LOOKUP_NUMBER_AFTER,
    PL_LOOKUP_TERMINAL,
    PL_LOOKUP_PSEUDO_TERMINAL,
    PL_LOOKUP_LOGIN,
    PL_LOOKUP_DIGITS,
    PL_LOOKUP_ETHER,
    PL_LOOKUP_ETHER_TEXT,
    PL_LOOKUP_NAME,
    PL_LOOKUP_LOGIN_RECORD,
    PL_LOOKUP_MOUNT,
    PL_LOOKUP_SHADOW,
    PL_LOOKUP_NETWORK,
    PL_LOOKUP_USER_OF_FILE,
    PL_LOOKUP_GROUP_OF_FILE,
    PL_LOOKUP_KINDS
};

/* What threads of libc do for the program; see system/requests.h. */
struct pl_requests {
    uint32_t n_over;            /* changes with each that is over */
    uint64_t queues[16];        /* of descriptors; only their addresses mean something */
    struct pl_aio_request *aio; /* those that are not over, by descriptor in their order */
    struct pl_lookup *lookups;  /* that have not begun */
};

/* The process as the program sees it. */
enum { PL_OWN_PROCESSORS = 128 }; /* words: of a set of processors */

/* What a thread has said about itself to the kernel; see restart/own.c. */
struct pl_own_thread_state {
    uint8_t set, policy;
    int8_t nice, priority;
    uint16_t size; /* of processors[], in bytes */
    uint64_t processors[PL_OWN_PROCESSORS];
};

/* Limits as the program knows them, where the kernel has others: a row for each that there is. */
enum { PL_OWN_LIMITS = 16 };
struct pl_own_limit {
    bool set;
    uint64_t value[2]; /* soft, hard */
};

struct pl_own_state {
    int32_t pid, parent; /* of the process that was started */
    bool any;            /* some thread has said something */
    int death_signal;    /* what prctl(PR_SET_PDEATHSIG) was told */
    struct pl_own_limit limits[PL_OWN_LIMITS];
    struct pl_own_thread_state threads[PL_THREADS_MAX];
};

/* Who the process acts for; see ground/users.h. */
enum { PL_USERS_GROUPS = 256 };
struct pl_users {
    uint32_t changes; /* how often that has changed since the root */
    uint32_t user[3], group[3];
    int n_groups; /* -1: too many to be known */
    uint32_t groups[PL_USERS_GROUPS];
};

/* The program of --client; see system/client.h. */
struct pl_client {
    pl_tid main;                      /* its first thread; 0: there is none */
    bool reached;                     /* it has had a connection */
    bool alone;                       /* the server has ended */
    char options[PL_CLIENT_OPTIONS];  /* the other's state of getopt(), while one calls it */
    uint8_t opened[PL_FILES_MAX / 8]; /* bit per descriptor that is its own */
};

/* Memory that vmsplice() has given to a pipe, and what was in it; see system/libc_splice.c. */
struct pl_given {
    const void *from;
    uint64_t size, digest, pc;
};
enum { PL_GIVEN = 8 };

struct pl_process_state {
    uint64_t n_exit_handlers;
    uint64_t exit_list, quick_list; /* only their addresses mean something: what exit() and
                                       quick_exit() call */
    bool signals_sent;              /* only its address means something: an object for detectors */
    struct pl_file_lock file_locks[PL_FILE_LOCKS];
    unsigned n_file_locks; /* entries that are not free */
    struct pl_given given[PL_GIVEN];
    unsigned n_given;
    uint64_t library[PL_LIBRARY_STATES]; /* as above, only the addresses */
    char *token;                         /* where strtok() goes on */
    struct tm broken_down;               /* what gmtime() and localtime() return */
    char broken_down_text[128];          /* what asctime() and ctime() return */
    struct drand48_data random_48;       /* what drand48() and its kin have */
    struct pl_lookup_answer *answers[PL_LOOKUP_KINDS];
    uint64_t zone; /* what TZ was when the time zone was last looked up; 0: it was not */
    struct pl_files files;
    struct pl_timerfd timerfds[PL_TIMERFDS];
    unsigned n_signalfds;
    struct pl_signalfd signalfds[PL_SIGNALFDS];
    bool reads_signals; /* a child that runs for itself, by descriptors of the kernel's */
    struct pl_requests requests;
    uint64_t calls_changed; /* system calls that may have let others go on; see system/calls.c */
    unsigned n_deputies;    /* that make calls; see system/deputy.h */
    bool leases;            /* of files are taken, which make who opens one wait */
    bool forked;            /* a child has been made: others may use what is shared */
    bool company;           /* there are children under control; see model/company.h */
    uint32_t number;        /* of this process among them; 0: the program */
    uint32_t coming;        /* the number that it will have, as another program; see start/join.h */
    pl_tid first;           /* its first thread */
    int32_t pid;            /* of this process, where there are several */
    unsigned n_children;    /* that have been made; and of whose end the program knows */
    unsigned n_ended;
    int32_t ended[PL_CHILDREN]; /* the latest of them */
    uint8_t restless;           /* how often children have not come to rest */
    bool child;                 /* this process is one, */
    bool borrowing;             /* by vfork(): it is in its parent's memory */
    uint32_t copied;            /* the range that it has told last, plus 1; see core/shadow.c */
    struct pl_own_state own;
    struct pl_users users;
    struct pl_client client;
    struct pl_shells shells;
};

#endif /* PL_RUNTIME_GROUND_PARTS_H */
