/* SPDX-License-Identifier: MIT */
/*
 * What stands below /proc about a child has the number that its parent knows as its own, also for
 * the child, and for a shell.  So have a lock of a file, the other end of a socket, a message and a
 * signal.  And what the parent has of time, an instruction that faults, the child has not.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 3 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 5 --carrier thread
 * EXPECT clean executions=5
 *
 * RUN    plait test --follow-children -n 5
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

static int shared;

static void *work(void *unused)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static long in_status(pid_t pid)
{
    char path[64], line[256];
    long parent = -1;

    snprintf(path, sizeof(path), "/proc/%d/status", pid);
    FILE *f = fopen(path, "r");

    assert(f != NULL);
    while (fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, "PPid:", 5) == 0)
            parent = atol(line + 5);
    }
    fclose(f);
    return parent;
}

static long in_stat(pid_t pid)
{
    char path[64], name[64], state;
    int number, parent = -1;

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");

    assert(f != NULL && fscanf(f, "%d %63s %c %d", &number, name, &state, &parent) == 4);
    fclose(f);
    assert(number == pid);
    return parent;
}

static volatile sig_atomic_t sender;

static void note(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)context;
    sender = info->si_pid;
}

/* 0: all that the kernel tells about the parent has that number. */
static int find_other(pid_t parent, int locked, int socket, const sigset_t *signals)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char control[CMSG_SPACE(sizeof(struct ucred))], byte;
    struct iovec piece = {&byte, 1};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof(control)};
    struct sigaction action;
    struct ucred other;
    socklen_t size = sizeof(other);
    siginfo_t info;
    sigset_t none;

    if (fcntl(locked, F_GETLK, &lock) != 0 || lock.l_type != F_WRLCK || lock.l_pid != parent)
        return 10;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &other, &size) != 0 || other.pid != parent)
        return 11;
    if (recvmsg(socket, &message, 0) != 1 || CMSG_FIRSTHDR(&message) == NULL)
        return 12;
    memcpy(&other, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(other));
    if (other.pid != parent)
        return 13;
    if (sigwaitinfo(signals, &info) != SIGUSR1 || info.si_pid != parent)
        return 14;
    sigemptyset(&none);
    while (sender == 0)
        sigsuspend(&none);
    if (sender != parent || sigaction(SIGUSR2, NULL, &action) != 0 || action.sa_sigaction != note)
        return 16;
    return sigqueue(parent, SIGUSR1, (union sigval){.sival_int = 7}) == 0 ? 0 : 15;
}

static void look_from_both(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    FILE *file = tmpfile();
    struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
    int pair[2], on = 1, status;
    sigset_t signals;
    siginfo_t info;

    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigaddset(&signals, SIGUSR2);
    sigaction(SIGUSR2, &action, NULL);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    assert(file != NULL && fcntl(fileno(file), F_SETLK, &lock) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    assert(setsockopt(pair[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) == 0);
    pid_t child = fork();

    if (child == 0)
        _exit(find_other(getppid(), fileno(file), pair[1], &signals));
    assert(write(pair[0], "x", 1) == 1 && kill(child, SIGUSR1) == 0);
    assert(kill(child, SIGUSR2) == 0);
    assert(sigwaitinfo(&signals, &info) == SIGUSR1 && info.si_code == SI_QUEUE);
    assert(info.si_pid == child && info.si_value.sival_int == 7);
    assert(waitpid(child, &status, 0) == child && status == 0);
    fclose(file);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    pthread_t thread;
    char command[64];
    int wait[2], status;

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    assert(pipe(wait) == 0);
    pid_t child = fork();

    if (child == 0) {
        char c;

        close(wait[1]);
        assert(in_status(getpid()) == getppid() && in_stat(getpid()) == getppid());
        _exit(__rdtsc() != 0 && read(wait[0], &c, 1) == 0 ? 0 : 1);
    }
    assert(in_status(child) == getpid() && in_stat(child) == getpid());
    snprintf(command, sizeof(command), "test $PPID = %d", getpid());
    assert(__rdtsc() != 0 && system(command) == 0);
    close(wait[1]);
    assert(waitpid(child, &status, 0) == child && status == 0);
    look_from_both();
    pthread_join(thread, NULL);
    return 0;
}
