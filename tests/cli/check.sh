#!/bin/sh
# SPDX-License-Identifier: MIT
# --check: what its command says differs each time, so it does not tell findings apart and a
# replay need not repeat it; its exit status does.  PLAIT_BUILD is the build folder.
set -eu

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >order.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void *work(void *arg)
{
    return write(1, "b", 1) == 1 ? arg : NULL;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (write(1, "a", 1) != 1)
        return 2;
    return pthread_join(t, NULL);
}
END
plait-cc -g -o order order.c -pthread

# findings CHECK: how many it makes of the two orders
findings() {
    rm -rf results
    plait test -q -k -s dfs -o results --check "$1" ./order >out.txt 2>&1 || [ $? -eq 1 ]
    ls results/latest/finding-*.plait | wc -l
}

fail() {
    echo "FAILED $*"
    cat out.txt
    exit 1
}

[ "$(findings 'date +%N; exit 1')" -eq 1 ] || fail "one exit status is one finding"
for carrier in fiber thread; do
    status=0
    plait replay --carrier "$carrier" results/latest/finding-001-output.plait >out.txt 2>&1 || status=$?
    [ "$status" -eq 1 ] || fail "replay on $carrier: exit status $status"
done
[ "$(findings 'echo wrong; [ "$(cat)" = ab ] && exit 1 || exit 2')" -eq 2 ] ||
    fail "two exit statuses are two findings"
