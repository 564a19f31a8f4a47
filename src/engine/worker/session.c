/* SPDX-License-Identifier: MIT */
/* See session.h. */
#include "engine/worker/session.h"
#include "engine/worker/pairs.h"
#include "engine/worker/sites.h"

#include "base/assert.h"
#include "engine/shared/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    LAST_MS = 1000, /* for executions that nobody needs any more */
    CPUS_MAX = 1 << 16,
};

static int open_common(struct pl_session *session, unsigned jobs, struct pl_err *err)
{
    int fd = memfd_create("plait-common", MFD_CLOEXEC);
    void *at = MAP_FAILED;

    session->files.common = fd;
    session->files.bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd >= 0 && session->files.bell >= 0 && ftruncate(fd, sizeof(struct pl_common)) == 0)
        at = mmap(NULL, sizeof(struct pl_common), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (at == MAP_FAILED)
        return pl_err_set(err, PL_ERR_SYSTEM,
                          "shared memory could not be made: %s. plait needs %zu MB of address "
                          "space; see ulimit -v and -f.",
                          strerror(errno), sizeof(struct pl_common) >> 20);
    session->common = at;
    session->common->magic = PL_COMMON_MAGIC;
    session->common->size_of_common = sizeof(struct pl_common);
    session->common->n_workers = jobs;
    PL_ASSERT(session->common->why == PL_WHY_NONE && session->common->n_found == 0);
    session->common->epoch = 1;
    return 0;
}

int pl_session_open(struct pl_session *session, const struct pl_target *target,
                    const struct pl_judge *judge, const struct pl_settings *settings, unsigned jobs,
                    struct pl_err *err)
{
    static unsigned workers;
    int rc;

    PL_ASSERT(jobs >= 1 && jobs <= PL_WORKERS_MAX);
    *session = (struct pl_session){.files = {-1, -1, -1, -1, -1}};
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    rc = open_common(session, jobs, err);
    if (rc == 0)
        pl_sought_open(&session->sought, settings->cover, &session->common->sought);
    session->slots = calloc(jobs, sizeof(*session->slots));
    if (session->slots == NULL)
        abort();
    for (; rc == 0 && session->n_slots < jobs; session->n_slots++) {
        struct pl_slot *slot = &session->slots[session->n_slots];

        rc = pl_slot_open(slot, session->common, &session->files, session->n_slots, settings, err);
        slot->target = target;
        slot->judge = judge;
        /* Hand-overs between OS threads are ten times cheaper on one processor; fibers need none.
         */
        slot->cpu = settings->carrier == PL_CARRIER_THREAD
                        ? (int)(((unsigned)getpid() + workers++) % CPUS_MAX)
                        : PL_WORKER_ANY_CPU;
    }
    if (rc != 0)
        pl_session_close(session);
    return rc;
}

void pl_session_close(struct pl_session *session)
{
    for (unsigned i = 0; i < session->n_slots; i++)
        pl_slot_close(&session->slots[i]);
    free(session->slots);
    pl_sought_close(&session->sought);
    if (session->common != NULL)
        munmap(session->common, sizeof(struct pl_common));
    if (session->files.common >= 0)
        close(session->files.common);
    if (session->files.bell >= 0)
        close(session->files.bell);
    *session = (struct pl_session){.state = session->state, .files = {-1, -1, -1, -1, -1}};
}

static void kill_in(struct pl_session *session, uint64_t ms)
{
    uint64_t at = pl_clock_ms() + ms;

    if (session->kill_at_ms == 0 || at < session->kill_at_ms)
        session->kill_at_ms = at;
}

void pl_session_stop(struct pl_session *session, uint64_t grace_ms)
{
    PL_ASSERT(session->common != NULL);
    session->common->stop = 1;
    pl_common_call(session->common);
    kill_in(session, grace_ms);
}

static void add_paths(struct pl_paths *sum, const struct pl_paths *p)
{
    sum->known |= p->known;
    sum->total += p->total;
    sum->finished += p->finished;
    sum->cut += p->cut;
    sum->stuck += p->stuck;
    sum->late += p->late;
    sum->aborts += p->aborts;
    sum->reports += p->reports;
    if (sum->atomic_pc == 0)
        sum->atomic_pc = p->atomic_pc;
    if (sum->outside_pc == 0) {
        sum->outside_pc = p->outside_pc;
        sum->beside_pc = p->beside_pc;
        sum->outside_addr = p->outside_addr;
    }
}

/* Pairs that one worker has seen; another may have seen others, so there are at least as many. */
static void add_coverage(struct pl_coverage *sum, const struct pl_coverage *c)
{
    if (c->pairs.both + c->pairs.one > sum->pairs.both + sum->pairs.one)
        sum->pairs = c->pairs;
    sum->known |= c->known;
    sum->stopped |= c->stopped;
    sum->ended |= c->ended;
    sum->searched += c->searched;
    add_paths(&sum->paths, &c->paths);
}

static void add_times(struct pl_times *sum, const struct pl_times *t)
{
    sum->n_quiet += t->n_quiet;
    sum->n_disturbed += t->n_disturbed;
    sum->quiet_ns += t->quiet_ns;
    sum->disturbed_ns += t->disturbed_ns;
    for (unsigned i = 0; i <= PL_TIMES_ALIVE; i++)
        sum->alive[i] += t->alive[i];
}

/* How the numbers of a worker are added, by where they come from (result.def). */
#define ADD_PUBLISHED(name) sum.name += board->name;
#define ADD_SUM(name) sum.name += board->name;
#define ADD_MOST(name) sum.name = board->name > sum.name ? board->name : sum.name;
#define ADD_SEARCH(name) sum.name += current ? board->name : 0;
#define ADD_COMMON(name)
#define ADD_TOOL(name)

struct pl_session_counts pl_session_count(const struct pl_session *session)
{
    PL_ASSERT(session->n_slots > 0);
    struct pl_session_counts sum = {.slowest = session->slots[0].board};

    for (unsigned i = 0; i < session->n_slots; i++) {
        const struct pl_board *board = session->slots[i].board;
        bool current = board->counted_epoch == session->common->epoch;

#define PL_RESULT_NUMBER(name, from, key, when, part, sentence) ADD_##from(name)
#include "model/result.def"
        add_times(&sum.times, &board->times);
        add_coverage(&sum.coverage, &board->coverage);
        if (board->restart > sum.slowest->restart)
            sum.slowest = board;
    }
    return sum;
}

struct pl_outlook pl_session_outlook(const struct pl_session *session)
{
    const struct pl_common *c = session->common;
    struct pl_session_counts counts = pl_session_count(session);

    /* With several calls of plait_test() it would be about one of them. */
    if (c->complete || c->complete_within || c->classes_before > 0)
        return (struct pl_outlook){.kind = PL_OUTLOOK_NONE};
    if (c->exhaustive && !counts.coverage.known)
        return pl_estimate_left(&c->tree, counts.search_executions);
    if (c->classes_overflow)
        return (struct pl_outlook){.kind = PL_OUTLOOK_NONE};
    return pl_estimate_unseen(counts.samples, c->classes_once, c->classes_twice);
}

const struct pl_board *pl_session_culprit(const struct pl_session *session)
{
    for (unsigned i = 0; i < session->n_slots; i++) {
        if (session->slots[i].board->error[0] != '\0')
            return session->slots[i].board;
    }
    return session->slots[0].board;
}

/* Start what does not run.  Nobody learns again that the program needs a slower restart. */
static int start_workers(struct pl_session *session, struct pl_err *err)
{
    const struct pl_board *slowest = pl_session_count(session).slowest;

    for (unsigned i = 0; i < session->n_slots; i++) {
        struct pl_slot *slot = &session->slots[i];

        if (slot->finished || slot->worker.pid != 0)
            continue;
        if (!slot->board->unsettled)
            slot->board->restart = slowest->restart;
        if (pl_slot_start(slot, err) != 0)
            return -1;
    }
    return 0;
}

/* Wait for a process to end or to ring; deal with those that did. */
static int wait_for_workers(struct pl_session *session, unsigned ms, struct pl_err *err)
{
    struct pollfd p[PL_WORKERS_MAX + 1];
    unsigned n = session->n_slots;
    uint64_t rings;
    PL_ASSERT(n >= 1 && n <= PL_WORKERS_MAX);

    for (unsigned i = 0; i < n; i++)
        p[i] = (struct pollfd){session->slots[i].worker.pidfd, POLLIN, 0};
    p[n] = (struct pollfd){session->files.bell, POLLIN, 0};
    if (poll(p, n + 1, (int)ms) < 0)
        return 0;
    if (p[n].revents != 0 && read(session->files.bell, &rings, sizeof(rings)) < 0)
        rings = 0; /* nothing was rung after all */
    for (unsigned i = 0; i < n; i++) {
        pl_sites_answer(&session->slots[i]);
        pl_sites_answer_unused(&session->slots[i]);
        if (pl_slot_judge(&session->slots[i], err) != 0 ||
            pl_pairs_answer(&session->slots[i], err) != 0 ||
            pl_sought_answer(&session->sought, &session->slots[i], err) != 0 ||
            (p[i].revents != 0 && pl_slot_end(&session->slots[i], false, err) != 0))
            return -1;
    }
    return 0;
}

static bool is_finished(const struct pl_session *session)
{
    for (unsigned i = 0; i < session->n_slots; i++) {
        if (!session->slots[i].finished)
            return false;
    }
    return true;
}

/* The campaign is over: nobody waits for a program that is just starting, or for long. */
static void hurry(struct pl_session *session)
{
    for (unsigned i = 0; i < session->n_slots; i++) {
        struct pl_slot *slot = &session->slots[i];

        if (!slot->finished && slot->board->phase == PL_PHASE_START) {
            pl_worker_reap(&slot->worker);
            slot->finished = true;
        }
    }
    if (session->common->why != PL_WHY_EXECUTIONS && session->common->why != PL_WHY_STOPPED)
        kill_in(session, LAST_MS);
}

static void kill_all(struct pl_session *session)
{
    for (unsigned i = 0; i < session->n_slots; i++) {
        pl_worker_reap(&session->slots[i].worker);
        session->slots[i].finished = true;
    }
    PL_ASSERT(session->kill_at_ms != 0);
    session->killed = session->common->why == PL_WHY_NONE;
}

static int step(struct pl_session *session, unsigned ms, struct pl_err *err)
{
    if (start_workers(session, err) != 0 || wait_for_workers(session, ms, err) != 0)
        return -1;
    for (unsigned i = 0; i < session->n_slots; i++) {
        if (session->slots[i].worker.pid != 0 && pl_slot_watch(&session->slots[i], err) != 0)
            return -1;
    }
    if (session->common->why != PL_WHY_NONE)
        hurry(session);
    if (session->kill_at_ms != 0 && pl_clock_ms() >= session->kill_at_ms)
        kill_all(session);
    return 0;
}

enum pl_session_state pl_session_step(struct pl_session *session, unsigned ms, struct pl_err *err)
{
    PL_ASSERT(session->state == PL_SESSION_RUNNING);
    if (step(session, ms, err) != 0) {
        for (unsigned i = 0; i < session->n_slots; i++)
            pl_worker_reap(&session->slots[i].worker);
        session->state = PL_SESSION_FAILED;
    } else if (is_finished(session)) {
        session->state = session->killed ? PL_SESSION_KILLED : PL_SESSION_FINISHED;
    }
    return session->state;
}
