/* SPDX-License-Identifier: MIT */
/*
 * Signals of threads that run freely: a timer ends the sleep that it finds, the signal of a call
 * that fails is handled before the call returns, a child begins with nothing pending and without
 * timers, and one that stops goes on when it is told to.  A child of vfork() is in this memory.
 *
 * RUN    plait test -s noise -n 8
 * EXPECT clean executions=8
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled[NSIG];

static void count(int signal)
{
    handled[signal]++;
}

static void sleep_is_ended(void)
{
    const struct itimerval again = {{0, 30000}, {0, 30000}}, never = {{0, 0}, {0, 0}};
    struct timespec left = {20, 0};

    assert(setitimer(ITIMER_REAL, &again, NULL) == 0);
    assert(nanosleep(&left, &left) == -1 && errno == EINTR && left.tv_sec > 0);
    assert(setitimer(ITIMER_REAL, &never, NULL) == 0 && handled[SIGALRM] > 0);
}

static void *write_for_nobody(void *arg)
{
    int ends[2];

    assert(pipe(ends) == 0 && close(ends[0]) == 0);
    assert(write(ends[1], "", 1) == -1 && errno == EPIPE && handled[SIGPIPE] == 1);
    close(ends[1]);
    return arg;
}

static void file_is_full(void)
{
    const struct rlimit small = {8, RLIM_INFINITY};
    int file = memfd_create("small", 0);

    assert(file >= 0 && setrlimit(RLIMIT_FSIZE, &small) == 0);
    assert(write(file, "12345678", 8) == 8);
    assert(write(file, "9", 1) == -1 && errno == EFBIG && handled[SIGXFSZ] == 1);
    close(file);
}

static int status_of(pid_t child)
{
    int status;

    assert(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void child_begins_anew(void)
{
    sigset_t set, before;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    raise(SIGUSR1);
    alarm(100);
    pid_t child = fork();

    if (child == 0) {
        sigpending(&set);
        _exit(sigismember(&set, SIGUSR1) + (alarm(0) == 0 ? 0 : 2));
    }
    assert(status_of(child) == 0 && alarm(0) > 90);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert(handled[SIGUSR1] == 1);
}

static void child_stops(void)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        raise(SIGSTOP);
        _exit(6);
    }
    assert(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    kill(child, SIGCONT);
    assert(status_of(child) == 6);
}

static void child_borrows(void)
{
    char *const words[] = {"none", NULL};
    volatile int why = 0;
    pid_t child = vfork();

    if (child == 0) {
        execv("/there/is/none", words);
        why = errno;
        _exit(3);
    }
    assert(why == ENOENT && status_of(child) == 3);
}

int main(void)
{
    struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
    pthread_t thread;

    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    pthread_create(&thread, NULL, write_for_nobody, NULL);
    sleep_is_ended();
    pthread_join(thread, NULL);
    child_begins_anew();
    child_stops();
    child_borrows();
    file_is_full();
    return 0;
}
