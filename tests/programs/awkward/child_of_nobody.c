/* SPDX-License-Identifier: MIT */
/*
 * A process whose parent has ended still belongs to the program: it writes to a pipe and to a
 * socket, and sends a signal whose handler posts.  So does a child.  A thread that waits for one of
 * these is not in a deadlock, nor is one that waits for a spin lock that a child has.
 *
 * RUN    plait test -s random -n 2
 * EXPECT clean
 *
 * RUN    plait test -s random -n 1 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s dfs --restart exec -n 1
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 3
 * EXPECT clean
 *
 * RUN    -DSILENT plait test -s random -n 1
 * EXPECT deadlock
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared {
    pthread_spinlock_t lock;
    atomic_int taken;
};

static struct shared *shared;
static int ends[2], both[2];
static sem_t posted;
static pid_t self;

static void post(int signo __attribute__((unused)))
{
    sem_post(&posted);
}

static void work(void)
{
    usleep(15000);
#ifndef SILENT
    if (write(ends[1], "p", 1) != 1 || write(both[1], "s", 1) != 1)
        _exit(1);
    usleep(15000);
    kill(self, SIGUSR1);
#endif
    _exit(0);
}

/* By a child that ends before. */
static void start_orphan(void)
{
    pid_t child = fork();

    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        work();
    }
    assert(waitpid(child, NULL, 0) == child);
}

static void *wait_for_orphan(void *arg)
{
    char c;

    start_orphan();
    assert(read(ends[0], &c, 1) == 1 && c == 'p');
    assert(read(both[0], &c, 1) == 1 && c == 's');
    while (sem_wait(&posted) != 0)
        ;
    return arg;
}

static void *wait_for_child(void *arg)
{
    pid_t child = fork();

    if (child == 0) {
        pthread_spin_lock(&shared->lock);
        shared->taken = 1;
        usleep(15000);
        pthread_spin_unlock(&shared->lock);
        usleep(15000);
        kill(self, SIGUSR1);
        _exit(0);
    }
    while (!shared->taken)
        usleep(1000);
    pthread_spin_lock(&shared->lock);
    pthread_spin_unlock(&shared->lock);
    while (sem_wait(&posted) != 0)
        ;
    assert(waitpid(child, NULL, 0) == child);
    return arg;
}

/* A child that ends makes a signalfd ready. */
static void *wait_for_end(void *arg)
{
    struct signalfd_siginfo info;
    sigset_t chld;

    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    int fd = signalfd(-1, &chld, 0);
    pid_t child = fork();

    if (child == 0) {
        usleep(15000);
        _exit(0);
    }
    assert(read(fd, &info, sizeof(info)) == sizeof(info) && info.ssi_pid == (uint32_t)child);
    assert(waitpid(child, NULL, 0) == child);
    return arg;
}

static void run(void *(*start)(void *))
{
    pthread_t t;

    pthread_create(&t, NULL, start, NULL);
    pthread_join(t, NULL);
}

int main(void)
{
    sigset_t chld;

    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pthread_spin_init(&shared->lock, PTHREAD_PROCESS_SHARED);
    self = getpid();
    sem_init(&posted, 0, 0);
    signal(SIGUSR1, post);
    assert(pipe(ends) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
    run(wait_for_orphan);
    run(wait_for_child);
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &chld, NULL);
    while (sigtimedwait(&chld, NULL, &(struct timespec){0, 0}) > 0)
        ;
    run(wait_for_end);
    return 0;
}
