/* SPDX-License-Identifier: MIT */
/* A futex with a time-out in a loop until a word changes.  EXPECT clean */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static void *f(void *a)
{
    while (!word) {
        struct timespec ts = {0, 1000000};
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ts, 0, 0);
    }
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    usleep(4500);
    word = 1;
    pthread_join(t, 0);
    return 0;
}
