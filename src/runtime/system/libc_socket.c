/* SPDX-License-Identifier: MIT */
/*
 * Sockets, and descriptors made from others.  What comes through them is recorded
 * or fed with the inputs; otherwise the calls are libc's own.  See libc_io.c for
 * those that may block.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/clock.h"
#include "runtime/core/sched.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/carried.h"
#include "runtime/restart/own_calls.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/texts.h"

#include <fcntl.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void touches(const void *p, uint64_t size, bool write, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(p, size, write, who);
}

static void reads_text(const char *text, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_text_announce(text, PL_TEXT_WHOLE, who);
}

/* A new descriptor of the world. */
static int note_made(enum pl_input_kind kind, int about, int fd)
{
    struct pl_input_record *r = pl_inputs_note(kind, about, fd, 0);

    if (r != NULL && fd >= 0) {
        r->aux = pl_standin_describe(fd);
        pl_inputs_set_stream(fd, true, fd);
    }
    return fd;
}

static int open_flags(int flags)
{
    return ((flags & SOCK_CLOEXEC) != 0 ? O_CLOEXEC : 0) |
           ((flags & SOCK_NONBLOCK) != 0 ? O_NONBLOCK : 0);
}

PL_INTERPOSE_ALWAYS(int, socket, (int domain, int type, int protocol))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_on() && pl_inputs_feeding()) {
        const struct pl_input_record *r = pl_inputs_next(PL_INPUT_SOCKET, domain, NULL);

        pl_calls_stand_in(PL_SYSCALL(SYS_socket, (uint64_t)domain), who.pc);
        return r->result < 0 ? (int)pl_inputs_result(r, 0) : pl_standin_open(r, open_flags(type));
    }
    return note_made(PL_INPUT_SOCKET, domain, pl_real.socket(domain, type, protocol));
}

/* Which two belong together only its making tells; see restart/renew.c. */
PL_INTERPOSE_ALWAYS(int, socketpair, (int domain, int type, int protocol, int fds[2]))
{
    PL_APART(apart, PL_CALL_ENTERED);

    if (pl_call_wanted(apart.who))
        fds = pl_apart(&apart, fds, 2 * sizeof(*fds), PL_APART_NUMBERS);
    int rc = pl_real.socketpair(domain, type, protocol, fds);

    apart.fails = rc != 0;
    const uint64_t a[6] = {0, 0, 0, (uint64_t)fds};

    if (pl_on() && !pl_stage->rooted && domain == AF_UNIX)
        pl_files_made(SYS_socketpair, a, rc);
    return rc;
}

/* A call about a socket that says no more than its result. */
#define PL_SOCKET_CALL(name, ...) PL_SOCKET_MADE(name, pl_real.name(__VA_ARGS__))
#define PL_SOCKET_MADE(name, made)                                                              \
    do {                                                                                        \
        const struct pl_input_record *r = pl_on() ? pl_inputs_fed(PL_INPUT_CONNECT, fd) : NULL; \
        if (r != NULL) {                                                                        \
            pl_calls_stand_in(PL_SYSCALL(SYS_##name, (uint64_t)fd), who.pc);                    \
            return (int)pl_inputs_result(r, 0);                                                 \
        }                                                                                       \
        int rc = made;                                                                          \
        return pl_active && pl_inputs_is_stream(fd)                                             \
                   ? (int)pl_inputs_keep(PL_INPUT_CONNECT, pl_inputs_number(fd), rc)            \
                   : rc;                                                                        \
    } while (0)

/* Free threads wait for the server of their client in real time; others at a point, in
 * calls_parts.c.
 */
static int connect_now(int fd, const struct sockaddr *to, socklen_t n)
{
    enum { STEPS = 5000 };
    const struct timespec step = {.tv_nsec = 1000000};
    bool waits = pl_cancel_wait_begin();
    int rc = pl_real.connect(fd, to, n);

    if (waits)
        pl_cancel_wait_end();

    for (unsigned i = 0;
         rc != 0 && (pl_free || pl_native) && pl_ports.client->waits(-errno) && i < STEPS; i++) {
        pl_sys(SYS_nanosleep, &step, NULL);
        rc = pl_real.connect(fd, to, n);
    }
    return rc;
}

PL_INTERPOSE_ALWAYS(int, connect, (int fd, const struct sockaddr *to, socklen_t n))
{
    struct pl_call who = PL_CALL_ENTERED;

    pl_cancel_call(who.pc);
    touches(to, n, false, who);
    PL_SOCKET_MADE(connect, connect_now(fd, to, n));
}

static int listen_now(int fd, int n)
{
    int rc = pl_real.listen(fd, n);

    pl_ports.client->listens();
    return rc;
}

/* Whether others can know the address beforehand: a port, or a name that is no file. */
static bool is_known(const struct sockaddr *to, socklen_t n)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)to;
    const struct sockaddr_un *un = (const struct sockaddr_un *)to;

    if (n < sizeof(to->sa_family) + sizeof(in->sin_port))
        return false;
    if (to->sa_family == AF_UNIX)
        return un->sun_path[0] == '\0';
    return (to->sa_family == AF_INET || to->sa_family == AF_INET6) && in->sin_port != 0;
}

/*
 * What another process of the campaign has is free in a network of one's own, where the program
 * begins again.  Where several execute at once, a thread that takes an address would be found
 * there by those of another.
 */
static int bind_now(int fd, const struct sockaddr *to, socklen_t n)
{
    if (pl_on() && pl_stage->rooted && pl_common->n_workers > 1 && is_known(to, n))
        pl_carried_part();
    int rc = pl_real.bind(fd, to, n);

    if (rc != 0 && errno == EADDRINUSE && pl_active) {
        pl_carried_part();
        errno = EADDRINUSE;
    }
    return rc;
}

PL_INTERPOSE_ALWAYS(int, bind, (int fd, const struct sockaddr *to, socklen_t n))
{
    struct pl_call who = PL_CALL_ENTERED;

    touches(to, n, false, who);
    PL_SOCKET_MADE(bind, bind_now(fd, to, n));
}

PL_INTERPOSE_ALWAYS(int, listen, (int fd, int n))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_SOCKET_MADE(listen, listen_now(fd, n));
}

PL_INTERPOSE_ALWAYS(int, shutdown, (int fd, int how))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_SOCKET_CALL(shutdown, fd, how);
}

PL_INTERPOSE_ALWAYS(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t n))
{
    struct pl_call who = PL_CALL_ENTERED;

    touches(value, n, false, who);
    PL_SOCKET_CALL(setsockopt, fd, level, name, value, n);
}

/* ---- addresses ---- */

/* An address with its true length, as far as there is room. */
static void fill_address(const struct pl_input_record *r, uint64_t at, void *to, socklen_t *n)
{
    uint64_t size = r->size > at ? r->size - at : 0;

    if (to == NULL || n == NULL)
        return;
    pl_inputs_get(r, at, to, *n);
    *n = (socklen_t)size;
}

static int keep_answer(int fd, int rc, const void *value, const socklen_t *n, socklen_t room)
{
    uint64_t size = rc == 0 ? (*n < room ? *n : room) : 0;

    if (pl_active && pl_inputs_is_stream(fd))
        pl_inputs_put(pl_inputs_note(PL_INPUT_NAME, pl_inputs_number(fd), rc, size), 0, value,
                      size);
    return rc;
}

#define PL_QUESTION(name, value, n, ...)                                                     \
    do {                                                                                     \
        touches(n, sizeof(*(n)), true, who);                                                 \
        touches(value, (int)*(n) > 0 ? *(n) : 0, true, who);                                 \
        const struct pl_input_record *r = pl_on() ? pl_inputs_fed(PL_INPUT_NAME, fd) : NULL; \
        socklen_t room = *(n);                                                               \
        if (r == NULL)                                                                       \
            return keep_answer(fd, pl_real.name(__VA_ARGS__), value, n, room);               \
        pl_calls_stand_in(PL_SYSCALL(SYS_##name, (uint64_t)fd), who.pc);                     \
        if (r->result == 0)                                                                  \
            fill_address(r, 0, value, n);                                                    \
        return (int)pl_inputs_result(r, 0);                                                  \
    } while (0)

PL_INTERPOSE_ALWAYS(int, getsockname,
                    (int fd, struct sockaddr *restrict name, socklen_t *restrict n))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_QUESTION(getsockname, name, n, fd, name, n);
}

PL_INTERPOSE_ALWAYS(int, getpeername,
                    (int fd, struct sockaddr *restrict name, socklen_t *restrict n))
{
    struct pl_call who = PL_CALL_ENTERED;

    PL_QUESTION(getpeername, name, n, fd, name, n);
}

PL_INTERPOSE_ALWAYS(int, getsockopt,
                    (int fd, int level, int name, void *restrict value, socklen_t *restrict n))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_active) {
        int rc = pl_real.getsockopt(fd, level, name, value, n);

        return (int)pl_own_passed(SYS_getsockopt, (uint64_t)fd, (uint64_t)level, (uint64_t)name,
                                  (uint64_t)value, rc);
    }
    PL_QUESTION(getsockopt, value, n, fd, level, name, value, n);
}

int pl_socket_accept(const struct pl_input_record *r, struct sockaddr *from, socklen_t *n,
                     int flags)
{
    if (r->result < 0)
        return (int)pl_inputs_result(r, 0);
    fill_address(r, 0, from, n);
    return pl_standin_open(r, open_flags(flags));
}

int pl_socket_accepted(int fd, int made, const struct sockaddr *from, const socklen_t *n,
                       socklen_t room)
{
    if (!pl_inputs_is_stream(fd))
        return made;
    uint64_t size = made >= 0 && from != NULL && n != NULL ? (*n < room ? *n : room) : 0;
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_ACCEPT, pl_inputs_number(fd), made, size);

    pl_inputs_put(r, 0, from, size);
    if (r != NULL && made >= 0) {
        r->aux = pl_standin_describe(made);
        pl_inputs_set_stream(made, true, made);
    }
    return made;
}

/* Behind the data lie the address and the control data; aux has the length of the address. */
int64_t pl_socket_receive(const struct pl_input_record *r, struct msghdr *m)
{
    int64_t n = pl_inputs_scatter(r, m->msg_iov, (int64_t)m->msg_iovlen);
    uint64_t data = n > 0 ? (uint64_t)n : 0, address = r->aux & 0xffff;

    if (n < 0)
        return n;
    if (m->msg_name != NULL) {
        pl_inputs_get(r, data, m->msg_name, m->msg_namelen < address ? m->msg_namelen : address);
        m->msg_namelen = (socklen_t)address;
    }
    m->msg_controllen = pl_inputs_get(r, data + address, m->msg_control, m->msg_controllen);
    m->msg_flags = (int)(r->aux >> 16);
    return n;
}

static void put_pieces(struct pl_input_record *r, const struct msghdr *m, uint64_t size)
{
    uint64_t at = 0;

    for (size_t i = 0; i < m->msg_iovlen && at < size; i++) {
        uint64_t n = m->msg_iov[i].iov_len < size - at ? m->msg_iov[i].iov_len : size - at;

        pl_inputs_put(r, at, m->msg_iov[i].iov_base, n);
        at += n;
    }
}

int64_t pl_socket_received(int fd, int64_t n, const struct msghdr *m, socklen_t room)
{
    uint64_t data = n > 0 ? (uint64_t)n : 0;
    uint64_t address = n >= 0 && m->msg_name != NULL ? m->msg_namelen : 0;
    uint64_t control = n >= 0 && m->msg_control != NULL ? m->msg_controllen : 0;

    address = address < room ? address : room;
    struct pl_input_record *r =
        pl_inputs_is_stream(fd)
            ? pl_inputs_note(PL_INPUT_READ, pl_inputs_number(fd), n, data + address + control)
            : NULL;

    if (r == NULL)
        return n;
    r->aux = (uint32_t)address | (uint32_t)(m->msg_flags & 0xffff) << 16;
    put_pieces(r, m, data);
    pl_inputs_put(r, data, m->msg_name, address);
    pl_inputs_put(r, data + address, m->msg_control, control);
    return n;
}

/* ---- names of hosts ---- */

/* One address of a list, as it is recorded; the address and the name follow. */
struct host {
    int32_t flags, family, type, protocol;
    uint32_t address, name; /* lengths; the name's with its end */
};

static struct host host_of(const struct addrinfo *a)
{
    return (struct host){
        a->ai_flags,    a->ai_family,
        a->ai_socktype, a->ai_protocol,
        a->ai_addrlen,  a->ai_canonname ? (uint32_t)pl_text_length(a->ai_canonname) + 1 : 0};
}

static void note_hosts(int number, int rc, const struct addrinfo *list)
{
    uint64_t size = 0, at = 0;

    for (const struct addrinfo *a = rc == 0 ? list : NULL; a != NULL; a = a->ai_next) {
        struct host h = host_of(a);

        size += sizeof(h) + h.address + h.name;
    }
    struct pl_input_record *r = pl_inputs_note(PL_INPUT_LOOKUP, number, rc, size);

    for (const struct addrinfo *a = rc == 0 ? list : NULL; a != NULL; a = a->ai_next) {
        struct host h = host_of(a);

        PL_ASSERT(at + sizeof(h) + h.address + h.name <= size);
        pl_inputs_put(r, at, &h, sizeof(h));
        pl_inputs_put(r, at + sizeof(h), a->ai_addr, h.address);
        pl_inputs_put(r, at + sizeof(h) + h.address, a->ai_canonname, h.name);
        at += sizeof(h) + h.address + h.name;
    }
}

/* Allocated like libc's, whose freeaddrinfo() will free it. */
static struct addrinfo *make_host(const struct pl_input_record *r, uint64_t at,
                                  const struct host *h)
{
    struct addrinfo *a = malloc(sizeof(*a) + h->address);

    if (a == NULL)
        return NULL;
    *a = (struct addrinfo){.ai_flags = h->flags,
                           .ai_family = h->family,
                           .ai_socktype = h->type,
                           .ai_protocol = h->protocol,
                           .ai_addrlen = h->address,
                           .ai_addr = (struct sockaddr *)(a + 1)};
    pl_inputs_get(r, at, a + 1, h->address);
    a->ai_canonname = h->name > 0 ? malloc(h->name) : NULL;
    if (a->ai_canonname != NULL)
        pl_inputs_get(r, at + h->address, a->ai_canonname, h->name);
    return a;
}

static int fed_hosts(const struct pl_input_record *r, struct addrinfo **out)
{
    struct addrinfo **end = out;
    uint64_t at = 0;
    struct host h;

    *out = NULL;
    while (pl_inputs_get(r, at, &h, sizeof(h)) == sizeof(h) &&
           h.address + h.name <= r->size - at - sizeof(h)) {
        *end = make_host(r, at + sizeof(h), &h);
        if (*end == NULL)
            return EAI_MEMORY;
        end = &(*end)->ai_next;
        at += sizeof(h) + h.address + h.name;
    }
    return (int)r->result;
}

PL_INTERPOSE_ALWAYS(int, getaddrinfo,
                    (const char *restrict node, const char *restrict service,
                     const struct addrinfo *restrict hints, struct addrinfo **restrict out))
{
    struct pl_call who = PL_CALL_ENTERED;

    reads_text(node, who);
    reads_text(service, who);
    touches(hints, sizeof(*hints), false, who);
    touches(out, sizeof(*out), true, who);
    int number = (int)(pl_hash_text(node ? node : service ? service : "") & INT32_MAX);

    if (!pl_on() || !(pl_inputs_recording() || pl_inputs_feeding()))
        return pl_real.getaddrinfo(node, service, hints, out);
    if (pl_inputs_feeding())
        return fed_hosts(pl_inputs_next(PL_INPUT_LOOKUP, number, node ? node : "a service"), out);
    bool *aside = &pl_stage->inputs.threads[pl_thread_self()->id].aside;

    *aside = true; /* what libc reads for it is no input of the program */
    int rc = pl_real.getaddrinfo(node, service, hints, out);

    *aside = false;
    note_hosts(number, rc, *out);
    return rc;
}

/* ---- other ways through a stream ---- */

/* What a file would have been read for it is skipped. */
static ssize_t fed_file(const struct pl_input_record *r, int in, off_t *at, size_t size)
{
    PL_ASSERT(pl_board->inputs.feeding);
    ssize_t n = (ssize_t)pl_inputs_result(r, (int64_t)size);

    if (n > 0 && at != NULL)
        *at += n;
    else if (n > 0)
        pl_sys(SYS_lseek, in, n, SEEK_CUR);
    return n;
}

static ssize_t send_file(int fd, int in, off_t *at, size_t size, struct pl_call who)
{
    const struct pl_input_record *r = pl_on() ? pl_inputs_fed(PL_INPUT_WRITE, fd) : NULL;

    if (r != NULL) {
        pl_calls_stand_in(PL_SYSCALL(SYS_sendfile, (uint64_t)fd), who.pc);
        return fed_file(r, in, at, size);
    }
    PL_APART(apart, who);
    ssize_t n = pl_real.sendfile(
        fd, in, pl_call_wanted(who) ? pl_apart(&apart, at, sizeof(*at), PL_APART_CHANGE) : at,
        size);

    return pl_active && pl_inputs_is_stream(fd)
               ? (ssize_t)pl_inputs_keep(PL_INPUT_WRITE, pl_inputs_number(fd), n)
               : n;
}

PL_INTERPOSE_ALWAYS(ssize_t, sendfile, (int fd, int in, off_t *at, size_t size))
{
    return send_file(fd, in, at, size, PL_CALL_ENTERED);
}

PL_INTERPOSE_ALWAYS(ssize_t, sendfile64, (int fd, int in, off_t *at, size_t size))
{
    return send_file(fd, in, at, size, PL_CALL_ENTERED);
}

/* What is told of a network interface, by its name. */
static bool is_of_interface(unsigned long request)
{
    switch (request) {
    case SIOCGIFFLAGS:
    case SIOCGIFADDR:
    case SIOCGIFDSTADDR:
    case SIOCGIFBRDADDR:
    case SIOCGIFNETMASK:
    case SIOCGIFMETRIC:
    case SIOCGIFMTU:
    case SIOCGIFHWADDR:
    case SIOCGIFINDEX:
    case SIOCGIFNAME:
    case SIOCGIFTXQLEN:
        return true;
    default:
        return false;
    }
}

/* Bytes that a request writes; those that are not known go to the stand-in. */
static uint64_t answer_size(unsigned long request)
{
    return request == FIONREAD        ? sizeof(int)
           : request == TIOCGWINSZ    ? 8
           : request == TCGETS        ? 60
           : is_of_interface(request) ? sizeof(struct ifreq)
                                      : 0;
}

/* What is behind the request comes in a register, whatever it is. */
PL_INTERPOSE_ALWAYS(int, ioctl, (int fd, unsigned long request, void *out))
{
    struct pl_call who = PL_CALL_ENTERED;

    struct pl_thread *t;
    uint64_t pc;
    bool operates = request == FIONREAD && pl_functions_recorded() && !pl_inputs_is_stream(fd) &&
                    pl_begin(&t, &pc);

    touches(out, answer_size(request), true, who);
    if (operates)
        return (int)pl_functions_operate(
            PL_SYSCALL(SYS_ioctl, (uint64_t)fd, request, (uint64_t)out), pc);
    bool known = pl_on() && pl_inputs_is_stream(fd) && answer_size(request) > 0;
    const struct pl_input_record *r = known ? pl_inputs_fed(PL_INPUT_NAME, fd) : NULL;

    if (r != NULL) {
        pl_calls_stand_in(PL_SYSCALL(SYS_ioctl, (uint64_t)fd, request), who.pc);
        pl_inputs_get(r, 0, out, answer_size(request));
        return (int)pl_inputs_result(r, 0);
    }
    int rc = pl_real.ioctl(fd, request, out);
    uint64_t size = rc == 0 ? answer_size(request) : 0;

    if (known)
        pl_inputs_put(pl_inputs_note(PL_INPUT_NAME, pl_inputs_number(fd), rc, size), 0, out, size);
    return rc;
}

/* ---- several messages ---- */

ssize_t pl_in_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t pl_in_sendmsg(int fd, const struct msghdr *message, int flags);

static ssize_t one_message(int fd, struct msghdr *m, int flags, bool in, struct pl_call who)
{
    if (!pl_free)
        pl_entry_now = who.entry; /* as this call is theirs */
    return in ? pl_in_recvmsg(fd, m, flags) : pl_in_sendmsg(fd, m, flags);
}

/*
 * The kernel takes them one by one, and so does this; the last error is told if none was.  Whether
 * it is `late` is looked at behind each of them only.
 */
static int one_by_one(int fd, struct mmsghdr *m, unsigned n, int flags, uint64_t late, bool in,
                      struct pl_call who)
{
    int rest = flags & ~MSG_WAITFORONE;
    unsigned done = 0;

    while (done < n && done < UIO_MAXIOV) {
        int now = done > 0 && (flags & MSG_WAITFORONE) != 0 ? rest | MSG_DONTWAIT : rest;
        ssize_t size = one_message(fd, &m[done].msg_hdr, now, in, who);

        if (size < 0)
            break;
        pl_call_touches(&m[done].msg_len, sizeof(m[done].msg_len), true, who);
        m[done].msg_len = (unsigned)size;
        done++;
        if (late != PL_NEVER && pl_clock_now() >= late)
            break;
    }
    return done > 0 || n == 0 ? (int)done : -1;
}

PL_INTERPOSE(int, recvmmsg,
             (int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *limit))
{
    struct pl_call who = PL_CALL_ENTERED;

    touches(limit, sizeof(*limit), false, who);
    if (n == 0 || !pl_call_wanted(who) || !pl_clock_is_time(limit))
        return PL_FALLBACK(recvmmsg)(fd, m, n, flags, limit);
    uint64_t late = limit != NULL ? pl_clock_now() + pl_clock_ns(limit) : PL_NEVER;
    int done = one_by_one(fd, m, n, flags, late, true, who);

    if (limit != NULL && done > 0) { /* what is left of it */
        uint64_t now = pl_clock_now();
        struct timespec left = pl_clock_timespec(late > now ? late - now : 0);

        pl_apart_store(limit, &left, sizeof(left), who);
    }
    return done;
}

PL_INTERPOSE(int, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    return n > 0 && pl_call_wanted(who) ? one_by_one(fd, m, n, flags, PL_NEVER, false, who)
                                        : PL_FALLBACK(sendmmsg)(fd, m, n, flags);
}

/* ---- copies ---- */

/* `to` is now what `from` is. */
static int have_copied(int from, int to)
{
    if (to < 0 || !pl_active)
        return to;
    if (!pl_inputs_is_stream(from)) {
        pl_inputs_set_stream(to, false, to);
        return to;
    }
    int number = pl_inputs_number(from);

    if (pl_inputs_feeding()) {
        const struct pl_input_record *r = pl_inputs_next(PL_INPUT_COPY, number, NULL);

        pl_inputs_set_stream(to, true, r->kind == PL_INPUT_COPY ? r->result : to);
    } else {
        pl_inputs_keep(PL_INPUT_COPY, number, to);
        pl_inputs_set_stream(to, true, to);
    }
    return to;
}

PL_INTERPOSE_ALWAYS(int, dup, (int fd))
{
    pl_on();
    return have_copied(fd, pl_real.dup(fd));
}

/* Where calls are not trapped: whether it replaces what somebody may wait at. */
static bool replaces(int fd, int to, struct pl_thread **t, uint64_t *pc)
{
    return pl_on() && pl_as_free() && fd != to && pl_ask_may_wait(to) && pl_begin(t, pc);
}

/* It is an operation there as well. */
static int replace(struct pl_syscall c, uint64_t pc)
{
    pl_calls_point(&c, pc);
    return (int)pl_calls_result(pl_calls_make(&c, pc));
}

/* A number of plait's own is none. */
static bool is_none(int fd)
{
    if (pl_fd_is_own(fd))
        pl_calls_result(-EBADF);
    return pl_fd_is_own(fd);
}

PL_INTERPOSE(int, dup2, (int fd, int to))
{
    struct pl_thread *t;
    uint64_t pc;

    if (is_none(fd) || is_none(to))
        return -1;
    if (replaces(fd, to, &t, &pc))
        return have_copied(fd, replace(PL_SYSCALL(SYS_dup2, (uint64_t)fd, (uint64_t)to), pc));
    return fd == to ? pl_real.dup2(fd, to) : have_copied(fd, pl_real.dup2(fd, to));
}

PL_INTERPOSE(int, dup3, (int fd, int to, int flags))
{
    struct pl_thread *t;
    uint64_t pc;

    if (is_none(fd) || is_none(to))
        return -1;
    if (replaces(fd, to, &t, &pc))
        return have_copied(
            fd, replace(PL_SYSCALL(SYS_dup3, (uint64_t)fd, (uint64_t)to, (uint64_t)flags), pc));
    return have_copied(fd, pl_real.dup3(fd, to, flags));
}

/* What a command of fcntl() does to the memory that it is given. */
static void *fcntl_argument(struct pl_apart *a, int command, void *value)
{
    switch (command) {
    case F_GETLK:
    case F_OFD_GETLK:
        return pl_apart(a, value, sizeof(struct flock), PL_APART_CHANGE);
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
        return pl_apart(a, value, sizeof(struct flock), PL_APART_IN);
    case F_GETOWN_EX:
        return pl_apart(a, value, sizeof(struct f_owner_ex), PL_APART_OUT);
    case F_SETOWN_EX:
        return pl_apart(a, value, sizeof(struct f_owner_ex), PL_APART_IN);
    case F_GET_RW_HINT:
    case F_GET_FILE_RW_HINT:
        return pl_apart(a, value, sizeof(uint64_t), PL_APART_OUT);
    case F_SET_RW_HINT:
    case F_SET_FILE_RW_HINT:
        return pl_apart(a, value, sizeof(uint64_t), PL_APART_IN);
    default:
        return value;
    }
}

#define PL_FCNTL(name)                                                                          \
    PL_INTERPOSE_ALWAYS(int, name, (int fd, int command, void *value))                          \
    {                                                                                           \
        PL_CALL_LASTS who = PL_CALL_ENTERED;                                                    \
        pl_on();                                                                                \
        if (is_none(fd))                                                                        \
            return -1;                                                                          \
        PL_APART(apart, who);                                                                   \
        if (pl_call_wanted(who))                                                                \
            value = fcntl_argument(&apart, command, value);                                     \
        if (command == F_SETLKW || command == F_OFD_SETLKW) {                                   \
            pl_cancel_call(who.pc);                                                             \
            who.waits = pl_cancel_wait_begin();                                                 \
        }                                                                                       \
        int rc = pl_real.name(fd, command, value);                                              \
        rc = (int)pl_own_passed(SYS_fcntl, (uint64_t)fd, (uint64_t)command, (uint64_t)value, 0, \
                                rc);                                                            \
        apart.fails = rc < 0;                                                                   \
        bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;                         \
        return copies ? have_copied(fd, rc) : rc;                                               \
    }

PL_FCNTL(fcntl)
PL_FCNTL(fcntl64)
