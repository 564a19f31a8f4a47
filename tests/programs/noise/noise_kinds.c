/* SPDX-License-Identifier: MIT */
/*
 * Ways in which right programs use the system: a terminal of their own, events of a folder,
 * descriptors that are handed on, data moved by the kernel, servers that were forked beforehand, a
 * program that is fed by one thread and read by another, children known by descriptors.
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_t start(void *(*function)(void *), void *arg)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, function, arg) == 0);
    return t;
}

static void end_well(pid_t child)
{
    int status;

    assert(waitpid(child, &status, 0) == child && status == 0);
}

static void read_all(int fd, char *to, size_t n)
{
    for (size_t have = 0; have < n;) {
        ssize_t k = read(fd, to + have, n - have);

        assert(k > 0);
        have += (size_t)k;
    }
}

/* ---- a terminal ---- */

static int terminal[2];

static void *type(void *text)
{
    assert(write(terminal[1], text, strlen(text)) == (ssize_t)strlen(text));
    return NULL;
}

static void use_terminal(void)
{
    char seen[8];

    terminal[0] = posix_openpt(O_RDWR | O_NOCTTY);
    assert(terminal[0] >= 0 && grantpt(terminal[0]) == 0 && unlockpt(terminal[0]) == 0);
    terminal[1] = open(ptsname(terminal[0]), O_RDWR | O_NOCTTY);
    assert(terminal[1] >= 0);
    pthread_t a = start(type, "ab"), b = start(type, "ab");

    read_all(terminal[0], seen, 4);
    assert(memcmp(seen, "abab", 4) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* ---- events of a folder ---- */

static char folder[] = "kinds-XXXXXX";

static void *create(void *name)
{
    char path[64];

    snprintf(path, sizeof(path), "%s/%s", folder, (const char *)name);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    unlink(path);
    return NULL;
}

static void watch_folder(void)
{
    char events[4096] __attribute__((aligned(8)));
    int watch = inotify_init(), created = 0;

    assert(mkdtemp(folder) != NULL && inotify_add_watch(watch, folder, IN_CREATE) >= 0);
    pthread_t a = start(create, "a"), b = start(create, "b");

    while (created < 2) {
        ssize_t n = read(watch, events, sizeof(events));

        assert(n > 0);
        for (char *at = events; at < events + n; created++)
            at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len;
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    rmdir(folder);
}

/* ---- a descriptor that is handed on ---- */

static int channel[2];

static struct msghdr message(char *control, size_t size, struct iovec *byte)
{
    return (struct msghdr){
        .msg_iov = byte, .msg_iovlen = 1, .msg_control = control, .msg_controllen = size};
}

static void *receive(void *arg)
{
    char control[CMSG_SPACE(sizeof(int))] = {0}, c, text[3];
    struct msghdr m = message(control, sizeof(control), &(struct iovec){&c, 1});
    int fd;

    assert(recvmsg(channel[1], &m, 0) == 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
    read_all(fd, text, sizeof(text));
    close(fd);
    return arg;
}

static void hand_on(void)
{
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct msghdr m = message(control, sizeof(control), &(struct iovec){"c", 1});
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    int ends[2];

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, channel) == 0 && pipe(ends) == 0);
    pthread_t t = start(receive, NULL);

    *h = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(h), &ends[0], sizeof(int));
    assert(sendmsg(channel[0], &m, 0) == 1);
    close(ends[0]);
    assert(write(ends[1], "xyz", 3) == 3);
    pthread_join(t, NULL);
    close(ends[1]);
}

/* ---- moved by the kernel ---- */

enum { MUCH = 200000 };

static int from[2], to[2];

static void *send_file(void *arg)
{
    FILE *file = tmpfile();
    off_t at = 0;

    assert(file != NULL && ftruncate(fileno(file), MUCH) == 0);
    while (at < MUCH)
        assert(sendfile(from[1], fileno(file), &at, (size_t)(MUCH - at)) > 0);
    fclose(file);
    return arg;
}

static void *move(void *arg)
{
    for (ssize_t n = 0, k; n < MUCH; n += k) {
        k = splice(from[0], NULL, to[1], NULL, 65536, 0);
        assert(k > 0);
    }
    close(to[1]);
    return arg;
}

static void move_data(void)
{
    char piece[10000];
    ssize_t n = 0, k;

    assert(pipe(from) == 0 && pipe(to) == 0);
    pthread_t a = start(send_file, NULL), b = start(move, NULL);

    while ((k = read(to[0], piece, sizeof(piece))) > 0)
        n += k;
    assert(n == MUCH);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* ---- servers ---- */

static void serve(int listener)
{
    char c = 0;

    while (c != 'q') {
        int fd = accept(listener, NULL, NULL);

        assert(fd >= 0 && read(fd, &c, 1) == 1 && write(fd, &c, 1) == 1);
        close(fd);
    }
    _exit(0);
}

static void ask_servers(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t n = sizeof(a);
    pid_t servers[2];

    assert(bind(listener, (struct sockaddr *)&a, n) == 0 && listen(listener, 8) == 0);
    assert(getsockname(listener, (struct sockaddr *)&a, &n) == 0);
    for (int i = 0; i < 2; i++) {
        servers[i] = fork();
        if (servers[i] == 0)
            serve(listener);
    }
    for (const char *asked = "abqq"; *asked != '\0'; asked++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        char c;

        assert(connect(fd, (struct sockaddr *)&a, n) == 0 && write(fd, asked, 1) == 1);
        assert(read(fd, &c, 1) == 1 && c == *asked);
        close(fd);
    }
    end_well(servers[0]);
    end_well(servers[1]);
    close(listener);
}

/* ---- a program between two threads ---- */

static void *feed(void *file)
{
    for (int i = 0; i < 3000; i++)
        fprintf(file, "a line, so many of which are more than a pipe holds: %d\n", i);
    fclose(file);
    return NULL;
}

static void pass_through(void)
{
    char *words[] = {"cat", NULL}, line[100];
    posix_spawn_file_actions_t actions;
    int in[2], out[2], lines = 0;
    pid_t cat;

    assert(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    assert(posix_spawn(&cat, "/bin/cat", &actions, NULL, words, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    pthread_t t = start(feed, fdopen(in[1], "w"));
    FILE *read_from = fdopen(out[0], "r");

    while (fgets(line, sizeof(line), read_from) != NULL)
        lines++;
    assert(lines == 3000);
    fclose(read_from);
    pthread_join(t, NULL);
    end_well(cat);
}

/* ---- children known by descriptors ---- */

static void *wait_by_descriptor(void *fd)
{
    siginfo_t info;

    assert(waitid(P_PIDFD, (id_t)(intptr_t)fd, &info, WEXITED) == 0 && info.si_status == 5);
    return NULL;
}

static void know_children(void)
{
    struct signalfd_siginfo info;
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &ended, NULL);
    int ends = signalfd(-1, &ended, 0);
    pid_t child = fork();

    if (child == 0)
        _exit(5);
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    pthread_t t = start(wait_by_descriptor, (void *)(intptr_t)fd);

    assert(fd >= 0 && poll(&(struct pollfd){fd, POLLIN, 0}, 1, -1) == 1);
    assert(read(ends, &info, sizeof(info)) == sizeof(info) && info.ssi_signo == SIGCHLD);
    pthread_join(t, NULL);
}

int main(void)
{
    use_terminal();
    watch_folder();
    hand_on();
    move_data();
    ask_servers();
    pass_through();
    know_children();
    return 0;
}
