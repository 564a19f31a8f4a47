/* SPDX-License-Identifier: MIT */
/*
 * Whether a read that waits can come earlier is found by trying.  Where it cannot, what a search
 * had planned to find behind it must not be lost: here that the first reader gets what
 * the second writer has written.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=7 outputs=ab1,ca1,ba1,cab2
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=7 outputs=ab1,cab2,ca1,ba1
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete classes=7 outputs=ab1,cab2,ca1,ba1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static char first, second[2];
static long n_second;

static void *read_two_and_write(void *arg)
{
    n_second = read(ends[0], second, 2);
    assert(write(ends[1], "c", 1) == 1);
    return arg;
}

static void *write_one(void *arg)
{
    assert(write(ends[1], "b", 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    assert(pipe(ends) == 0 && write(ends[1], "a", 1) == 1);
    pthread_create(&a, NULL, read_two_and_write, NULL);
    pthread_create(&b, NULL, write_one, NULL);
    assert(read(ends[0], &first, 1) == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%c%.*s%ld\n", first, (int)n_second, second, n_second);
    return 0;
}
