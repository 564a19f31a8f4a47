/* SPDX-License-Identifier: MIT */
/*
 * The locks and threads of C11.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN clean -DRACE=1: it does not know thrd_create()
 */
#include <stddef.h>
#include <threads.h>

#ifndef RACE
#define RACE 0
#endif

static mtx_t lock;
static once_flag once = ONCE_FLAG_INIT;
int data, made;

static void make(void)
{
    made = 1;
}

static int work(void *arg)
{
    call_once(&once, make);
    mtx_lock(&lock);
    data += made;
    if (RACE) {
        mtx_unlock(&lock);
        return data > 9; /* @here */
    }
    mtx_unlock(&lock);
    return arg != NULL;
}

static int other(void *arg)
{
    call_once(&once, make);
    mtx_lock(&lock);
    data = made; /* @here */
    mtx_unlock(&lock);
    return arg != NULL;
}

int main(void)
{
    thrd_t a, b;

    mtx_init(&lock, mtx_plain);
    thrd_create(&a, work, NULL);
    thrd_create(&b, other, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return data > 9;
}
