/* SPDX-License-Identifier: MIT */
/*
 * What a thread sees when it looks, and does not wait, depends on how far a child has come; that is
 * not explored, so the search is not complete.  Who waits for a child sees one thing only.
 *
 * RUN    -DLOOK=poll_end(ends[0],0) plait test -s dfs
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DLOOK=read_at_once() plait test -s dpor
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DLOOK=waitpid(child,NULL,WNOHANG) plait test -s dfs
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DLOOK=*word plait test -s dpor
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DLOOK=access(made,F_OK) plait test -s dfs
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DHANDLED -DLOOK=told plait test -s dfs
 * EXPECT clean incomplete ended~a child process uses what it shares
 *
 * RUN    -DPRIVATE -DLOOK=poll_end(ends[0],-1) plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DPRIVATE -DLOOK=waitpid(child,NULL,0) plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DPRIVATE -DLOOK=poll_end(own[0],0) plait test -s dfs
 * EXPECT clean complete
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2], own[2];
static pid_t child;
static int *word;
static volatile sig_atomic_t told;
static long seen;
static const char made[] = "made-by-the-child";

__attribute__((unused)) static long poll_end(int fd, int timeout)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, timeout);
}

__attribute__((unused)) static long read_at_once(void)
{
    char c;

    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return read(ends[0], &c, 1);
}

static void *look(void *arg)
{
    seen = LOOK;
    return arg;
}

static void on_end(int signo)
{
    told = signo;
}

int main(void)
{
    pthread_t t;
    char c = 'x';
    int file;

#ifdef PRIVATE
    word = malloc(sizeof(*word));
#else
    word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#endif
#ifdef HANDLED
    signal(SIGCHLD, on_end);
#endif
    (void)on_end;
    if (word == MAP_FAILED || pipe(ends) != 0)
        return 1;
    child = fork();
    if (child == 0) {
        *word = 1;
        file = open(made, O_CREAT, 0600);
        _exit(file < 0 || write(ends[1], &c, 1) != 1);
    }
    if (pipe(own) != 0)
        return 1;
    pthread_create(&t, NULL, look, NULL);
    pthread_join(t, NULL);
    waitpid(child, NULL, 0);
    return 0;
}
