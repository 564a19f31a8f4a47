#!/bin/sh
# SPDX-License-Identifier: MIT
# --suppressions: what is suppressed neither stops nor fails a campaign, what is unused is named,
# and a file that makes no sense is refused with its line.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# explore STATUS LINE OPTIONS...: with a file of that one line.
explore() {
    want=$1
    printf '%s\n' "$2" >one.txt
    shift 2
    plait test --no-minimize --json result.json --suppressions one.txt "$@" >out.txt 2>&1
    got=$?
    [ $got -eq "$want" ] || fail "exit $got instead of $want with '$(cat one.txt)' and $*"
}

says() {
    grep -q -- "$1" out.txt || fail "does not say '$1' with '$(cat one.txt)'"
}

# result EXPRESSION: true of the JSON object r.
result() {
    python3 -c "import json; r = json.load(open('result.json')); s = r.get('suppressed'); exit(not ($1))" ||
        fail "not so with '$(cat one.txt)': $1"
}

plait cc -g -o abba "$source/tests/programs/bugs/abba.c" || exit 1
cat >two.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void *other(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    value = 1;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    assert(value == 0);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return pthread_join(t, NULL);
}
END
plait cc -g -o two two.c || exit 1

# ---------------------------------------------------------------- what matches

for line in '*:*' 'deadlock:*' 'deadlock:both' 'deadlock:bo*' '*:abba.c' '*:*/abba.c' 'deadlock:abba' \
    'deadlock:abba.c:[1-9]*' 'deadlock:a' 'deadlock:other' 'deadlock function=both' \
    'deadlock function=both file=abba.c' '* object=abba' '* object=[ab]' \
    'deadlock function="both" file="*abba.c"' '  deadlock:	both  '; do
    explore 0 "$line" -s dpor ./abba
    says 'clean but for what is suppressed, complete'
    says '1 finding in 1 execution suppressed'
    result "r['complete'] and not r['findings'] and r['failures'] == 0 and s['findings'] == 1"
    result "s['executions'] == 1 and s['list'][0]['findings'] == 1 and s['list'][0]['line'] == 1"
done

# ---------------------------------------------------------------- what does not

for line in 'crash:*' 'deadlock:nowhere' 'deadlock function=both file=other.c' 'deadlock:abba.c:1' \
    'deadlock object=both' 'misuse function=both' '# deadlock:*'; do
    explore 1 "$line" -s dpor ./abba
    result "len(r['findings']) == 1 and r['failures'] == 1"
    case $line in
    '#'*) result "s is None" ;;
    *)
        says 'nothing was suppressed'
        says "one.txt:1: unused: $line"
        result "s['findings'] == 0 and s['list'][0]['findings'] == 0"
        ;;
    esac
done

# One of two: the other is found, by every restart and with several jobs, and numbered from 1.
for how in '' '--restart fork' '--restart exec' '-j 2' '-s random'; do
    explore 1 'deadlock:*' -k -s dfs $how ./two
    result "[f['kind'] for f in r['findings']] == ['assertion'] and s['findings'] >= 1"
    result "r['findings'][0]['schedule'].endswith('finding-001-assertion.plait')"
    result "r['failures'] == r['findings'][0]['count'] and s['executions'] > 0"
done
explore 1 'deadlock:*' -s dfs ./two
result "[f['kind'] for f in r['findings']] == ['assertion']"

# Findings that end nothing, and a deadlock that is only predicted.
cat >count.c <<'END'
#include <pthread.h>
static int count;
static void *add(void *arg)
{
    count++;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    return pthread_join(t, NULL);
}
END
plait cc -g -o count count.c || exit 1
explore 1 'race:nowhere' --detect +race -s dpor ./count
says 'nothing was suppressed'
for line in 'race:add' 'race:count' 'race:count.c:5' 'race object=count'; do
    explore 0 "$line" --detect +race -s dpor ./count
    says 'clean but for what is suppressed, complete'
    result "r['complete'] and not r['findings'] and s['findings'] > 0"
done
explore 0 'lockset:add' --detect +lockset -s dpor ./count
result "r['complete'] and not r['findings'] and s['findings'] > 0"
explore 1 'lock-order:nowhere' --detect +lock-order -s pcb:0 ./abba
result "[f['kind'] for f in r['findings']] == ['deadlock'] and r['findings'][0]['confirmed']"
for line in 'deadlock:both' 'lock-order:both'; do
    explore 0 "$line" --detect +lock-order -s pcb:0 ./abba
    result "r['bound'] == 0 and not r['findings'] and s['findings'] > 0"
done

# Several files, of which one line is not needed.
printf '# known\n\nassertion:*\nhang:never\n' >more.txt
explore 0 'deadlock:*' --suppressions more.txt -k -s dfs ./two
says 'more.txt:4: unused: hang:never'
result "r['complete'] and not r['findings'] and s['findings'] == 2 and len(s['list']) == 3"

# ---------------------------------------------------------------- nonsense

refused() {
    explore 2 "$1" -s dfs ./abba
    says "one.txt:1: $2"
}
refused 'deadlok:x' 'there is no kind of finding deadlok'
refused 'none:x' 'there is no kind of finding none'
refused 'deadlock' 'the pattern is missing'
refused 'deadlock:' 'the pattern is missing'
refused 'deadlock  function' 'this is no pattern: function'
refused 'deadlock function=' 'this is no pattern: function='
refused 'deadlock function="x' 'this is no pattern: function='
refused 'deadlock place=x' 'this is no pattern: place=x'
printf '\n\n\n:x\n' >more.txt
explore 2 'deadlock:*' --suppressions more.txt ./abba
says 'more.txt:4: there is no kind of finding'
explore 2 'deadlock:*' --suppressions missing.txt ./abba
says 'missing.txt cannot be opened'
explore 2 'deadlock:*' --suppressions= ./abba
says 'suppressions is empty'

finish "suppressions work"
