/* SPDX-License-Identifier: MIT */
/*
 * A descriptor from before the first thread tells what happens to files: that depends on whoever
 * makes one, as with a descriptor that was opened later.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=0,1
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=0,1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static int watch;

static void *make_file(void *arg)
{
    close(open("folder/file", O_CREAT | O_WRONLY, 0600));
    return arg;
}

int main(void)
{
    char events[512];
    pthread_t t;

    mkdir("folder", 0700);
    watch = inotify_init1(IN_NONBLOCK);
    if (inotify_add_watch(watch, "folder", IN_CREATE) < 0)
        return 1;
    pthread_create(&t, NULL, make_file, NULL);
    printf("%d\n", read(watch, events, sizeof(events)) > 0);
    pthread_join(t, NULL);
    unlink("folder/file");
    return 0;
}
