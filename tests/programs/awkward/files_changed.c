/* SPDX-License-Identifier: MIT */
/*
 * Two threads write, append, cut, map, rename, link, lock, remove and make files, folders and links
 * that main has prepared before the root, and some that were not there.  Each execution finds them
 * as main left them, whatever the one before has done.
 *
 * RUN    plait test -s random -n 100 --files overlay
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 20 --restart fork --files overlay
 * EXPECT clean executions=20 restart=fork
 *
 * RUN    plait test -s random -n 10 --restart exec
 * EXPECT clean executions=10 restart=exec
 *
 * RUN    plait test -s random -n 40 -j 2
 * EXPECT clean restart=rollback
 *
 * RUN    plait test -s random -n 20 --carrier thread
 * EXPECT clean executions=20
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int before; /* a file that main has open */
static char folder[] = "files.XXXXXX";

static void put(const char *name, const char *text, int flags)
{
    int fd = open(name, O_WRONLY | flags, 0640);

    assert(fd >= 0);
    assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    assert(close(fd) == 0);
}

static int holds(const char *name, const char *text)
{
    char got[64] = "";
    int fd = open(name, O_RDONLY);

    if (fd < 0)
        return 0;
    assert(read(fd, got, sizeof(got) - 1) >= 0);
    close(fd);
    return strcmp(got, text) == 0;
}

/* As prepare() has left everything. */
static void look(void)
{
    struct stat st;
    char at[64];

    assert(holds("written", "one") && holds("cut", "one two")); /* @fresh */
    assert(holds("appended", "a") && holds("mapped", "memory"));
    assert(holds("from", "source") && holds("over", "target"));
    assert(holds("removed", "gone soon") && holds("kept open", "0123456789"));
    assert(stat("mode", &st) == 0 && (st.st_mode & 0777) == 0640);
    assert(st.st_mtime == 1000);
    assert(stat("folder", &st) == 0 && S_ISDIR(st.st_mode));
    assert(readlink("link", at, sizeof(at)) == 7 && memcmp(at, "written", 7) == 0);
    assert(access("made", F_OK) != 0 && access("made folder", F_OK) != 0);
    assert(access("second name", F_OK) != 0 && access("made link", F_OK) != 0);
    assert(access("socket", F_OK) != 0 && access("to", F_OK) != 0);
    assert(lseek(before, 0, SEEK_CUR) == 4);
}

static void prepare(void)
{
    const struct timespec times[2] = {{1000, 0}, {1000, 0}};

    put("written", "one", O_CREAT);
    put("cut", "one two", O_CREAT);
    put("appended", "a", O_CREAT);
    put("mapped", "memory", O_CREAT);
    put("from", "source", O_CREAT);
    put("over", "target", O_CREAT);
    put("removed", "gone soon", O_CREAT);
    put("mode", "m", O_CREAT);
    put("kept open", "0123456789", O_CREAT);
    assert(utimensat(AT_FDCWD, "mode", times, 0) == 0);
    assert(mkdir("folder", 0755) == 0);
    assert(symlink("written", "link") == 0);
    before = open("kept open", O_RDWR);
    assert(before >= 0 && lseek(before, 4, SEEK_SET) == 4);
}

static void clean(void)
{
    static const char *const names[] = {"written", "cut",  "appended",   "mapped", "from",
                                        "over",    "mode", "kept open",  "link",   "removed",
                                        "made",    "to",   "second name"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unlink(names[i]);
    rmdir("folder");
    assert(chdir("..") == 0 && rmdir(folder) == 0);
}

static pthread_barrier_t looked;

static void *first(void *arg)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd, s;

    pthread_barrier_wait(&looked);
    put("written", "two and more", O_TRUNC);
    put("appended", "bc", O_APPEND);
    assert(truncate("cut", 3) == 0);
    assert(rename("from", "over") == 0);
    put("over", "S", 0);
    assert(fcntl(before, F_SETLK, &all) == 0);
    assert(write(before, "xyz", 3) == 3);
    assert(unlink("link") == 0);
    put("made", "new", O_CREAT | O_EXCL);
    assert(rename("made", "to") == 0);
    assert(link("to", "second name") == 0);
    assert(symlink("to", "made link") == 0);
    s = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(s >= 0 && bind(s, (struct sockaddr *)&name, sizeof(name)) == 0);
    assert(unlink("made link") == 0 && unlink("socket") == 0);
    fd = open("to", O_RDWR);
    assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
    return arg;
}

static void *second(void *arg)
{
    int fd = open("mapped", O_RDWR);
    char *at = mmap(NULL, 6, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    assert(fd >= 0 && at != MAP_FAILED);
    memcpy(at, "MEM", 3);
    assert(munmap(at, 6) == 0 && close(fd) == 0);
    assert(chmod("mode", 0600) == 0);
    put("mode", "other", O_TRUNC);
    assert(unlink("removed") == 0);
    assert(rmdir("folder") == 0 && mkdir("made folder", 0700) == 0);
    assert(rmdir("made folder") == 0);
    put("removed", "another", O_CREAT | O_EXCL);
    return arg;
}

static void execution(void)
{
    pthread_t a, b;

    assert(pthread_barrier_init(&looked, NULL, 2) == 0);
    assert(pthread_create(&a, NULL, first, NULL) == 0);
    look();
    pthread_barrier_wait(&looked);
    assert(pthread_create(&b, NULL, second, NULL) == 0);
    assert(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0);
    assert(holds("written", "two and more") && holds("over", "Source") && holds("cut", "one"));
    assert(holds("mapped", "MEMory") && holds("kept open", "0123xyz789"));
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(mkdtemp(folder) != NULL && chdir(folder) == 0);
    prepare();
    execution();
    if (argc > 1)
        execution();
    clean();
    return 0;
}
