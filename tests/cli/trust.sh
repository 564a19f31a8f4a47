#!/bin/sh
# SPDX-License-Identifier: MIT
# --trust: which operations count as performed in trusted code, by function, source file and
# library; and patterns that fit nothing.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

mkdir src
cat >src/log.h <<'END'
extern pthread_mutex_t log_lock;
static inline void log_inline(void)
{
    pthread_mutex_lock(&log_lock);
    pthread_mutex_unlock(&log_lock);
}
void log_it(void);
void library_call(void);
void library_back(void (*f)(void));
END
cat >src/log.c <<'END'
#include <pthread.h>
#include "log.h"
pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static __attribute__((noinline)) void log_locked(void)
{
    pthread_mutex_lock(&log_lock);
    pthread_mutex_unlock(&log_lock);
}
void log_it(void)
{
    log_locked();
}
END
cat >src/library.c <<'END'
#include <pthread.h>
#include "log.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void library_call(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
void library_back(void (*f)(void))
{
    f();
    __asm__ volatile("");
}
END
cat >src/main.c <<'END'
#include <pthread.h>
#include "log.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __attribute__((noinline)) void plain(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}
static void *work(void *arg)
{
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    plain();                /* 2 operations */
    log_it();               /* 2, in a function that it calls */
    log_inline();           /* 2 */
    library_call();         /* 2 */
    library_back(plain);    /* 2, called back by the library */
    return pthread_join(t, NULL);
}
END

# counts N OPTIONS...: one execution performs N operations in trusted code.
counts() {
    want=$1
    shift
    plait test -v -s dpor -n 1 --json result.json "$@" ./prog >out.txt 2>&1 || fail "exit $? with $*"
    got=$(sed -n 's/^ *"trusted_operations": \([0-9]*\),*$/\1/p' result.json)
    [ "${got:-none}" = "$want" ] || fail "${got:-none} operations instead of $want with $*"
}

refused() {
    what=$1
    shift
    plait test -s dpor -n 1 "$@" ./prog >out.txt 2>&1
    [ $? -eq 2 ] || fail "exit other than 2 with $*"
    grep -q -- "$what" out.txt || fail "does not say '$what' with $*"
}

printf '# what is trusted\n\n  log_it\nlib*.so\n' >patterns.txt
printf 'log_it\n\nnowhere\n' >wrong.txt

for build in 'gcc -O0' 'gcc -O2' 'clang -O0' 'clang -O2'; do
    compiler=${build% *} option=${build#* }
    export PLAIT_CC="$compiler"
    command -v "$compiler" >/dev/null || { echo "skipped: $compiler is not installed"; continue; }
    plait cc -g $option -fPIC -shared -o libthing.so src/library.c &&
        plait cc -g $option -o prog src/main.c src/log.c -L. -lthing -Wl,-rpath,"$PWD" || exit 1
    counts none
    counts 2 --trust log_it
    counts 2 --trust log_locked
    counts 2 --trust log_inline
    counts 4 --trust 'log_*'
    counts 4 --trust 'log_it,log_inline'
    counts 4 --trust log_it --trust log_inline
    counts 4 --trust plain
    counts 2 --trust src/log.c
    counts 2 --trust log.c
    counts 4 --trust 'log.?'
    counts 4 --trust libthing.so
    counts 4 --trust 'library.c'
    counts 2 --trust library_call
    counts 2 --trust library_back
    counts 6 --trust @patterns.txt
    counts 1 --trust work # its end
    counts 0 --trust 'libc.so*'
done
for how in '--restart fork' '--restart exec' '--carrier thread' '-j 2'; do
    counts 2 --trust log_it $how
done
[ "$(plait test -v -n 1 --trust log_it ./prog | grep -c '2 operations in trusted code')" -eq 1 ] ||
    fail "the summary does not say it"

# ---------------------------------------------------------------- nonsense

refused "--trust 'nowhere' is no function, source file or library" --trust nowhere
refused "'log_i' is no function" --trust log_it,log_i
refused "wrong.txt:3: 'nowhere' is no function" --trust @wrong.txt
refused 'missing.txt cannot be opened' --trust @missing.txt
refused 'an empty pattern' --trust log_it,
refused '--trust is empty' --trust=
plait test -s dpor -n 1 --trust libother.so.1 ./prog >out.txt 2>&1 || fail "a library that may come is refused"
grep -q "'libother.so.1' is no library that the program has loaded" out.txt || fail "no warning"

finish "trusted code is known"
