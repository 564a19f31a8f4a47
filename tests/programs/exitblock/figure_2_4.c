/* SPDX-License-Identifier: MIT */
/*
 * In which order the orders of three regions are explored: the current thread goes on, else the one
 * that has been enabled for longest, and whoever was put off comes last.
 *
 * RUN    [exitblock] plait test -s exitblock:plain --outputs
 * EXPECT clean complete paths=6 outputs=ABC,ACB,BCA,BAC,CAB,CBA
 *
 * RUN    [exitblock] plait test -s exitblock:dd --outputs
 * EXPECT clean complete paths=6 outputs=ABC,ACB,BCA,BAC,CAB,CBA
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=ABC,ACB,BAC,BCA,CAB,CBA
 */
#include "begin.h"

#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char order[4];
static int n;

static void note(char name)
{
    pthread_mutex_lock(&lock);
    order[n++] = name;
    pthread_mutex_unlock(&lock);
}

static void *a(void *arg)
{
    note('A');
    return arg;
}

static void *b(void *arg)
{
    note('B');
    return arg;
}

static void *c(void *arg)
{
    note('C');
    return arg;
}

int main(void)
{
    RUN_ALL(a, b, c);
    puts(order);
    return 0;
}
