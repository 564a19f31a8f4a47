/* SPDX-License-Identifier: MIT */
/*
 * A file is mapped before the threads, or open (with the argument `open`).  A thread watches its
 * folder and itself, removes it and gives it back: what it is told then is what it is told
 * natively, also where the keeper has the file as well.
 *
 * RUN    plait test -s random -n 10
 * EXPECT clean restart=exec why~watches
 *
 * RUN    plait test -s random -n 10 -- open
 * EXPECT clean restart=exec why~watches
 *
 * RUN    plait test -s random -n 10 -- none
 * EXPECT clean restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

static char folder[] = "/tmp/plait-watched-XXXXXX", name[64];
static char *memory = MAP_FAILED;
static int file = -1;

static uint32_t told(int watch)
{
    _Alignas(struct inotify_event) char text[4096];
    ssize_t n = read(watch, text, sizeof(text)), at = 0;
    uint32_t all = 0;

    while (at < n) {
        const struct inotify_event *e = (const void *)(text + at);

        all |= e->mask;
        at += (ssize_t)(sizeof(*e) + e->len);
    }
    return all;
}

static void *watcher(void *arg)
{
    int watch = inotify_init1(IN_NONBLOCK);

    assert(inotify_add_watch(watch, folder, IN_DELETE | IN_MOVED_FROM) >= 0);
    assert(inotify_add_watch(watch, name, IN_DELETE_SELF | IN_MOVE_SELF) >= 0);
    assert(unlink(name) == 0);
    assert(arg != NULL || (told(watch) & (IN_DELETE | IN_DELETE_SELF)) == IN_DELETE);
    if (memory != MAP_FAILED)
        assert(munmap(memory, 4096) == 0);
    if (file >= 0)
        assert(close(file) == 0);
    assert((told(watch) & (IN_DELETE_SELF | IN_MOVE_SELF)) == IN_DELETE_SELF);
    assert(close(watch) == 0);
    return NULL;
}

static void *other(void *arg)
{
    assert(access(folder, F_OK) == 0);
    return arg;
}

int main(int argc, char **argv)
{
    bool none = argc > 1 && strcmp(argv[1], "none") == 0;
    pthread_t t[2];

    assert(mkdtemp(folder) != NULL);
    strcat(strcpy(name, folder), "/file");
    file = open(name, O_RDWR | O_CREAT, 0600);
    assert(file >= 0 && ftruncate(file, 4096) == 0);
    if (argc == 1)
        memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (argc == 1 || none) {
        assert(close(file) == 0);
        file = -1;
    }
    pthread_create(&t[0], NULL, watcher, none ? &none : NULL);
    pthread_create(&t[1], NULL, other, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(rmdir(folder) == 0);
    return 0;
}
