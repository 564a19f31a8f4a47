/* SPDX-License-Identifier: MIT */
/*
 * Two writes of different values, which nobody looks at afterwards.
 *
 * RUN plait test --detect race -s random -n 1
 * EXPECT race confirmed=yes effect=value tries=10
 * RUN plait test --detect race -s dpor --restart fork
 * EXPECT race confirmed=yes effect=value
 */
#include <pthread.h>

int x; /* not static: what nobody reads would be left out */

static void *one(void *unused)
{
    x = 1;
    return unused;
}

static void *two(void *unused)
{
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
