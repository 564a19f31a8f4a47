/* SPDX-License-Identifier: MIT */
/*
 * Two threads each fork a child, read numbers from it through a pipe and then ask again and again
 * whether it has ended; a handler counts the ends as well.  What the threads add up has no lock.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 3 };

static int sum;
static volatile sig_atomic_t ended;

static void note(int signo)
{
    (void)signo;
    ended = 1;
}

static void be_child(int to)
{
    for (char i = 1; i <= NUMBERS; i++)
        assert(write(to, &i, 1) == 1);
    _exit(1);
}

static void *work(void *arg)
{
    int ends[2], status, seen;
    char number;

    assert(pipe(ends) == 0);
    pid_t child = fork();

    if (child == 0)
        be_child(ends[1]);
    close(ends[1]);
    for (int i = 0; i < NUMBERS && read(ends[0], &number, 1) == 1; i++) {
        seen = sum;
        sum = seen + number;
    }
    close(ends[0]);
    while (waitpid(child, &status, WNOHANG) == 0)
        usleep(50);
    seen = sum;
    sum = seen + WEXITSTATUS(status);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    pthread_t threads[2];

    sigaction(SIGCHLD, &action, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(sum == 14);
    return 0;
}
