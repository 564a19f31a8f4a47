#!/bin/sh
# SPDX-License-Identifier: MIT
# plait cc and plait c++ with real compilers: every way to call them, what comes
# out natively, and four build systems that take them for their compiler.
# PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
export PATH
unset PLAIT_CC PLAIT_CXX CC CXX CFLAGS CXXFLAGS LDFLAGS
label=-

fail() {
    echo "FAILED [$label] $*"
    failures=$((failures + 1))
}

# try COMMAND...: it must succeed and say nothing.
try() {
    if ! "$@" >try.out 2>&1; then
        fail "$*"
        cat try.out
    elif [ -s try.out ]; then
        fail "$* said something:"
        cat try.out
    fi
}

# must COMMAND...: it must succeed, whatever it says.
must() {
    if ! "$@" >try.out 2>&1; then
        fail "$*"
        tail -n 40 try.out
    fi
}

# code NUMBER COMMAND...: it must end with that exit code.
code() {
    expected=$1
    shift
    "$@" >try.out 2>&1
    is=$?
    if [ $is -ne "$expected" ]; then
        fail "$* ended with $is instead of $expected"
        cat try.out
    fi
}

# refuses SENTENCE COMMAND...: exit code 2 and a sentence that contains the text.
refuses() {
    text=$1
    shift
    code 2 "$@"
    grep -qF -- "$text" try.out || fail "$* did not say '$text': $(cat try.out)"
}

# gated FILE: carries the gate, hides it, and needs neither libtsan nor libplait.
gated() {
    nm "$1" | grep -q ' [tT] __tsan_init$' || fail "$1 has no gate"
    if ldd "$1" 2>/dev/null | grep -Eq 'tsan|plait|atomic'; then
        fail "$1 needs a library of ours or libatomic: $(ldd "$1")"
    fi
    if nm -D "$1" 2>/dev/null | grep -Eq '__tsan|plait|pl_gate|Annotate'; then
        fail "$1 shows symbols of the gate"
    fi
}

# calls_hooks FILE: whether it calls hooks; that they are linked in says nothing.
calls_hooks() {
    objdump -dr --no-show-raw-insn "$1" | grep -Eq '(call|PLT32|PC32).*__tsan_[a-z_]*(read|write)'
}

instrumented() {
    calls_hooks "$1" || fail "$1 is not instrumented"
}

# ---------------------------------------------------------------- programs

cat >native.c <<'END'
/* Threads, atomics of every size, volatile, packed fields, copies: must add up natively. */
#include <plait.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) packed { char c; short s; int i; long l; __int128 w; };
struct big { long at[9]; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct packed packed;
static struct big big[2];
static volatile int vol;
static volatile long vol_long;
static char buffer[64];
static long plain;

#define MUST(condition) \
    do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

#define WIDTH(name, type) \
    static _Atomic(type) name; \
    static void use_##name(void) { \
        type one = 1, seen; \
        atomic_fetch_add(&name, 3); atomic_fetch_sub_explicit(&name, 2, memory_order_relaxed); \
        atomic_fetch_or(&name, 0); atomic_fetch_xor(&name, 0); atomic_fetch_and(&name, (type)-1); \
        do { seen = atomic_load_explicit(&name, memory_order_acquire); } \
        while (!atomic_compare_exchange_weak(&name, &seen, (type)(seen + one))); \
    } \
    static void check_##name(void) { \
        type seen = 77, old; \
        MUST(atomic_load(&name) == (type)(4 * 1000 * 2)); \
        MUST(!atomic_compare_exchange_strong(&name, &seen, 5)); \
        MUST(seen == (type)8000); \
        MUST(atomic_compare_exchange_strong(&name, &seen, 5)); \
        old = atomic_exchange(&name, 6); MUST(old == 5); \
        atomic_store_explicit(&name, 7, memory_order_release); atomic_store(&name, 12); \
        old = __atomic_fetch_nand((type *)&name, 10, __ATOMIC_SEQ_CST); \
        MUST(old == 12 && atomic_load(&name) == (type)~(12 & 10)); \
    }

WIDTH(a8, uint8_t)
WIDTH(a16, uint16_t)
WIDTH(a32, uint32_t)
WIDTH(a64, uint64_t)
#ifdef WIDE
/* Half-way between the halves, so that a carry crosses them. */
static unsigned __int128 a128 __attribute__((aligned(16)));
#define HALF (((unsigned __int128)1) << 63)
static void use_a128(void) {
    unsigned __int128 seen;
    __atomic_fetch_add(&a128, HALF, __ATOMIC_SEQ_CST);
    __atomic_fetch_or(&a128, 0, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&a128, 0, __ATOMIC_RELAXED);
    __atomic_fetch_and(&a128, ~(unsigned __int128)0, __ATOMIC_RELAXED);
    seen = __atomic_load_n(&a128, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&a128, &seen, seen + HALF, 1, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
        ;
}
static void check_a128(void) {
    unsigned __int128 seen = 1;
    MUST(__atomic_load_n(&a128, __ATOMIC_SEQ_CST) == HALF * 8000);
    MUST(!__atomic_compare_exchange_n(&a128, &seen, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    MUST(seen == HALF * 8000);
    MUST(__atomic_compare_exchange_n(&a128, &seen, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    MUST(__atomic_exchange_n(&a128, HALF * 4, __ATOMIC_SEQ_CST) == 5);
    MUST(__atomic_fetch_sub(&a128, HALF, __ATOMIC_SEQ_CST) == HALF * 4);
    __atomic_store_n(&a128, 12, __ATOMIC_RELEASE);
    MUST(__atomic_fetch_nand(&a128, 10, __ATOMIC_SEQ_CST) == 12);
    MUST(__atomic_load_n(&a128, __ATOMIC_SEQ_CST) == ~(unsigned __int128)8);
}
#else
static void use_a128(void) {}
static void check_a128(void) {}
#endif

static void *work(void *size) {
    for (int i = 0; i < 1000; i++) {
        use_a8(); use_a16(); use_a32(); use_a64(); use_a128();
        atomic_thread_fence(memory_order_seq_cst);
        atomic_signal_fence(memory_order_seq_cst);
        __sync_synchronize();
        pthread_mutex_lock(&lock);
        plain++; vol++; vol_long = vol_long + 1;
        packed.c++; packed.s++; packed.i++; packed.l++; packed.w++;
        big[0].at[3]++; big[1] = big[0];
        memset(buffer, i, (size_t)size); memcpy(buffer + 20, buffer, (size_t)size);
        memmove(buffer + 1, buffer, (size_t)size);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int argc, char **argv) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)(long)(argc * 16));
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    check_a8(); check_a16(); check_a32(); check_a64(); check_a128();
    MUST(plain == 4000 && vol == 4000 && vol_long == 4000);
    MUST(packed.s == 4000 && packed.i == 4000 && packed.l == 4000 && packed.w == 4000);
    MUST(big[1].at[3] == 4000 && buffer[20] == buffer[1]);
    MUST(plait_active() == 0 && plait_choose(5) == 0);
    plait_assert(plain == 4000);
    return argc > 1 ? atoi(argv[1]) : 0;
}
END

cat >native.cc <<'END'
// Exceptions through instrumented frames, virtual calls, statics, std::thread.
#include <plait.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct shape { virtual ~shape() {} virtual int area() = 0; };
struct square : shape { int side; explicit square(int n) : side(n) {} int area() override { return side * side; } };
static std::mutex lock;
static std::atomic<int> sum;
static int plain;
static std::string &name() { static std::string it("name"); return it; }
static int deep(int n) {
    std::lock_guard<std::mutex> hold(lock);
    plain++;
    if (n % 2) throw std::runtime_error(name());
    return n;
}
int main() {
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
        all.emplace_back([t] {
            for (int i = 0; i < 100; i++) {
                std::unique_ptr<shape> s(new square(t));
                try { sum += deep(i) * 0 + s->area(); } catch (const std::exception &e) { sum += e.what()[0] == 'n'; }
            }
        });
    for (auto &t : all) t.join();
    plait_assert(plain == 400);
    return sum == 4 * 50 + 50 * (0 + 1 + 4 + 9) ? 0 : 1;
}
END

cat >lib.c <<'END'
int lib_count;
int lib_add(int n) { return lib_count += n; }
END
cat >main.c <<'END'
#include <stdio.h>
int lib_add(int n);
int main(void) { lib_add(3); printf("%d\n", lib_add(4)); return 0; }
END
cat >fails.c <<'END'
#include <plait.h>
int main(void) { plait_assert(1 == 2); }
END
cat >free.c <<'END'
int counter;
static void leave(long code) { __asm__ volatile("syscall" : : "a"(231L), "D"(code) : "memory"); __builtin_unreachable(); }
void _start(void) { counter += 3; leave(counter); }
END
cat >notes.c <<'END'
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SEEN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(SEEN)
void __tsan_acquire(void *); void __tsan_release(void *);
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateRWLockCreate(const char *f, int l, const volatile void *p) { (void)f; (void)l; (void)p; }
int x;
int main(void) { __tsan_acquire(&x); __tsan_release(&x); AnnotateHappensBefore("", 0, &x); AnnotateRWLockCreate("", 0, &x); return x; }
#else
#error "not seen as -fsanitize=thread"
#endif
END
# shellcheck disable=SC2016
printf '.globl asm_value\nasm_value:\n movl $42, %%eax\n ret\n.section .note.GNU-stack,"",@progbits\n' >value.s
# shellcheck disable=SC2016
printf '#define NAME asm_value\n.globl NAME\nNAME:\n movl $42, %%eax\n ret\n.section .note.GNU-stack,"",@progbits\n' >value2.S
echo 'int asm_value(void); int main(void) { return asm_value() != 42; }' >uses_asm.c
printf 'static inline int pch(int *p) { return ++*p; }\n' >pre.h
printf '#include "pre.h"\nint g; int main(void) { return pch(&g) != 1; }\n' >uses_pch.c

# ---------------------------------------------------------------- one compiler

modes() {
    for opt in -O0 -O1 -O2 '-O2 -flto' -O3 '-Os -ffunction-sections -Wl,--gc-sections'; do
        label="$1 $opt"
        # shellcheck disable=SC2086
        {
            try plait cc $opt -Wall -Wextra -Werror -Wno-unused-parameter -pthread native.c -o native
            try ./native
            gated native
            instrumented native
            try plait cc $opt -mcx16 -DWIDE -pthread native.c -o wide
            try ./wide
            gated wide
            case $opt in # what the wrapper adds does not depend on the level of optimisation
            -O0 | *lto | *gc-sections)
                try plait-c++ $opt -std=c++17 -Wall -Werror -pthread native.cc -o nativexx
                try ./nativexx
                gated nativexx
                instrumented nativexx
                ;;
            esac
            try plait cc $opt -fPIC -shared lib.c -o libit.so
            gated libit.so
            instrumented libit.so
            try plait cc $opt main.c -L. -lit -Wl,-rpath,"$work" -o main
            gated main
            try test "$(./main)" = 7
        }
    done
    code 3 ./native 3
    nm wide | grep -q 't __tsan_atomic128_' || fail "sixteen-byte atomics are not ours"

    label="$1 separate steps"
    rm -f ./*.o ./*.d
    try plait cc -c main.c lib.c
    instrumented lib.o
    if nm lib.o | grep -q ' [tT] __tsan_'; then fail "an object holds the gate"; fi
    try plait cc main.o lib.o -o main
    gated main
    try test "$(./main)" = 7
    ar rc liball.a lib.o
    try plait cc main.o liball.a -o main && gated main
    try plait cc -r main.o lib.o -o both.o
    if nm both.o | grep -q ' [tT] __tsan_'; then fail "a partial link holds the gate"; fi
    try plait cc both.o -o main
    try test "$(./main)" = 7
    try plait cc -nostdlib -Wl,-r -no-pie main.o lib.o -o both.o
    try plait cc both.o -o main
    try test "$(./main)" = 7
    must plait cc -S lib.c -o -
    grep -q __tsan_write4 try.out || fail "-S shows no instrumentation"
    must plait cc -E native.c
    grep -q plait_choose try.out || fail "-E does not find plait.h"
    must plait cc -MM native.c
    grep -q 'native.o: native.c' try.out || fail "-MM: $(cat try.out)"
    try plait cc -MD -MF lib.d -c lib.c
    test -s lib.d || fail "-MD wrote nothing"
    try plait cc -fsyntax-only lib.c
    echo 'int main(void){return 0;}' | try plait cc -x c - -o stdin
    try ./stdin
    gated stdin
    cp main.c source.txt
    try plait cc -x c source.txt lib.c -o main
    try test "$(./main)" = 7
    printf -- "-c 'lib.c'\n-o\nresponse.o" >args
    try plait cc @args
    instrumented response.o
    try plait cc uses_asm.c value.s -o asm
    try ./asm
    try plait cc uses_asm.c value2.S -o asm
    try ./asm
    plait cc -g -S lib.c -o lib_g.s && try plait cc -c lib_g.s
    try plait cc pre.h
    try plait cc uses_pch.c -o pch
    try ./pch
    rm -f pre.h.gch

    label="$1 corners"
    try plait cc -O1 -nostdlib -fno-stack-protector -no-pie free.c -o free
    code 3 ./free
    gated free
    try plait cc -O2 -fno-pie -no-pie -pthread native.c -o native
    try ./native
    gated native
    try plait cc -nodefaultlibs native.c -lc -o native
    try ./native
    gated native
    try plait cc -fsanitize=thread main.c lib.c -o main
    gated main
    try plait cc -fno-sanitize=thread -c lib.c
    if nm lib.o | grep -q __tsan; then fail "-fno-sanitize=thread is not obeyed"; fi
    try plait cc -fno-sanitize=thread main.c lib.c -o main
    gated main
    if calls_hooks main; then fail "-fno-sanitize=thread is not obeyed in one step"; fi
    try plait cc notes.c -o notes
    try ./notes
    gated notes
    try plait cc fails.c -o fails
    code 134 sh -c './fails; exit $?'
    sh -c './fails; exit $?' 2>&1 | grep -q 'fails.c:2: main: plait_assert(1 == 2) failed' || fail "plait_assert says nothing"
    code 1 plait cc -c missing.c
    echo 'int main(void) { return x; }' >wrong.c
    code 1 plait cc wrong.c
    try plait cc -Wl,--as-needed,-z,defs -fPIC -shared lib.c -o libit.so
    for linker in gold lld; do
        if command -v ld.$linker >/dev/null; then
            label="$1 $linker"
            try plait cc -fuse-ld=$linker -pthread native.c -o native
            try ./native
            gated native
            try plait cc -fuse-ld=$linker -fPIC -shared lib.c -o libit.so
            gated libit.so
        fi
    done

    label="$1 questions"
    for question in --version -dumpmachine -dumpversion -print-search-dirs -v --help '-###'; do
        "$2" $question >direct.out 2>&1
        direct=$?
        code $direct plait cc $question
        diff direct.out try.out >/dev/null || fail "$question is answered differently"
    done
    "$2" >direct.out 2>&1
    code $? plait cc
    must plait cc -v lib.c main.c -o main
    must plait cc '-###' main.c
    plait cc -Wl,--version 2>/dev/null | grep -q 'GNU ld' || fail "-Wl,--version"

    label="$1 refusals"
    for sanitizer in address leak memory hwaddress; do
        refuses "-fsanitize=$sanitizer cannot" plait cc -fsanitize=$sanitizer -c lib.c
    done
    refuses '-static makes' plait cc -static main.o lib.o
    refuses '-static-pie makes' plait cc -static-pie main.c
    refuses '-static-libtsan asks' plait cc -static-libtsan main.c
    refuses '-m32 makes' plait cc -m32 -c main.c
    refuses '-mx32 makes' plait cc -mx32 -c main.c

    label="$1 shown"
    plait cc --plait-show -c "a b'c.c" >try.out
    grep -q "'a b'\\\\''c.c'" try.out || fail "--plait-show quotes badly: $(cat try.out)"
    plait cc --plait-show main.c lib.c -o shown >shown.sh
    try sh shown.sh
    try test "$(./shown)" = 7
}

# ---------------------------------------------------------------- build systems

missing() {
    command -v "$1" >/dev/null && return 1
    echo "skipped: $1 is not installed"
}

# prepared FOLDER: a copy of what has a configure script there, and the way into it.
prepared() {
    rm -rf "$1" && cp -a "$work/$1" "$1" && cd "$1" || exit 1
}

# autotools FILE...: configure and make what is here; the files must come out under plait.
autotools() {
    must ./configure CC=plait-cc CXX=plait-c++
    grep -q 'ac_cv_func_memmem=yes' config.log || fail "configure finds no functions"
    grep -q 'ac_cv_func_no_such_function_at_all=no' config.log || fail "configure finds too much"
    must make
    for file; do
        gated "$file"
    done
    try test "$(./prog)" = 7
    must make distclean
}

# What configure scripts are made from knows nothing of the compiler: they are made once.
prepare_autotools() {
    label=autoconf
    if missing autoreconf || missing automake; then
        return
    fi
    mkdir "$work/autoconf" && cd "$work/autoconf" || exit 1
    cp ../lib.c ../main.c ../native.cc .
    cat >configure.ac <<'END'
AC_INIT([sample],[1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_RANLIB
AC_SEARCH_LIBS([pthread_create],[pthread])
AC_CHECK_FUNCS([memmem no_such_function_at_all])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
    cat >Makefile.am <<'END'
noinst_LIBRARIES = libit.a
libit_a_SOURCES = lib.c
bin_PROGRAMS = prog progxx
prog_SOURCES = main.c
prog_LDADD = libit.a
progxx_SOURCES = native.cc
END
    must autoreconf -i

    label=libtool
    if missing libtoolize; then
        return
    fi
    mkdir "$work/libtool" && cd "$work/libtool" || exit 1
    cp ../lib.c ../main.c ../native.cc .
    sed 's/^AC_PROG_RANLIB/AM_PROG_AR\nLT_INIT([disable-static])/' ../autoconf/configure.ac >configure.ac
    cat >Makefile.am <<'END'
lib_LTLIBRARIES = libit.la libitxx.la
libit_la_SOURCES = lib.c
libitxx_la_SOURCES = native.cc
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libit.la
END
    must autoreconf -i
}

build_systems() {
    rm -rf project && mkdir project && cd project || exit 1
    cp ../lib.c ../main.c ../native.cc .

    label="$1 make"
    if ! missing make; then
        # shellcheck disable=SC2016
        printf 'all: prog\nprog: main.o libit.a\n\t$(CC) $(LDFLAGS) $^ -o $@\nlibit.a: lib.o\n\t$(AR) rcs $@ $^\n' >Makefile
        must make CC='plait cc' CFLAGS='-O2 -Wall -Werror'
        gated prog && instrumented prog
        try test "$(./prog)" = 7
        rm -f ./*.o ./*.a prog
    fi

    label="$1 cmake"
    if ! missing cmake; then
        cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(sample C CXX)
include(CheckCSourceRuns)
include(CheckCCompilerFlag)
check_c_source_runs("#include <stdatomic.h>\nstatic _Atomic int a; int main(void) { a++; return 0; }" RUNS)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-fno-such-thing-at-all HAVE_NONSENSE)
if(NOT RUNS OR NOT HAVE_WALL OR HAVE_NONSENSE)
    message(FATAL_ERROR "checks: ${RUNS} ${HAVE_WALL} ${HAVE_NONSENSE}")
endif()
find_package(Threads REQUIRED)
add_library(it SHARED lib.c)
add_executable(prog main.c)
target_link_libraries(prog it)
add_executable(progxx native.cc)
set_target_properties(progxx PROPERTIES CXX_STANDARD 17)
target_link_libraries(progxx Threads::Threads)
END
        must cmake -B out -DCMAKE_C_COMPILER=plait-cc -DCMAKE_CXX_COMPILER=plait-c++ -DCMAKE_BUILD_TYPE=Release .
        must cmake --build out
        gated out/prog && gated out/progxx && gated out/libit.so && instrumented out/libit.so
        try test "$(out/prog)" = 7
        try out/progxx
    fi

    # What configure asks of a compiler is the same with and without libtool.
    label="$1 autoconf"
    if [ "$1" = gcc ] && [ -d "$work/autoconf" ]; then
        prepared autoconf
        autotools prog progxx
        cd ..
    fi
    label="$1 libtool"
    if [ "$1" = clang ] && [ -d "$work/libtool" ]; then
        prepared libtool
        autotools .libs/prog .libs/libit.so .libs/libitxx.so
        cd ..
    fi

    label="$1 meson"
    if ! missing meson && ! missing ninja; then
        cat >meson.build <<'END'
project('sample', 'c', 'cpp', default_options: ['cpp_std=c++17', 'werror=true', 'b_lundef=true'])
it = shared_library('it', 'lib.c')
executable('prog', 'main.c', link_with: it)
executable('progxx', 'native.cc', dependencies: dependency('threads'))
END
        must env CC='plait cc' CXX=plait-c++ meson setup mout
        must ninja -C mout
        gated mout/prog && gated mout/progxx && gated mout/libit.so && instrumented mout/libit.so
        try test "$(mout/prog)" = 7
        try mout/progxx
    fi
    cd "$work" || exit 1
}

# ---------------------------------------------------------------- run

prepare_autotools
cd "$work" || exit 1
for cc in gcc clang; do
    if missing $cc; then
        continue
    fi
    case $cc in
    gcc) PLAIT_CC=gcc PLAIT_CXX=g++ ;;
    clang) PLAIT_CC=clang PLAIT_CXX=clang++ ;;
    esac
    export PLAIT_CC PLAIT_CXX
    modes $cc $cc
    build_systems $cc
done

label="undefined behaviour"
if ! missing gcc; then
    PLAIT_CC=gcc try plait cc -fsanitize=undefined main.c lib.c -o main
    try test "$(./main)" = 7
fi
if ! missing clang; then
    PLAIT_CC=clang refuses 'needs a library' plait cc -fsanitize=undefined main.c lib.c
    PLAIT_CC=clang try plait cc -fsanitize=undefined -fsanitize-trap=undefined main.c lib.c -o main
    try test "$(./main)" = 7
fi

label="choice of the compiler"
PLAIT_CC='env MARK=1 gcc -DMARK=1' try plait cc -c lib.c
PLAIT_CC='no-such-compiler' code 3 plait cc -c lib.c
PLAIT_CC='plait-cc' refuses 'names plait itself' plait cc -c lib.c
PLAIT_CC='echo' refuses 'neither gcc nor clang' plait cc -c lib.c
# A program's place says what it is; a script is asked, whatever its name is.
if ! missing gcc && ! missing clang; then
    printf '#!/bin/sh\nexec gcc "$@"\n' >clang-99
    printf '#!/bin/sh\nexec clang "$@"\n' >gcc-99
    chmod +x clang-99 gcc-99
    ln -s "$(command -v clang)" cc
    for pair in gcc:gcc clang:clang ./clang-99:gcc ./gcc-99:clang ./cc:clang 'env clang:clang'; do
        PLAIT_CC=${pair%:*} plait cc --plait-show -c lib.c | cut -d' ' -f2- | sed 's/^clang //' >try.out
        PLAIT_CC=${pair#*:} plait cc --plait-show -c lib.c | cut -d' ' -f2- >direct.out
        diff direct.out try.out >/dev/null || fail "${pair%:*} is not taken for ${pair#*:}: $(cat try.out)"
    done
    rm -f cc
fi
must plait cc --plait-help
grep -q 'usage: plait cc' try.out || fail "no help"
unset PLAIT_CC PLAIT_CXX
must plait-cc --plait-show -c lib.c
grep -q '^gcc ' try.out || fail "the default is not gcc: $(cat try.out)"
must plait-c++ --plait-show -c native.cc
grep -q '^g++ ' try.out || fail "the default is not g++: $(cat try.out)"

if [ $failures -ne 0 ]; then
    echo "$failures checks failed"
    exit 1
fi
echo "all checks passed"
