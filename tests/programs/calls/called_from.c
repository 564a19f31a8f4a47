/* SPDX-License-Identifier: MIT */
/*
 * What calls were made before has left return addresses on the stack.  A call of libc that asks the
 * kernel is said to be made where the program called it all the same, and two of them by one
 * thread, which asks for flags and sets them, are no rounds of a loop.
 *
 * RUN    plait test -s random -n 200
 * EXPECT assertion location~@bug decides~@sets<@look
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

/* Leaves an address in its caller all over the stack below that. */
__attribute__((noinline)) static int clutter(void)
{
    void *volatile words[1024];

    for (int i = 0; i < 1024; i++)
        words[i] = __builtin_return_address(0);
    return words[0] == words[1023];
}

__attribute__((noinline)) static void leave_addresses(void)
{
    assert(clutter());
}

__attribute__((noinline)) static void set_flags(void)
{
    int before = fcntl(ends[0], F_GETFL, 0);

    fcntl(ends[0], F_SETFL, before | O_NONBLOCK); /* @sets */
}

static void *set(void *arg)
{
    leave_addresses();
    set_flags();
    return arg;
}

static void look(void)
{
    int now = fcntl(ends[0], F_GETFL, 0); /* @look */

    assert((now & O_NONBLOCK) == 0); /* @bug */
}

int main(void)
{
    pthread_t t;

    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, set, NULL);
    look();
    return pthread_join(t, NULL);
}
