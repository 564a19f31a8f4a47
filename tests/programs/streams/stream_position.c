/* SPDX-License-Identifier: MIT */
/*
 * A thread goes back to the beginning of a file that another one reads, and a third asks how far it
 * has come: either may happen before or after the other.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dpor -- end
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;

static void *rewinder(void *arg)
{
    rewind(file);
    return arg;
}

static void *reader(void *arg)
{
    fgetc(file);
    return arg;
}

int main(int argc, char **argv __attribute__((unused)))
{
    pthread_t t;

    file = tmpfile();
    assert(fputs("ab", file) >= 0 && fseek(file, 1, SEEK_SET) == 0);
    if (argc > 1) {
        pthread_create(&t, NULL, reader, NULL);
        assert(ftell(file) == 1); /* or 2 */
    } else {
        pthread_create(&t, NULL, rewinder, NULL);
        assert(fgetc(file) == 'b'); /* or 'a' */
    }
    pthread_join(t, NULL);
    return 0;
}
