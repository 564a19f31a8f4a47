/* SPDX-License-Identifier: MIT */
/*
 * What the program reads from the world: recorded on the board, or fed from
 * there; see model/inputs.h and docs/design/inputs.md.
 *
 * An interposed function asks pl_inputs_fed() or pl_inputs_next(): a record is
 * the answer to its call, and the world is not touched; NULL: it makes the call
 * and hands the result to pl_inputs_note(), which does nothing unless inputs are
 * recorded.  Descriptors that lead to the world and not to a file are streams:
 * inherited pipes, FIFOs, terminals, sockets.  Those that the program makes for
 * itself, by pipe() or socketpair(), are none, and work as ever.
 *
 * On the free carrier several threads call these functions at once; each has its own
 * chain of records.
 */
#ifndef PL_RUNTIME_INPUTS_INPUTS_H
#define PL_RUNTIME_INPUTS_INPUTS_H

#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

/* As a result of a record: all that was asked for. */
#define PL_INPUTS_ALL INT64_MAX

/* The calling thread is none of the program's, or what it calls is not the program's doing. */
static inline bool pl_inputs_aside(void)
{
    const struct pl_thread *t = pl_thread_self();

    return t == NULL || pl_inside() || pl_stage->inputs.threads[t->id].aside;
}

static inline bool pl_inputs_feeding(void)
{
    return pl_active && pl_board->inputs.feeding && !pl_inputs_aside();
}

static inline bool pl_inputs_recording(void)
{
    return pl_active && (pl_board->settings.record_inputs & PL_INPUTS_WORLD) != 0 &&
           !pl_inputs_aside();
}

/* Times and random numbers are the world's, and recorded. */
static inline bool pl_inputs_clocks_recorded(void)
{
    return pl_active && (pl_board->settings.record_inputs & PL_INPUTS_CLOCKS) != 0 &&
           pl_thread_self() != NULL;
}

/* Or were recorded, and are fed. */
static inline bool pl_inputs_clocks_fed(void)
{
    return pl_active && pl_board->inputs.feeding && pl_stage->inputs.clocks;
}

/* The process starts: descriptors that it inherits are recorded, or made. */
void pl_inputs_start(void);

/* The program has asked for the number of its process: a replay gets the same. */
void pl_inputs_told_process(int32_t pid);

/*
 * Where thread `tid` is in the inputs, and which descriptors lead to the world, for the program
 * that its process becomes; and there, before it opens any.
 */
struct pl_company_ticket;
void pl_inputs_hand(struct pl_company_ticket *to, pl_tid tid);
void pl_inputs_take(const struct pl_company_ticket *from, pl_tid tid);

/* The root is reached: what comes from here on is of an execution. */
void pl_inputs_root(void);

/* An execution begins. */
void pl_inputs_begin(void);

/* Whether the next record of the running thread is of this kind. */
bool pl_inputs_has(enum pl_input_kind kind);

static inline bool pl_inputs_is_stream(int fd)
{
    return fd >= 0 && fd < PL_INPUT_FDS && pl_stage->inputs.fds[fd].stream;
}

/* The number that the descriptor has in the inputs. */
static inline int pl_inputs_number(int fd)
{
    return pl_inputs_is_stream(fd) ? pl_stage->inputs.fds[fd].number : fd;
}

static inline struct pl_input_record *pl_inputs_record(uint64_t offset)
{
    return (struct pl_input_record *)(pl_board->inputs.area + offset);
}

/* A new descriptor that is a stream, or is not; its number in the inputs. */
void pl_inputs_set_stream(int fd, bool stream, int64_t number);

/* The descriptor is about to be used: an inherited one is recorded at its first use. */
void pl_inputs_use(int fd);

/* The descriptor is closed. */
void pl_inputs_forget(int fd);

/*
 * Add a record for the running thread, with room for `size` bytes behind it.
 * NULL when nothing is recorded or there is no room.  Leaves errno alone.
 */
struct pl_input_record *pl_inputs_note(enum pl_input_kind kind, int fd, int64_t result,
                                       uint64_t size);

/*
 * The thread will wait for a stream: a record that pl_inputs_note() fills when the
 * call is made.  Until then it says whether the call could have been made.
 */
void pl_inputs_expect(struct pl_thread *t, int fd);
void pl_inputs_seen(struct pl_thread *t, bool ready);

/* The thread has waited for long enough: no call is made. */
void pl_inputs_time_out(struct pl_thread *t, int fd);

/* Write what belongs to a record, from byte `at` of that. */
void pl_inputs_put(struct pl_input_record *r, uint64_t at, const void *bytes, uint64_t size);

/* The next record of the running thread: never NULL while inputs are fed.  `path` is for messages.
 */
const struct pl_input_record *pl_inputs_next(enum pl_input_kind kind, int fd, const char *path);

/* The same for a call on a descriptor: NULL when it is to be made. */
const struct pl_input_record *pl_inputs_fed(enum pl_input_kind kind, int fd);

/* Whether a thread that waits for a stream may go on; and when, in events of the execution. */
bool pl_inputs_ready(const struct pl_thread *t);
uint64_t pl_inputs_ready_at(const struct pl_thread *t);

/* The result of a record, with errno; `all` where it is all that was asked for. */
int64_t pl_inputs_result(const struct pl_input_record *r, int64_t all);

/* Copy at most `size` of its bytes, from byte `at` of them; returns how many. */
uint64_t pl_inputs_get(const struct pl_input_record *r, uint64_t at, void *to, uint64_t size);

/* What was read into pieces of memory: from the record; or into one, if that is wanted. */
int64_t pl_inputs_scatter(const struct pl_input_record *r, const struct iovec *v, int64_t n);
int64_t pl_inputs_gather(int fd, int64_t result, const struct iovec *v, int64_t n);

/* In the place of a clock: how long it is until a timer goes off, and how often one has too often.
 */
enum { PL_INPUT_LEFT = INT32_MAX, PL_INPUT_OVERRUN = INT32_MAX - 1 };

/* A look at a clock: what was read then, where that is fed; else, of a free thread, what it shows
 * is kept.  False: the program's own time. */
bool pl_inputs_time(int clock, uint64_t *ns);

/* What a call without bytes came to: from the record, or into one. */
int64_t pl_inputs_keep(enum pl_input_kind kind, int fd, int64_t result);

/* image.c: bytes that an image of what was recorded takes, 0: nothing was; then copy it */
uint64_t pl_image_size(void);
void pl_image_copy(void *to);

/* contents.c */
/* Let the record have the contents of a file; false when they do not fit or cannot be read. */
bool pl_contents_keep(struct pl_input_record *r, int fd);
void pl_contents_root(void);
void pl_contents_begin(void);
/*
 * For an image: which of them has these bytes; where those marked in places[] begin,
 * with the sum of their sizes; to copy them there.
 */
uint32_t pl_contents_index(uint64_t at);
uint64_t pl_contents_place(uint64_t places[PL_INPUT_CONTENTS], uint64_t start);
void pl_contents_copy(const uint64_t places[PL_INPUT_CONTENTS], unsigned char *area);

/* standin.c */
/*
 * How a replay can have a descriptor like this one, for aux of a record: enum
 * pl_input_source and what kind of thing it is.
 */
uint32_t pl_standin_describe(int fd);
bool pl_standin_is_stream(uint32_t aux);

/*
 * A descriptor as recorded, under its number if that is free: a memory file, or
 * something of the same kind that leads nowhere.  `flags` as for open(); -1 and errno.
 */
int pl_standin_open(const struct pl_input_record *r, int flags);

/* libc_socket.c: what came of accept() and recvmsg(), from a record or into one */
int pl_socket_accept(const struct pl_input_record *r, struct sockaddr *from, socklen_t *n,
                     int flags);
int pl_socket_accepted(int fd, int made, const struct sockaddr *from, const socklen_t *n,
                       socklen_t room);
int64_t pl_socket_receive(const struct pl_input_record *r, struct msghdr *m);
int64_t pl_socket_received(int fd, int64_t n, const struct msghdr *m, socklen_t room);

/* libc_epoll.c */
void pl_epoll_forget(int fd);

/* libc_random.c */
bool pl_random_is_device(const char *path);
int pl_random_open(int flags);

#endif /* PL_RUNTIME_INPUTS_INPUTS_H */
