/* SPDX-License-Identifier: MIT */
/*
 * The end of an open file from before the first thread is seen as natively, although the process
 * that is copied for each execution has it as well: its lock is free, who watches it is told, who
 * has the other end of a terminal is, too, and what is no longer mapped can be sealed,
 * and a program that was written can be started.
 *
 * RUN    plait test -s dpor -- flock
 * EXPECT clean complete restart=exec why~locked
 *
 * RUN    plait test -s random -n 3 --restart fork -- flock
 * EXPECT refused
 *
 * RUN    plait test -s dpor -- record
 * EXPECT clean complete restart=exec why~locked
 *
 * RUN    plait test -s dpor -- range
 * EXPECT clean complete restart=exec why~locked
 *
 * RUN    plait test -s dpor -- last
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s dpor -- duplicate
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -- watched
 * EXPECT clean complete restart=exec why~watches
 *
 * RUN    plait test -s dpor -- terminal
 * EXPECT clean complete restart=exec why~terminal
 *
 * RUN    plait test -s dpor -- sealed
 * EXPECT clean complete restart=exec why~seals
 *
 * RUN    plait test -s random -n 2 -- program
 * EXPECT clean restart=exec why~program
 *
 * RUN    plait test -s dpor -- socket
 * EXPECT clean complete restart=exec why~socket
 *
 * RUN    native -- flock
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;
static char name[] = "./file_endsXXXXXX";
static int fd, other = -1;
static void *memory;
static struct sockaddr_in address = {.sin_family = AF_INET};

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static int try_lock(void)
{
    struct flock all = {.l_type = F_WRLCK};
    int again = open(name, O_RDWR);
    int rc = is("record") ? fcntl(again, F_OFD_SETLK, &all) : flock(again, LOCK_EX | LOCK_NB);

    close(again);
    return rc;
}

static void *end(void *unused)
{
    char told[256], byte;
    int watch = is("watched") ? inotify_init1(0) : -1;

    if (is("watched"))
        assert(inotify_add_watch(watch, name, IN_CLOSE_WRITE) > 0);
    if (is("sealed"))
        assert(munmap(memory, 4096) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0);
    if (is("range") || is("socket"))
        assert(close_range((unsigned)fd, (unsigned)fd, 0) == 0);
    else
        assert(close(fd) == 0);
    if (is("flock") || is("range") || is("record"))
        assert(try_lock() == 0);
    if (is("duplicate"))
        assert(try_lock() == -1 && errno == EWOULDBLOCK);
    if (is("watched"))
        assert(read(watch, told, sizeof(told)) > 0);
    if (is("terminal"))
        assert(read(other, &byte, 1) == -1 && errno == EIO);
    if (is("program")) {
        pid_t child = fork();
        int status;

        if (child == 0) {
            execl(name, name, NULL);
            _exit(2);
        }
        assert(waitpid(child, &status, 0) == child && status == 0);
    }
    if (is("socket")) {
        int s = socket(AF_INET, SOCK_STREAM, 0);

        assert(connect(s, (struct sockaddr *)&address, sizeof(address)) == -1 &&
               errno == ECONNREFUSED);
    }
    return unused;
}

static void write_program(void)
{
    char bytes[4096];
    ssize_t n;
    int from = open("/bin/true", O_RDONLY);

    assert(from >= 0 && fchmod(fd, 0700) == 0);
    while ((n = read(from, bytes, sizeof(bytes))) > 0)
        assert(write(fd, bytes, (size_t)n) == n);
    close(from);
}

static void begin(void)
{
    struct flock all = {.l_type = F_WRLCK};
    socklen_t size = sizeof(address);

    if (is("sealed")) {
        fd = memfd_create("sealed", MFD_ALLOW_SEALING);
        assert(ftruncate(fd, 4096) == 0);
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        assert(memory != MAP_FAILED);
    } else if (is("terminal")) {
        other = posix_openpt(O_RDWR | O_NOCTTY);
        assert(grantpt(other) == 0 && unlockpt(other) == 0);
        fd = open(ptsname(other), O_RDWR | O_NOCTTY);
    } else if (is("socket")) {
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        fd = socket(AF_INET, SOCK_STREAM, 0);
        assert(bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 1) == 0);
        assert(getsockname(fd, (struct sockaddr *)&address, &size) == 0);
    } else {
        fd = mkstemp(name);
        if (is("program"))
            write_program();
        else if (is("record"))
            assert(fcntl(fd, F_OFD_SETLK, &all) == 0);
        else if (!is("watched"))
            assert(flock(fd, LOCK_EX) == 0);
        if (is("duplicate"))
            other = dup(fd);
    }
    assert(fd >= 0);
}

int main(int argc, char **argv)
{
    pthread_t t;

    assert(argc == 2);
    how = argv[1];
    begin();
    pthread_create(&t, NULL, end, NULL);
    pthread_join(t, NULL);
    unlink(name);
    return 0;
}
