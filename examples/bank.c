/* SPDX-License-Identifier: MIT */
/* A bank that loses money: every access is locked, but a transfer is two critical sections. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int accounts[2] = {100, 100};

static int balance(int account)
{
    pthread_mutex_lock(&lock);
    int money = accounts[account];
    pthread_mutex_unlock(&lock);
    return money;
}

static void transfer(int from, int to, int money)
{
    if (balance(from) < money)
        return;
    int left = balance(from) - money; /* somebody else may change it now */
    pthread_mutex_lock(&lock);
    accounts[from] = left;
    accounts[to] += money;
    pthread_mutex_unlock(&lock);
}

static void *customer(void *arg)
{
    transfer(0, 1, 10);
    return arg;
}

int main(void)
{
    pthread_t other;

    pthread_create(&other, NULL, customer, NULL);
    transfer(1, 0, 20);
    pthread_join(other, NULL);
    assert(accounts[0] + accounts[1] == 200);
    return 0;
}
