/* SPDX-License-Identifier: MIT */
/*
 * Records of a file are locked before the root, and a file that is open since then is removed.
 * Locks belong to a process: each execution has them, whatever the one before did to them, and a
 * child of it does not get them (`child`).  That file is there again, and the same.
 *
 * RUN    plait test -s random -n 50
 * EXPECT clean executions=50 restart=rollback
 *
 * RUN    plait test -s random -n 10 --restart exec
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 10 --restart fork --files overlay
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 10 --carrier thread
 * EXPECT clean executions=10
 *
 * RUN    plait test -s random -n 10 -- child
 * EXPECT clean executions=10 restart=fork why~processes
 *
 * RUN    plait test -s noise -n 3 -- child
 * EXPECT clean executions=3
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native child
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-locked-XXXXXX", text[64], locked[64];
static int log_file, lock_file, turn;
static char *mapped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock(short type, off_t start, off_t size)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = size};

    return fcntl(lock_file, F_SETLK, &l);
}

/* Whether others get what has been locked, and what has not. */
static void ask_child(void)
{
    int status, other = open(locked, O_RDONLY); /* closing it would give them back */
    pid_t child = fork();

    assert(other >= 0);
    assert(mmap(NULL, 4096, PROT_READ, MAP_SHARED, other, 0) != MAP_FAILED);

    if (child == 0)
        _exit(lock(F_RDLCK, 0, 8) == -1 && lock(F_WRLCK, 8, 4) == -1 && lock(F_RDLCK, 8, 4) == 0 &&
                      lock(F_WRLCK, 12, 0) == 0
                  ? 0
                  : 1);
    assert(waitpid(child, &status, 0) == child && status == 0);
}

static void *take_turn(void *arg)
{
    pthread_mutex_lock(&mutex);
    turn++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void execution(int child)
{
    struct stat st;
    pthread_t t;

    pthread_create(&t, NULL, take_turn, NULL);
    take_turn(NULL);
    pthread_join(t, NULL);
    assert(turn == 2 && fstat(log_file, &st) == 0 && st.st_size == 6 && st.st_nlink == 1);
    assert(write(lock_file, "changed", 7) == 7);
    if (child)
        ask_child();
    assert(memcmp(mapped, "before", 6) == 0);
    mapped[0] = 'B';
    assert(munmap(mapped, 4096) == 0);
    assert(write(log_file, "during", 6) == 6);
    assert(close(open(locked, O_RDWR)) == 0); /* which gives all locks back */
    assert(unlink(text) == 0 && unlink(locked) == 0 && rmdir(folder) == 0);
    assert(fstat(log_file, &st) == 0 && st.st_size == 12 && st.st_nlink == 0);
}

int main(int argc, char **argv)
{
    assert(mkdtemp(folder) != NULL);
    snprintf(text, sizeof(text), "%s/log", folder);
    snprintf(locked, sizeof(locked), "%s/lock", folder);
    log_file = open(text, O_CREAT | O_RDWR | O_APPEND, 0600);
    lock_file = open(locked, O_CREAT | O_RDWR, 0600);
    assert(log_file >= 0 && lock_file >= 0 && write(log_file, "before", 6) == 6);
    assert(lock(F_WRLCK, 0, 8) == 0 && lock(F_RDLCK, 8, 4) == 0);
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, log_file, 0);
    assert(mapped != MAP_FAILED);
    execution(argc > 1 && strcmp(argv[1], "child") == 0);
    return 0;
}
