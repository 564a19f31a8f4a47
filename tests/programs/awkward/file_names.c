/* SPDX-License-Identifier: MIT */
/*
 * A file from before the first thread gets more names, and loses all of them one after the other,
 * the one by which it was known first, too: the next execution finds it as it was, with one name.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete restart=rollback
 *
 * RUN    plait test -s random -n 3 --restart fork
 * EXPECT clean
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

    assert(fd >= 0 && write(fd, path, 1) == 1 && close(fd) == 0);
}

static void expect_names(const char *path, unsigned long names)
{
    struct stat st;

    assert(stat(path, &st) == 0 && st.st_nlink == names && st.st_size == 1);
}

static void *name_it(void *name)
{
    assert(link("first", name) == 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    make("first");
    make("other");
    pthread_create(&a, NULL, name_it, "second");
    pthread_create(&b, NULL, name_it, "third");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    expect_names("first", 3);
    assert(unlink("first") == 0 && unlink("./second") == 0);
    expect_names("third", 1);
    assert(rename("third", "fourth") == 0 && link("fourth", "fifth") == 0);
    assert(rename("other", "fifth") == 0);
    expect_names("fourth", 1);
    assert(unlink("fourth") == 0 && unlink("fifth") == 0);
    return 0;
}
