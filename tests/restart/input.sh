#!/bin/sh
# SPDX-License-Identifier: MIT
# Standard input, a file or a pipe, is read partly before the root and partly during executions:
# each execution reads the same, under every restart.
. "$2/common.sh"
cat >reader.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static atomic_int turn;
static void *other(void *arg)
{
    turn++;
    turn++;
    return arg;
}
int main(int argc, char **argv)
{
    char line[16], more[3];
    pthread_t t;
    if (argc > 1) { /* without a buffer, to the byte */
        assert(read(0, line, 6) == 6 && memcmp(line, "first\n", 6) == 0);
        pthread_create(&t, NULL, other, NULL);
        turn++;
        assert(read(0, line, 7) == 7 && memcmp(line, "second\n", 7) == 0);
        turn++;
        assert(read(0, line, 6) == 6 && memcmp(line, "third\n", 6) == 0);
        assert(read(0, more, 1) == 0);
    } else {
        assert(fgets(line, sizeof(line), stdin) && strcmp(line, "first\n") == 0);
        pthread_create(&t, NULL, other, NULL);
        turn++;
        assert(fgets(line, sizeof(line), stdin) && strcmp(line, "second\n") == 0);
        turn++;
        assert(fgets(line, sizeof(line), stdin) && strcmp(line, "third\n") == 0);
        assert(fgets(line, sizeof(line), stdin) == NULL && feof(stdin));
    }
    pthread_join(t, NULL);
    return 0;
}
C
plait-cc -g -o reader reader.c
printf 'first\nsecond\nthird\n' >text
mkfifo pipe
# piped FILE COMMAND...: with a pipe as standard input that has everything in it, and no writer any
# more.  One that is silent for too long counts as empty, and cat may be slow.
piped() {
    exec 3<>pipe
    cat "$1" >&3
    exec 4<pipe 3>&-
    shift
    status=0
    "$@" <&4 4<&- || status=$?
    exec 4<&-
    return $status
}
for restart in '' '--restart rollback' '--restart fork' '--restart exec'; do
    for how in '' direct; do
        # shellcheck disable=SC2086
        plait test -s random -n 100 --json r.json $restart ./reader $how <text >out.txt ||
            fail "a file, $restart $how: $(cat out.txt)"
        [ "$(json r.json 'r["executions"]')" = 100 ] || fail "not 100 executions $restart $how"
        # shellcheck disable=SC2086
        piped text plait test -s random -n 100 --json r.json $restart ./reader $how >out.txt ||
            fail "a pipe, $restart $how: $(cat out.txt)"
    done
done
plait test -s random -n 100 --json r.json ./reader <text >out.txt
kind=$(json r.json 'r["restart"]')
[ "$kind" = rollback ] || fail "reading standard input needs $kind"
# A program that gets less than it reads fails: the assertions are worth something.
head -n 2 text >short
piped short plait test -s random -n 5 ./reader >out.txt && fail "two lines were three"
echo "the same input in each execution"
