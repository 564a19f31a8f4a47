/* SPDX-License-Identifier: MIT */
/*
 * The read that matters happens only after a flag was seen, so that the two are never next to each
 * other the other way round: not confirmed.  The flag itself races, too.
 *
 * RUN plait test --detect race -s pcb -n 1 --drive 100
 * EXPECT race,race effect=value tries=100
 */
#include <pthread.h>

static int data;
static volatile int flag;
static volatile int seen;

static void *one(void *unused)
{
    data = 42;
    flag = 1;
    return unused;
}

static void *two(void *unused)
{
    if (flag)
        seen = data;
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
