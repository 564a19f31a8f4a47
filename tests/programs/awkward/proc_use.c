/* SPDX-License-Identifier: MIT */
/*
 * How much memory and time a process uses it is told by what it has done, also below /proc: no page
 * more or less by how the execution is made, and the same in all of its files.
 *
 * RUN    plait test -s random -n 5
 * EXPECT clean
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean restart=fork
 *
 * RUN    plait test -s random -n 2 --restart exec
 * EXPECT clean restart=exec
 *
 * RUN    plait test -s random -n 2 --carrier thread
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, TAKEN = 8 << 20 };

struct use {
    long faults, size, resident;
};

static struct use in_stat(void)
{
    struct use u;
    FILE *f = fopen("/proc/self/stat", "r");

    assert(f != NULL &&
           fscanf(f,
                  "%*d %*s %*c %*d %*d %*d %*d %*d %*u %ld %*d %*d %*d %*d %*d %*d %*d %*d %*d %*d "
                  "%*d %*d %ld %ld",
                  &u.faults, &u.size, &u.resident) == 3);
    fclose(f);
    return u;
}

static void in_statm(long *size, long *resident)
{
    FILE *f = fopen("/proc/self/statm", "r");

    assert(f != NULL && fscanf(f, "%ld %ld", size, resident) == 2);
    fclose(f);
}

static long in_status(const char *word)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long found = -1;

    assert(f != NULL);
    while (fgets(line, sizeof(line), f) != NULL) {
        if (strncmp(line, word, strlen(word)) == 0)
            found = atol(line + strlen(word));
    }
    fclose(f);
    return found;
}

static void *run(void *unused)
{
    struct use before = in_stat();
    char *taken = malloc(TAKEN);
    long size, resident;

    memset(taken, 1, TAKEN);
    struct use after = in_stat();

    assert(after.resident - before.resident == TAKEN / PAGE && after.faults > before.faults);
    assert(after.size - before.size == TAKEN && after.size >= after.resident * PAGE);
    in_statm(&size, &resident);
    assert(size * PAGE == after.size && resident == after.resident);
    assert(in_status("VmSize:") * 1024 == after.size);
    assert(in_status("VmRSS:") * 1024 == after.resident * PAGE);
    free(taken);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    return 0;
}
