/* SPDX-License-Identifier: MIT */
/*
 * A switch that goes by a table, in a loop: which addresses hooks have announced is followed
 * through the table, also to a case that another falls through to, and what no hook has announced
 * is performed elsewhere.  The sums are those of the machine.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    [dpor] plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTORN plait test -s dfs -k
 * EXPECT assertion complete exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

enum { STEPS = 21 };

struct machine {
    unsigned long n, sum, value;
    enum { A, B, C, D, E, F, G } steps[STEPS];
};

static struct machine machines[2];
static int torn;

__attribute__((noinline)) static void run(struct machine *m, unsigned long limit)
{
    while (m->n < limit) {
        switch (m->steps[m->n]) {
        case A:
            m->sum += m->value;
            break;
        case B:
            m->value++;
            /* fall through */
        case C:
            m->sum += 3;
            /* fall through */
        case D:
            m->sum ^= m->value;
            break;
        case E:
            m->value *= 5;
            break;
        case F:
            m->sum -= m->value;
            m->value += 2;
            break;
        default:
            m->value = 1;
            break;
        }
        m->n++;
    }
}

static void check(const struct machine *m)
{
    unsigned long sum = 0, value = 0;

    for (int i = 0; i < STEPS; i++) {
        int s = i % 7;

        if (s == 1)
            value++;
        if (s == 1 || s == 2)
            sum += 3;
        if (s >= 1 && s <= 3)
            sum ^= value;
        sum += s == 0 ? value : 0;
        sum -= s == 5 ? value : 0;
        value = s == 4 ? value * 5 : s == 5 ? value + 2 : s == 6 ? 1 : value;
    }
    assert(m->sum == sum && m->value == value);
}

static void *work(void *arg)
{
    run(arg, STEPS);
    check(arg);
#ifdef TORN
    torn++;
#else
    __atomic_fetch_add(&torn, 1, __ATOMIC_SEQ_CST);
#endif
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2 * STEPS; i++)
        machines[i / STEPS].steps[i % STEPS] = (unsigned)i % STEPS % 7;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &machines[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(torn == 2);
    return 0;
}
