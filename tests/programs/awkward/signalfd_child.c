/* SPDX-License-Identifier: MIT */
/*
 * Children that end are noticed by a thread that reads a signalfd, and one by a thread that polls
 * it: the kernel sends SIGCHLD, no thread does.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean
 *
 * RUN    plait test -s random -n 20 --restart exec
 * EXPECT clean
 */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_child[2], in[2], dead;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void reap(void)
{
    int status;

    while (waitpid(-1, &status, WNOHANG) > 0) {
        assert(WIFEXITED(status) && WEXITSTATUS(status) == 6);
        pthread_mutex_lock(&lock);
        dead++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
}

static void *watch(void *arg)
{
    int fd = *(int *)arg, seen;

    do {
        struct signalfd_siginfo info;
        struct pollfd p = {.fd = fd, .events = POLLIN};

        assert(poll(&p, 1, -1) == 1);
        assert(read(fd, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGCHLD);
        reap();
        pthread_mutex_lock(&lock);
        seen = dead;
        pthread_mutex_unlock(&lock);
    } while (seen < 2);
    return NULL;
}

static void *feed(void *arg)
{
    (void)arg;
    for (char c = 1; c <= 3; c++)
        for (int i = 0; i < 2; i++)
            assert(write(to_child[i], &c, 1) == 1);
    for (int i = 0; i < 2; i++)
        close(to_child[i]);
    return NULL;
}

static void child(int from)
{
    int sum = 0;
    char c;

    while (read(from, &c, 1) == 1)
        sum += c;
    _exit(sum);
}

int main(void)
{
    sigset_t set;
    pthread_t a, b;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    int fd = signalfd(-1, &set, SFD_CLOEXEC);

    for (int i = 0; i < 2; i++) {
        int ends[2];

        assert(pipe(ends) == 0);
        in[i] = ends[0];
        to_child[i] = ends[1];
        if (fork() == 0) {
            for (int k = 0; k <= i; k++)
                close(to_child[k]);
            child(in[i]);
        }
        close(in[i]);
    }
    pthread_create(&a, NULL, watch, &fd);
    pthread_create(&b, NULL, feed, NULL);
    pthread_mutex_lock(&lock);
    while (dead < 2)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
