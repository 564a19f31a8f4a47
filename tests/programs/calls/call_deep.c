/* SPDX-License-Identifier: MIT */
/*
 * A thread waits at a pipe at ever greater depths of its stack, on pages that it has never touched.
 * After a rollback such a page is read-only until somebody writes there; what plait asks the kernel
 * about the descriptor must come back all the same, or the whole process waits in the kernel.
 *
 * RUN    plait test -s random -n 3
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { ROUNDS = 256, STEP = 4096 + 16 };

static int there[2], back[2];

/* Reads a byte with so much unused below its own frame. */
__attribute__((noinline)) static char get(int fd, unsigned depth)
{
    char byte = 0;
    void *unused = alloca(depth);

    __asm__ volatile("" ::"r"(unused));
    assert(read(fd, &byte, 1) == 1);
    return byte;
}

static void *echo(void *arg)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        char byte = get(there[0], i * STEP);

        assert(write(back[1], &byte, 1) == 1);
    }
    return arg;
}

int main(void)
{
    pthread_t thread;

    assert(pipe(there) == 0 && pipe(back) == 0);
    pthread_create(&thread, NULL, echo, NULL);
    for (unsigned i = 0; i < ROUNDS; i++) {
        char byte = (char)i;

        assert(write(there[1], &byte, 1) == 1);
        assert(get(back[0], i * STEP) == byte);
    }
    pthread_join(thread, NULL);
    return 0;
}
