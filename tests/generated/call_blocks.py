#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What random programs that call the system and the library consist of (generate_calls.py).

A feature has objects, what is done before there are other threads (`setup`; `by_main` if only main
can do that), what main looks at in the end (`final`), and blocks, each (weight, C text) or
(weight, C text, marks).  In all of them

  @name   is a name of the program's own
  $n $b   a number from 1 to 3, from 0 to 1         $c   a letter from a to c
  $p $q   the names of two files: of one drawn, and of the other one
  $t      a thread other than main
  $s      in `supply`: how much is there from the beginning
  ...     on a line of its own: other blocks, or none

and marks are letters: m for main only, o for others only, 1 at most once in a program, g at most one of
those with it, z the last of its thread.  A block must be correct wherever it stands; it may wait for ever.

Programs in which nearly every execution ends in a deadlock show little.  So most of those that take from
something begin with as much in it as is taken more than given: `supply`, a pattern of calls that take, one of
calls that give, each with the amount as its group or amount 1, and the C text.

Where threads race for plain memory (`racy`) compilers may make other accesses without hooks than with them, and leave
hooks out (gcc -O1 where it loads a struct that is passed by value): native runs prove nothing about these, and
accesses are looked for in the machine code, too.
"""


class Feature:
    def __init__(self, blocks, objects="", setup="", by_main="", final="", wrap=None, supply=None, racy=False,
                 large=False, cancels=False, plusplus=False):
        self.objects, self.setup, self.by_main, self.final = objects, setup, by_main, final
        self.supply, self.racy = supply, racy
        self.large = large  # programs with it have many executions, and get few blocks
        self.cancels, self.plusplus = cancels, plusplus  # threads are cancelled; needs calls_cxx.cpp
        self.wrap = wrap  # before and after all that a thread other than main does
        self.blocks = [(weight, text.strip("\n"), "".join(marks)) for weight, text, *marks in blocks]


# Every program has these, and blocks of them between the others.
COMMON = Feature(
    objects="""
static struct cell @x[2];
static pthread_mutex_t @m = PTHREAD_MUTEX_INITIALIZER;
""",
    final="SEE(last(&@x[0])); SEE(last(&@x[1]));",
    blocks=[
        (3, "SEE(atomic_load(&@x[$b].value));"),
        (2, "atomic_fetch_add(&@x[$b].value, 1);"),
        (2, "SEE(atomic_fetch_add(&@x[$b].value, $n));"),
        (1, "pthread_mutex_lock(&@m);\n...\npthread_mutex_unlock(&@m);"),
    ],
)

FEATURES = {
    "pipe": Feature(
        objects="static int @p[2];",
        setup="MUST(pipe(@p) == 0);",
        final="fcntl(@p[0], F_SETFL, O_NONBLOCK); SEE(get(@p[0], 1));",
        supply=(r"get\(number\(&@p\[0\]\), (\d)", r"put\(number\(&@p\[1\]\), '.', (\d)",
                'MUST(write(@p[1], "aaaaaaaaaaaa", $s) == $s);'),
        blocks=[
            (4, "SEE(put(number(&@p[1]), '$c', 1));"),
            (1, "SEE(put(number(&@p[1]), '$c', 2));"),
            (4, "SEE(get(number(&@p[0]), 1));"),
            (1, "SEE(get(number(&@p[0]), 2));"),
            (2, "SEE(code(close(number(&@p[1]))));", "1"),
        ],
    ),
    "nonblock": Feature(
        objects="static int @np[2];",
        setup="MUST(pipe2(@np, O_NONBLOCK) == 0);",
        final="SEE(get(@np[0], 1));",
        blocks=[
            (3, "SEE(put(number(&@np[1]), '$c', $n));"),
            (4, "SEE(get(number(&@np[0]), $n));"),
            (1, "SEE(code(close(number(&@np[1]))));", "1"),
        ],
    ),
    "eventfd": Feature(
        objects="static int @e;",
        setup="MUST((@e = eventfd($b, $b * EFD_SEMAPHORE + $b * EFD_NONBLOCK)) >= 0);",
        supply=(r"take_event()|eventfd_read()", r"add_event\(.*, (\d)|eventfd_write\(.*, (\d)",
                "MUST(add_event(@e, $s) == 0);"),
        blocks=[
            (3, "SEE(add_event(number(&@e), $n));"),
            (3, "SEE(take_event(number(&@e)));"),
            (1, "{ eventfd_t v = 0; SEE(code(eventfd_read(number(&@e), &v))); SEE(v); }"),
            (1, "SEE(code(eventfd_write(number(&@e), $n)));"),
            (1, "SEE(ready(number(&@e), 0));"),
        ],
    ),
    "socket": Feature(
        objects="static int @so[2];",
        setup="MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, @so) == 0);",
        supply=(r"receive\(.*, (?:0|MSG_DONTWAIT)\)()", r"transmit\(number\(&@so\[0\]()",
                "for (int i = 0; i < $s; i++) transmit(@so[0], 'a');"),
        blocks=[
            (3, "SEE(transmit(number(&@so[0]), '$c'));"),
            (1, "SEE(transmit(number(&@so[1]), '$c'));"),
            (3, "SEE(receive(number(&@so[1]), 0));"),
            (2, "SEE(receive(number(&@so[1]), MSG_DONTWAIT));"),
            (1, "SEE(receive(number(&@so[1]), MSG_PEEK | MSG_DONTWAIT));"),
            (1, "SEE(code(shutdown(number(&@so[0]), SHUT_WR)));", "1"),
        ],
    ),
    "poll": Feature(
        objects="static int @pp[2], @ps;",
        setup="""
MUST(pipe(@pp) == 0 && (@ps = epoll_create1(0)) >= 0);
MUST(epoll_ctl(@ps, EPOLL_CTL_ADD, @pp[0], &(struct epoll_event){.events = EPOLLIN}) == 0);
""",
        supply=(r"get\(number()|, -1\)()", r"put\(number\(&@pp()", 'MUST(write(@pp[1], "aaaaaaaaaaaa", $s) == $s);'),
        blocks=[
            (3, "SEE(put(number(&@pp[1]), '$c', 1));"),
            (1, "SEE(get(number(&@pp[0]), 1));"),
            (2, "SEE(ready(number(&@pp[0]), 0));"),
            (1, "SEE(ready(number(&@pp[0]), -1));"),
            (2, "SEE(ready_in(number(&@ps), 0));"),
            (1, "SEE(ready_in(number(&@ps), -1));"),
            (1, "SEE(code(close(number(&@pp[1]))));", "1"),
        ],
    ),
    "names": Feature(
        objects="static char @d[16], @fa[32], @fb[32];",
        setup="make_folder(@d, @fa, @fb);",
        final="SEE(size_of(@fa)); SEE(size_of(@fb)); remove_folder(@d, @fa, @fb);",
        blocks=[
            (4, "SEE(touch(PATH($p), O_CREAT | O_EXCL | O_WRONLY));"),
            (1, "SEE(touch(PATH($p), O_CREAT | O_TRUNC | O_WRONLY));"),
            (1, "SEE(touch(PATH($p), O_RDONLY));"),
            (2, "SEE(code(unlink(PATH($p))));"),
            (2, "SEE(code(rename(PATH($p), PATH($q))));"),
            (1, "SEE(code(link(PATH($p), PATH($q))));"),
            (1, "SEE(code(mkdir(PATH($p), 0700)));"),
            (1, "SEE(code(rmdir(PATH($p))));"),
            (1, "SEE(code(access(PATH($p), F_OK)));"),
            (1, "SEE(size_of(PATH($p)));"),
        ],
    ),
    "position": Feature(
        objects="static int @po;",
        setup="""
MUST((@po = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0 && write(@po, "abcabc", 6) == 6);
MUST(lseek(@po, 0, SEEK_SET) == 0);
""",
        final="SEE(lseek(@po, 0, SEEK_CUR)); for (int i = 0; i < 6; i++) SEE(get_at(@po, i));",
        blocks=[
            (4, "SEE(get(number(&@po), $n));"),
            (3, "SEE(put(number(&@po), '$c', $n));"),
            (1, "SEE(code(lseek(number(&@po), $n, SEEK_SET)));"),
            (1, "SEE(code(lseek(number(&@po), $b, SEEK_CUR)));"),
            (1, "SEE(code(lseek(number(&@po), 0, SEEK_END)));"),
            (1, "SEE(get_at(number(&@po), $n));"),
            (1, "SEE(put_at(number(&@po), '$c', $n));"),
            (1, "SEE(code(ftruncate(number(&@po), $n)));"),
        ],
    ),
    "numbers": Feature(
        objects="static int @nu[8];",
        setup="free_numbers(@nu);",
        blocks=[
            (3, "{\nint fd = open(\"/dev/null\", O_RDONLY);\nSEE(index_of(@nu, fd));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = dup(0);\nSEE(index_of(@nu, fd));\n...\nclose(fd);\n}"),
            (1, "SEE(index_of(@nu, dup(0)));"),
            (1, "{\nint fd = fcntl(0, F_DUPFD, 0);\nSEE(index_of(@nu, fd));\n...\nclose(fd);\n}"),
            (1, "{\nint fd[2];\nMUST(pipe(fd) == 0);\nSEE(index_of(@nu, fd[0]));\nSEE(index_of(@nu, fd[1]));\n"
                "...\nclose(fd[0]);\nclose(fd[1]);\n}"),
        ],
    ),
    "fifo": Feature(
        objects="static char @fd[16], @ff[32], @fg[32];\nstatic int @fk;",
        setup="make_folder(@fd, @ff, @fg); MUST(mkfifo(@ff, 0600) == 0);",
        by_main="signal(SIGPIPE, SIG_IGN);",
        supply=(r"get\(fd()", r"put\(fd()",
                'MUST((@fk = open(@ff, O_RDWR)) >= 0 && write(@fk, "aaaaaaaa", $s) == $s);'),
        final="remove_folder(@fd, @ff, @fg);",
        blocks=[
            (3, "{\nint fd = open(PATH(@ff), O_WRONLY);\nSEE(put(fd, '$c', 1));\nclose(fd);\n}"),
            (3, "{\nint fd = open(PATH(@ff), O_RDONLY);\nSEE(get(fd, 1));\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@ff), O_RDONLY | O_NONBLOCK);\nSEE(get(fd, 1));\n...\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@ff), O_RDWR);\nSEE(put(fd, '$c', 1));\n...\nSEE(get(fd, 1));\nclose(fd);\n}"),
        ],
    ),
    "queue": Feature(
        objects="static int @mq;",
        setup="@mq = make_queue();",
        supply=(r"take_message\(.*, false\)()|take_message\(.*, true\)()", r"send_message()",
                "for (int i = 0; i < $s; i++) send_message(@mq, 'a', 0);"),
        blocks=[
            (3, "SEE(send_message(number(&@mq), '$c', $b));"),
            (3, "SEE(take_message(number(&@mq), false));"),
            (2, "SEE(take_message(number(&@mq), true));"),
        ],
    ),
    "clock": Feature(
        objects="static _Alignas(64) atomic_llong @ct[2];",
        blocks=[
            (3, "atomic_store(&@ct[$b], now(CLOCK_MONOTONIC));"),
            (3, "SEE(atomic_load(&@ct[0]) < now(CLOCK_MONOTONIC) ? 1 : 0);"),
            (2, "SEE(atomic_load(&@ct[0]) < atomic_load(&@ct[1]) ? 1 : 0);"),
        ],
    ),
    "robust": Feature(
        objects="static pthread_mutex_t @rm;",
        setup="make_robust(&@rm);",
        blocks=[
            (3, "SEE(lock_robust(&@rm));\n...\nSEE(error(pthread_mutex_unlock(&@rm)));"),
            (2, "{\nint got = try_robust(&@rm);\nSEE(got);\n...\nif (got < 2)\npthread_mutex_unlock(&@rm);\n}"),
            (1, "SEE(lock_robust(&@rm));", "oz"),
        ],
    ),
    "barrier": Feature(
        objects="static pthread_barrier_t @ba;",
        setup="pthread_barrier_init(&@ba, NULL, 1 + $b);",
        blocks=[
            (1, "SEE(pthread_barrier_wait(&@ba) != 0);"),
        ],
    ),
    "locks": Feature(
        objects="static char @ld[16], @la[32], @lb[32];",
        setup="make_folder(@ld, @la, @lb); touch(@la, O_CREAT | O_RDWR);",
        final="remove_folder(@ld, @la, @lb);",
        blocks=[
            (3, "{\nint fd = open(PATH(@la), O_RDWR);\nSEE(code(flock(fd, LOCK_EX)));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = open(PATH(@la), O_RDWR);\nSEE(code(flock(fd, LOCK_SH)));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = open(PATH(@la), O_RDWR);\nSEE(code(flock(fd, LOCK_EX | LOCK_NB)));\n...\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@la), O_RDWR);\nstruct flock l = {.l_type = F_WRLCK};\n"
                "SEE(code(fcntl(fd, F_OFD_SETLKW, &l)));\n...\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@la), O_RDWR);\nstruct flock l = {.l_type = F_WRLCK};\n"
                "SEE(code(fcntl(fd, F_OFD_SETLK, &l)));\n...\nclose(fd);\n}"),
        ],
    ),
    "environment": Feature(
        setup='MUST(setenv("PL_V", "0", 1) == 0);',
        final='{ const char *v = getenv("PL_V"); SEE(v ? *v : 9); }',
        blocks=[
            (3, 'SEE(code(setenv("PL_V", "$n", 1)));'),
            (1, 'SEE(code(setenv("PL_V", "$n", 0)));'),
            (3, '{ const char *v = getenv("PL_V"); SEE(v ? *v : 9); }'),
            (1, 'SEE(code(unsetenv("PL_V")));'),
        ],
    ),
    "process": Feature(
        objects="static char @cd[16], @ca[32], @cb[32];",
        setup="make_folder(@cd, @ca, @cb); umask(0);",
        final='SEE(umask(0)); remove_folder(@cd, @ca, @cb);',
        blocks=[
            (3, "SEE(umask($n));"),
            (1, "{\nint fd = open(PATH(@ca), O_CREAT | O_EXCL | O_WRONLY, 0777);\nstruct stat s = {0};\n"
                "SEE(fd < 0 ? 8 : fstat(fd, &s));\nSEE(s.st_mode & 7);\nclose(fd);\n}"),
        ],
    ),
    "rand": Feature(
        setup="srand(1); srand48(1);",
        final="SEE(rand()); SEE(lrand48());",
        blocks=[
            (4, "SEE(rand());"),
            (2, "srand($n);"),
            (1, "SEE(random());"),
            (2, "SEE(lrand48());"),
            (1, "srand48($n);"),
        ],
    ),
    "input": Feature(
        objects="static FILE *@in;",
        setup='MUST((@in = tmpfile()) != NULL && fputs("abc\\nab\\nca\\n", @in) >= 0); rewind(@in);',
        blocks=[
            (4, "SEE(fgetc(file(&@in)));"),
            (2, "{ char line[4]; SEE(fgets(line, 1 + $n, file(&@in)) ? line[0] + 4 * (line[1] & 3) : 0); }"),
            (1, "SEE(ungetc('$c', file(&@in)));"),
            (1, "SEE(ftell(file(&@in)));"),
            (1, "rewind(file(&@in));"),
            (1, "{ char got[2] = {0}; SEE(fread(got, 1, 2, file(&@in))); SEE(got[0]); }"),
            (1, "flockfile(file(&@in));\nSEE(getc_unlocked(file(&@in)));\n...\nfunlockfile(file(&@in));"),
            (1, "SEE(ftrylockfile(file(&@in)) ? 9 : (funlockfile(file(&@in)), 1));"),
        ],
    ),
    "output": Feature(
        objects="static FILE *@out;",
        setup="MUST((@out = tmpfile()) != NULL);",
        final="rewind(@out); for (int i = 0; i < 8; i++) SEE(fgetc(@out));",
        blocks=[
            (3, "SEE(fputc('$c', file(&@out)));"),
            (3, "SEE(fputs(\"$c$c\", file(&@out)));"),
            (1, "SEE(fprintf(file(&@out), \"%d\", $n));"),
            (1, "SEE(fwrite(\"$c$c\", 1, 2, file(&@out)));"),
            (1, "SEE(fflush(file(&@out)));"),
            (1, "SEE(ftell(file(&@out)));"),
            (1, "flockfile(file(&@out));\nSEE(putc_unlocked('$c', file(&@out)));\n...\nfunlockfile(file(&@out));"),
        ],
    ),
    "printed": Feature(
        blocks=[
            (3, "printf(\"$c\");"),
            (2, "putchar('$c');"),
            (1, "puts(\"$c\");"),
            (1, "fflush(stdout);"),
            (1, "MUST(write(1, \"$c\", 1) == 1);"),
            (1, "dprintf(1, \"%d\", $n);"),
        ],
    ),
    "stream": Feature(
        objects="static int @sp[2];\nstatic FILE *@sr, *@sw;",
        setup="""
MUST(pipe(@sp) == 0 && (@sr = fdopen(@sp[0], "r")) && (@sw = fdopen(@sp[1], "w")));
setvbuf(@sr, NULL, _IONBF, 0);
""",
        supply=(r"fgetc()|fgets()", r"fflush\(file\(&@sw\)\)\)()|put\(number()",
                'MUST(write(@sp[1], "aaaaaaaaaaaa", $s) == $s);'),
        blocks=[
            (3, "SEE(fgetc(file(&@sr)));"),
            (1, "{ char line[4]; SEE(fgets(line, 2, file(&@sr)) ? line[0] : 0); }"),
            (2, "SEE(fputc('$c', file(&@sw)));"),
            (2, "SEE(fflush(file(&@sw)));"),
            (3, "SEE(fputc('$c', file(&@sw)) + fflush(file(&@sw)));"),
            (1, "SEE(put(number(&@sp[1]), '$c', 1));"),
        ],
    ),
    "late": Feature(
        objects="""
static pthread_mutex_t @lm;
static sem_t @ls;
static pthread_rwlock_t @lr;
static struct cell @lf[3];
""",
        blocks=[
            (2, "pthread_mutex_init(&@lm, NULL);\natomic_store(&@lf[0].value, 1);", "1"),
            (2, "if (atomic_load(&@lf[0].value)) {\npthread_mutex_lock(&@lm);\nSEE(1);\n...\npthread_mutex_unlock(&@lm);\n} else\nSEE(0);"),
            (2, "sem_init(&@ls, 0, $b);\natomic_store(&@lf[1].value, 1);", "1"),
            (2, "SEE(atomic_load(&@lf[1].value) ? code(sem_trywait(&@ls)) : 7);"),
            (1, "SEE(atomic_load(&@lf[1].value) ? code(sem_post(&@ls)) : 7);"),
            (1, "SEE(atomic_load(&@lf[1].value) ? code(sem_wait(&@ls)) : 7);"),
            (1, "pthread_rwlock_init(&@lr, NULL);\natomic_store(&@lf[2].value, 1);", "1"),
            (1, "if (atomic_load(&@lf[2].value)) {\nSEE(error(pthread_rwlock_trywrlock(&@lr)));\n} else\nSEE(1);", "1"),
            (1, "if (atomic_load(&@lf[2].value))\nSEE(error(pthread_rwlock_tryrdlock(&@lr)));"),
        ],
    ),
    "once": Feature(
        objects="""
static pthread_once_t @o = PTHREAD_ONCE_INIT;
static once_flag @of = ONCE_FLAG_INIT;
static void @init(void)
{
    atomic_fetch_add(&@x[0].value, 1);
}
""",
        blocks=[
            (3, "pthread_once(&@o, @init);"),
            (3, "pthread_once(&@o, @init);\nSEE(atomic_load(&@x[0].value));"),
            (2, "call_once(&@of, @init);\nSEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "futex": Feature(
        objects="static struct cell @w;",
        blocks=[
            (2, "SEE(futex(&@w.value, FUTEX_WAIT_PRIVATE, $b, NULL));"),
            (2, "SEE(futex(&@w.value, FUTEX_WAIT_PRIVATE, $b, &(struct timespec){.tv_nsec = 300000}));"),
            (2, "atomic_store(&@w.value, $n);\nSEE(futex(&@w.value, FUTEX_WAKE_PRIVATE, $n, NULL));"),
            (1, "SEE(futex(&@w.value, FUTEX_WAKE_PRIVATE, $n, NULL));"),
            (1, "atomic_store(&@w.value, $b);"),
        ],
    ),
    "keys": Feature(
        objects="""
static pthread_key_t @k;
static int @kn[8];
static void @gone(void *value)
{
    atomic_fetch_add(&@x[1].value, (int)(intptr_t)value);
}
""",
        setup="MUST(pthread_key_create(&@k, @gone) == 0); free_keys(@kn);",
        blocks=[
            (2, "SEE(error(pthread_setspecific(key(&@k), (void *)$n)));"),
            (1, "SEE((uintptr_t)pthread_getspecific(key(&@k)));"),
            (3, "{\npthread_key_t k;\nMUST(pthread_key_create(&k, NULL) == 0);\nSEE(index_of(@kn, (int)k));\n...\n"
                "pthread_key_delete(k);\n}"),
        ],
    ),
    "neighbours": Feature(
        objects="static _Alignas(8) atomic_int @ni[2];\nstatic char @nc[4];",
        final="SEE(@ni[0]); SEE(@ni[1]);",
        blocks=[
            (2, "SEE(atomic_load(&@ni[$b]));"),
            (2, "SEE(atomic_fetch_add(&@ni[$b], $n));"),
            (1, "SEE(@nc[$n]);"),
            (1, "@nc[$n] = $n;"),
        ],
    ),
    "timed": Feature(
        objects="""
static pthread_cond_t @c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t @rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t @s;
""",
        setup="sem_init(&@s, 0, $b);",
        blocks=[
            (2, "if (pthread_mutex_timedlock(&@m, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_mutex_unlock(&@m);\n} else\nSEE(0);"),
            (1, "if (pthread_mutex_clocklock(&@m, CLOCK_MONOTONIC, SOON(MONOTONIC)) == 0) {\nSEE(1);\n...\n"
                "pthread_mutex_unlock(&@m);\n} else\nSEE(0);"),
            (2, "SEE(code(sem_timedwait(&@s, SOON(REALTIME))));"),
            (1, "SEE(code(sem_clockwait(&@s, CLOCK_MONOTONIC, SOON(MONOTONIC))));"),
            (2, "sem_post(&@s);"),
            (2, "pthread_mutex_lock(&@m);\nSEE(error(pthread_cond_timedwait(&@c, &@m, SOON(REALTIME))));\npthread_mutex_unlock(&@m);"),
            (2, "pthread_cond_signal(&@c);"),
            (1, "if (pthread_rwlock_timedrdlock(&@rw, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rw);\n} else\nSEE(0);"),
            (1, "if (pthread_rwlock_timedwrlock(&@rw, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rw);\n} else\nSEE(0);"),
            (1, "SEE(code(usleep(100)));"),
            (1, "SEE(code(nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL)));"),
        ],
    ),
    "rwlock": Feature(
        objects="static pthread_rwlock_t @rk;",
        setup="""
pthread_rwlockattr_t a;
pthread_rwlockattr_init(&a);
pthread_rwlockattr_setkind_np(&a, $b * PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
MUST(pthread_rwlock_init(&@rk, &a) == 0);
""",
        blocks=[
            (2, "pthread_rwlock_rdlock(&@rk);\n...\npthread_rwlock_unlock(&@rk);", "r"),
            (2, "pthread_rwlock_wrlock(&@rk);\n...\npthread_rwlock_unlock(&@rk);", "r"),
            (2, "if (pthread_rwlock_tryrdlock(&@rk) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rk);\n} else\nSEE(0);", "r"),
            (1, "if (pthread_rwlock_trywrlock(&@rk) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rk);\n} else\nSEE(0);", "r"),
            (1, "if (pthread_rwlock_timedrdlock(&@rk, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rk);\n} else\nSEE(0);", "r"),
        ],
    ),
    "cancel": Feature(
        objects="""
static sem_t @cs;
static pthread_cond_t @cc = PTHREAD_COND_INITIALIZER;
static void @cleanup(void *arg)
{
    (void)arg;
    atomic_fetch_add(&@x[1].value, 1);
}
static void @unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}
""",
        setup="sem_init(&@cs, 0, $b);",
        wrap=("pthread_cleanup_push(@cleanup, NULL);", "pthread_cleanup_pop(0);"), cancels=True,
        blocks=[
            (6, "SEE(error(pthread_cancel(@T[$t])));", "m"),
            (1, "pthread_testcancel();"),
            (2, "SEE(code(sem_wait(&@cs)));"),
            (2, "sem_post(&@cs);"),
            (1, "usleep(10);"),
            (1, "pthread_mutex_lock(&@m);\npthread_cleanup_push(@unlock, &@m);\n"
                "SEE(error(pthread_cond_timedwait(&@cc, &@m, SOON(REALTIME))));\npthread_cleanup_pop(1);"),
            (1, "pthread_cond_signal(&@cc);"),
            (1, "{\nint old;\npthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);\n...\npthread_setcancelstate(old, &old);\n}"),
        ],
    ),
    "exit": Feature(
        objects="""
static void @bye(void)
{
    uint64_t seen = 1;
    SEE(atomic_load(&@x[0].value));
    D;
    SEE(atomic_load(&@x[1].value));
    print_outcome(&seen, 1);
}
""",
        by_main="atexit(@bye);\nat_quick_exit(@bye);",
        blocks=[
            (4, "exit(0);", "1z"),
            (1, "quick_exit(0);", "1z"),
            (1, "@bye();\n_exit(0);", "1z"),
            (2, "atomic_fetch_add(&@x[$b].value, $n);"),
        ],
    ),
    "signals": Feature(
        objects="""
static void @hit(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[1].value, 1);
}
static sigset_t @set;
static pthread_t @main;
static sem_t @ss;
""",
        setup="sem_init(&@ss, 0, $b);",
        by_main="""
struct sigaction act = {.sa_handler = @hit, .sa_flags = $b * SA_RESTART};
sigaction(SIGUSR1, &act, NULL);
sigemptyset(&@set);
sigaddset(&@set, SIGUSR2);
pthread_sigmask(SIG_BLOCK, &@set, NULL);
@main = pthread_self();
""",
        blocks=[
            (3, "SEE(error(pthread_kill(@T[$t], SIGUSR1)));", "m"),
            (2, "SEE(error(pthread_kill(@T[$t], SIGUSR2)));", "m"),
            (3, "SEE(error(pthread_kill(handle(&@main), SIGUSR1)));", "o"),
            (2, "SEE(error(pthread_kill(handle(&@main), SIGUSR2)));", "o"),
            (1, "raise(SIGUSR1);"),
            (1, "SEE(code(kill(getpid(), SIGUSR2)));"),
            (2, "SEE(atomic_load(&@x[1].value));"),
            (1, "{ sigset_t set; int got = 0; sigemptyset(&set); sigaddset(&set, SIGUSR2); SEE(error(sigwait(&set, &got))); SEE(got); }"),
            (1, "{ sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR2); "
                "SEE(code(sigtimedwait(&set, NULL, &(struct timespec){0}))); }"),
            (1, "{ sigset_t set; sigpending(&set); SEE(sigismember(&set, SIGUSR2)); }"),
            (1, "{\nsigset_t set, old;\nsigemptyset(&set);\nsigaddset(&set, SIGUSR1);\npthread_sigmask(SIG_BLOCK, &set, &old);\n"
                "...\npthread_sigmask(SIG_SETMASK, &old, NULL);\n}"),
            (2, "SEE(code(sem_wait(&@ss)));"),
            (1, "sem_post(&@ss);"),
            (1, "SEE(code(usleep(200)));"),
        ],
    ),
    "copies": Feature(
        objects="static char @buf[16] = \"ccccccccccccccc\";",
        final="SEE(@buf[0]); SEE(@buf[8]);",
        blocks=[
            (2, "memcpy(@buf, (char[16]){\"$c$c$c$c$c$c$c$c$c$c$c$c$c$c$c\"}, 16);"),
            (2, "{ char copy[16]; memcpy(copy, @buf, 16); SEE(copy[0]); SEE(copy[8]); }"),
            (1, "memset(@buf, '$c', 15);"),
            (2, "strcpy(@buf, \"$c$c$c\");"),
            (1, "SEE(strlen(@buf));"),
            (1, "snprintf(@buf, sizeof(@buf), \"%d%d\", $n, $n);"),
            (1, "SEE(atoi(@buf));"),
            (1, "SEE(strcmp(@buf, \"b\") < 0);"),
            (1, "{ char copy[32]; snprintf(copy, sizeof(copy), \"%s\", @buf); SEE(copy[0]); SEE(strlen(copy)); }"),
        ],
    ),
    "wide": Feature(
        objects="static struct wide @ws;\nstatic unsigned __int128 @wi;",
        final="SEE(@ws.a); SEE(@ws.d); SEE((uint64_t)@wi); SEE((uint64_t)(@wi >> 64));",
        blocks=[
            (2, "@ws = (struct wide){$n, $n, $n, $n};"),
            (2, "{ struct wide copy = @ws; SEE(copy.a); SEE(copy.b); SEE(copy.d); }"),
            (2, "@wi = (unsigned __int128)$n << 64 | $n;"),
            (2, "{ unsigned __int128 copy = @wi; SEE((uint64_t)copy); SEE((uint64_t)(copy >> 64)); }"),
        ],
    ),
    "atomics": Feature(
        objects="static _Atomic uint8_t @a1[2];\nstatic _Atomic uint16_t @a2[2];\nstatic _Atomic uint64_t @a8;",
        final="SEE(@a1[0]); SEE(@a1[1]); SEE(@a2[0]); SEE(@a2[1]); SEE(@a8);",
        blocks=[
            (2, "atomic_fetch_add(&@a1[$b], $n);"),
            (2, "SEE(atomic_fetch_add(&@a1[$b], $n) == $n);"),
            (2, "SEE(atomic_fetch_or(&@a2[$b], $n));"),
            (1, "if (atomic_fetch_sub(&@a2[$b], 1) & 1)\nSEE(1);"),
            (2, "SEE(atomic_exchange(&@a8, $n));"),
            (1, "atomic_fetch_xor(&@a8, $n);"),
            (2, "{ uint64_t e = $n; SEE(atomic_compare_exchange_strong(&@a8, &e, $n)); SEE(e); }"),
            (1, "{ uint8_t e = 0; atomic_compare_exchange_strong(&@a1[$b], &e, $n); }"),
            (1, "SEE(atomic_fetch_add(&@a2[$b], $n) + $n);"),
        ],
    ),
    "fields": Feature(
        objects="static struct { unsigned a : 3, b : 5; unsigned char c; unsigned d : 12; } @bf;",
        final="SEE(@bf.a); SEE(@bf.b); SEE(@bf.c); SEE(@bf.d);",
        racy=True,
        blocks=[
            (2, "@bf.a = $n;"),
            (2, "@bf.b = $n;"),
            (1, "@bf.c = $n;"),
            (2, "@bf.d += $n;"),
            (2, "SEE(@bf.a);"),
            (1, "SEE(@bf.b + @bf.d);"),
        ],
    ),
    "values": Feature(
        objects="""
struct @pair { int a, b; };
struct @five { short s[5]; };
static struct @pair @vp;
static struct @five @vf;
static __attribute__((noinline)) struct @pair @turned(struct @pair p)
{
    return (struct @pair){p.b, p.a};
}
static __attribute__((noinline)) uint64_t @sum(struct @five f)
{
    return (uint64_t)(f.s[0] + 4 * f.s[4]);
}
""",
        final="SEE(@vp.a); SEE(@vp.b); SEE(@sum(@vf));",
        racy=True,
        blocks=[
            (2, "@vp = (struct @pair){$n, $n};"),
            (2, "@vp = @turned(@vp);"),
            (1, "{ struct @pair copy = @turned(@vp); SEE(copy.a); SEE(copy.b); }"),
            (2, "@vf = (struct @five){{$n, 0, 0, 0, $n}};"),
            (2, "SEE(@sum(@vf));"),
        ],
    ),
    "moves": Feature(
        objects="static char @mv[24] = \"abcabcabcabcabcabcabcab\";",
        final="SEE(@mv[0]); SEE(@mv[9]); SEE(@mv[20]);",
        blocks=[
            (2, "memmove(@mv + $n, @mv, 12);"),
            (2, "memcpy(@mv + 12, (char[10]){\"$c$c$c$c$c$c$c$c$c\"}, 10);"),
            (1, "memset(@mv + $n, '$c', 9);"),
            (1, "{ char copy[24]; SEE(*((char *)mempcpy(copy, @mv, 20) - 1)); }"),
            (1, "{ char copy[24] = {0}; memccpy(copy, @mv, '$c', 20); SEE(copy[0]); SEE(copy[8]); }"),
            (1, "SEE(memcmp(@mv, @mv + 9, 9) < 0);"),
            (1, "SEE(memchr(@mv, '$c', 20) != NULL);"),
        ],
    ),
    "texts": Feature(
        objects="static char @tx[16] = \"1\", @ty[16] = \"2\";\nstatic wchar_t @tw[8] = L\"1\";",
        final="SEE(strlen(@tx)); SEE(@ty[0]);",
        blocks=[
            (3, "@tx[$n] = '$n';"),
            (1, "@tx[$n] = 0;"),
            (2, "@ty[$n] = '$n';"),
            (1, "@tw[$n] = L'$n';"),
            (1, "{ char copy[40]; SEE(sprintf(copy, \"%s-%s\", @tx, @ty)); SEE(copy[1] & 7); }"),
            (1, "SEE(strncmp(@tx, \"12\", $n) != 0);"),
            (1, "SEE(strnlen(@tx, 3));"),
            (1, "SEE(wcslen(@tw));"),
            (1, "SEE(strcmp(@tx, @ty) < 0);"),
            (1, "{ char *copy = strndup(@tx, 3); SEE(strlen(copy)); free(copy); }"),
            (1, "printf(\"%s%s\", @tx, @ty);"),
            (1, "puts(@tx);"),
        ],
    ),
    "detached": Feature(
        objects="""
static void *@apart(void *arg)
{
    atomic_fetch_add(&@x[0].value, (int)(intptr_t)arg);
    return NULL;
}
static sem_t @ds;
static int @dn;
static void *@alone(void *arg)
{
    @apart(arg);
    sem_post(&@ds);
    return NULL;
}
""",
        setup="sem_init(&@ds, 0, 0);",
        final="if (@dn) sem_wait(&@ds);",  # what main sees in the end is no operation: all others are over by then
        blocks=[
            (2, "{\npthread_t d;\nMUST(pthread_create(&d, NULL, @alone, (void *)$n) == 0);\npthread_detach(d);\n@dn = 1;\n}", "1"),
            (1, "{\npthread_t d;\nMUST(pthread_create(&d, NULL, @apart, (void *)$n) == 0);\n...\npthread_join(d, NULL);\n}", "1"),
            (2, "SEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "sixteen": Feature(
        objects="static _Alignas(16) unsigned __int128 @sx;",
        final="SEE((uint64_t)@sx); SEE((uint64_t)(@sx >> 64));",
        blocks=[
            (2, "__atomic_store_n(&@sx, (unsigned __int128)$n << 64 | $n, __ATOMIC_SEQ_CST);"),
            (2, "{ unsigned __int128 v = __atomic_load_n(&@sx, __ATOMIC_SEQ_CST); SEE((uint64_t)v); SEE((uint64_t)(v >> 64)); }"),
            (2, "SEE((uint64_t)(__atomic_fetch_add(&@sx, (unsigned __int128)1 << 64, __ATOMIC_SEQ_CST) >> 64));"),
            (1, "__atomic_fetch_add(&@sx, $n, __ATOMIC_SEQ_CST);"),
            (1, "{ unsigned __int128 e = $n; SEE(__atomic_compare_exchange_n(&@sx, &e, $n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));"
                " SEE((uint64_t)e); }"),
        ],
    ),
    "teams": Feature(
        objects="""
static atomic_int @tn, @ts;
static void *@member(void *arg)
{
    atomic_fetch_add(&@x[atomic_fetch_add(&@tn, 1) & 1].value, (int)(intptr_t)arg);
    return NULL;
}
static pthread_barrier_t @tb;
static void *@phase(void *arg)
{
    atomic_fetch_add(&@ts, 1);
    pthread_barrier_wait(&@tb);
    return (void *)(intptr_t)atomic_load(&@ts);
}
""",
        setup="pthread_barrier_init(&@tb, NULL, 2);",
        blocks=[
            (1, "{\npthread_t d;\nMUST(pthread_create(&d, NULL, @member, (void *)$n) == 0);\n@member((void *)$n);\npthread_join(d, NULL);\n}", "1"),
            (1, "{\npthread_t d;\nvoid *r;\nMUST(pthread_create(&d, NULL, @phase, NULL) == 0);\nSEE((intptr_t)@phase(NULL));\n"
                "pthread_join(d, &r);\nSEE((intptr_t)r);\n}", "1"),
            (2, "SEE(atomic_fetch_add(&@ts, 1));"),
            (1, "SEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "timers": Feature(
        objects="""
static sem_t @ti, @ta;
static int @tf;
static void @ring(union sigval value)
{
    atomic_fetch_add(&@x[0].value, value.sival_int);
    sem_post(&@ti);
}
static void @rung(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[1].value, 1);
    sem_post(&@ta);
}
""",
        by_main="signal(SIGALRM, @rung);\nblock_signal(SIGRTMIN);",
        setup="sem_init(&@ti, 0, 0);\nsem_init(&@ta, 0, 0);\nMUST((@tf = timerfd_create(CLOCK_MONOTONIC, 0)) >= 0);",
        blocks=[
            (2, "{\ntimer_t t = start_timer(SIGEV_THREAD, 0, @ring, $n);\n...\nSEE(code(sem_wait(&@ti)));\ntimer_delete(t);\n}", "g"),
            (2, "{\ntimer_t t = start_timer(SIGEV_SIGNAL, SIGRTMIN, NULL, $n);\n...\nSEE(wait_for_timer(SIGRTMIN));\ntimer_delete(t);\n}", "g"),
            (1, "{\ntimer_t t = start_timer(SIGEV_SIGNAL, SIGRTMIN, NULL, $n);\n...\nSEE(gone_off(t));\ntimer_delete(t);\nSEE(take_signal(SIGRTMIN));\n}", "g"),
            (1, "set_alarm();\n...\nSEE(code(wait_on(&@ta)));", "g"),
            (2, "set_timerfd(number(&@tf));\n...\nSEE(take_event(number(&@tf)));", "g"),
            (1, "SEE(ready(number(&@tf), 0));"),
            (1, "SEE(atomic_load(&@x[$b].value));"),
        ],
        large=True,
    ),
    "plusplus": Feature(
        blocks=[
            (2, "SEE(cxx_static(&@x[$b].value));"),
            (1, "SEE(cxx_static_fails(&@x[$b].value));"),
            (2, "SEE(cxx_call_once(&@x[$b].value));"),
            (2, "SEE(cxx_call_once_fails(&@x[$b].value));"),
            (1, "SEE(cxx_throw(&@x[$b].value, $n));"),
            (1, "SEE(cxx_lock_and_throw(&@x[$b].value, $n));"),
            (1, "SEE(cxx_per_thread(&@x[$b].value));"),
            (1, "SEE(cxx_shared(&@x[$b].value));"),
            (1, "cxx_set_promise($n);", "1"),
            (1, "SEE(cxx_has_value());"),
            (1, "SEE(atomic_load(&@x[$b].value));"),
        ],
        plusplus=True,
    ),
    "actions": Feature(
        objects="""
static void @one(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[0].value, 1);
}
static void @two(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[0].value, 2);
}
static pthread_t @am;
""",
        by_main="signal(SIGUSR1, @one);\n@am = pthread_self();",
        blocks=[
            (2, "signal(SIGUSR1, @two);"),
            (1, "signal(SIGUSR1, SIG_IGN);"),
            (1, "signal(SIGUSR1, @one);"),
            (3, "SEE(error(pthread_kill(handle(&@am), SIGUSR1)));", "o"),
            (3, "SEE(error(pthread_kill(@T[$t], SIGUSR1)));", "m"),
            (1, "raise(SIGUSR1);"),
            (2, "SEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "suspends": Feature(
        objects="""
static void @woke(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[1].value, 1);
}
static pthread_t @sm;
static int @sf;
""",
        by_main="signal(SIGUSR1, @woke);\nblock_signal(SIGUSR2);\nsignal(SIGUSR2, @woke);\n@sm = pthread_self();",
        setup="MUST((@sf = watch_signal(SIGUSR2)) >= 0);",
        blocks=[
            (3, "SEE(error(pthread_kill(handle(&@sm), SIGUSR1)));", "o"),
            (3, "SEE(error(pthread_kill(handle(&@sm), SIGUSR2)));", "o"),
            (2, "SEE(error(pthread_kill(@T[$t], SIGUSR1)));", "m"),
            (2, "SEE(error(pthread_kill(@T[$t], SIGUSR2)));", "m"),
            (2, "SEE(code(suspend_for(SIGUSR2)));"),
            (1, "SEE(code(pause()));"),
            (2, "SEE(watched(number(&@sf)));"),
            (1, "SEE(ready(number(&@sf), 0));"),
            (1, "SEE(poll_for(SIGUSR2));"),
            (2, "SEE(atomic_load(&@x[1].value));"),
        ],
    ),
    "flags": Feature(
        objects="static int @fl[2], @fo;",
        setup="""
MUST(pipe(@fl) == 0 && (@fo = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0);
MUST(write(@fo, "abc", 3) == 3 && lseek(@fo, 0, SEEK_SET) == 0);
""",
        final="SEE(fcntl(@fl[0], F_GETFL) & O_NONBLOCK ? 1 : 0); for (int i = 0; i < 6; i++) SEE(get_at(@fo, i));",
        blocks=[
            (3, "SEE(code(fcntl(number(&@fl[0]), F_SETFL, O_NONBLOCK)));"),
            (1, "SEE(code(fcntl(number(&@fl[0]), F_SETFL, 0)));"),
            (1, "SEE(fcntl(number(&@fl[0]), F_GETFL) & O_NONBLOCK ? 1 : 0);"),
            (3, "SEE(get(number(&@fl[0]), 1));"),
            (2, "SEE(put(number(&@fl[1]), '$c', 1));"),
            (2, "SEE(code(fcntl(number(&@fo), F_SETFL, $b * O_APPEND)));"),
            (2, "SEE(put(number(&@fo), '$c', 1));"),
            (1, "SEE(code(dup2(number(&@fl[$b]), number(&@fo))) > 7);", "1"),
            (1, "SEE(fcntl(number(&@fo), F_GETFD) & FD_CLOEXEC);"),
            (1, "SEE(code(fcntl(number(&@fo), F_SETFD, FD_CLOEXEC)));"),
        ],
    ),
    "folder": Feature(
        objects="static char @wd[16], @wa[32], @wb[32];\nstatic int @wh;",
        setup="""
make_folder(@wd, @wa, @wb);
MUST(mkdir(@wa, 0700) == 0 && mkdir(@wb, 0700) == 0);
MUST((@wh = open(".", O_RDONLY | O_DIRECTORY)) >= 0 && chdir(@wa) == 0);
""",
        final='SEE(last_of_folder()); MUST(fchdir(@wh) == 0); remove_in(@wa); remove_in(@wb); remove_in(@wd); remove_folder(@wd, @wa, @wb);',
        blocks=[
            (3, 'SEE(code(chdir("a")));'),
            (1, 'SEE(code(chdir("../b")));'),
            (2, 'SEE(code(chdir("..")));', "1"),
            (2, "SEE(last_of_folder());"),
            (2, 'SEE(touch("f", O_CREAT | O_EXCL | O_WRONLY));'),
            (1, 'SEE(code(access("f", F_OK)));'),
        ],
    ),
    "mapped": Feature(
        objects="static atomic_int *@ma, *@mb, *@mp;\nstatic int @mf;",
        setup="map_twice(&@mf, &@ma, &@mb, &@mp);",
        final="SEE(*@ma); SEE(*@mp);",
        blocks=[
            (2, "SEE(atomic_load(word(&@ma)));"),
            (2, "SEE(atomic_fetch_add(word(&@mb), $n));"),
            (1, "SEE(put_at(number(&@mf), $n, 0));"),
            (1, "SEE(get_at(number(&@mf), 0));"),
            (2, "SEE(atomic_fetch_add(word(&@mp), $n));"),
            (1, "SEE(atomic_load(word(&@mp)));"),
            (2, "SEE(code(madvise(word(&@mp), 4096, MADV_DONTNEED)));"),
        ],
    ),
    "titles": Feature(
        objects="static pthread_t @na;",
        by_main='@na = pthread_self();\npthread_setname_np(@na, "0");',
        final="SEE(title_of(@na));",
        blocks=[
            (2, 'SEE(error(pthread_setname_np(handle(&@na), "$n")));'),
            (2, "SEE(title_of(handle(&@na)));"),
            (1, 'SEE(error(pthread_setname_np(pthread_self(), "$n")));'),
        ],
    ),
    "limits": Feature(
        setup="limit_cores(0);",
        final="SEE(limit_of_cores());",
        blocks=[
            (2, "SEE(code(limit_cores($n)));"),
            (2, "SEE(limit_of_cores());"),
            (1, "SEE(code(getpriority(PRIO_PROCESS, 0)));"),
        ],
    ),
}

# What programs of a seed consist of if nobody says which features.
USUAL = list(FEATURES)
