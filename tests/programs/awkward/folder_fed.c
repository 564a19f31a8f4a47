/* SPDX-License-Identifier: MIT */
/*
 * Under noise what is recorded is fed to a replay: that a folder was made, and what was in its
 * files.  The program goes into the folder, which is no such call, so it must be there.
 *
 * RUN    plait test -s noise -n 5
 * EXPECT assertion
 *
 * RUN    plait test -s noise -n 2 -- right
 * EXPECT clean executions=2
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static void *make(void *arg)
{
    assert(mkdir("made", 0700) == 0);
    assert(chdir("made") == 0);
    return arg;
}

static void *other(void *arg)
{
    assert(access("..", F_OK) == 0);
    return arg;
}

int main(int argc, char **argv)
{
    struct stat st;
    pthread_t t[2];

    assert(rmdir("made") == 0 || errno == ENOENT);
    pthread_create(&t[0], NULL, make, NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(stat("../made", &st) == 0 && S_ISDIR(st.st_mode));
    assert(chdir("..") == 0 && rmdir("made") == 0);
    assert(argc > 1); /* the end of what can be replayed only with the folder */
    (void)argv;
    return 0;
}
