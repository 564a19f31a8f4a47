/* SPDX-License-Identifier: MIT */
/*
 * Each thread writes a file, reads it back and removes it; the argument says by which call it
 * is opened.  A file must be there only when it was opened in the same execution.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean executions=60 restart=rollback
 *
 * RUN    plait test -s random -n 60 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 60 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    plait test -s random -n 20 --restart rollback
 * EXPECT clean restart=rollback
 *
 * RUN    plait test -s random -n 20 -- creat
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -- openat
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -- fopen
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -- freopen
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -- mkstemp
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    plait test -s random -n 20 -- tmpfile
 * EXPECT clean executions=20 restart=rollback
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how = "open";
static atomic_int written;

static int open_scratch(char *name)
{
    const int flags = O_RDWR | O_CREAT | O_EXCL;

    if (strcmp(how, "mkstemp") == 0) {
        strcpy(name, "scratch-XXXXXX");
        return mkstemp(name);
    }
    assert(access(name, F_OK) != 0);
    if (strcmp(how, "openat") == 0)
        return openat(AT_FDCWD, name, flags, 0600);
    if (strcmp(how, "creat") == 0) {
        close(creat(name, 0600));
        return open(name, O_RDWR);
    }
    return open(name, flags, 0600);
}

static FILE *open_stream(const char *name)
{
    if (strcmp(how, "tmpfile") == 0)
        return tmpfile();
    assert(access(name, F_OK) != 0);
    if (strcmp(how, "freopen") == 0)
        return freopen(name, "w+", fopen("/dev/null", "r"));
    return fopen(name, "w+");
}

static void *writer(void *arg)
{
    int mine = (int)(intptr_t)arg, number = 0;
    char name[32];
    FILE *f;

    snprintf(name, sizeof(name), "scratch-%d", mine);
    if (strcmp(how, "fopen") == 0 || strcmp(how, "freopen") == 0 || strcmp(how, "tmpfile") == 0)
        f = open_stream(name);
    else
        f = fdopen(open_scratch(name), "w+");
    assert(f != NULL);
    assert(fprintf(f, "%d\n", mine) > 0);
    rewind(f);
    assert(fscanf(f, "%d", &number) == 1 && number == mine);
    assert(fgetc(f) == '\n' && fgetc(f) == EOF);
    assert(fclose(f) == 0);
    if (strcmp(how, "tmpfile") != 0)
        assert(unlink(name) == 0);
    written++;
    return NULL;
}

static void execution(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, writer, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(written == 2); /* @fresh */
}

int main(int argc, char **argv)
{
    bool twice = argc > 1 && strcmp(argv[1], "twice") == 0;

    if (argc > 1 && !twice)
        how = argv[1];
    execution();
    if (twice)
        execution();
    return 0;
}
