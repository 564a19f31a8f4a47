/* SPDX-License-Identifier: MIT */
/*
 * Two processes take two locks in memory that both have, each in another order; or, with "pipes",
 * each reads from the other before it writes.  Their parent waits for them, or is one of them.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t *locks;
static int ends[2][2];

static void take(int first)
{
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[first]);
}

static void talk(int self)
{
    char byte = 0;

    assert(read(ends[self][0], &byte, 1) == 1);
    assert(write(ends[1 - self][1], &byte, 1) == 1);
}

int main(int argc, char **argv)
{
    pthread_mutexattr_t attributes;
    void (*part)(int) = argc > 1 && strcmp(argv[1], "pipes") == 0 ? talk : take;
    int children = argc > 2 ? 1 : 2;

    locks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(locks != MAP_FAILED && pipe(ends[0]) == 0 && pipe(ends[1]) == 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    for (int i = 0; i < 2; i++)
        pthread_mutex_init(&locks[i], &attributes);
    for (int i = 0; i < children; i++) {
        if (fork() == 0) {
            part(i);
            _exit(0);
        }
    }
    if (children == 1)
        part(1);
    while (wait(NULL) > 0)
        ;
    return 0;
}
