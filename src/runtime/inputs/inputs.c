/* SPDX-License-Identifier: MIT */
/* See inputs.h.  Here: records, and how threads go through them. */
#include "runtime/inputs/inputs.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/company.h"
#include "model/inputs.h"
#include "runtime/ground/config.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdatomic.h>
#include <sys/stat.h>

enum { TIMES = 512 }; /* in one record */

static struct pl_inputs *const log = &pl_board->inputs;

/* ---- records ---- */

/* 0 when there is no room. */
static uint64_t take_room(uint64_t size)
{
    uint64_t at = log->used, whole = (size + 7) & ~UINT64_C(7);

    do {
        if (whole < size || whole > PL_INPUTS_HALF - at) {
            log->flags |= PL_INPUTS_INCOMPLETE;
            return 0;
        }
    } while (!atomic_compare_exchange_weak(&log->used, &at, at + whole));
    /* Equal inputs have equal bytes, also in the gaps between records. */
    PL_ASSERT(at >= PL_INPUTS_FIRST && at + whole <= PL_INPUTS_HALF);
    *(uint64_t *)(log->area + at + whole - 8) = 0;
    return at;
}

static void link_record(uint64_t offset)
{
    struct pl_thread *self = pl_thread_self();
    struct pl_input_thread *t = &log->threads[self->id];

    PL_ASSERT(offset != 0 && offset < PL_INPUTS_HALF && (t->first == 0) == (t->last == 0));
    t->name = self->name;
    if (t->first == 0)
        t->first = offset;
    else
        pl_inputs_record(t->last)->next = offset;
    t->last = offset;
}

/* Whether `fd` of a record of this kind is a descriptor that was there before. */
static bool is_about_descriptor(enum pl_input_kind kind)
{
    return kind == PL_INPUT_READ || kind == PL_INPUT_WRITE || kind == PL_INPUT_ACCEPT ||
           kind == PL_INPUT_CONNECT || kind == PL_INPUT_NAME || kind == PL_INPUT_COPY ||
           kind == PL_INPUT_POLL;
}

void pl_inputs_use(int fd)
{
    if (!pl_inputs_recording() || !pl_inputs_is_stream(fd) || !pl_stage->inputs.fds[fd].inherited)
        return;
    pl_stage->inputs.fds[fd].inherited = false;
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_INHERITED, fd, fd, 0);

    if (r != NULL)
        r->aux = pl_standin_describe(fd);
}

void pl_inputs_expect(struct pl_thread *t, int fd)
{
    t->io.record = 0;
    if (!pl_inputs_recording() || !pl_inputs_is_stream(fd))
        return;
    pl_inputs_use(fd);
    uint64_t at = take_room(sizeof(struct pl_input_record));

    if (at == 0)
        return;
    *pl_inputs_record(at) =
        (struct pl_input_record){.ready_at = PL_INPUT_NEVER, .fd = fd, .kind = PL_INPUT_WAIT};
    link_record(at);
    t->io.record = at;
}

/* Free threads record the order themselves. */
void pl_inputs_seen(struct pl_thread *t, bool ready)
{
    struct pl_input_record *r = t->io.record != 0 ? pl_inputs_record(t->io.record) : NULL;

    if (r != NULL && !ready)
        r->ready_at = PL_INPUT_NEVER;
    else if (r != NULL && r->ready_at == PL_INPUT_NEVER)
        r->ready_at = t->io.late && !pl_free ? pl_board->execution_events : PL_INPUT_AT_ONCE;
    if (!ready && !t->io.late)
        t->io.late_since = pl_board->execution_events;
    t->io.late |= !ready;
}

/* The one that the thread has waited with, or a new one. */
static struct pl_input_record *record_for(struct pl_thread *t, enum pl_input_kind kind, int fd)
{
    uint64_t at = is_about_descriptor(kind) ? t->io.record : 0;

    if (at != 0 && pl_inputs_record(at)->fd == fd) {
        t->io.record = 0;
        return pl_inputs_record(at);
    }
    at = take_room(sizeof(struct pl_input_record));
    if (at == 0)
        return NULL;
    *pl_inputs_record(at) = (struct pl_input_record){.kind = kind};
    link_record(at);
    return pl_inputs_record(at);
}

struct pl_input_record *pl_inputs_note(enum pl_input_kind kind, int fd, int64_t result,
                                       uint64_t size)
{
    bool wanted = kind == PL_INPUT_CLOCK || kind == PL_INPUT_RANDOM || kind == PL_INPUT_WAITERS
                      ? pl_inputs_clocks_recorded()
                      : pl_inputs_recording();

    if (!wanted)
        return NULL;
    if (is_about_descriptor(kind))
        pl_inputs_use(fd);
    struct pl_input_record *r = record_for(pl_thread_self(), kind, fd);
    uint64_t bytes = r != NULL && size > 0 && size < PL_INPUTS_AREA ? take_room(size) : 0;

    if (r == NULL)
        return NULL;
    if (size > 0 && bytes == 0)
        log->flags |= PL_INPUTS_INCOMPLETE;
    PL_ASSERT(kind < PL_INPUT_KINDS);
    r->bytes = bytes;
    r->size = bytes != 0 ? size : 0;
    r->result = result;
    r->error = result < 0 ? errno : 0;
    r->fd = fd;
    r->kind = kind;
    return r;
}

/* Times are many: a record holds a list of them, each longer than the one before. */
static void keep_time(int clock, uint64_t ns)
{
    uint64_t room = 1;

    if (!pl_inputs_clocks_recorded())
        return;
    const struct pl_input_thread *t = &log->threads[pl_thread_self()->id];
    struct pl_input_record *r = t->first != 0 ? pl_inputs_record(t->last) : NULL;
    bool same = r != NULL && r->kind == PL_INPUT_CLOCK && r->fd == clock;

    if (!same || r->aux == r->size / sizeof(ns)) {
        if (same)
            room = r->aux < TIMES ? 2 * (uint64_t)r->aux : TIMES;
        r = pl_inputs_note(PL_INPUT_CLOCK, clock, 0, room * sizeof(ns));
    }
    PL_ASSERT(r == NULL || r->aux * sizeof(ns) <= r->size);
    if (r != NULL && r->size > 0)
        pl_inputs_put(r, r->aux++ * sizeof(ns), &ns, sizeof(ns));
}

void pl_inputs_put(struct pl_input_record *r, uint64_t at, const void *bytes, uint64_t size)
{
    if (r != NULL && at <= r->size && size <= r->size - at)
        pl_memory_copy(log->area + r->bytes + at, bytes, size);
}

int64_t pl_inputs_keep(enum pl_input_kind kind, int fd, int64_t result)
{
    pl_inputs_note(kind, fd, result, 0);
    return result;
}

int64_t pl_inputs_gather(int fd, int64_t result, const struct iovec *v, int64_t n)
{
    uint64_t size = result > 0 ? (uint64_t)result : 0, at = 0;
    struct pl_input_record *r =
        pl_inputs_is_stream(fd) ? pl_inputs_note(PL_INPUT_READ, fd, result, size) : NULL;

    for (int64_t i = 0; r != NULL && i < n && at < size; i++) {
        uint64_t piece = v[i].iov_len < size - at ? v[i].iov_len : size - at;

        pl_inputs_put(r, at, v[i].iov_base, piece);
        at += piece;
    }
    return result;
}

/* ---- feeding ---- */

/* What a call gets for which nothing is recorded: the end of everything. */
static const struct pl_input_record ends[PL_INPUT_KINDS] = {
    [PL_INPUT_OPEN] = {.result = -1, .error = ENOENT},
    [PL_INPUT_STATUS] = {.result = -1, .error = ENOENT},
    [PL_INPUT_WRITE] = {.result = PL_INPUTS_ALL},
    [PL_INPUT_SOCKET] = {.result = -1, .error = EMFILE},
    [PL_INPUT_ACCEPT] = {.result = -1, .error = EINVAL},
    [PL_INPUT_CONNECT] = {.result = -1, .error = ECONNREFUSED},
    [PL_INPUT_NAME] = {.result = -1, .error = ENOTCONN},
    [PL_INPUT_LOOKUP] = {.result = EAI_FAIL},
};

/* At the end of inputs that did not hold everything: files may still be in the world. */
static const struct pl_input_record real = {.aux = PL_INPUT_REAL};

/* Those are for the start, not for calls. */
static uint64_t skip(uint64_t at)
{
    while (at != 0 && (pl_inputs_record(at)->kind == PL_INPUT_INHERITED ||
                       pl_inputs_record(at)->kind == PL_INPUT_ENVIRONMENT))
        at = pl_inputs_record(at)->next;
    return at;
}

static uint64_t first_of(uint64_t name)
{
    PL_ASSERT(log->n_threads <= PL_THREADS_MAX);
    for (uint32_t i = 0; i < log->n_threads; i++) {
        if (log->threads[i].name == name)
            return log->threads[i].first;
    }
    return 0;
}

/* The offset of the record that the thread's next call gets. */
static uint64_t cursor(const struct pl_thread *t)
{
    struct pl_input_state *s = &pl_stage->inputs;

    PL_ASSERT(log->feeding);
    if (!s->threads[t->id].known) {
        s->threads[t->id].at = skip(first_of(t->name));
        s->threads[t->id].known = true;
    }
    return s->threads[t->id].at;
}

/*
 * Whether a call for which there is no record is worth a word.  At the end of the
 * thread's records that is no wonder once the schedule is at its end, too; and
 * those who try other schedules must expect it.
 */
static bool is_divergence(bool at_end)
{
    bool followed = pl_stage->rooted ? pl_stage->context.following : pl_stage->context.n_steps > 0;

    if (!pl_strategy_named_is(pl_board->settings.strategy, PL_TRAIT_REPLAYS))
        return false;
    return !at_end || (followed && (log->flags & PL_INPUTS_INCOMPLETE) == 0);
}

/* The program asks for what the inputs do not have. */
static void miss(enum pl_input_kind kind, int fd, const char *path, bool at_end)
{
    struct pl_divergence *d = pl_stage->rooted ? &pl_board->divergence : &pl_stage->inputs.early;

    if (d->happened || !is_divergence(at_end))
        return;
    d->happened = d->input = true;
    if (path != NULL)
        pl_text_format(d->text, sizeof(d->text),
                       "the program asks for input that the recording does not have: %s of %s",
                       pl_input_texts[kind], path);
    else
        pl_text_format(d->text, sizeof(d->text),
                       "the program asks for input that the recording does not have: %s of "
                       "descriptor %d",
                       pl_input_texts[kind], fd);
}

/* What comes after a wait that was given up. */
static uint64_t skip_wait(uint64_t at)
{
    return at != 0 && pl_inputs_record(at)->kind == PL_INPUT_WAIT ? skip(pl_inputs_record(at)->next)
                                                                  : at;
}

const struct pl_input_record *pl_inputs_next(enum pl_input_kind kind, int fd, const char *path)
{
    struct pl_thread *t = pl_thread_self();
    uint64_t at = skip_wait(cursor(t));
    const struct pl_input_record *r = at != 0 ? pl_inputs_record(at) : NULL;

    if (r == NULL || r->kind != kind || r->fd != fd) {
        miss(kind, fd, path, r == NULL);
        bool asks_world = r == NULL && (log->flags & PL_INPUTS_INCOMPLETE) != 0 &&
                          (kind == PL_INPUT_OPEN || kind == PL_INPUT_STATUS);

        return asks_world ? &real : &ends[kind];
    }
    pl_stage->inputs.threads[t->id].at = skip(r->next);
    return r;
}

bool pl_inputs_has(enum pl_input_kind kind)
{
    uint64_t at = skip_wait(cursor(pl_thread_self()));

    return at != 0 && pl_inputs_record(at)->kind == kind;
}

static bool next_time(int clock, uint64_t *ns)
{
    struct pl_thread *t = pl_thread_self();
    uint64_t before = cursor(t);
    const struct pl_input_record *r = pl_inputs_next(PL_INPUT_CLOCK, clock, "the time");
    uint32_t *done = &pl_stage->inputs.threads[t->id].times;

    if (r->kind != PL_INPUT_CLOCK || pl_inputs_get(r, *done * sizeof(*ns), ns, sizeof(*ns)) == 0)
        return false;
    ++*done;
    if (*done < r->aux)
        pl_stage->inputs.threads[t->id].at = before; /* there are more in it */
    else
        *done = 0;
    return true;
}

bool pl_inputs_time(int clock, uint64_t *ns)
{
    if (pl_inputs_clocks_fed() && next_time(clock, ns))
        return true;
    if (pl_free)
        keep_time(clock, *ns);
    return pl_free;
}

const struct pl_input_record *pl_inputs_fed(enum pl_input_kind kind, int fd)
{
    if (!pl_inputs_feeding() || !pl_inputs_is_stream(fd))
        return NULL;
    return pl_inputs_next(kind, pl_inputs_number(fd), NULL);
}

uint64_t pl_inputs_ready_at(const struct pl_thread *t)
{
    uint64_t at = cursor(t);

    return at != 0 ? pl_inputs_record(at)->ready_at : PL_INPUT_AT_ONCE;
}

void pl_inputs_time_out(struct pl_thread *t, int fd)
{
    if (!pl_inputs_is_stream(fd))
        return;
    if (pl_inputs_feeding()) {
        uint64_t at = cursor(t);

        if (at != 0 && pl_inputs_record(at)->kind == PL_INPUT_POLL &&
            pl_inputs_record(at)->ready_at == PL_INPUT_NEVER)
            pl_stage->inputs.threads[t->id].at = skip(pl_inputs_record(at)->next);
        return;
    }
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_POLL, fd, 0, 0);

    if (r != NULL)
        r->ready_at = PL_INPUT_NEVER;
}

bool pl_inputs_ready(const struct pl_thread *t)
{
    return t->io.released || pl_inputs_ready_at(t) <= pl_board->execution_events;
}

int64_t pl_inputs_result(const struct pl_input_record *r, int64_t all)
{
    if (r->result < 0)
        errno = r->error;
    return r->result == PL_INPUTS_ALL ? all : r->result;
}

uint64_t pl_inputs_get(const struct pl_input_record *r, uint64_t at, void *to, uint64_t size)
{
    uint64_t n = at < r->size ? r->size - at : 0;

    n = n < size ? n : size;
    if (n > 0)
        pl_memory_copy(to, log->area + r->bytes + at, n);
    return n;
}

int64_t pl_inputs_scatter(const struct pl_input_record *r, const struct iovec *v, int64_t n)
{
    uint64_t at = 0, size = r->result > 0 ? (uint64_t)r->result : 0;

    for (int64_t i = 0; i < n && at < size; i++) {
        uint64_t piece = v[i].iov_len < size - at ? v[i].iov_len : size - at;

        at += pl_inputs_get(r, at, v[i].iov_base, piece);
    }
    return pl_inputs_result(r, 0);
}

/* ---- inputs from the root to the end of an execution ---- */

void pl_inputs_set_stream(int fd, bool stream, int64_t number)
{
    if (fd < 0 || fd >= PL_INPUT_FDS)
        return;
    pl_stage->inputs.fds[fd].stream = stream;
    pl_stage->inputs.fds[fd].number = (int16_t)number;
}

void pl_inputs_forget(int fd)
{
    if (pl_inputs_is_stream(fd))
        pl_inputs_set_stream(fd, false, fd);
    if (pl_stage->inputs.n_watches > 0)
        pl_ports.forget_descriptor(fd);
}

/*
 * Pipes, sockets and devices that are open; standard input, output and error are
 * the tool's.  Many are left over from whoever started it, and never used.
 */
static void find_inherited(void)
{
    for (int fd = 3; fd < PL_FDS_MAX; fd++) {
        bool stream = pl_standin_is_stream(pl_standin_describe(fd));

        pl_inputs_set_stream(fd, stream, fd);
        pl_stage->inputs.fds[fd].inherited = stream;
    }
}

/* Whatever has the number now is nothing of the program's. */
static void make_inherited(void)
{
    for (uint32_t i = 0; i < log->n_threads; i++) {
        for (uint64_t at = log->threads[i].first; at != 0; at = pl_inputs_record(at)->next) {
            const struct pl_input_record *r = pl_inputs_record(at);

            if (r->kind != PL_INPUT_INHERITED || !pl_standin_is_stream(r->aux))
                continue;
            pl_sys(SYS_close, r->result);
            pl_standin_open(r, O_RDWR);
        }
    }
}

void pl_inputs_start(void)
{
    pl_stage->busy--; /* what is done here counts as the program's */
    if (log->feeding) {
        pl_stage->inputs.clocks = (log->flags & PL_INPUTS_CLOCKS) != 0;
        make_inherited();
    } else if (pl_board->settings.record_inputs != 0) {
        log->used = PL_INPUTS_FIRST;
        log->flags = 0;
        log->process = 0;
        log->n_contents = 0;
        log->contents_used = 0;
        pl_memory_fill(log->threads, 0, sizeof(log->threads));
        find_inherited();
        pl_inputs_root();
    }
    pl_stage->busy++;
}

void pl_inputs_told_process(int32_t pid)
{
    if (pl_board->settings.record_inputs != 0 && !log->feeding)
        log->process = pid;
}

/* ---- programs that a process becomes ---- */

void pl_inputs_hand(struct pl_company_ticket *to, pl_tid tid)
{
    struct stat st = {0}; /* so that the kernel may write there */

    to->inputs.known = pl_stage->inputs.threads[tid].known;
    to->inputs.aside = pl_stage->inputs.threads[tid].aside;
    to->inputs.times = pl_stage->inputs.threads[tid].times;
    to->inputs.at = pl_stage->inputs.threads[tid].at;
    to->n_streams = 0;
    for (int fd = 0; fd < PL_INPUT_FDS && to->n_streams < PL_COMPANY_STREAMS; fd++) {
        if (!pl_inputs_is_stream(fd) || pl_sys(SYS_fstat, fd, &st) != 0)
            continue;
        pl_inputs_use(fd);
        to->streams[to->n_streams++] =
            (struct pl_company_stream){st.st_dev, st.st_ino, pl_inputs_number(fd)};
    }
}

void pl_inputs_take(const struct pl_company_ticket *from, pl_tid tid)
{
    struct stat st = {0};

    pl_stage->inputs.clocks = log->feeding && (log->flags & PL_INPUTS_CLOCKS) != 0;
    pl_stage->inputs.threads[tid].known = from->inputs.known;
    pl_stage->inputs.threads[tid].aside = from->inputs.aside;
    pl_stage->inputs.threads[tid].times = from->inputs.times;
    pl_stage->inputs.threads[tid].at = from->inputs.at;
    for (int fd = 0; fd < PL_FDS_MAX && from->n_streams > 0; fd++) {
        if (pl_sys(SYS_fstat, fd, &st) != 0)
            continue;
        for (uint32_t i = 0; i < from->n_streams; i++) {
            if (from->streams[i].device == st.st_dev && from->streams[i].inode == st.st_ino)
                pl_inputs_set_stream(fd, true, from->streams[i].number);
        }
    }
}

/* What comes later does not go into a record that every execution has. */
static void close_list(struct pl_input_record *r)
{
    if (r->kind == PL_INPUT_CLOCK)
        r->size = r->aux * sizeof(uint64_t);
}

void pl_inputs_root(void)
{
    if (pl_board->settings.record_inputs == 0 || log->feeding)
        return;
    PL_ASSERT(log->used >= PL_INPUTS_FIRST && log->used <= PL_INPUTS_HALF);
    log->root_used = log->used;
    log->root_flags = log->flags;
    pl_contents_root();
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        log->root_last[i] = log->threads[i].last;
        if (log->root_last[i] != 0)
            close_list(pl_inputs_record(log->root_last[i]));
    }
}

/* What was read before the root belongs to every execution. */
void pl_inputs_begin(void)
{
    if (log->feeding && pl_stage->inputs.early.happened)
        pl_board->divergence = pl_stage->inputs.early;
    if (pl_board->settings.record_inputs == 0 || log->feeding)
        return;
    PL_ASSERT(log->root_used >= PL_INPUTS_FIRST && log->root_used <= log->used);
    pl_contents_begin();
    log->used = log->root_used;
    log->flags = log->root_flags;
    for (unsigned i = 0; i < PL_THREADS_MAX; i++) {
        log->threads[i].last = log->root_last[i];
        if (log->root_last[i] != 0)
            pl_inputs_record(log->root_last[i])->next = 0;
        else
            log->threads[i].first = 0;
    }
}
