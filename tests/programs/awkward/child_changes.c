/* SPDX-License-Identifier: MIT */
/*
 * A child changes files that the program has made before its first thread, by itself or as another
 * program: the next execution finds them as they were.  So it does not find queues that have been
 * made by name.
 *
 * RUN    plait test -s random -n 15
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    plait test -s random -n 15 -- stream
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    plait test -s random -n 15 -- folder
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    plait test -s random -n 15 -- system
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    plait test -s random -n 15 -- become
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    plait test -s random -n 15 -- queue
 * EXPECT clean executions=15 restart=exec
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEY = 0x706c6164 };

static const char *how = "call";
static char folder[] = "/tmp/plait-changes-XXXXXX", file[64], made[64];
static atomic_int turns;

static int change(void)
{
    int fd;

    if (strcmp(how, "stream") == 0) {
        FILE *f = fopen(file, "a");

        return f == NULL || fputs("x", f) < 0 || fclose(f) != 0;
    }
    if (strcmp(how, "folder") == 0)
        return mkdir(made, 0700) != 0;
    if (strcmp(how, "become") == 0)
        return execl("/bin/mkdir", "mkdir", made, (char *)NULL);
    fd = open(file, O_WRONLY | O_APPEND);
    return fd < 0 || write(fd, "x", 1) != 1;
}

static void *parent(void *arg)
{
    char command[160];
    struct stat st;
    int status;

    assert(stat(file, &st) == 0 && st.st_size == 1 && access(made, F_OK) != 0);
    if (strcmp(how, "queue") == 0) {
        assert(msgget(KEY, IPC_CREAT | IPC_EXCL | 0600) >= 0);
    } else if (strcmp(how, "system") == 0) {
        snprintf(command, sizeof(command), "echo >> %s", file);
        assert(system(command) == 0);
    } else {
        pid_t child = fork();

        if (child == 0)
            _exit(change());
        assert(waitpid(child, &status, 0) == child && status == 0);
    }
    return arg;
}

static void *other(void *arg)
{
    turns++;
    turns++;
    return arg;
}

static void forget_queue(void)
{
    int old = msgget(KEY, 0);

    if (old >= 0)
        msgctl(old, IPC_RMID, NULL);
}

int main(int argc, char **argv)
{
    pthread_t a, b;

    how = argc > 1 ? argv[1] : how;
    forget_queue();
    assert(mkdtemp(folder) != NULL);
    snprintf(file, sizeof(file), "%s/file", folder);
    snprintf(made, sizeof(made), "%s/made", folder);
    int fd = open(file, O_CREAT | O_WRONLY, 0600);

    assert(fd >= 0 && write(fd, "a", 1) == 1);
    close(fd);
    pthread_create(&a, NULL, parent, NULL);
    pthread_create(&b, NULL, other, NULL);
    turns++;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    forget_queue();
    unlink(file);
    rmdir(made);
    rmdir(folder);
    return 0;
}
