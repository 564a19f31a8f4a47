/* SPDX-License-Identifier: MIT */
/*
 * What programs of generate_calls.py are made of: short forms of system calls and library
 * functions whose result is a number below 16, and the run without plait.
 *
 * Each thread keeps what it saw in its variable `seen`, a hexadecimal digit each, and hands that to
 * main as its result; so observing is no operation.  What main wrote before there were other
 * threads is read by HIDDEN functions, or each use of a descriptor would be an access to shared
 * memory.
 *
 * With NATIVE the program runs outside of plait, many times: D waits for a random time, and
 * time-outs are near.  In both D keeps the compiler from moving accesses across.
 */
#ifndef CALLS_H
#define CALLS_H

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* calls_cxx.cpp */
int cxx_static(void *cell);
int cxx_static_fails(void *cell);
int cxx_call_once(void *cell);
int cxx_call_once_fails(void *cell);
int cxx_throw(void *cell, int n);
int cxx_lock_and_throw(void *cell, int n);
int cxx_per_thread(void *cell);
int cxx_shared(void *cell);
void cxx_set_promise(int n);
int cxx_has_value(void);

#define HIDDEN __attribute__((noinline, no_sanitize("thread"), unused)) static
#define HELPER __attribute__((unused)) static

#define SEE(value) (seen = seen << 4 | ((uint64_t)(value)&15))

/* A call that fails although it never may. */
#define MUST(good)   \
    do {             \
        if (!(good)) \
            abort(); \
    } while (0)

/* Apart, so that sharing a neighbour does not matter. */
struct cell {
    _Alignas(64) atomic_int value;
};

struct wide {
    uint64_t a, b, c, d;
};

#ifdef NATIVE
static _Thread_local uint64_t chance;
static uint64_t chance_of_run;

HIDDEN uint64_t draw(void)
{
    if (chance == 0)
        chance = chance_of_run ^ ((uint64_t)gettid() * 0x9E3779B97F4A7C15U);
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return chance >> 11;
}

/* Often none, else up to a third of a millisecond; whatever waits or yields here is no call of the
 * program. */
HIDDEN void delay(void)
{
    int kept = errno;
    uint64_t how = draw();

    if (how % 8 >= 2)
        syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = (long)(draw() % 300000)}, NULL);
    else if (how % 8 == 1)
        sched_yield();
    errno = kept;
}
#define D                                  \
    do {                                   \
        __asm__ volatile("" ::: "memory"); \
        delay();                           \
        __asm__ volatile("" ::: "memory"); \
    } while (0)
#else
#define D __asm__ volatile("" ::: "memory")
#endif

HIDDEN int number(const int *of_setup)
{
    return *of_setup;
}

/* When nobody changes it any more. */
HIDDEN int last(struct cell *cell)
{
    return cell->value;
}

HIDDEN FILE *file(FILE *const *of_setup)
{
    return *of_setup;
}

HIDDEN pthread_t handle(const pthread_t *of_main)
{
    return *of_main;
}

HIDDEN pthread_key_t key(const pthread_key_t *of_setup)
{
    return *of_setup;
}

/* A copy on the caller's stack. */
HIDDEN const char *path(char *copy, const char *of_setup)
{
    unsigned i = 0;

    do
        copy[i] = of_setup[i];
    while (of_setup[i++] != '\0');
    return copy;
}
#define PATH(of_setup) path((char[80]){0}, of_setup)

/* An error number as a digit. */
HELPER int error(int number_of_error)
{
    switch (number_of_error) {
    case 0:
        return 0;
    case EBUSY:
        return 9;
    case ETIMEDOUT:
        return 10;
    case EINTR:
        return 11;
    case ENOENT:
        return 12;
    case EAGAIN:
        return 13;
    case EEXIST:
        return 14;
    default:
        return 15;
    }
}

/* The result of a call, or its error. */
HELPER int code(long result)
{
    return result >= 0 ? (int)(result & 7) : error(errno);
}

/* The first of up to `most` bytes, as many as came above 1 counting 4; 0 at the end of the file. */
HELPER int first_of(const char *bytes, long got)
{
    if (got < 0)
        return error(errno);
    return got == 0 ? 0 : (bytes[0] & 3) + (got > 1 ? 4 : 0);
}

HELPER int get(int fd, size_t most)
{
    char bytes[4];

    return first_of(bytes, read(fd, bytes, most));
}

HELPER int put(int fd, char value, size_t n)
{
    const char bytes[4] = {value, value, value, value};

    return code(write(fd, bytes, n));
}

HELPER int get_at(int fd, off_t at)
{
    char byte;

    return first_of(&byte, pread(fd, &byte, 1, at));
}

HELPER int put_at(int fd, char value, off_t at)
{
    return code(pwrite(fd, &value, 1, at));
}

HELPER int receive(int fd, int flags)
{
    char bytes[4];

    return first_of(bytes, recv(fd, bytes, 1, flags));
}

HELPER int transmit(int fd, char value)
{
    return code(send(fd, &value, 1, MSG_NOSIGNAL));
}

/* What is there to be read or to end, as a digit. */
HELPER int ready(int fd, int how_long)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n = poll(&p, 1, how_long);

    return n <= 0 ? code(n) : (p.revents & POLLIN ? 1 : 0) + (p.revents & POLLHUP ? 2 : 0);
}

HELPER int ready_in(int set, int how_long)
{
    struct epoll_event e = {0};
    int n = epoll_wait(set, &e, 1, how_long);

    return n <= 0 ? code(n) : (e.events & EPOLLIN ? 1 : 0) + (e.events & EPOLLHUP ? 2 : 0);
}

HELPER int take_event(int fd)
{
    uint64_t value = 0;

    return read(fd, &value, sizeof(value)) < 0 ? error(errno) : (int)(value & 7);
}

HELPER int add_event(int fd, uint64_t value)
{
    return write(fd, &value, sizeof(value)) < 0 ? error(errno) : 0;
}

/* Opens, and closes what it has opened. */
HELPER int touch(const char *name, int flags)
{
    int fd = open(name, flags, 0600);

    if (fd < 0)
        return error(errno);
    if (flags & O_TRUNC)
        put(fd, 'a', 1);
    close(fd);
    return 1;
}

HELPER int size_of(const char *name)
{
    struct stat s;

    return stat(name, &s) < 0 ? error(errno) : (int)(s.st_size & 3) + (S_ISDIR(s.st_mode) ? 4 : 0);
}

/* A new folder with room for the names of two files in it. */
HELPER void make_folder(char *folder, char *a, char *b)
{
    strcpy(folder, "dXXXXXX");
    MUST(mkdtemp(folder) != NULL);
    sprintf(a, "%s/a", folder);
    sprintf(b, "%s/b", folder);
}

HELPER void remove_folder(const char *folder, const char *a, const char *b)
{
    if (unlink(a) < 0)
        rmdir(a);
    if (unlink(b) < 0)
        rmdir(b);
    rmdir(folder);
}

/* The numbers that the next descriptors get, lowest first. */
HELPER void free_numbers(int *numbers)
{
    for (unsigned i = 0; i < 8; i++)
        MUST((numbers[i] = dup(0)) >= 0);
    for (unsigned i = 0; i < 8; i++)
        close(numbers[i]);
}

HELPER void free_keys(int *numbers)
{
    for (unsigned i = 0; i < 8; i++)
        MUST(pthread_key_create((pthread_key_t *)&numbers[i], NULL) == 0);
    for (unsigned i = 0; i < 8; i++)
        pthread_key_delete((pthread_key_t)numbers[i]);
}

HIDDEN int index_of(const int *numbers, int n)
{
    int i = 0;

    while (i < 8 && numbers[i] != n)
        i++;
    return i;
}

/* When a timed call ends: within a millisecond; under plait, time runs out whenever that is
 * possible. */
HELPER const struct timespec *soon(struct timespec *t, clockid_t clock)
{
#ifdef NATIVE
    clock_gettime(clock, t);
    t->tv_nsec += (long)(draw() % 1000000);
    if (t->tv_nsec >= 1000000000) {
        t->tv_nsec -= 1000000000;
        t->tv_sec++;
    }
#else
    (void)clock;
    t->tv_sec = 2400000000;
#endif
    return t;
}
#define SOON(clock) soon(&(struct timespec){0}, CLOCK_##clock)

/* A queue of messages that nobody else knows. */
HELPER int make_queue(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = 1};
    char name[32];
    int queue;

    sprintf(name, "/plait-%d-%d", (int)syscall(SYS_getpid), (int)syscall(SYS_gettid));
    mq_unlink(name);
    MUST((queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attributes)) >= 0);
    mq_unlink(name);
    return queue;
}

HELPER int send_message(int queue, char text, unsigned priority)
{
    return code(mq_send(queue, &text, 1, priority));
}

HELPER int take_message(int queue, bool timed)
{
    struct timespec end = {0};
    char text;

    return first_of(&text, timed
                               ? mq_timedreceive(queue, &text, 1, NULL, soon(&end, CLOCK_REALTIME))
                               : mq_receive(queue, &text, 1, NULL));
}

HELPER long long now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

HELPER void make_robust(pthread_mutex_t *m)
{
    pthread_mutexattr_t a;

    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    MUST(pthread_mutex_init(m, &a) == 0);
}

/* 1 if the owner had ended; what is above that is a mutex not taken. */
HELPER int taken(pthread_mutex_t *m, int error_number)
{
    if (error_number == EOWNERDEAD)
        return pthread_mutex_consistent(m) == 0 ? 1 : 2;
    return error(error_number);
}

HELPER int lock_robust(pthread_mutex_t *m)
{
    return taken(m, pthread_mutex_lock(m));
}

HELPER int try_robust(pthread_mutex_t *m)
{
    return taken(m, pthread_mutex_trylock(m));
}

HELPER int futex(atomic_int *word, int operation, int value, const struct timespec *timeout)
{
    return code(syscall(SYS_futex, word, operation, value, timeout, NULL, 0));
}

/* A timer that goes off once, soon; the value is for its function. */
HELPER timer_t start_timer(int how, int signal, void (*function)(union sigval), int value)
{
    struct sigevent event = {.sigev_notify = how, .sigev_signo = signal};
    timer_t timer;

    event.sigev_value.sival_int = value;
    event.sigev_notify_function = function;
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    MUST(timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 100000}, NULL) == 0);
    return timer;
}

HELPER int gone_off(timer_t timer)
{
    struct itimerspec left;

    return timer_gettime(timer, &left) < 0
               ? error(errno)
               : left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0;
}

HELPER void set_timerfd(int fd)
{
    MUST(timerfd_settime(fd, 0, &(struct itimerspec){.it_value.tv_nsec = 100000}, NULL) == 0);
}

HELPER void set_alarm(void)
{
    MUST(setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 100}, NULL) == 0);
}

HELPER void block_signal(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* The value of the timer that has gone off. */
HELPER int wait_for_timer(int signal)
{
    siginfo_t info;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    return sigwaitinfo(&set, &info) < 0 ? error(errno) : info.si_value.sival_int;
}

/* Whether there is one, which is taken. */
HELPER int take_signal(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    return sigtimedwait(&set, NULL, &(struct timespec){0}) < 0 ? error(errno) : 1;
}

/* Handlers may interrupt it. */
HELPER int wait_on(sem_t *s)
{
    int result;

    do
        result = sem_wait(s);
    while (result < 0 && errno == EINTR);
    return result;
}

/* A descriptor that is ready when the signal is pending, and never waits. */
HELPER int watch_signal(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    return signalfd(-1, &set, SFD_NONBLOCK);
}

HELPER int watched(int fd)
{
    struct signalfd_siginfo info;
    long got = read(fd, &info, sizeof(info));

    return got < 0 ? error(errno) : (int)info.ssi_signo == SIGUSR2 ? 1 : 2;
}

/* Wait for a signal, with this one let in. */
HELPER int suspend_for(int signal)
{
    sigset_t set;

    pthread_sigmask(SIG_SETMASK, NULL, &set);
    sigdelset(&set, signal);
    return sigsuspend(&set);
}

/* Whether the signal comes at once. */
HELPER int poll_for(int signal)
{
    sigset_t set;

    pthread_sigmask(SIG_SETMASK, NULL, &set);
    sigdelset(&set, signal);
    return code(ppoll(NULL, 0, &(struct timespec){0}, &set));
}

/* The last letter of the working directory, or 0 where there is none that is known. */
HELPER int last_of_folder(void)
{
    char path[PATH_MAX] = "";

    if (getcwd(path, sizeof(path)) == NULL)
        return 9;
    const char *name = strrchr(path, '/') + 1;

    return strcmp(name, "a") == 0 ? 1 : strcmp(name, "b") == 0 ? 2 : name[0] == 'd' ? 3 : 0;
}

HELPER void remove_in(const char *folder)
{
    char path[64];

    sprintf(path, "%s/f", folder);
    unlink(path);
    rmdir(folder);
}

/* A file at two addresses, and memory that is nobody else's. */
HELPER void map_twice(int *fd, atomic_int **a, atomic_int **b, atomic_int **own)
{
    MUST((*fd = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0 && ftruncate(*fd, 4096) == 0);
    *a = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MUST(*a != MAP_FAILED && *b != MAP_FAILED && *own != MAP_FAILED);
}

HIDDEN atomic_int *word(atomic_int *const *of_setup)
{
    return *of_setup;
}

HELPER int title_of(pthread_t thread)
{
    char name[16] = "";

    return pthread_getname_np(thread, name, sizeof(name)) == 0 ? name[0] & 7 : 9;
}

HELPER int limit_cores(unsigned n)
{
    struct rlimit limit;

    MUST(getrlimit(RLIMIT_CORE, &limit) == 0);
    limit.rlim_cur = n;
    return setrlimit(RLIMIT_CORE, &limit);
}

HELPER int limit_of_cores(void)
{
    struct rlimit limit;

    MUST(getrlimit(RLIMIT_CORE, &limit) == 0);
    return (int)limit.rlim_cur;
}

/* What print_outcome() has for a thread that was cancelled. */
#define CANCELLED UINT64_MAX

HELPER uint64_t result_of(pthread_t thread)
{
    void *result = NULL;

    MUST(pthread_join(thread, &result) == 0);
    return result == PTHREAD_CANCELED ? CANCELLED : (uint64_t)(uintptr_t)result;
}

HELPER void print_outcome(const uint64_t *seen, unsigned n)
{
    char text[128];
    int length = 0;

    for (unsigned i = 0; i < n; i++) {
        if (seen[i] == CANCELLED)
            length += sprintf(text + length, " cancelled");
        else
            length += sprintf(text + length, " %llx", (unsigned long long)seen[i]);
    }
    text[length++] = '\n';
    fflush(stdout);
    MUST(write(1, text, (size_t)length) == length);
}

#include "calls_more.h"
#include "calls_objects.h"
#include "calls_rest.h"

#ifdef NATIVE
struct run {
    pid_t pid;
    int out, length;
    bool over;
    char text[256];
};

static struct run start_run(int (*program)(void), uint64_t seed)
{
    struct run r = {0};
    int ends[2];

    MUST(pipe2(ends, O_CLOEXEC) == 0);
    fflush(stdout);
    r.pid = fork();
    if (r.pid == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        leave_no_objects();
        chance_of_run = seed * 0x9E3779B97F4A7C15U;
        exit(program());
    }
    close(ends[1]);
    r.out = ends[0];
    return r;
}

/* Whether it has come to its end. */
static bool look_at(struct run *r)
{
    long n = read(r->out, r->text + r->length, sizeof(r->text) - 1 - (size_t)r->length);

    if (n > 0)
        r->length += (int)n;
    else
        r->over = true;
    return r->over;
}

/* As one line. */
static void print_text(const char *text, int length)
{
    printf("ended ");
    for (int i = 0; i < length; i++)
        putchar(text[i] != '\n' ? text[i] : i + 1 < length ? '/' : ' ');
    putchar('\n');
}

static void end_run(struct run *r)
{
    int status;

    if (!r->over)
        kill(r->pid, SIGKILL);
    waitpid(r->pid, &status, 0);
    close(r->out);
    if (!r->over)
        printf("stuck\n");
    else if (status != 0)
        printf("status %d\n", status);
    else
        print_text(r->text, r->length);
}

/* Several at a time; what has printed nothing more for `patience` milliseconds is stuck. */
static void run_natively(int (*program)(void), unsigned n, uint64_t seed, int patience)
{
    enum { AT_A_TIME = 10 };

    for (unsigned done = 0; done < n; done += AT_A_TIME) {
        struct run runs[AT_A_TIME];

        for (unsigned i = 0; i < AT_A_TIME; i++)
            runs[i] = start_run(program, seed + done + i);
        for (unsigned i = 0; i < AT_A_TIME; i++) {
            struct pollfd p = {.fd = runs[i].out, .events = POLLIN};

            while (poll(&p, 1, patience) > 0 && !look_at(&runs[i]))
                ;
            end_run(&runs[i]);
        }
    }
    fflush(stdout);
}
#endif

#endif /* CALLS_H */
