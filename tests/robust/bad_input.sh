#!/bin/sh
# SPDX-License-Identifier: MIT
# What cannot be tested or replayed gets a sentence and the right exit code, never a crash.
. "$2/common.sh"
# expect CODE PATTERN COMMAND...: the exit code, and what it says
expect() {
    code=$1 pattern=$2
    shift 2
    rc=0
    "$@" >out.txt 2>err.txt </dev/null || rc=$?
    [ "$rc" = "$code" ] || fail "'$*' exits with $rc, not $code: $(cat err.txt)"
    grep -q "$pattern" err.txt out.txt || fail "'$*' does not say '$pattern' but: $(cat err.txt)"
}
cat >ok.c <<'C'
#include <pthread.h>
static int n;
static void *f(void *arg) { n++; return arg; }
int main(int argc, char **argv)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    n++;
    pthread_join(t, 0);
    return argc > 1 && n != 2;
}
C
plait-cc -g -o ok ok.c
expect 3 missing plait test ./missing
expect 3 folder plait test ./
printf '#!/bin/sh\ntrue\n' >script && chmod +x script
expect 3 script plait test ./script
cp ok noexec && chmod -x noexec
expect 3 noexec plait test ./noexec
gcc -static -o static ok.c && expect 3 static plait test ./static
cp ok setuid && chmod u+s setuid && expect 3 set-user-id plait test ./setuid
printf 'hello' >garbage && chmod +x garbage && expect 3 garbage plait test ./garbage
expect 2 strategy plait test -s nonsense ./ok
expect 2 parameters plait test -s random:x=1 ./ok
expect 2 executions plait test -n 0 ./ok
expect 2 executions plait test -n -5 ./ok
expect 2 time plait test -t soon ./ok
expect 2 carrier plait test --carrier horse ./ok
expect 2 restart plait test --restart never ./ok
expect 2 section plait test --section 5 ./ok
expect 2 points plait test --points some ./ok
expect 2 detect plait test --detect everything ./ok
expect 2 . plait test --no-such-option ./ok
expect 2 . plait test
expect 4 . plait test --require-complete -n 2 ./ok
plait test --require-complete -s dfs ./ok || fail "dfs is complete"
plait test --points all -s dfs ./ok || fail "all points"

rc=0
plait test --seed 3 -o out ./ok x >/dev/null || rc=$?
[ "$rc" = 1 ] || fail "the lost update is found: $rc"
f=$(ls out/latest/finding-*.plait)
plait replay "$f" >/dev/null && fail "replay exits with 1" || [ $? = 1 ] || fail "replay"
expect 2 none plait replay none.plait
: >empty.plait && expect 2 empty plait replay empty.plait
head -c 200 "$f" >short.plait && expect 2 . plait replay short.plait
sed 's/^plait-schedule 1/plait-schedule 99/' "$f" >newer.plait && expect 2 newer plait replay newer.plait
sed 's/switch/swotch/' "$f" >bent.plait && expect 2 . plait replay bent.plait
cp ok foreign.plait && expect 2 . plait replay foreign.plait
expect 2 . plait show short.plait
# The same schedule with another program: a divergence or another outcome, said in a sentence.
sed 's/n++;/;/g' ok.c >other.c && plait-cc -g -o other other.c
expect 3 . plait replay "$f" -- ./other x
echo "bad input is refused"
