/* SPDX-License-Identifier: MIT */
/*
 * Threads wait for children by descriptors, and close others meanwhile: P_PIDFD is no number of a
 * descriptor, though it looks like one.  A semaphore's number does, too.  system() without a
 * command says that there is a shell, which it finds out by starting one.
 *
 * RUN    plait test -s random -n 40
 * EXPECT clean executions=40
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *start_and_wait(void *arg)
{
    pid_t child = fork();
    siginfo_t info = {0};

    if (child == 0)
        _exit(5);
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd p = {.fd = fd, .events = POLLIN};

    assert(fd >= 0 && poll(&p, 1, -1) == 1);
    assert(waitid((idtype_t)3 /* P_PIDFD */, (id_t)fd, &info, WEXITED) == 0);
    assert(info.si_pid == child && info.si_status == 5);
    close(fd);
    return arg;
}

static void *take_and_give(void *arg)
{
    struct sembuf take = {.sem_op = -1}, give = {.sem_op = 1};
    const int *number = arg;

    assert(semop(*number, &take, 1) == 0);
    int fd = dup(0); /* perhaps the same number */

    close(fd);
    assert(semop(*number, &give, 1) == 0);
    return NULL;
}

int main(void)
{
    int number = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
    pthread_t t[4];

    assert(number >= 0 && semctl(number, 0, SETVAL, 1) == 0);
    for (int i = 0; i < 2; i++) {
        assert(pthread_create(&t[i], NULL, start_and_wait, NULL) == 0);
        assert(pthread_create(&t[2 + i], NULL, take_and_give, &number) == 0);
    }
    for (int i = 0; i < 4; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(semctl(number, 0, IPC_RMID) == 0);
    assert(system(NULL) != 0);
    return 0;
}
