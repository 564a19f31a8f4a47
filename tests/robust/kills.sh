# SPDX-License-Identifier: MIT
# kill -9 of tool, keeper or runner at random moments, 100 times (KILLS changes it), with one
# worker and with two: found schedules stay whole, nothing is left over.
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
total=${KILLS:-100}
seen=0
for i in $(seq 1 "$total"); do
    rm -rf results
    plait test -s random -k -j $((i % 2 + 1)) -n 100000 --seed "$i" -o results ./kill_victim >out.txt 2>&1 &
    tool=$!
    # A different moment each time, 0 to 0.4 s after the start or after the first schedule.
    while [ $((i % 4)) -eq 0 ] && [ ! -e results/finding-001-assertion.plait ] && kill -0 $tool 2>/dev/null; do
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
    for f in results/*/*.plait; do
        [ -e "$f" ] || continue
        seen=$((seen + 1))
        plait show "$f" >/dev/null || fail "kill $i left a broken $f"
    done
done
[ "$seen" -gt 0 ] || fail "no schedule was ever written"
ls /dev/shm | grep -i plait && fail "shared memory is left"
echo "$total kills, $seen schedules, all whole"
