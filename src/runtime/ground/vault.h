/* SPDX-License-Identifier: MIT */
/*
 * The vault: private memory of a runner that is itself never rolled back.  Here is what it
 * holds; restart/rollback.h says what for.
 */
#ifndef PL_RUNTIME_GROUND_VAULT_H
#define PL_RUNTIME_GROUND_VAULT_H

#include "base/assert.h"
#include "base/table.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"

#include <sys/time.h>

#define PL_VAULT_ADDRESS UINT64_C(0x680000000000)

enum {
    PL_VAULT_REGIONS = 4096,
    PL_VAULT_HOT = PL_BOARD_HOT, /* pages; 64 MB to copy is slower than a fork */
    PL_VAULT_FIRST = 1 << 9,     /* slots for hot pages at first */
    PL_VAULT_STACK = 256 << 10,
    PL_VAULT_FDS = 4096, /* those that are put aside are among them */
    PL_VAULT_MAPS = 1024,
    PL_VAULT_UNMAPPED = 64,
    PL_VAULT_FILES = 64,
    PL_VAULT_GUARDS = 1024,
    PL_VAULT_CLOSED = 16,
    PL_RENEWALS = 64,
    PL_RENEWAL_FDS = 8,
    PL_RENEWAL_BYTES = 1 << 18,
    PL_VAULT_LOG = 4096, /* with more changes of the shadow its pages are copied, too */
    PL_VAULT_CHECKPOINTS = 16,
    PL_VAULT_CHECKPOINT_PAGES = 1024, /* with more hot pages there are none */
    PL_PAGE = 4096,
};

/* Memory that was writable at the root. */
struct pl_region {
    uint64_t start, end;
    uint64_t held; /* until here there was memory at the root */
    bool shared;   /* with other processes: see restart/shared.h */
    bool code;     /* may be executed, too */
};

struct pl_range {
    uint64_t start, size;
};

/* A word of the shadow as it was. */
struct pl_logged {
    uint16_t *at;
    uint16_t value;
};

/* The kernel's idea of a signal handler. */
struct pl_kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    uint64_t flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* An object from before the root that is made anew; see restart/renew.c. */
enum pl_renewal_kind {
    PL_RENEWAL_PIPE,
    PL_RENEWAL_FIFO,
    PL_RENEWAL_PAIR,
    PL_RENEWAL_EVENT,
    PL_RENEWAL_EPOLL,
    PL_RENEWAL_SOCKET, /* stays, and is emptied */
};

struct pl_socket_options {
    int passes_credentials, receive_room, send_room, least;
    struct timeval receive_limit, send_limit;
};

struct pl_renewal {
    uint8_t kind; /* enum pl_renewal_kind */
    bool touched; /* since it was made last */
    bool semaphore;
    bool listens, closed; /* of a socket that stays; some descriptor of it has been closed */
    bool hung_up;         /* the reader of a FIFO had been told that its writers were gone */
    int16_t spare;        /* another descriptor of it, out of the program's way */
    uint8_t n, n_watched;
    uint8_t ends; /* bit per end that has a descriptor */
    struct {
        int16_t fd;
        uint8_t end;
        bool cloexec;
    } fds[PL_RENEWAL_FDS];
    struct {
        int16_t fd;
        bool told; /* an edge, before the root */
        uint32_t events;
        uint64_t data;
    } watched[PL_RENEWAL_FDS];           /* by a set of epoll */
    int flags[3];                        /* of each end; of one that is both */
    int type;                            /* of sockets */
    struct pl_socket_options options[2]; /* of sockets: of each end */
    int room;                            /* of a pipe */
    uint64_t count;                      /* of an event counter */
    uint32_t bytes[2], size[2];          /* what was in a pipe, or at each end of a pair */
};

struct pl_renewals {
    unsigned n;
    bool gone;       /* the program has closed a socket that stays */
    bool fifo_stays; /* it has a FIFO open that cannot be made anew */
    uint32_t used;
    struct pl_renewal list[PL_RENEWALS];
    unsigned char bytes[PL_RENEWAL_BYTES];
};

/* What an execution did that memory does not show; see undo.c. */
struct pl_undo {
    bool output;    /* wrote to the captured standard output or error */
    bool mask;      /* may have changed the mask of signals */
    bool signalled; /* may have left signals pending */
    bool moved;     /* is in another folder than `folder`, */
    bool masked;    /* or makes files with another mask than `file_mask` */
    int folder, file_mask;
    uint32_t limits; /* bit per limit that was as in limit[] */
    uint64_t limit[16][2];
    uint64_t actions; /* bit per signal whose handler is in old[] */
    struct pl_kernel_action old[65];
    unsigned n_fds, n_maps, n_unmapped, n_files, n_guards, n_closed;
    struct {
        int16_t fd, kept; /* a descriptor from before, and another one of the same open file */
        bool cloexec;
    } closed[PL_VAULT_CLOSED];
    uint16_t fds[PL_VAULT_FDS]; /* opened in this execution */
    bool opened[PL_VAULT_FDS];  /* and still open, by number */
    bool listed[PL_VAULT_FDS];  /* in fds[] */
    bool looked_at[PL_VAULT_FDS];
    struct pl_range maps[PL_VAULT_MAPS];
    struct pl_range unmapped[PL_VAULT_UNMAPPED]; /* from before, and closed instead */
    struct {
        int fd;
        uint8_t what;        /* enum in undo.c */
        int64_t value;       /* a position, flags, or the number of a pipe */
    } files[PL_VAULT_FILES]; /* opened before, and moved or filled */
    struct {
        uint64_t page, grown; /* a guard page put up; bytes opened below the old one */
    } guards[PL_VAULT_GUARDS];
};

/*
 * The middle of an execution, to go back to: the hot pages as they were then.
 * A page that became hot later was as at the root.
 */
struct pl_checkpoint {
    uint64_t asked;     /* choices of the strategy made before it */
    uint64_t decisions; /* those of them with more than one option */
    uint64_t place;     /* where the strategy was */
    void *sp, *tp;
    uint64_t gs;
    unsigned slot; /* of pl_vault->kept[] */
    unsigned n_hot, n_log;
    uint64_t choices, events, frames, execution_points, execution_events, class_hash;
    uint64_t shared_known, n_grown, passed;
    uint32_t n_threads, n_noted;
    uint32_t incomplete; /* reasons: enum pl_incomplete */
    bool shared_grew;
    bool ahead; /* made where the execution no longer repeated another, */
    bool used;  /* and gone back to */
    uint32_t n_segments;
    struct pl_segment segment; /* the last of them */
};

struct pl_vault {
    bool readable;             /* all of the memory is in regions[] */
    uint32_t let_through;      /* the thread that makes a call while they are not, or 0 */
    volatile uint8_t selector; /* read by the kernel: 1 when system calls are to be shown */
    int status;                /* how the execution ended, as wait() would say */
    void *root_sp, *root_tp, *loop_sp, *dead_sp;
    uint64_t root_gs;
    uint64_t root_mask;
    uint64_t large_root, large_open; /* ends of the heap's large blocks */
    unsigned n_regions, n_hot;
    struct pl_region regions[PL_VAULT_REGIONS];
    uint64_t hot[PL_VAULT_HOT];
    uint8_t unchanged[PL_VAULT_HOT]; /* how often in a row it was looked at and had not changed */
    uint32_t until_look;             /* executions */
    struct pl_table pages;           /* where a page is in hot[] */
    uint64_t slots[PL_TABLE_ROOM(PL_VAULT_FIRST, PL_VAULT_HOT * 2)];
    unsigned n_log;
    struct pl_logged log[PL_VAULT_LOG];
    struct pl_undo undo;
    struct pl_renewals renewals;
    bool marking; /* the execution is not over: it wants a checkpoint */
    unsigned n_checkpoints;
    unsigned wasted; /* made ahead and given up unused, since one was used */
    struct pl_checkpoint checkpoints[PL_VAULT_CHECKPOINTS];
    uint64_t
        began; /* processor's clock when the execution passed the last checkpoint or the root */
    uint64_t mark_cost, spacing; /* ticks that a checkpoint costs; how many costs lie between two */
    char text[1 << 16];          /* of /proc/self/maps */
    _Alignas(PL_PAGE) unsigned char stack[PL_VAULT_STACK];
    _Alignas(PL_PAGE) unsigned char images[PL_VAULT_HOT][PL_PAGE];
    unsigned char kept[PL_VAULT_CHECKPOINTS][PL_VAULT_CHECKPOINT_PAGES][PL_PAGE];
};

__attribute__((unused)) static struct pl_vault *const pl_vault =
    (struct pl_vault *)PL_VAULT_ADDRESS;

/* Memory is watched: the execution will end by jumping back. */
static inline bool pl_rollback_on(void)
{
    return pl_stage->rolling;
}

/*
 * The shadow is written by the runtime alone, a few bytes in pages of its own.
 * So what an execution changes there is noted, as long as that is little.
 */
static inline void pl_vault_log(uint16_t *at)
{
    if (pl_board->shadow_by_pages)
        return;
    if (pl_vault->n_log == PL_VAULT_LOG) {
        pl_board->shadow_by_pages = true;
        pl_ports.restart->spoil(PL_RESTART_ROLLBACK, "it uses much memory");
        return;
    }
    PL_CHECK(pl_vault->n_log < PL_VAULT_LOG);
    pl_vault->log[pl_vault->n_log++] = (struct pl_logged){at, *at};
}

#endif /* PL_RUNTIME_GROUND_VAULT_H */
