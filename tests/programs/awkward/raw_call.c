/* SPDX-License-Identifier: MIT */
/*
 * System calls made without libc: by syscall(), and by the instruction itself when there is an
 * argument.  What they change is undone as if a function of libc had done it.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 100 --restart rollback
 * EXPECT clean restart=rollback same=1
 *
 * RUN    plait test -s random -n 100 -- instruction
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *how = "function";
static long at_root;
static atomic_int turn;

/* umask() without libc's function of that name. */
static long umask_call(long mask)
{
    long result;

    if (strcmp(how, "instruction") != 0)
        return syscall(SYS_umask, mask);
    __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_umask), "D"(mask) : "rcx", "r11", "memory");
    return result;
}

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    assert(umask_call(0123) == at_root); /* @fresh */
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        how = argv[1];
    at_root = syscall(SYS_umask, 022);
    at_root = syscall(SYS_umask, 022);
    execution();
    if (strcmp(how, "twice") == 0)
        execution();
    return 0;
}
