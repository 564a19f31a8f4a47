// SPDX-License-Identifier: MIT
/*
 * The calls of the answers_*.def, as functions and as a table.
 */
#define _GNU_SOURCE
#include "answers.h"

#include <aio.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <grp.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <linux/futex.h>
#include <locale.h>
#include <math.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

#define FD descriptor()
#define TIME a_time()
#define NAME a_name()
#define SIZE PICK(C(0), C(1), C(3), C(4), C(7), C(8), C(16), C(128), C(4096), C(ROOM))
#define SMALL PICK(C(0), C(1), C(2), C(7), C(8), C(9))
#define OFFSET PICK(C(0), C(1), C(5), C(-1), C(100), C(LONG_MAX), C(LONG_MIN))
#define NUMBER PICK(C(0), C(1), C(-1), C(2), C(7), C(INT_MAX), C(INT_MIN))
#define SIGNAL \
    PICK(C(0), C(SIGUSR1), C(SIGUSR2), C(32), C(33), C(34), C(37), C(64), C(65), C(-1), C(INT_MAX))
#define SENT PICK(C(0), C(SIGUSR1), C(SIGUSR2), C(34), C(37), C(64), C(65), C(-1), C(INT_MAX))
#define CLOCK                                                                   \
    PICK(C(CLOCK_REALTIME), C(CLOCK_MONOTONIC), C(CLOCK_PROCESS_CPUTIME_ID),    \
         C(CLOCK_THREAD_CPUTIME_ID), C(CLOCK_MONOTONIC_RAW), C(CLOCK_BOOTTIME), \
         C(CLOCK_REALTIME_COARSE), C(11), C(12), C(99), C(-1))
#define POINTER(p) ((__typeof__(&*(p)))or_null(p))

// What is initialised in many ways, and destroyed; all of it is used by whoever makes the next
// call.
static pthread_mutex_t strict = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_key_t keys[4];
static timer_t timer;
static FILE *stream;
static unsigned word;
static void *mapped;
static char *text_of_memory;
static size_t size_of_memory;

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int returns(void *unused)
{
    return unused == NULL;
}

static void *returned(void *argument)
{
    return argument;
}

static void *dies_holding(void *mutex)
{
    pthread_mutex_lock(mutex);
    return NULL;
}

static void nothing(void)
{
}

// One that select() accepts, or -1.
static int open_slot(void)
{
    struct pollfd p = {slots[drawn(SLOTS)], 0, 0};
    int old = errno;
    poll(&p, 1, 0);
    errno = old;
    return p.revents & POLLNVAL ? -1 : p.fd;
}

static sigset_t *a_set(void)
{
    static sigset_t set;
    sigemptyset(&set);
    int signal = SIGNAL;
    if (signal > 0 && signal < 65)
        ((unsigned long *)&set)[0] = 1ul << (signal - 1);
    return &set;
}

static void out_set(const sigset_t *set)
{
    out((long)((const unsigned long *)set)[0]);
}

#define ROW(name, ...)              \
    static long row_##name(void)    \
    {                               \
        return (long)(__VA_ARGS__); \
    }
#include "answers_calls.def"
#include "answers_files.def"
#include "answers_library.def"
#include "answers_threads.def"
#undef ROW

static const struct {
    const char *name;
    long (*function)(void);
} table[] = {
#define ROW(name, ...) {#name, row_##name},
#include "answers_calls.def"
#include "answers_files.def"
#include "answers_library.def"
#include "answers_threads.def"
#undef ROW
};

typedef long row_function(void);
row_function *row_at(unsigned i);
const char *row_name(unsigned i);
unsigned rows(void);
void locks_released(void);

row_function *row_at(unsigned i)
{
    return table[i].function;
}

const char *row_name(unsigned i)
{
    return table[i].name;
}

unsigned rows(void)
{
    return sizeof table / sizeof *table;
}

void locks_released(void)
{
    while (!pthread_mutex_unlock(&strict))
        continue;
    while (!pthread_mutex_unlock(&recursive))
        continue;
}
