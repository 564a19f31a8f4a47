/* SPDX-License-Identifier: MIT */
/*
 * A handler interrupts a thread that waits in a system call: the call fails with EINTR.  Whether
 * one set with SA_RESTART lets it wait on depends on the call.  With ENDS the handler is reset by
 * its first signal, and the second one ends the program.  A sleep that a handler came before takes
 * its time all the same, and what the kernel keeps back for a thread comes in sigsuspend().  One
 * that does not keep errno (SPOILS) may come between a call that fails and the look at why.
 *
 * RUN    -DCASE=connection plait test -s dpor
 * EXPECT assertion message~connection
 *
 * RUN    -DCASE=message plait test -s dfs
 * EXPECT assertion message~message
 *
 * RUN    -DCASE=message -DFLAGS=SA_RESTART plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DCASE=semaphore -DFLAGS=SA_RESTART plait test -s dpor
 * EXPECT assertion message~semaphore
 *
 * RUN    -DCASE=twice -DFLAGS=SA_RESETHAND plait test -s dpor
 * EXPECT crash message~SIGUSR1
 *
 * RUN    -DCASE=twice plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=failing -DSPOILS plait test -s dpor
 * EXPECT assertion message~EAGAIN
 *
 * RUN    -DCASE=failing plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DCASE=sleep_well plait test -s noise -n 12
 * EXPECT clean
 *
 * RUN    -DCASE=child plait test -s noise -n 3
 * EXPECT clean
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS 0
#endif

enum what { connection, message, semaphore, twice, sleep_well, child, failing };

static int listener, set, ends[2];
static mqd_t queue;
static struct sockaddr_un name = {.sun_family = AF_UNIX};
static socklen_t size = sizeof(name);

static volatile sig_atomic_t handled;

static void handle(int signo)
{
    int error = errno;

    (void)signo;
    handled = 1;
    close(-1);
#ifndef SPOILS
    errno = error;
#else
    (void)error;
#endif
}

static void sleep_through(void)
{
    struct timespec left = {0, 50000000}, from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    while (nanosleep(&left, &left) != 0)
        assert(errno == EINTR);
    clock_gettime(CLOCK_MONOTONIC, &to);
    assert((to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec >= 50000000);
}

static void *wait_for(void *unused)
{
    struct sembuf down = {0, -1, 0};
    char text[8];

    (void)unused;
    if (CASE == connection)
        assert(accept(listener, NULL, NULL) >= 0 && "connection");
    if (CASE == message)
        assert(mq_receive(queue, text, sizeof(text), NULL) == 1 && "message");
    if (CASE == semaphore)
        assert(semop(set, &down, 1) == 0 && "semaphore");
    if (CASE == sleep_well)
        sleep_through();
    if (CASE == failing)
        assert(read(ends[0], text, 1) < 0 && errno == EAGAIN);
    return NULL;
}

static void prepare(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};

    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&name, sizeof(sa_family_t)) == 0);
    assert(getsockname(listener, (struct sockaddr *)&name, &size) == 0);
    assert(listen(listener, 1) == 0);
    if (CASE == failing)
        assert(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    if (CASE == message) {
        mq_unlink("/plait_signalled");
        queue = mq_open("/plait_signalled", O_CREAT | O_RDWR, 0600, &attributes);
        assert(queue != (mqd_t)-1);
        mq_unlink("/plait_signalled");
    }
    if (CASE == semaphore) {
        set = semget(IPC_PRIVATE, 1, 0600);
        assert(set >= 0 && semctl(set, 0, SETVAL, 0) == 0);
    }
}

static void let_go_on(void)
{
    struct sembuf up = {0, 1, 0};

    if (CASE == connection)
        assert(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&name, size) == 0);
    if (CASE == message)
        assert(mq_send(queue, "x", 1, 0) == 0);
    if (CASE == semaphore)
        assert(semop(set, &up, 1) == 0);
}

/* A child ends while its signal is blocked everywhere but in sigsuspend(). */
static void wait_for_child(const struct sigaction *action, const sigset_t *open)
{
    sigaction(SIGCHLD, action, NULL);
    if (fork() == 0)
        _exit(0);
    handled = 0;
    while (!handled)
        sigsuspend(open);
}

int main(void)
{
    sigset_t chld, open;
    struct sigaction action = {.sa_handler = handle, .sa_flags = (int)FLAGS};
    pthread_t waiter;

    prepare();
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &chld, &open);
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&waiter, NULL, wait_for, NULL);
    if (CASE == child)
        wait_for_child(&action, &open);
    else
        pthread_kill(waiter, SIGUSR1);
    if (CASE == twice)
        pthread_kill(waiter, SIGUSR1);
    let_go_on();
    pthread_join(waiter, NULL);
    if (CASE == semaphore)
        semctl(set, 0, IPC_RMID);
    return 0;
}
