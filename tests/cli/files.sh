#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of failing executions are kept, and workers have folders of their own for what they change.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >prog.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int count(void)
{
    char byte;
    int n = 0, fd = open("log", O_RDONLY);

    while (read(fd, &byte, 1) == 1)
        n++;
    close(fd);
    return n;
}

static void *add(void *arg)
{
    int fd = open("log", O_WRONLY);

    lseek(fd, 0, SEEK_END);
    assert(write(fd, "x", 1) == 1);
    close(fd);
    unlink("gone");
    return arg;
}

int main(void)
{
    int fd = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pthread_t a, b;

    close(fd);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count() == 2);
    return 0;
}
EOF
plait-cc -o prog prog.c || fail "prog.c does not compile"
echo old >gone

expect 1 "finding 1: assertion" plait test -n 500 --files overlay --keep-files -o kept ./prog
# Where there are no namespaces of mounts, files are real, and as the last execution has left them.
if unshare -m true 2>/dev/null || unshare -Um true 2>/dev/null; then
    log=kept/finding-001-files$(pwd -P)/log
    grep -q "^  files:  kept/finding-001-files$" out.txt || fail "the folder is not named"
    test "$(cat "$log" 2>&1)" = x || fail "the file of the failing execution is not there"
    test -c "kept/finding-001-files$(pwd -P)/gone" || fail "nothing says that a file was removed"
    test "$(cat gone 2>&1)" = old || fail "a file that was removed is not back"
fi

rm -f log
expect 1 "finding 1: assertion" plait test -n 500 -o plain ./prog
test ! -e plain/finding-001-files || fail "files are kept that nobody wanted"
if unshare -m true 2>/dev/null || unshare -Um true 2>/dev/null; then
    test ! -e log || fail "a file of an execution is left"
    plait replay plain/latest/finding-001-*.plait >out.txt 2>&1
    test ! -e log || fail "a file of a replay is left"
fi

if unshare -m true 2>/dev/null || unshare -Um true 2>/dev/null; then
    mkdir changes
    expect 1 "finding 1: assertion" plait test -n 300 -j 2 -k --no-minimize --files changes -o two ./prog
    test -L changes/0/of || fail "the first worker has no folder"
    test -L changes/worker-2/0/of || fail "the second worker has no folder of its own"
    expect 1 "finding 1: assertion" plait test -n 200 --restart exec --no-minimize --files changes -o three ./prog
    test "$(cat gone 2>&1)" = old || fail "a file that was removed is not back"
fi
# Who has mapped a file of the disk sees what is written there later.
cat >mapped.c <<'EOF'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static void *put(void *arg)
{
    int fd = open("given", O_WRONLY);

    assert(pwrite(fd, "B", 1, 0) == 1);
    close(fd);
    return arg;
}

int main(void)
{
    int fd = open("given", O_RDONLY);
    volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    pthread_t t;

    assert(p[0] == 'A');
    pthread_create(&t, NULL, put, NULL);
    pthread_join(t, NULL);
    assert(p[0] == 'B');
    return 0;
}
EOF
plait-cc -o mapped mapped.c || fail "mapped.c does not compile"
echo A >given
for way in "-s random" "-s random --restart exec" "-s noise"; do
    # shellcheck disable=SC2086
    expect 0 "" plait test $way -n 3 --files overlay -o mapped-out ./mapped
done
finish "files are kept where that is wanted"
