/* SPDX-License-Identifier: MIT */
/*
 * Elements of an array that are used under their own locks, computed anew each time; unless the
 * index has changed meanwhile.
 *
 * OPT 0
 * PAIR RW moved[].value
 * PAIR MM cells[].lock
 * NONE cells[].value
 */
#include <pthread.h>

struct cell {
    pthread_mutex_t lock;
    int value;
};
static struct cell cells[2], moved[2];

static void add(int i, int n)
{
    pthread_mutex_lock(&cells[i].lock);
    cells[i].value += n;
    pthread_mutex_unlock(&cells[i].lock);
}

static void *work(void *arg)
{
    add(arg != NULL, 1);
    for (int i = 0; i < 2; i++) {
        struct cell *was = &moved[i];

        pthread_mutex_lock(&moved[i].lock);
        i = 1 - i;
        moved[i].value++;
        pthread_mutex_unlock(&was->lock);
        i = 1 - i;
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;

    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&cells[i].lock, NULL);
        pthread_mutex_init(&moved[i].lock, NULL);
    }
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
