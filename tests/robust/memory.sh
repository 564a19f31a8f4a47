# SPDX-License-Identifier: MIT
# 10,000 executions of 4 threads with 200 operations: memory of tool and worker does not grow.
. "$2/common.sh"
cat >ops.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *work(void *arg)
{
    for (int i = 0; i < 17; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_mutex_unlock(&lock);
        free(malloc(100));
    }
    return arg;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    return 0;
}
C
plait-cc -g -o memory_eater ops.c
# rss PID: private and shared memory of a process in KB
rss() { awk '/^VmRSS/ {print $2}' "/proc/$1/status" 2>/dev/null || echo 0; }
plait test -s random -n 10000 --json r.json ./memory_eater >out.txt &
tool=$!
sleep 1
keeper=$(cat "/proc/$tool/task/$tool/children" | awk '{print $1}')
tool_first=$(rss $tool)
keeper_first=$(rss "$keeper")
tool_last=$tool_first keeper_last=$keeper_first
while kill -0 $tool 2>/dev/null; do
    t=$(rss $tool) k=$(rss "$keeper")
    [ "${t:-0}" -gt 0 ] && tool_last=$t
    [ "${k:-0}" -gt 0 ] && keeper_last=$k
    sleep 0.2
done
wait $tool || fail "plait test failed"
[ "$(json r.json 'r["executions"]')" = 10000 ] || fail "not 10,000 executions"
points=$(json r.json 'r["points_per_execution"]')
echo "tool $tool_first -> $tool_last KB, keeper $keeper_first -> $keeper_last KB, $points points"
# 10,000 classes are kept in the common: two tables of 8 bytes for each slot.
[ "$tool_last" -le $((tool_first + 2048)) ] || fail "the tool grew"
[ "$keeper_last" -le $((keeper_first + 2048)) ] || fail "the keeper grew"
