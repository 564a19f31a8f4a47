# SPDX-License-Identifier: MIT
"""The programs of real.py, a row each: Debian's source, how it is built in a copy of that, and what it does there."""
import collections

# What it does in words and as a command, what gets its output and must end well, a program that uses it, and options
# of plait.
Job = collections.namedtuple("Job", "what command check client options", defaults=(None, None, ()))
# Without a source it is a program of jobs/ on top of a library that is installed.  Races that have been looked at are
# known by a function of theirs.
Program = collections.namedtuple("Program", "source build jobs known", defaults=((),))


def compress(what, command, unpack, name="input"):
    return Job(what, [*command, name], "%s | cmp - %s" % (unpack, name))


# {cc} and {cxx} are the compilers, {jobs} is the folder of programs beside this file.
PROGRAMS = {
    "pigz": Program(
        "pigz", "make -s CC={cc} pigz",
        [compress("three threads, blocks of 32 KB", ["./pigz", "-p", "3", "-b", "32", "-k", "-c"], "gzip -dc")]),
    "pbzip2": Program(
        "pbzip2", "make -s CXX={cxx} pbzip2",
        [compress("three threads, blocks of 100 KB", ["./pbzip2", "-p3", "-b1", "-k", "-c"], "bzip2 -dc")]),
    "xz": Program(
        "xz-utils", "CC={cc} ./configure -q --disable-shared --disable-nls --disable-doc --disable-scripts "
        "--disable-lzmadec --disable-lzmainfo && make -s -j2 && head -c 12000 small | xz -0 -T3 --block-size=4096 >packed.xz && "
        "{cc} -g -O1 -w -Isrc/liblzma/api {jobs}/lzma_bad.c src/liblzma/.libs/liblzma.a -o bad -pthread",
        [compress("three threads, blocks of 8 KB", ["src/xz/xz", "-0", "-T3", "--block-size=8192", "-k", "-c"],
                  "xz -dc", "small"),
         Job("two threads unpack a damaged file", ["./bad"])]),
    "zstd": Program(
        "libzstd", "make -s -j2 -C programs zstd CC={cc} HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 && "
        "make -s -j2 -C tests poolTests CC={cc}",
        [compress("three threads, 1.5 MB", ["programs/zstd", "-1", "-T3", "-q", "-c"], "zstd -qdc", "large"),
         Job("tests of its pool", ["tests/poolTests"], options=("--time-outs", "last"))]),
    "sqlite": Program(
        "sqlite3", "./configure -q >/dev/null && make -s sqlite3.c >/dev/null && {cc} -g -O0 -w -DSQLITE_THREADSAFE=1 "
        "-DSQLITE_OMIT_LOAD_EXTENSION -I. {jobs}/sqlite_two.c sqlite3.c -o job -lpthread -lm",
        [Job("two connections, rollback journal", ["./job"]), Job("two connections, write-ahead", ["./job", "wal"])],
        # The header is there twice, and read again where the two differ, or have changed since.
        ["walIndexTryHdr", "walTryBeginRead"]),
    "leveldb": Program(
        "leveldb", "{cxx} -std=c++17 -g -O1 -w -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_FDATASYNC=1 -DHAVE_O_CLOEXEC=1 -I. "
        "-Iinclude {jobs}/leveldb_two.cpp $(ls db/*.cc table/*.cc util/*.cc helpers/memenv/memenv.cc | "
        "grep -v -e test -e windows -e leveldbutil) -o job -pthread",
        [Job("two threads write batches on files", ["./job"])]),
    "libuv": Program(
        "libuv1", "{cc} -g -O1 -w -D_GNU_SOURCE -Iinclude -Isrc -c src/*.c $(cd src/unix && for f in "
        "async core dl fs getaddrinfo getnameinfo loop loop-watcher pipe poll process proctitle random-devurandom "
        "random-getentropy random-getrandom random-sysctl-linux signal stream tcp thread tty udp linux "
        "procfs-exepath; do echo src/unix/$f.c; done) && ar cr uv.a *.o && for f in {here}/libraries/uv_two.c "
        "{jobs}/uv_close.c; do {cc} -g -O1 -w -Iinclude $f uv.a -o $(basename $f .c) -pthread -ldl -lrt; done",
        [Job("two senders", ["./uv_two"]), Job("handles that are closed and freed when heard of", ["./uv_close"])]),
    "liburcu": Program(
        "liburcu", "CC={cc} ./configure -q --disable-shared >/dev/null && make -s -j2 -C src >/dev/null && {cc} -g -O1 "
        "-Iinclude {here}/libraries/urcu_one.c src/.libs/liburcu-memb.a src/.libs/liburcu-common.a -o job -pthread",
        [Job("one reader, one writer", ["./job"])],
        # Volatile words, and fences for all threads at once (membarrier): no order that C knows of.
        ["urcu", "rcu_set_pointer_sym"]),
    "ck": Program(
        "ck", "{cc} -g -O1 -w -I/usr/include {here}/libraries/ck_locks.c -o job -pthread -lck",
        [Job("spin locks", ["./job"])]),
    "libevent": Program(
        "libevent", "CC={cc} ./configure -q --disable-shared --disable-openssl --disable-samples >/dev/null && "
        "make -s -j2 AUTOMAKE=: AUTOCONF=: ACLOCAL=: libevent.la libevent_pthreads.la && "
        "for f in {here}/libraries/event_two.c {jobs}/event_active.c; do {cc} -g -O1 -Iinclude $f .libs/libevent_pthreads.a "
        ".libs/libevent.a -o $(basename $f .c) -pthread; done",
        [Job("two senders", ["./event_two"]), Job("an event made active by two threads", ["./event_active"])]),
    "glib": Program(
        "glib2.0", ": >config.h; for t in cond once rwlock thread; do {cc} -g -O1 -w -I. "
        "-DG_LOG_DOMAIN='\"GLib\"' $(pkg-config --cflags glib-2.0) glib/tests/$t.c -o $t "
        "$(pkg-config --libs glib-2.0) -pthread; done",
        [Job("its test of " + t, ["./" + t], options=("--time-outs", "last")) for t in ("cond", "once", "thread")]),
    "onetbb": Program(
        "onetbb", "{cxx} -std=c++17 -g -O1 -w -D__TBB_BUILD=1 -DTBB_USE_DEBUG=0 -D__TBB_USE_ITT_NOTIFY=0 -mrtm -mwaitpkg "
        "-Iinclude {jobs}/tbb_for.cpp src/tbb/*.cpp -o job -pthread -ldl",
        [Job("a loop, a queue, a reduction", ["./job"])]),
    "gtest": Program(
        "googletest", "{cxx} -std=c++17 -g -O1 -w -Igoogletest/include -Igoogletest {jobs}/gtest_queue.cpp "
        "googletest/src/gtest-all.cc googletest/src/gtest_main.cc -o job -pthread",
        [Job("a queue with time-outs", ["./job"])]),
    "catch2": Program(
        None, "{cxx} -std=c++17 -g -O1 -w {jobs}/catch_queue.cpp -o job -pthread",
        [Job("a queue with time-outs", ["./job"])]),
    "asio": Program(
        None, "for j in two senders; do {cxx} -std=c++17 -g -O1 -w {jobs}/asio_$j.cpp -o $j -pthread; done",
        [Job("a context that two threads run", ["./two"]), Job("a timer, and two senders", ["./senders"])]),
    "c-ares": Program(
        "c-ares", "CC={cc} ./configure -q --disable-shared --disable-tests >/dev/null && make -s -j2 -C src/lib "
        ">/dev/null && {cc} -g -O1 -w -Iinclude {jobs}/ares_two.c src/lib/.libs/libcares.a -o job -pthread",
        [Job("two channels and a server of names", ["./job"])]),
    "coroutines": Program(
        None, "{cxx} -std=c++20 -g -O1 {jobs}/coroutines.cpp -o job -pthread",
        [Job("a server of C++20 coroutines", ["./job"])]),
    "jemalloc": Program(
        None, "{cc} -g -O1 {jobs}/malloc_two.c -o job -pthread -ljemalloc", [Job("blocks handed over", ["./job"])]),
    "mimalloc": Program(
        None, "{cc} -g -O1 {jobs}/malloc_two.c -o job -pthread -lmimalloc", [Job("blocks handed over", ["./job"])]),
    "openmp": Program(
        None, "for t in for reduction critical tasks; do {cc} -g -O1 -fopenmp {here}/libraries/omp_$t.c -o gomp_$t; done; "
        "for t in for reduction critical tasks; do PLAIT_CC=clang {cc} -g -O1 -fopenmp {here}/libraries/omp_$t.c -o omp_$t; done",
        [Job("libgomp: " + t, ["./gomp_" + t]) for t in ("for", "reduction", "critical", "tasks")] +
        [Job("libomp: " + t, ["./omp_" + t]) for t in ("for", "critical")]),
    "lmdb": Program(
        "lmdb", "cd libraries/liblmdb && {cc} -g -O1 -w -I. {jobs}/lmdb_two.c mdb.c midl.c -o ../../job -pthread",
        [Job("two who count in transactions, one who reads", ["./job"])],
        # Readers look into a table and at pages without locks; writers wait until nobody can see what they use anew.
        ["mdb_txn_renew0", "mdb_find_oldest", "mdb_env_pick_meta", "mdb_reader"]),
    "zpaq": Program(
        "zpaq", "{cxx} -g -O1 -w -Dunix zpaq.cpp libzpaq.cpp -o job -pthread && seq 1 300 >first && seq 1 200 >second",
        [Job("two files into an archive, two threads", ["./job", "a", "archive.zpaq", "first", "second", "-threads", "2",
                                                        "-method", "1"])]),
    "squashfs": Program(
        "squashfs-tools", "make -s -j2 -C squashfs-tools CC={cc} EXTRA_CFLAGS='-g -O1 -w' mksquashfs && mkdir -p folder && "
        "seq 1 9000 >folder/a && seq 1 300 >folder/b",
        [Job("a folder into an image, two threads that compress",
             ["squashfs-tools/mksquashfs", "folder", "image", "-processors", "2", "-noappend", "-no-progress", "-quiet",
              "-mem", "16M", "-no-xattrs"])]),
    "axel": Program(
        "axel", "CC={cc} CFLAGS='-g -O1' ./configure -q --without-ssl >/dev/null && make -s ACLOCAL=: AUTOMAKE=: AUTOCONF=: "
        "AUTOHEADER=: axel && {cc} -g -O1 {jobs}/ranges.c -o ranges -pthread",
        [Job("two connections get 24 KB", ["./ranges", "8099", "small"], options=("--time-outs", "last"),
             client="./axel -n 2 -q -o got http://127.0.0.1:8099/x")]),
    "memcached": Program(
        "memcached", "CC={cc} ./configure -q --disable-docs >/dev/null && make -s -j2 AUTOMAKE=: AUTOCONF=: ACLOCAL=: "
        "memcached && {cc} -g -O1 {jobs}/counter.c -o counter -pthread",
        [Job("two threads, two clients that count", ["./memcached", "-u", "root", "-t", "2", "-m", "2", "-p", "11211", "-U", "0", "-o",
                                                     "no_lru_maintainer,no_lru_crawler,hashpower=12", "-c", "200"],
             client="./counter 11211 memcached")],
        ["current_time", "clock_handler"]),
    "redis": Program(
        "redis", "make -s -C src redis-server MALLOC=libc CC={cc} OPTIMIZATION=-O1 USE_SYSTEMD=no -j2 >/dev/null 2>&1 && "
        "{cc} -g -O1 {jobs}/counter.c -o counter -pthread",
        [Job("two threads that read and write, two clients that count",
             ["src/redis-server", "--port", "6379", "--io-threads", "2", "--io-threads-do-reads", "yes", "--save", "",
              "--maxclients", "20", "--databases", "1", "--daemonize", "no"],
             client="./counter 6379 redis")]),
    "nginx": Program(
        "nginx", "./configure --with-cc={cc} --with-cc-opt='-g -O1' --with-threads $(for m in rewrite gzip auth_basic proxy fastcgi uwsgi "
        "scgi grpc memcached upstream_zone; do echo --without-http_${{m}}_module; done) >/dev/null && make -s -j2 >/dev/null && "
        "mkdir -p run/logs run/html && cp {jobs}/nginx.conf run && head -c 60000 CHANGES >run/html/changes && "
        "{cc} -g -O1 {jobs}/fetch.c -o fetch -pthread",
        [Job("two threads read a file, two clients get it", ["objs/nginx", "-p", "run/", "-c", "nginx.conf"],
             client="./fetch 8089 /changes run/html/changes", options=("--time-outs", "last"))],
        # Spin locks of volatile words, which are given back by a plain store.
        ["ngx_spinlock", "ngx_thread_pool_handler", "ngx_thread_pool_cycle", "ngx_epoll_notify"]),
}
