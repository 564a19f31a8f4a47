#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of tool, keeper or runner at random moments, 100 times (KILLS changes it), with one
# worker and with two, while it explores, minimises and writes: every finding that was announced can be replayed,
# what is there is whole, nothing is left over that the next campaign does not remove, and nothing is locked.
. "$2/common.sh"
cat >racy.c <<'C'
#include <assert.h>
#include <pthread.h>
static int n;
static void *work(void *arg)
{
    for (int i = 0; i < 3; i++)
        n++;
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(n > 4);
    assert(n > 5);
    return 0;
}
C
plait-cc -g -o kill_victim racy.c
children() { cat "/proc/$1/task/$1/children" 2>/dev/null; }
campaigns() { find results -maxdepth 1 -name "[0-9]*" 2>/dev/null | wc -l; }
total=${KILLS:-100}
seen=0
for i in $(seq 1 "$total"); do
    before=$(campaigns)
    plait test -s random -k -j $((i % 2 + 1)) -n 100000 --seed "$i" -o results ./kill_victim >out.txt 2>&1 &
    tool=$!
    # A different moment each time, 0 to 0.4 s after the start or after the first schedule.
    while [ $((i % 4)) -eq 0 ] && [ "$(campaigns)" = "$before" ] && kill -0 $tool 2>/dev/null; do
        sleep 0.02
    done
    sleep "0.$(awk -v i="$i" 'BEGIN { srand(i); printf "%03d", rand() * 400 }')"
    keeper=$(children $tool | awk '{print $1}')
    case $((i % 3)) in
    0) victim=$tool ;;
    1) victim=$keeper ;;
    2) victim=$(children "${keeper:-0}" | awk '{print $1}') ;;
    esac
    [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null || true
    if [ $((i % 3)) != 0 ]; then
        sleep 0.05
        kill -TERM $tool 2>/dev/null || true # goes on after losing a worker; enough of it
    fi
    wait $tool 2>/dev/null || true
    nothing_left kill_victim
    sed -n 's/^  replay: plait replay //p' out.txt >>announced.txt
done
for f in results/*.plait results/[0-9]*/*.plait; do
    seen=$((seen + 1))
    plait show "$f" >/dev/null || fail "a kill left a broken $f"
done
[ "$seen" -gt 0 ] || fail "no schedule was ever written"
while read -r f; do
    plait replay "$f" >out.txt 2>&1 || true
    grep -q 'as recorded' out.txt || { cat out.txt; fail "$f was announced and is lost"; }
done <announced.txt
[ -s announced.txt ] || fail "nothing was ever announced"
# The next one finds no lock, no half file of coverage, and removes what the dead were writing.
touch -d '1 hour ago' results/.plait-999999-900000.tmp
find results -maxdepth 1 -name '.plait-*.tmp' -exec touch -d '1 hour ago' {} +
timeout 60 plait test -q -s random -n 20 -o results ./kill_victim >out.txt 2>&1 || [ $? = 1 ] || { cat out.txt; fail "no campaign after the kills"; }
plait coverage results >/dev/null || fail "the coverage is damaged"
[ -z "$(find results -name '.plait-*.tmp')" ] || fail "left over: $(find results -name '.plait-*.tmp')"
timeout 60 plait clean results >/dev/null || fail "nothing can be cleaned"
[ -z "$(find results -name '*.plait')" ] || fail "a campaign is still locked"
[ -z "$(find /dev/shm -maxdepth 1 -iname "*plait*")" ] || fail "shared memory is left"
echo "$total kills, $seen schedules, all whole, $(wc -l <announced.txt) findings announced, all replayed"
