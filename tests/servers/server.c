// SPDX-License-Identifier: MIT
/*
 * A server of lines: `server ADDRESS HOW [wrong]`.  ADDRESS is tcp:PORT or unix:PATH.  Each line is
 * answered with a number of its own; a connection ends when its client is done with it.
 *
 * HOW: threads, one for each connection; poll or epoll, all in one; workers, a process for each
 * connection.  What is wrong: threads count without a lock; poll has one buffer for all; epoll is
 * told of new bytes only and reads one of them; the parent of workers keeps the connections.
 */
#include "transport.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CONNECTIONS = 8, LINE = 64 };

static bool wrong;
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct line {
    char text[LINE];
    size_t n;
};

static void answer(int fd, unsigned number)
{
    char text[16];
    int n = snprintf(text, sizeof(text), "%u\n", number);

    if (write(fd, text, (size_t)n) != n)
        perror("write");
}

/* One byte more; whether the line is whole. */
static bool take(struct line *line, char c)
{
    if (c == '\n') {
        line->n = 0;
        return true;
    }
    if (line->n < LINE)
        line->text[line->n++] = c;
    return false;
}

/* ---- a thread for each ---- */

static unsigned count_one(void)
{
    if (wrong)
        return ++count;
    pthread_mutex_lock(&lock);
    unsigned number = ++count;
    pthread_mutex_unlock(&lock);
    return number;
}

static void *serve(void *arg)
{
    int fd = (int)(long)arg;
    struct line line = {.n = 0};
    char c;

    while (read(fd, &c, 1) == 1) {
        if (take(&line, c))
            answer(fd, count_one());
    }
    close(fd);
    return NULL;
}

static void with_threads(int listener)
{
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) {
        pthread_t thread;

        pthread_create(&thread, NULL, serve, (void *)(long)fd);
        pthread_detach(thread);
    }
}

/* ---- all in one ---- */

static void with_poll(int listener)
{
    struct pollfd fds[CONNECTIONS + 1] = {{.fd = listener, .events = POLLIN}};
    struct line lines[CONNECTIONS + 1] = {{.n = 0}};
    unsigned n = 1;
    char c;

    while (poll(fds, n, -1) > 0) {
        for (unsigned i = 1; i < n; i++) {
            struct line *line = &lines[wrong ? 1 : i];

            if (fds[i].revents == 0)
                continue;
            if (read(fds[i].fd, &c, 1) != 1) {
                close(fds[i].fd);
                fds[i].fd = -1;
            } else if (take(line, c)) {
                answer(fds[i].fd, ++count);
            } else if (line->n > 1) { /* requests have one letter */
                answer(fds[i].fd, 0);
            }
        }
        if (fds[0].revents != 0 && n <= CONNECTIONS) {
            fds[n] = (struct pollfd){.fd = accept(listener, NULL, NULL), .events = POLLIN};
            lines[n++].n = 0;
        }
    }
}

static void with_epoll(int listener)
{
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = listener};
    struct line lines[2 * CONNECTIONS] = {{.n = 0}};

    epoll_ctl(set, EPOLL_CTL_ADD, listener, &e);
    while (epoll_wait(set, &e, 1, -1) == 1) {
        int fd = e.data.fd;

        if (fd == listener) {
            e = (struct epoll_event){.events = EPOLLIN | EPOLLET,
                                     .data.fd = accept(listener, NULL, NULL)};
            fcntl(e.data.fd, F_SETFL, O_NONBLOCK);
            epoll_ctl(set, EPOLL_CTL_ADD, e.data.fd, &e);
            continue;
        }
        ssize_t n;
        char c;

        do {
            n = read(fd, &c, 1);
            if (n == 1 && take(&lines[fd % (2 * CONNECTIONS)], c))
                answer(fd, ++count);
        } while (n > 0 && !wrong);
        if (n == 0)
            close(fd);
    }
}

/* ---- a process for each ---- */

static void with_workers(int listener)
{
    unsigned *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    signal(SIGCHLD, SIG_IGN);
    for (int fd; (fd = accept(listener, NULL, NULL)) >= 0;) {
        char c;

        if (fork() == 0) {
            while (read(fd, &c, 1) == 1) {
                if (c == '\n')
                    answer(fd, __atomic_add_fetch(shared, 1, __ATOMIC_SEQ_CST));
                if (c == 'q')
                    break; /* the client waits for the end */
            }
            _exit(0);
        }
        if (!wrong)
            close(fd);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*serve)(int);
    } ways[] = {{"threads", with_threads},
                {"poll", with_poll},
                {"epoll", with_epoll},
                {"workers", with_workers}};

    if (argc < 3)
        return 2;
    wrong = argc > 3 && strcmp(argv[3], "wrong") == 0;
    int listener = transport_listen(argv[1]);

    if (listener < 0) {
        perror(argv[1]);
        return 2;
    }
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (strcmp(ways[i].name, argv[2]) == 0)
            ways[i].serve(listener);
    }
    return 2;
}
