/* SPDX-License-Identifier: MIT */
/*
 * Three stages of a line, each with functions of its own, and one pair of them matters: the stage
 * that packs takes a box for full while the stage that fills is between the mark and the goods.
 *
 * RUN    plait test -s random
 * EXPECT exit exit=1
 *
 * RUN    plait test -s pairs
 * EXPECT exit exit=1
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { STAGES = 3, STEPS = 6 };

static volatile int parts[STAGES][STEPS]; /* a row for each stage */
static volatile int full, goods;
static bool empty_box;

#define ALONE(name, stage, n)                        \
    static __attribute__((noinline)) void name(void) \
    {                                                \
        parts[stage][n]++;                           \
        parts[stage][n] += n;                        \
    }

ALONE(start_filler, 0, 0)
ALONE(warm_up, 0, 1)
ALONE(weigh, 0, 2)
ALONE(clean_filler, 0, 4)
ALONE(stop_filler, 0, 5)

ALONE(start_packer, 1, 0)
ALONE(fold_lid, 1, 1)
ALONE(glue, 1, 3)
ALONE(press, 1, 4)
ALONE(stop_packer, 1, 5)

ALONE(start_printer, 2, 0)
ALONE(feed, 2, 1)
ALONE(print_label, 2, 2)
ALONE(dry, 2, 3)
ALONE(cut, 2, 4)
ALONE(stop_printer, 2, 5)

static __attribute__((noinline)) void fill(void)
{
    full = 1;
    goods = 1; /* marked before it is true */
}

static __attribute__((noinline)) void pack(void)
{
    parts[1][2]++;
    if (full && !goods)
        empty_box = true;
}

typedef void step(void);

static step *const steps[STAGES][STEPS] = {
    {start_filler, warm_up, weigh, fill, clean_filler, stop_filler},
    {start_packer, fold_lid, pack, glue, press, stop_packer},
    {start_printer, feed, print_label, dry, cut, stop_printer},
};

static void *run_stage(void *arg)
{
    uintptr_t stage = (uintptr_t)arg;

    for (int i = 0; i < STEPS; i++)
        steps[stage][i]();
    return NULL;
}

int main(void)
{
    pthread_t threads[STAGES];

    for (uintptr_t i = 0; i < STAGES; i++)
        pthread_create(&threads[i], NULL, run_stage, (void *)i);
    for (int i = 0; i < STAGES; i++)
        pthread_join(threads[i], NULL);
    return empty_box;
}
