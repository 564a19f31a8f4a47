/* SPDX-License-Identifier: MIT */
/*
 * The sketches of the thesis.  Each argument is a thread: `a(` takes the lock a and `)` releases
 * the one taken last, `+a` and `-a` do so in any order, `wa` waits on the condition of a and `na`
 * signals it, `p=` writes the variable p and `p?` reads it.
 *
 * Figure 2.3: six orders.
 * RUN    [exitblock] plait test -s exitblock:plain -- "a()" "a()" "a()"
 * EXPECT clean complete paths=6 finished=6 aborts=0
 *
 * RUN    [exitblock] plait test -s exitblock:plain,order=newest -- "a()" "a()" "a()"
 * EXPECT clean complete paths=6 finished=6
 *
 * Figure 2.6: four orders and an attempt that fails.
 * RUN    [exitblock] plait test -s exitblock:dd -- "a(p=b())" "a(p?)b()"
 * EXPECT clean complete paths=5 finished=4 aborts=1 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -- "a(p=b())" "a(p?)b()"
 * EXPECT clean complete paths=4 aborts=1 reports=0
 *
 * Figure 2.14.
 * RUN    [exitblock] plait test -s exitblock:dd -k -- "a(b())" "b(a())"
 * EXPECT deadlock complete paths=4 aborts=2 reports=2
 *
 * Figure 2.16: without nesting no attempt fails.
 * RUN    [exitblock] plait test -s exitblock:dd -- "a()b()" "b()a()"
 * EXPECT clean complete paths=6 aborts=0 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -- "a()b()" "b()a()"
 * EXPECT clean complete paths=3 aborts=0 reports=0
 *
 * Figure 2.17: found with rw, too, since locks are among what a block reads and writes.
 * RUN    [exitblock] plait test -s exitblock:dd -k -- "a(b())" "a()b(a())"
 * EXPECT deadlock complete paths=6 aborts=3 reports=2
 *
 * RUN    [exitblock] plait test -s exitblock -k -- "a(b())" "a()b(a())"
 * EXPECT deadlock complete paths=6 aborts=3 reports=2
 *
 * Figure 2.20: a deadlock if the second comes first.
 * RUN    [exitblock] plait test -s exitblock:dd -k -- "a(wana)" "a(nawa)"
 * EXPECT deadlock complete paths=2 aborts=0 reports=1
 *
 * RUN    [exitblock] plait test -s exitblock -k -- "a(wana)" "a(nawa)"
 * EXPECT deadlock complete paths=2 aborts=0 reports=1
 *
 * Figure 2.21: none.
 * RUN    [exitblock] plait test -s exitblock:dd -- "a(nawana)" "a(nawana)"
 * EXPECT clean complete paths=2 aborts=0 reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -- "a(nawana)" "a(nawana)"
 * EXPECT clean complete paths=2 aborts=0 reports=0
 *
 * Figure 2.23: a wait on the outer lock, and a circle.
 * RUN    [exitblock] plait test -s exitblock:dd -- "a(b(wa))" "b(a(wa))"
 * EXPECT deadlock
 *
 * RUN    [exitblock] plait test -s exitblock -- "a(b(wa))" "b(a(wa))"
 * EXPECT deadlock
 *
 * And what there is to be found.
 * RUN    plait test -s dpor -k -- "a(b())" "b(a())"
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k -- "a(b())" "a()b(a())"
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k -- "a(wana)" "a(nawa)"
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k -- "a(nawana)" "a(nawana)"
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -k -- "a(p=b())" "a(p?)b()"
 * EXPECT clean complete
 */
#include "begin.h"

#include <stdlib.h>

enum { NAMES = 4 };

static pthread_mutex_t locks[NAMES];
static pthread_cond_t conditions[NAMES];
static int variables[NAMES];

static void use(int letter, int operation)
{
    int i = letter - 'a', x = letter - 'p';

    switch (operation) {
    case '+':
        pthread_mutex_lock(&locks[i]);
        break;
    case '-':
        pthread_mutex_unlock(&locks[i]);
        break;
    case 'w':
        pthread_cond_wait(&conditions[i], &locks[i]);
        break;
    case 'n':
        pthread_cond_signal(&conditions[i]);
        break;
    case '=':
        variables[x] = 1;
        break;
    default:
        if (variables[x] > 1)
            abort();
    }
}

static void *run(void *arg)
{
    int open[8], n = 0;

    for (const char *s = arg; *s != '\0'; s++) {
        if (*s == ')') {
            use(open[--n], '-');
            continue;
        }
        int next = *++s;

        if (next == '(')
            use(open[n++] = s[-1], '+');
        else if (next == '=' || next == '?')
            use(s[-1], next);
        else
            use(next, s[-1]);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[NAMES];

    for (int i = 0; i < NAMES; i++) {
        pthread_mutex_init(&locks[i], NULL);
        pthread_cond_init(&conditions[i], NULL);
    }
    for (int i = 1; i < argc; i++)
        pthread_create(&threads[i - 1], NULL, run, argv[i]);
    for (int i = 1; i < argc; i++)
        pthread_join(threads[i - 1], NULL);
    return 0;
}
