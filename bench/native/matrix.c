/* SPDX-License-Identifier: MIT */
/* A product of matrices: nothing but loads, multiplications and stores in short loops. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 160, THREADS = 2 };

static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];

static void *multiply(void *arg)
{
    size_t first = (size_t)arg;

    for (size_t row = first; row < SIZE; row += THREADS) {
        for (size_t column = 0; column < SIZE; column++) {
            double sum = 0;

            for (size_t i = 0; i < SIZE; i++)
                sum += left[row][i] * right[i][column];
            product[row][column] += sum;
        }
    }
    return NULL;
}

static void round_trip(void)
{
    pthread_t threads[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, multiply, (void *)i);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1;

    for (size_t row = 0; row < SIZE; row++) {
        for (size_t column = 0; column < SIZE; column++) {
            left[row][column] = (double)(row + column);
            right[row][column] = (double)row - (double)column;
        }
    }
    for (long i = 0; i < rounds; i++)
        round_trip();
    printf("%.0f\n", product[SIZE / 2][SIZE / 3]);
    return 0;
}
