/* SPDX-License-Identifier: MIT */
/*
 * main looks at a file or a pipe again and again until another thread has written there.
 * What the kernel says depends on the order of the two, so that is recorded, and a replay comes
 * behind the loop by as many looks.
 *
 * RUN    plait test -s noise -n 20
 * EXPECT assertion exit=1
 *
 * RUN    -DLOOK=1 plait test -s noise -n 20
 * EXPECT assertion exit=1
 *
 * RUN    -DLOOK=2 plait test -s noise -n 20
 * EXPECT assertion exit=1
 *
 * RUN    -DLOOK=3 plait test -s noise -n 20
 * EXPECT assertion exit=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef LOOK
#define LOOK 0
#endif

static char name[] = "/tmp/plait-looks-XXXXXX";
static int file, ends[2], after;

static int make_change(void)
{
    if (LOOK == 3)
        return write(ends[1], "abc", 3) == 3;
    return pwrite(file, "abc", 3, 0) == 3;
}

static void *change(void *arg)
{
    int made = make_change();

    usleep(20000);
    __atomic_store_n(&after, 1, __ATOMIC_SEQ_CST);
    return made ? arg : NULL;
}

static int is_changed(void)
{
    char text[16];
    struct stat st;
    int n = 0;

    switch (LOOK) {
    case 0:
        return fstat(file, &st) == 0 && st.st_size > 0;
    case 1:
        return pread(file, text, sizeof(text), 0) > 0;
    case 2:
        return read(file, text, sizeof(text)) > 0;
    default:
        return ioctl(ends[0], FIONREAD, &n) == 0 && n > 0;
    }
}

int main(void)
{
    pthread_t t;

    file = mkstemp(name);
    if (file < 0 || pipe(ends) != 0)
        return 0;
    pthread_create(&t, NULL, change, NULL);
    while (!is_changed())
        ;
    int seen = __atomic_load_n(&after, __ATOMIC_SEQ_CST);

    pthread_join(t, NULL);
    unlink(name);
    assert(seen == 1);
    return 0;
}
