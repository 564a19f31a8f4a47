/* SPDX-License-Identifier: MIT */
/*
 * Two threads read one folder, which libc locks meanwhile: either may be first, and there is no
 * order of who waits for that lock.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2 executions=3
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <dirent.h>
#include <pthread.h>
#include <stddef.h>

static DIR *folder;

static void *read_one(void *arg)
{
    return readdir(folder) != NULL ? arg : NULL;
}

int main(void)
{
    pthread_t thread;

    folder = opendir("/");
    pthread_create(&thread, NULL, read_one, NULL);
    read_one(NULL);
    pthread_join(thread, NULL);
    closedir(folder);
    return 0;
}
