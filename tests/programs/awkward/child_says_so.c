/* SPDX-License-Identifier: MIT */
/*
 * A child that ends says so by a signal: to a thread in sigwaitinfo(), to one in sigsuspend(), to a
 * handler that posts for one that waits for something else.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean
 *
 * RUN    plait test -s random -n 5 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static sem_t posted;

static void note(int signo __attribute__((unused)))
{
    ended++;
    sem_post(&posted);
}

static pid_t start(int status)
{
    pid_t child = fork();

    if (child == 0) {
        usleep(5000);
        _exit(status);
    }
    assert(child > 0);
    return child;
}

static void *wait_for_three(void *arg)
{
    sigset_t chld, none;
    siginfo_t info;
    pid_t child;

    sigemptyset(&none);
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    child = start(7);
    assert(sigwaitinfo(&chld, &info) == SIGCHLD && info.si_pid == child && info.si_status == 7);
    assert(waitpid(child, NULL, 0) == child);
    child = start(0);
    while (ended == 0)
        assert(sigsuspend(&none) == -1 && errno == EINTR);
    assert(waitpid(child, NULL, 0) == child && sem_wait(&posted) == 0);
    pthread_sigmask(SIG_UNBLOCK, &chld, NULL);
    child = start(0);
    while (sem_wait(&posted) != 0)
        assert(errno == EINTR);
    assert(waitpid(child, NULL, 0) == child && ended == 2);
    return arg;
}

int main(void)
{
    sigset_t chld;
    pthread_t t;

    sem_init(&posted, 0, 0);
    signal(SIGCHLD, note);
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &chld, NULL);
    pthread_create(&t, NULL, wait_for_three, NULL);
    pthread_join(t, NULL);
    return 0;
}
