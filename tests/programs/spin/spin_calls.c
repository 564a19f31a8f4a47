/* SPDX-License-Identifier: MIT */
/*
 * Something is waited for by asking the kernel again and again, in as many ways as there are
 * sections: a name, a lock file, content, a byte in a pipe, a server, a variable.  A round that
 * was for nothing did not happen, whatever call it was made by, also if the call would change
 * something where it does not fail, or if the round opens what it looks at and closes it again.
 * With -DPAUSE there is a pause; with -DNEVER nobody does what is waited for.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DPAUSE plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DPAUSE plait test -s random -n 100
 * EXPECT clean exit=0
 *
 * RUN    -DNEVER plait test -s random -n 10 --section 2
 * EXPECT livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <fcntl.h>
#include <limits.h>
#include <plait.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char name[64], other[80], semaphore[80];
static int file, ends[2];

static void make_file(void)
{
    close(open(name, O_CREAT | O_WRONLY, 0600));
}

static void nothing(void)
{
}

static void remove_file(void)
{
    unlink(name);
}

static void open_file(void)
{
    file = open(name, O_CREAT | O_RDWR, 0600);
}

static void fill_file(void)
{
    plait_assert(pwrite(file, "x\n", 2, 0) == 2);
}

static void open_pipe(void)
{
    plait_assert(pipe(ends) == 0);
}

static void fill_pipe(void)
{
    plait_assert(write(ends[1], "x", 1) == 1);
}

static void set_variable(void)
{
    setenv("SPIN_CALLS", "1", 1);
}

static struct sockaddr_un address(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};

    snprintf(a.sun_path, sizeof(a.sun_path), "%s", name);
    return a;
}

static void serve(void)
{
    struct sockaddr_un a = address();

    file = socket(AF_UNIX, SOCK_STREAM, 0);
    plait_assert(bind(file, (struct sockaddr *)&a, sizeof(a)) == 0 && listen(file, 1) == 0);
}

static int has_status(void)
{
    struct stat st;

    return stat(name, &st) == 0;
}

static int is_accessible(void)
{
    return faccessat(AT_FDCWD, name, R_OK, AT_EACCESS) == 0;
}

/* With a buffer that is not filled: what others have left there is none of the round's. */
static int has_path(void)
{
    char path[PATH_MAX];

    return realpath(name, path) != NULL;
}

static int takes_lock_file(void)
{
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int renames(void)
{
    return rename(name, other) == 0;
}

static int links(void)
{
    return link(other, name) == 0;
}

static int opens(void)
{
    int fd = open(name, O_RDONLY);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int has_content(void)
{
    char c;

    return pread(file, &c, 1, 0) == 1;
}

static int reads_content(void)
{
    int fd = open(name, O_RDONLY);
    char c;
    long n = read(fd, &c, 1);

    close(fd);
    return n == 1;
}

static int reaches_end(void)
{
    return lseek(file, 0, SEEK_END) > 0;
}

static int is_ready(void)
{
    struct pollfd p = {.fd = ends[0], .events = POLLIN};

    return poll(&p, 1, 5) == 1;
}

static int has_bytes(void)
{
    int n = 0;

    ioctl(ends[0], FIONREAD, &n);
    return n == 1;
}

static int connects(void)
{
    struct sockaddr_un a = address();
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    int rc = connect(fd, (struct sockaddr *)&a, sizeof(a));

    close(fd);
    return rc == 0;
}

static int is_set(void)
{
    return getenv("SPIN_CALLS") != NULL;
}

static void remove_semaphore(void)
{
    sem_unlink(semaphore);
}

static void make_semaphore(void)
{
    sem_close(sem_open(semaphore, O_CREAT, 0600, 1));
}

static int finds_semaphore(void)
{
    sem_t *s = sem_open(semaphore, 0);

    if (s == SEM_FAILED)
        return 0;
    sem_close(s);
    remove_semaphore();
    return 1;
}

static const struct way {
    void (*before)(void), (*make)(void);
    int (*look)(void);
} ways[] = {
    {nothing, make_file, has_status},
    {make_file, remove_file, takes_lock_file},
    {nothing, make_file, renames},
    {make_file, remove_file, links},
    {nothing, make_file, opens},
    {open_file, fill_file, has_content},
    {open_file, fill_file, reads_content},
    {open_file, fill_file, reaches_end},
    {open_pipe, fill_pipe, is_ready},
    {open_pipe, fill_pipe, has_bytes},
    {nothing, serve, connects},
    {nothing, set_variable, is_set},
    {nothing, make_file, is_accessible},
    {nothing, make_file, has_path},
    {remove_semaphore, make_semaphore, finds_semaphore},
};

static void *maker(void *arg)
{
#ifndef NEVER
    ((const struct way *)arg)->make();
#endif
    return arg;
}

static void await(void *arg)
{
    const struct way *w = arg;
    pthread_t t;

    unlink(name);
    w->before();
    close(open(other, O_CREAT | O_WRONLY, 0600));
    pthread_create(&t, NULL, maker, arg);
    while (!w->look()) {
#ifdef PAUSE
        usleep(1000);
#endif
    }
    pthread_join(t, NULL);
    unlink(name);
    unlink(other);
}

int main(void)
{
    snprintf(name, sizeof(name), "spin_calls.%07d", (int)getpid());
    snprintf(other, sizeof(other), "spin_calls.other.%07d", (int)getpid());
    snprintf(semaphore, sizeof(semaphore), "/%s", name);
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        plait_test(await, (void *)&ways[i]);
    return 0;
}
