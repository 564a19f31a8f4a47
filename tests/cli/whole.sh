#!/bin/sh
# SPDX-License-Identifier: MIT
# plait cc --whole: the program carries its bitcode however it was built, and plait pairs finds it; the program
# itself is the same.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
export PATH
unset PLAIT_CC PLAIT_CXX PLAIT_WHOLE CC CXX CFLAGS CXXFLAGS LDFLAGS

fail() {
    echo "FAILED $*"
    failures=$((failures + 1))
}

# must COMMAND...: it must succeed.
must() {
    if ! "$@" >try.out 2>&1; then
        fail "$*"
        tail -n 20 try.out
    fi
}

# silent COMMAND...: it must succeed and say nothing.
silent() {
    must "$@"
    [ ! -s try.out ] || fail "$* said $(cat try.out)"
}

# pairs PROGRAM TEXT: the list holds the text.
pairs() {
    must plait pairs "$1"
    grep -qF -- "$2" try.out || fail "plait pairs $1 does not say '$2': $(cat try.out)"
}

cat >count.c <<'END'
#include <pthread.h>
extern int count;
void *add(void *arg) { count++; return arg; }
END
cat >main.c <<'END'
#include <pthread.h>
int count;
void *add(void *arg);
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return count == 2 ? 0 : 1;
}
END

TMPDIR=$PWD/tmp # for what is made on the way
export TMPDIR
mkdir "$TMPDIR"

# In one command, object by object, by a static library, and with the linker's own cleaning up.
silent plait cc --whole -O1 main.c count.c -o one
silent plait cc --whole -O1 -c main.c
silent plait cc --whole -O1 -c count.c -MD -MF count.d
grep -q '^count.o:' count.d || fail "the dependencies are of $(cat count.d)"
silent plait cc main.o count.o -o two
ar cr libcount.a count.o
silent plait cc --whole main.o -L. -lcount -ffunction-sections -Wl,--gc-sections -o three
PLAIT_WHOLE=1 silent plait cc -O1 -fPIC -shared count.c -o libadd.so
PLAIT_WHOLE=1 silent plait cc -O1 main.c -L. -ladd -Wl,-rpath,"$PWD" -o four
for program in one two three four; do
    ./$program || fail "$program does not work natively"
    pairs $program "2 pairs: 2 RW"
    pairs $program "count.c:3  write  in add"
done
[ -z "$(ls -A "$TMPDIR")" ] || fail "files were left in TMPDIR: $(ls -A "$TMPDIR")"

# An object without it is unknown code; a program without it, or stripped, is refused.
PLAIT_CC=clang silent plait cc -O1 -c count.c -o plain.o
silent plait cc --whole main.o plain.o -o part
must plait pairs part
PLAIT_CC=clang silent plait cc main.c count.c -o without
for program in without stripped; do
    [ $program = without ] || strip -o stripped one
    plait pairs $program >try.out 2>&1 && fail "plait pairs $program succeeds"
    grep -q 'carries no bitcode' try.out || fail "plait pairs $program says $(cat try.out)"
done

# What the compiler refuses is refused, with its words and its exit code.
echo 'int main(void) { return x; }' >bad.c
plait cc --whole bad.c -o bad >try.out 2>&1 && fail "bad.c compiles"
grep -q "bad.c:1:25: error" try.out || fail "bad.c: $(cat try.out)"

# C++: inline functions that two objects have are there once; virtual calls are found.
cat >shape.h <<'END'
struct shape { virtual ~shape() {} virtual void grow() = 0; int size = 0; };
inline int &total() { static int n; return n; }
struct square : shape { void grow() override { size++; total()++; } };
END
cat >a.cc <<'END'
#include "shape.h"
#include <thread>
void other(shape *s);
int main() { square s; std::thread t(other, &s); s.grow(); t.join(); return s.size == 2 ? 0 : 1; }
END
cat >b.cc <<'END'
#include "shape.h"
void other(shape *s) { s->grow(); }
END
silent plait c++ --whole -O1 a.cc b.cc -o shapes
./shapes || fail "shapes does not work natively"
pairs shapes "shape.h:3"
pairs shapes "[_M_run]"
pairs shapes "s.size of main"

# Whichever copy of an inline function the linker keeps, what is executed is a statement that is known.
cat >in.h <<'END'
template <class T> inline void dispose(T *&p) { if (p) { delete[] p; p = nullptr; } }
void other(int *&p);
END
cat >first.cc <<'END'
#include "in.h"
#include <mutex>
#include <thread>
static int *one = new int[2];
static std::mutex m;
int main()
{
    std::thread t([] { std::lock_guard<std::mutex> held(m); dispose(one); });
    m.lock();
    other(one);
    m.unlock();
    t.join();
    return one != nullptr;
}
END
cat >second.cc <<'END'
#include "in.h"
void other(int *&p) { dispose(p); }
END
silent plait c++ --whole -O0 first.cc second.cc -o twice
must plait test --check-pairs -s dfs -n 20 -o twice-results ./twice

# A library that nothing is known of may call what it is handed in threads of its own.
cat >pool.c <<'END'
void pool(void (*work)(void)) { work(); }
END
cat >user.c <<'END'
void pool(void (*work)(void));
int done;
static void work(void) { done++; }
int main(void) { pool(work); return 0; }
END
must cc -shared -fPIC pool.c -o libpool.so
silent plait cc --whole -O1 user.c -L. -lpool -Wl,-rpath,"$PWD" -o user
pairs user "2 pairs: 2 RW"
pairs user "[main, others*]"

# Code without hooks is said.
silent plait cc --whole -O1 -c main.c -o hooked.o
silent plait cc --whole -O1 -fno-sanitize=thread -c count.c -o unhooked.o
silent plait cc --whole hooked.o unhooked.o -o unhooked
pairs unhooked "Part of the program was built without --whole or without hooks"

# Build systems.
mkdir -p make cmake
cat >make/Makefile <<'END'
CC = plait-cc
all: one two
one two: main.o libcount.a
	$(CC) main.o -L. -lcount -o $@
libcount.a: count.o
	ar cr $@ $^
END
cp main.c count.c make
PLAIT_WHOLE=1 must make -s -C make
pairs make/one "2 pairs: 2 RW"
pairs make/two "2 pairs: 2 RW"
cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(count C)
add_library(count STATIC count.c)
add_executable(one main.c)
target_link_libraries(one count)
END
cp main.c count.c cmake
PLAIT_WHOLE=1 must cmake -S cmake -B cmake/build -DCMAKE_C_COMPILER=plait-cc
PLAIT_WHOLE=1 must cmake --build cmake/build
pairs cmake/build/one "2 pairs: 2 RW"
if command -v meson >try.out && command -v ninja >try.out; then
    mkdir meson
    cat >meson/meson.build <<'END'
project('count', 'c')
count = static_library('count', 'count.c')
foreach name : ['one', 'two']
    executable(name, 'main.c', link_with: count, dependencies: dependency('threads'))
endforeach
END
    cp main.c count.c meson
    CC=plait-cc PLAIT_WHOLE=1 must meson setup meson/build meson
    PLAIT_WHOLE=1 must ninja -C meson/build
    pairs meson/build/one "2 pairs: 2 RW"
    pairs meson/build/two "2 pairs: 2 RW"
else
    echo "meson or ninja is not here: not tried"
fi
if command -v autoconf >try.out; then
    mkdir autoconf
    cat >autoconf/configure.ac <<'END'
AC_INIT([count],[1])
AC_PROG_CC
AC_PROG_RANLIB
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
    cat >autoconf/Makefile.in <<'END'
CC = @CC@
CFLAGS = @CFLAGS@
one: main.o libcount.a
	$(CC) $(CFLAGS) main.o -L. -lcount -lpthread -o $@
libcount.a: count.o
	ar cr $@ count.o
	@RANLIB@ $@
END
    cp main.c count.c autoconf
    must autoconf -o autoconf/configure autoconf/configure.ac
    (cd autoconf && CFLAGS=-O1 PLAIT_WHOLE=1 must ./configure CC=plait-cc && PLAIT_WHOLE=1 must make -s one)
    pairs autoconf/one "2 pairs: 2 RW"
else
    echo "autoconf is not here: not tried"
fi

# What is in no pair, and why.
cat >why.c <<'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked, before, after, beside;
static void *run(void *arg)
{
    pthread_mutex_lock(&m);
    locked++;
    pthread_mutex_unlock(&m);
    before++;
    after++;
    beside++;
    return arg;
}
int main(void)
{
    pthread_t t;
    before = 1;
    pthread_create(&t, 0, run, 0);
    pthread_mutex_lock(&m);
    locked++;
    pthread_mutex_unlock(&m);
    beside++;
    pthread_join(t, 0);
    after = 1;
    return locked;
}
END
silent plait cc --whole -O1 why.c -o why
why() {
    must plait pairs --why "why.c:$1" "why.c:$2" why
    grep -qF -- "$3" try.out || fail "--why $1 $2 does not say '$3': $(cat try.out)"
}
why 7 20 "common lock: both hold m"
why 9 17 "not parallel: the one comes before the other's thread is created"
why 10 24 "not parallel: the thread is joined at why.c:23 before"
why 11 22 "a pair"
why 11 20 "never aliased"
must plait pairs --kind RW --at why.c:22 why
grep -q '3 shown' try.out || fail "filters: $(cat try.out)"
must plait pairs --json why
python3 -c 'import json, sys; d = json.load(open("try.out")); assert len(d["pairs"]) == 4, d' || fail "JSON"

# Many pairs of one kind, object and pair of functions are shown as one.
{
    echo '#include <pthread.h>'
    echo 'static volatile int x;'
    for f in one two; do
        echo "static void *$f(void *a) {"
        for _ in 1 2 3 4 5 6 7 8 9 10 11; do echo 'x = 1;'; done
        echo 'return a; }'
    done
    echo 'int main(void) { pthread_t t[2]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);'
    echo 'pthread_join(t[0], 0); return pthread_join(t[1], 0); }'
} >families.c
silent plait cc --whole families.c -o families
pairs families "121 pairs: 121 RW, as 1 family (--all lists each pair)"
pairs families "and 120 more, from P2 on, in the same functions"
[ "$(grep -c '^P' try.out)" = 1 ] || fail "families: $(cat try.out)"
must plait pairs --all families
[ "$(grep -c '^P' try.out)" = 121 ] || fail "--all lists $(grep -c '^P' try.out) pairs"

# gcc makes the program, clang what is analysed; they are brought together by lines.
PLAIT_CC=gcc
export PLAIT_CC
silent plait cc --whole -O2 main.c count.c -o gcc-one
silent plait cc --whole -O2 -c main.c -o gcc-main.o
silent plait cc --whole -O2 -c count.c -MD -MF count.d -o gcc-count.o
grep -q 'plait-whole' count.d && fail "the dependencies are of what is made on the way: $(cat count.d)"
ar cr libgcc-count.a gcc-count.o
silent plait cc --whole gcc-main.o libgcc-count.a -o gcc-two
for program in gcc-one gcc-two; do
    ./$program || fail "$program does not work natively"
    pairs $program "1 pair: 1 RW"
    pairs $program "count.c:3  "
    pairs $program "built by gcc"
done
plait test -s values -k -o gcc-results ./gcc-one >try.out 2>&1 # it loses an update, and exits so
grep -q 'pairs     1 RW; 1 order: 1 shown' try.out || fail "values, by gcc: $(cat try.out)"
grep -q 'the search is complete' try.out || fail "values, by gcc, is not complete: $(cat try.out)"
must plait coverage gcc-results
grep -q 'seen 1 of 1 orders that can exist' try.out || fail "totals, by gcc: $(cat try.out)"
cat >order.c <<'END'
#include <pthread.h>
int x, y;
void *writes(void *arg)
{
    x = 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writes, 0);
    y = x;
    pthread_join(t, 0);
    return 0;
}
END
silent plait cc --whole -O2 order.c -o order
must plait test --force 'P1: a->b' -o gcc-forced ./order
must plait test --force 'P1: b->a' -o gcc-forced ./order
printf 'int broken(void) { register int x asm("no such register"); return __builtin_gcc_only(x); }\n' >only.c
plait cc --whole -c only.c -o only.o >try.out 2>&1 && fail "what gcc refuses is compiled"
unset PLAIT_CC

# Code without bitcode has what it refers to, and what it is handed: here nothing else, there a function.
cat >handed.c <<'END'
#include <pthread.h>
int shared, apart;
void move(int *to, const int *from);
void only_main(void) { apart++; }
void *add(void *arg)
{
    int one = 1, n;
    move(&n, &one);
    shared += n;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    only_main();
    pthread_join(t, 0);
    return 0;
}
END
for calls in '' 'call only_main'; do
    printf '.globl move\n.type move,@function\nmove:\n%s\nmovl (%%rsi),%%eax\nmovl %%eax,(%%rdi)\nret\n%s\n' \
        "${calls:+push %rdi; push %rsi; push %rax; call only_main; pop %rax; pop %rsi; pop %rdi}" \
        '.size move,.-move
.section .note.GNU-stack,"",@progbits' >move.s
    must cc -c move.s -o move.o
    must env PLAIT_CC=clang plait cc --whole -O1 handed.c move.o -o handed
    ./handed || fail "handed does not work natively"
    pairs handed "RW  shared"
    if [ -z "$calls" ]; then
        grep -q 'RW  apart' try.out && fail "assembly that calls nobody is taken to: $(cat try.out)"
    else
        pairs handed "RW  apart"
    fi
done

exit $((failures > 0))
