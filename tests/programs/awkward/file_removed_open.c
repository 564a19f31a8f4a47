/* SPDX-License-Identifier: MIT */
/*
 * A file and a folder that were open before the first thread are removed.  Who has them open finds
 * that they have no name any more; the next execution finds them as they were.  What the kernel
 * refuses does nothing to them.
 *
 * RUN    plait test -s random -n 20 --files overlay
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 5 --files overlay --restart fork
 * EXPECT clean executions=5
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int file, folder;
static atomic_int turn;

static void *clean_up(void *arg)
{
    struct stat st;
    struct statx more;
    char name[64];

    turn++;
    assert(unlink("kept") != 0 && (errno == EISDIR || errno == EPERM));
    assert(rmdir("kept/file") != 0 && errno == ENOTDIR);
    assert(rename("other", "kept/file") != 0 && errno == ENOTDIR);
    assert(rename("kept/file", "other") != 0 && errno == EISDIR);
    assert(renameat2(AT_FDCWD, "other", folder, "file", RENAME_NOREPLACE) != 0 && errno == EEXIST);
    assert(fstat(file, &st) == 0 && st.st_nlink == 1 && st.st_size == 0);
    assert(rmdir("other") == 0 && unlink("kept/file") == 0 && rmdir("kept") == 0);
    assert(fstat(file, &st) == 0 && st.st_nlink == 0);
    assert(fstat(folder, &st) == 0 && st.st_nlink == 0);
    assert(statx(file, "", AT_EMPTY_PATH, STATX_NLINK, &more) == 0 && more.stx_nlink == 0);
    assert(write(file, "x", 1) == 1);
    assert(openat(folder, "made", O_CREAT | O_WRONLY, 0600) < 0 && errno == ENOENT);
    assert(faccessat(folder, ".", F_OK, 0) == 0);
    assert(access("kept", F_OK) != 0);
    assert(chdir("inside") == 0 && access("nothing", F_OK) != 0);
    assert(rmdir("../inside") == 0 && getcwd(name, sizeof(name)) == NULL && errno == ENOENT);
    assert(open("made", O_CREAT | O_WRONLY, 0600) < 0 && errno == ENOENT);
    turn++;
    return arg;
}

int main(void)
{
    pthread_t t;

    unlink("kept/file");
    rmdir("kept");
    assert(mkdir("kept", 0700) == 0);
    folder = open("kept", O_RDONLY | O_DIRECTORY);
    rmdir("other");
    assert(mkdir("other", 0700) == 0 && open("other", O_RDONLY) >= 0);
    file = open("kept/file", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(folder >= 0 && file >= 0);
    rmdir("inside");
    assert(mkdir("inside", 0700) == 0 && open("inside", O_RDONLY | O_DIRECTORY) >= 0);
    pthread_create(&t, NULL, clean_up, NULL);
    turn++;
    turn++;
    pthread_join(t, NULL);
    return 0;
}
