// SPDX-License-Identifier: MIT
/*
 * Calls with valid, invalid and odd arguments, one after the other, and what each of them answers.
 *
 *     answers SEED STEPS MODE [LEFT-OUT,...]
 *
 * The script follows from the seed, whichever steps are left out.  MODE says who makes the calls
 * while at least one other thread waits: 0 main, 1 a thread, 2 two threads in turn; with 4 added,
 * what the script works with is made before there are threads.  check_answers.py compares what is
 * printed natively and under plait.
 */
#define _GNU_SOURCE
#include "answers.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

char room[ROOM];
int slots[SLOTS];
static const char *held[SLOTS]; // kinds of what is in the slots

static uint64_t seed, draws;
static char line[1 << 12];
static size_t used;
static volatile sig_atomic_t handled;

// ---- what is drawn and said

unsigned drawn(unsigned n)
{
    uint64_t x = (draws += 0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return (x >> 33) % n;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    int old = errno;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + used, sizeof line - used, format, arguments);
    va_end(arguments);
    assert(n >= 0);
    used += n;
    if (used > sizeof line - 2)
        used = sizeof line - 2;
    errno = old;
}

long picked(const struct choice *pool, unsigned n)
{
    const struct choice *c = &pool[drawn(n)];
    say(" %s", c->name);
    return c->value;
}

int descriptor(void)
{
    static const struct choice odd[] = {C(-1), C(1000), C(INT_MAX), C(AT_FDCWD)};
    if (!drawn(12))
        return picked(odd, 4);
    unsigned i = drawn(SLOTS);
    say(" %d:%s", slots[i], held[i]);
    return slots[i];
}

void put(int slot, int fd, const char *kind)
{
    if (slots[slot] > 2)
        close(slots[slot]);
    slots[slot] = fd;
    held[slot] = kind;
}

int kept(int fd)
{
    int old = errno;
    if (fd > 2)
        put(drawn(SLOTS), fd, "returned");
    errno = old;
    return fd;
}

const struct timespec *a_time(void)
{
    static const struct {
        const char *name;
        struct timespec time;
    } times[] = {{"0", {0, 0}},
                 {"1ns", {0, 1}},
                 {"-1s", {-1, 0}},
                 {"-1ns", {0, -1}},
                 {"1e9ns", {0, 1000000000}},
                 {"1s1e9ns", {1, 1000000000}},
                 {"1us", {0, 1000}},
                 {"min", {LONG_MIN, LONG_MIN}}};
    unsigned i = drawn(sizeof times / sizeof *times);
    say(" %s", times[i].name);
    return &times[i].time;
}

const char *a_name(void)
{
    static const char *const names[] = {"file", "folder", "link",   "nothing",  "new",
                                        "",     ".",      "file/x", "folder/x", "loop",
                                        "..",   "fifo",   "folder/"};
    unsigned i = drawn(sizeof names / sizeof *names);
    say(" \"%s\"", names[i]);
    return names[i];
}

void *or_null(const void *pointer)
{
    if (drawn(6))
        return (void *)(uintptr_t)pointer;
    say(" NULL");
    return NULL;
}

void out(long value)
{
    say(" [%ld]", value);
}

void out_text(const char *text)
{
    say(" [%.60s]", text ? text : "(null)");
}

void out_bytes(const void *bytes, size_t n)
{
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 16777619;
    say(" [%x]", hash);
}

void out_id(long id)
{
    say(" [%s]", id == getpid()    ? "self"
                 : id == gettid()  ? "thread"
                 : id == getppid() ? "parent"
                 : id == getpgrp() ? "group"
                 : id > 0          ? "other"
                 : id == 0         ? "0"
                                   : "negative");
}

// ---- what there is

static void handler(int signal)
{
    (void)signal;
    handled++;
}

static void pair(int slot, int ends[2], const char *first, const char *second)
{
    bool one = drawn(2);
    put(slot, ends[one], one ? second : first);
    put((slot + 1) % SLOTS, ends[!one], one ? first : second);
}

static void make_pipe(int slot, int flags, const char *text)
{
    int ends[2] = {-1, -1};
    if (pipe2(ends, flags) == 0 && *text)
        (void)!write(ends[1], text, strlen(text));
    pair(slot, ends, flags ? "pipe-read-nonblock" : "pipe-read",
         flags ? "pipe-write-nonblock" : "pipe-write");
}

static void make_pair(int slot, int type, const char *text)
{
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, type, 0, ends) == 0 && *text)
        (void)!write(ends[1], text, strlen(text));
    pair(slot, ends, "pair", "pair-other");
}

static void make_timer(int slot, long value, long interval, int flags)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, flags);
    timerfd_settime(fd, 0, &(struct itimerspec){{interval, 0}, {0, value}}, NULL);
    if (value)
        poll(&(struct pollfd){fd, POLLIN, 0}, 1, -1);
    put(slot, fd, interval ? "timer-periodic" : value ? "timer-armed" : "timer");
}

static void make_signals(int slot)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 3);
    put(slot, signalfd(-1, &set, SFD_NONBLOCK), "signals");
}

static void make_set(int slot)
{
    int set = epoll_create1(0);
    for (int i = 0; i < 5; i++)
        epoll_ctl(set, EPOLL_CTL_ADD, slots[drawn(SLOTS)],
                  &(struct epoll_event){(uint32_t[]){EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLET,
                                                     EPOLLIN | EPOLLONESHOT, 0}[drawn(5)],
                                        {.u64 = i}});
    put(slot, set, "epoll");
}

static void make_socket(int slot, int type, int backlog)
{
    int fd = socket(AF_INET, type, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (backlog >= 0) {
        bind(fd, (struct sockaddr *)&address, sizeof address);
        listen(fd, backlog);
    }
    put(slot, fd, backlog >= 0 ? "listening" : type & SOCK_DGRAM ? "udp" : "tcp");
}

static void make_queue(int slot)
{
    char name[40];
    snprintf(name, sizeof name, "/answers-%07d", getpid());
    int fd = mq_open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600,
                     &(struct mq_attr){.mq_maxmsg = 2, .mq_msgsize = 8});
    mq_unlink(name);
    put(slot, fd, "queue");
}

static void make_watch(int slot)
{
    int fd = inotify_init1(IN_NONBLOCK);
    inotify_add_watch(fd, "folder", IN_CREATE | IN_DELETE);
    put(slot, fd, "watch");
}

void make(int slot, unsigned kind)
{
    switch (kind) {
    case 0:
        return make_pipe(slot, 0, "abcdefgh");
    case 1:
        return make_pipe(slot, O_NONBLOCK, "");
    case 2:
        return make_pipe(slot, O_NONBLOCK, "abc");
    case 3:
        return make_pair(slot, SOCK_STREAM, "abcdefgh");
    case 4:
        return make_pair(slot, SOCK_DGRAM | SOCK_NONBLOCK, "");
    case 5:
        return make_pair(slot, SOCK_SEQPACKET | SOCK_NONBLOCK, "abc");
    case 6:
        return make_timer(slot, 0, 0, TFD_NONBLOCK);
    case 7:
        return make_timer(slot, 1, 0, 0);
    case 8:
        return make_timer(slot, 1, 1000, TFD_NONBLOCK);
    case 9:
        return put(slot, eventfd(0, EFD_NONBLOCK), "counter");
    case 10:
        return put(slot, eventfd(3, 0), "counter-3");
    case 11:
        return put(slot, eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK), "semaphore-2");
    case 12:
        return make_signals(slot);
    case 13:
    case 14:
        return make_set(slot);
    case 15:
        return make_watch(slot);
    case 16:
        return put(slot, syscall(SYS_pidfd_open, getpid(), 0), "pidfd");
    case 17:
        return make_socket(slot, SOCK_STREAM | SOCK_NONBLOCK, 1);
    case 18:
        return make_socket(slot, SOCK_STREAM | SOCK_NONBLOCK, -1);
    case 19:
        return make_socket(slot, SOCK_DGRAM | SOCK_NONBLOCK, -1);
    case 20:
        return make_queue(slot);
    case 21:
        return put(slot, open("file", O_RDWR), "file");
    case 22:
        return put(slot, open("file", O_RDONLY), "file-read");
    case 23:
        return put(slot, open("file", O_WRONLY | O_APPEND), "file-append");
    case 24:
        return put(slot, open("folder", O_RDONLY | O_DIRECTORY), "folder");
    case 25:
        return put(slot, memfd_create("memory", MFD_ALLOW_SEALING), "memory");
    case 26:
        return put(slot, open("file", O_PATH), "path");
    case 27:
        return put(slot, open("/dev/zero", O_RDWR), "zero");
    case 28:
        return put(slot, open("/dev/full", O_RDWR), "full");
    case 29:
        return put(slot, open("fifo", O_RDWR | O_NONBLOCK), "fifo");
    case 30:
        return put(slot, -1, "closed");
    default:
        return put(slot, socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), "unix");
    }
}

unsigned kinds(void)
{
    return 32;
}

static void names_made(void)
{
    mkdir("folder", 0700);
    int fd = open("file", O_CREAT | O_RDWR | O_TRUNC, 0600);
    (void)!write(fd, "0123456789\n12 -7 x\n", 19);
    close(fd);
    (void)!symlink("file", "link");
    (void)!symlink("loop", "loop");
    mkfifo("fifo", 0600);
}

static void world_made(void)
{
    static const int signals[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE,
                                  SIGXFSZ, SIGIO,   SIGURG,  SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = handler, .sa_flags = SA_RESTART},
                  NULL);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        sigaction(i, &(struct sigaction){.sa_handler = handler}, NULL);
    names_made();
    draws = seed * 77;
    for (int i = 0; i < SLOTS; i++)
        slots[i] = -1, held[i] = "closed";
    for (int i = 0; i < SLOTS; i++)
        make(i, drawn(kinds()));
}

// ---- the rows

typedef long row_function(void);
row_function *row_at(unsigned i);
const char *row_name(unsigned i);
unsigned rows(void);
void locks_released(void);

static void step(unsigned n)
{
    draws = (seed << 20) + n * 1024;
    unsigned i = drawn(rows());
    used = 0;
    int before = handled;
    say("%u %s", n, row_name(i));
    errno = 0;
    long result = row_at(i)();
    int error = errno;
    say(" = %ld", result);
    if (result == -1)
        say(" %s", strerrorname_np(error) ? strerrorname_np(error) : "0");
    if (handled != before)
        say(" handled %d", handled - before);
    line[used++] = '\n';
    (void)!write(1, line, used);
}

// ---- who makes the calls

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned now, steps, players;
static bool over;
static char left_out[1 << 12];

static void *wait_for_end(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!over)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *play(void *number)
{
    unsigned me = (uintptr_t)number;
    sigset_t all, mine;
    sigfillset(&all);
    sigemptyset(&mine);
    sigaddset(&mine, SIGRTMIN + 3);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (unsigned n = me; n < steps; n += players) {
        pthread_mutex_lock(&lock);
        while (now != n)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        if (!left_out[n]) {
            pthread_sigmask(SIG_SETMASK, &mine, NULL);
            step(n);
            pthread_sigmask(SIG_SETMASK, &all, &mine);
        }
        pthread_mutex_lock(&lock);
        now = n + 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    locks_released();
    return NULL;
}

int main(int argc, char **argv)
{
    assert(argc >= 4);
    seed = strtoul(argv[1], NULL, 10);
    steps = strtoul(argv[2], NULL, 10);
    unsigned mode = strtoul(argv[3], NULL, 10);
    for (char *p = argc > 4 ? argv[4] : ""; isdigit((unsigned char)*p); p += *p == ',')
        left_out[strtoul(p, &p, 10)] = 1;
    assert(steps < sizeof left_out);
    if (mode & 4)
        world_made();
    players = (mode & 3) == 2 ? 2 : 1;
    sigset_t all;
    sigfillset(&all); // signals are handled by whoever makes the calls
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, wait_for_end, NULL);
    if (!(mode & 4))
        world_made();
    for (unsigned i = 0; mode & 3 && i < players; i++)
        pthread_create(&threads[1 + i], NULL, play, (void *)(uintptr_t)i);
    if (!(mode & 3))
        play(NULL);
    for (unsigned i = 0; mode & 3 && i < players; i++)
        pthread_join(threads[1 + i], NULL);
    pthread_mutex_lock(&lock);
    over = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(threads[0], NULL);
    return 0;
}
