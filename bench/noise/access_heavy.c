/* SPDX-License-Identifier: MIT */
/*
 * Threads that do little but load and store: particles in an array of structures, each thread with
 * its own part, and a table of numbers that all of them read.  `access_heavy N` makes N rounds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, PARTICLES = 4096, FIELD = 1024 };

struct particle {
    double x, v, mass;
    int cell, moves;
};

static struct particle particles[THREADS][PARTICLES];
static double field[FIELD];
static long rounds = 1;

static void move(struct particle *p)
{
    p->v += field[p->cell] / p->mass;
    p->x += p->v;
    p->cell = (int)((unsigned)(p->cell + p->moves) % FIELD);
    p->moves++;
}

static double sort_step(struct particle *all, long at)
{
    struct particle *a = &all[at], *b = &all[at + 1];

    if (a->x > b->x) {
        double x = a->x;

        a->x = b->x;
        b->x = x;
    }
    return a->x;
}

static void *simulate(void *arg)
{
    struct particle *mine = arg;
    double sum = 0;

    for (long round = 0; round < rounds; round++) {
        for (long i = 0; i < PARTICLES; i++)
            move(&mine[i]);
        for (long i = 0; i + 1 < PARTICLES; i++)
            sum += sort_step(mine, i);
    }
    mine[0].mass += sum != 0;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    if (argc > 1)
        rounds = atol(argv[1]);
    for (int i = 0; i < FIELD; i++)
        field[i] = i % 7 - 3;
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < PARTICLES; i++)
            particles[t][i] = (struct particle){.mass = 1 + i % 3, .cell = i % FIELD};
        pthread_create(&threads[t], NULL, simulate, particles[t]);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    printf("%d\n", particles[0][0].moves);
    return 0;
}
