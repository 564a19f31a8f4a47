/* SPDX-License-Identifier: MIT */
/*
 * A crash in some interleavings, nothing in others: through a null pointer, by an illegal
 * instruction, by a division, by a stack that overflows, as the argument says.  It comes while
 * text is pending and memory and descriptors are in use, and the executions after it are as if
 * nothing had happened.
 *
 * RUN    plait test -s random -k -n 40
 * EXPECT crash failures=1-39 executions=40 restart=rollback replay=1 \
 *        message~SIGSEGV location~@bug
 *
 * RUN    plait test -s random -k -n 40 --restart fork
 * EXPECT crash message~SIGSEGV location~@bug restart=fork same=1 replay=1
 *
 * RUN    plait test -s random -k -n 40 --restart exec
 * EXPECT crash message~SIGSEGV location~@bug restart=exec same=1 replay=1
 *
 * RUN    plait test -s random -k -n 40 -- illegal
 * EXPECT crash failures=1-39 executions=40 restart=rollback message~SIGILL replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart fork -- illegal
 * EXPECT crash restart=fork same=4 replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart exec -- illegal
 * EXPECT crash restart=exec same=4 replay=1
 *
 * RUN    plait test -s random -k -n 40 -- divide
 * EXPECT crash failures=1-39 executions=40 restart=rollback message~SIGFPE replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart fork -- divide
 * EXPECT crash restart=fork same=7 replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart exec -- divide
 * EXPECT crash restart=exec same=7 replay=1
 *
 * RUN    plait test -s random -k -n 40 -- overflow
 * EXPECT crash failures=1-39 executions=40 restart=rollback message~SIGSEGV replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart fork -- overflow
 * EXPECT crash restart=fork same=10 replay=1
 *
 * RUN    plait test -s random -k -n 40 --no-minimize --restart exec -- overflow
 * EXPECT crash restart=exec same=10 replay=1
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how = "null";
static atomic_int zero = 1, runs;
static int value = 7;
static int *_Atomic shared = &value;
static int lowest;

/* In one line of the program: where in it the stack ends is a matter of how deep a hook has got. */
#define RECURSIVE(name)                                 \
    static int name(volatile char *above)               \
    {                                                   \
        volatile char here[4096];                       \
                                                        \
        here[0] = above[0];                             \
        return here[0] == 0 ? 0 : name(here) + here[0]; \
    }
RECURSIVE(recurse)

static void *user(void *arg)
{
    volatile char one = 1;
    volatile int divisor;
    int *p;

    printf("pending ");
    p = shared;
    divisor = zero; /* so that no compiler concludes that it is not 0 */
    if (strcmp(how, "null") == 0)
        value = *p; /* @bug */
    else if (strcmp(how, "divide") == 0)
        value = 7 / divisor;
    else if (p == NULL && strcmp(how, "illegal") == 0)
        __builtin_trap();
    else if (p == NULL)
        value = recurse(&one);
    return arg;
}

int main(int argc, char **argv)
{
    void *block = malloc(100000);
    pthread_t t;

    if (argc > 1)
        how = argv[1];
    lowest = open("/dev/null", O_RDONLY);
    close(lowest);
    assert(pthread_create(&t, NULL, user, NULL) == 0);
    assert(++runs == 1);
    assert(open("/dev/null", O_RDONLY) == lowest);
    memset(block, 1, 100000);
    zero = 0;
    shared = NULL;
    shared = &value;
    zero = 1;
    assert(pthread_join(t, NULL) == 0);
    assert(value == 7);
    return 0;
}
