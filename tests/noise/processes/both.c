/* SPDX-License-Identifier: MIT */
/*
 * Two children with two threads each.  A thread adds its wage to the balance in shared memory; each
 * child tells the parent through a pipe what its threads have earned.  Without the lock, which
 * -DFIXED=1 adds, a wage may be lost.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef FIXED
#define FIXED 0
#endif

enum { CHILDREN = 2, THREADS = 2, WAGE = 10 };

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account *account;
static int earned[THREADS];

static void *earn(void *wage)
{
    if (FIXED)
        pthread_mutex_lock(&account->lock);
    account->balance = account->balance + WAGE;
    if (FIXED)
        pthread_mutex_unlock(&account->lock);
    *(int *)wage = WAGE;
    return NULL;
}

static void work(int to)
{
    pthread_t threads[THREADS];
    int sum = 0;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, earn, &earned[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += earned[i];
    }
    assert(write(to, &sum, sizeof(sum)) == sizeof(sum));
}

int main(void)
{
    pthread_mutexattr_t attributes;
    int ends[2], sum = 0, told;

    account =
        mmap(NULL, sizeof(*account), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(account != MAP_FAILED && pipe(ends) == 0);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&account->lock, &attributes);
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() == 0) {
            close(ends[0]);
            work(ends[1]);
            exit(0);
        }
    }
    close(ends[1]);
    while (read(ends[0], &told, sizeof(told)) == sizeof(told))
        sum += told;
    while (wait(NULL) > 0)
        ;
    assert(sum == account->balance);
    return 0;
}
