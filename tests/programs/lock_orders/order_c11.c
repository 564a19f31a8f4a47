/* SPDX-License-Identifier: MIT */
/*
 * The locks of C11.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2
 */
#include <stddef.h>
#include <threads.h>

static mtx_t a, b;

static int one(void *unused)
{
    mtx_lock(&a);
    mtx_lock(&b);
    mtx_unlock(&b);
    mtx_unlock(&a);
    return unused != NULL;
}

static int two(void *unused)
{
    mtx_lock(&b);
    mtx_lock(&a);
    mtx_unlock(&a);
    mtx_unlock(&b);
    return unused != NULL;
}

int main(void)
{
    thrd_t t, u;

    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_create(&t, one, NULL);
    thrd_create(&u, two, NULL);
    thrd_join(t, NULL);
    thrd_join(u, NULL);
    return 0;
}
