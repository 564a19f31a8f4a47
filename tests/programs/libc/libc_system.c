/* SPDX-License-Identifier: MIT */
/*
 * What the system, signals and threads store for the program.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=86 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=86 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <arpa/inet.h>
#include <glob.h>
#include <netdb.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/utsname.h>

static sem_t semaphore;
static pthread_t child;
static char own[1024];

static void *nothing(void *arg)
{
    return arg;
}

static struct sockaddr_in address_of(void)
{
    return (struct sockaddr_in){.sin_family = AF_INET};
}

static void begin_all(void)
{
    memset(&shared, 0, sizeof(shared));
    sem_init(&semaphore, 0, 1);
}

static void address(void)
{
    strcpy(shared.text, "1.2.3.4");
}

#define OUT(name, call) CASE(name, begin_all(), call, LOOK)

OUT(uname_, result = uname((struct utsname *)shared.text)) /* @here */
OUT(sched_rr_get_interval_, result = sched_rr_get_interval(0, (struct timespec *)shared.text))
OUT(posix_memalign_, result = posix_memalign(&shared.pointer, 32, 32))
OUT(gethostname_, result = gethostname(shared.text, 64))
OUT(sysinfo_, result = sysinfo((struct sysinfo *)shared.text))
OUT(getrlimit_, result = getrlimit(RLIMIT_NOFILE, (struct rlimit *)shared.text))
OUT(inet_pton_, result = inet_pton(AF_INET, "1.2.3.4", shared.text))
OUT(inet_aton_, result = inet_aton("1.2.3.4", (struct in_addr *)shared.text))
OUT(inet_ntop_, result = inet_ntop(AF_INET, "abcd", shared.text, 64) != NULL)
CASE(inet_pton_text, address(), result = inet_pton(AF_INET, shared.text, own), TOUCH)
CASE(getaddrinfo_text, address(), struct addrinfo *out;
     struct addrinfo hints = {.ai_flags = AI_NUMERICHOST};
     if (getaddrinfo(shared.text, NULL, &hints, &out) == 0) freeaddrinfo(out), TOUCH)
CASE(glob_, address(), glob_t out; result = glob(shared.text, 0, NULL, &out), TOUCH)
OUT(sigaction_old, result = sigaction(SIGUSR1, NULL, (struct sigaction *)shared.text))
CASE(sigaction_new, begin_all(), result = sigaction(SIGUSR1, (struct sigaction *)shared.text, NULL),
     shared.text[0] = 0)
OUT(sigprocmask_old, result = sigprocmask(SIG_BLOCK, NULL, (sigset_t *)shared.text))
OUT(pthread_sigmask_old, result = pthread_sigmask(SIG_BLOCK, NULL, (sigset_t *)shared.text))
OUT(sigemptyset_, result = sigemptyset((sigset_t *)shared.text))
OUT(sigaddset_, result = sigaddset((sigset_t *)shared.text, SIGUSR1))
OUT(sigpending_, result = sigpending((sigset_t *)shared.text))
OUT(pthread_getname_np_, result = pthread_getname_np(pthread_self(), shared.text, 16))
CASE(pthread_setname_np_, strcpy(shared.text, "7"),
     result = pthread_setname_np(pthread_self(), shared.text), TOUCH)
OUT(attr_init_, result = pthread_attr_init((pthread_attr_t *)shared.text))
OUT(attr_getstacksize_, pthread_attr_t a; pthread_attr_init(&a);
    pthread_attr_getstacksize(&a, (size_t *)shared.text))
OUT(getschedparam_, struct sched_param p;
    result = pthread_getschedparam(pthread_self(), &shared.number, &p))
OUT(sem_getvalue_, result = sem_getvalue(&semaphore, &shared.number))
OUT(mutexattr_gettype_, pthread_mutexattr_t a; pthread_mutexattr_init(&a);
    pthread_mutexattr_gettype(&a, &shared.number))
OUT(setcancelstate_old, result = pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &shared.number))
OUT(key_create_, result = pthread_key_create((pthread_key_t *)shared.text, NULL))
OUT(join_result, pthread_create(&child, NULL, nothing, "a"); pthread_join(child, &shared.pointer))
OUT(create_handle, pthread_create((pthread_t *)shared.text, NULL, nothing, NULL))

CASE(getnameinfo_, begin_all(), struct sockaddr_in a = address_of();
     result = getnameinfo((struct sockaddr *)&a, sizeof(a), shared.text, 64, NULL, 0,
                          NI_NUMERICHOST),
     LOOK)
OUT(getpwuid_r_, struct passwd *found;
    result = getpwuid_r(0, (struct passwd *)shared.text, own, sizeof(own), &found))
OUT(getcpuclockid_, result = pthread_getcpuclockid(pthread_self(), &shared.number))

/* The same calls by their numbers, and by the instruction itself. */
static int ends[2];

static void fill_pipe(void)
{
    begin_all();
    if (ends[1] == 0 && pipe(ends) != 0)
        abort();
    result = write(ends[1], "a", 1);
}

static long call(long number, long a, const void *b, long c)
{
    long r;

    __asm__ volatile("syscall"
                     : "=a"(r)
                     : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return r;
}

CASE(number_read, fill_pipe(), result = syscall(SYS_read, ends[0], shared.text, 1), LOOK)
CASE(number_write, fill_pipe(), result = syscall(SYS_write, ends[1], shared.text, 1), TOUCH)
CASE(direct_read, fill_pipe(), result = call(SYS_read, ends[0], shared.text, 1), LOOK)
OUT(direct_times, result = call(SYS_getitimer, ITIMER_REAL, shared.text, 0))
OUT(number_uname, result = syscall(SYS_uname, shared.text))
OUT(number_stat, result = syscall(SYS_stat, "/", shared.text))
OUT(number_getcwd, result = syscall(SYS_getcwd, shared.text, 1024))
OUT(number_sigaction, result = syscall(SYS_rt_sigaction, SIGUSR1, NULL, shared.text, 8))
OUT(number_sigprocmask, result = syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, shared.text, 8))
OUT(number_sigpending, result = syscall(SYS_rt_sigpending, shared.text, 8))

int main(void)
{
    RUN(uname_), RUN(posix_memalign_), RUN(sched_rr_get_interval_), RUN(gethostname_),
        RUN(sysinfo_), RUN(getrlimit_), RUN(inet_pton_);
    RUN(inet_aton_), RUN(inet_ntop_), RUN(inet_pton_text), RUN(getaddrinfo_text), RUN(glob_);
    RUN(sigaction_old), RUN(sigaction_new), RUN(sigprocmask_old), RUN(pthread_sigmask_old);
    RUN(sigemptyset_), RUN(sigaddset_), RUN(sigpending_), RUN(pthread_getname_np_);
    RUN(pthread_setname_np_), RUN(attr_init_), RUN(attr_getstacksize_), RUN(getschedparam_);
    RUN(sem_getvalue_), RUN(mutexattr_gettype_), RUN(setcancelstate_old), RUN(key_create_);
    RUN(join_result), RUN(create_handle);
    RUN(getnameinfo_), RUN(getpwuid_r_), RUN(getcpuclockid_);
    RUN(number_read), RUN(number_write), RUN(direct_read), RUN(direct_times), RUN(number_uname);
    RUN(number_stat), RUN(number_getcwd), RUN(number_sigaction), RUN(number_sigprocmask);
    RUN(number_sigpending);
    return 0;
}
