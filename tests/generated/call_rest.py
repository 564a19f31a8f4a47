# SPDX-License-Identifier: MIT
"""More features of random programs (call_blocks.py): handlers that give and take, cancellation with clean-up and destructors,
ways to end, mutexes and read-write locks of all kinds, C++20, children, records, sockets with addresses, seals, texts, floats."""

from call_blocks import Feature

# What a thread that may be cancelled does around all else.
WRAP = ("pthread_cleanup_push(@left, NULL);", "pthread_cleanup_pop(0);")
LEFT = """
static void @left(void *arg)
{
    (void)arg;
    atomic_fetch_add(&@x[1].value, 1);
}
"""

FEATURES = {
    "handlers": Feature(
        objects="""
static sem_t @hs;
static int @hp[2];
static pthread_t @hm;
static void @gives(int number_of_signal)
{
    int kept = errno;

    (void)number_of_signal;
    sem_post(&@hs);
    MUST(write(number(&@hp[1]), "a", 1) == 1);
    errno = kept;
}
""",
        by_main="""
struct sigaction give = {.sa_handler = @gives, .sa_flags = $b * SA_RESTART};
sem_init(&@hs, 0, $b);
MUST(pipe(@hp) == 0);
sigaction(SIGUSR1, &give, NULL);
@hm = pthread_self();
""",
        blocks=[
            (4, "SEE(error(pthread_kill(handle(&@hm), SIGUSR1)));", "o"),
            (4, "SEE(error(pthread_kill(@T[$t], SIGUSR1)));", "m"),
            (2, "SEE(code(sem_wait(&@hs)));"),
            (1, "SEE(code(sem_trywait(&@hs)));"),
            (2, "SEE(get(number(&@hp[0]), 1));"),
            (1, "SEE(ready(number(&@hp[0]), 0));"),
            (1, "SEE(ready(number(&@hp[0]), -1));"),
            (1, "SEE(put(number(&@hp[1]), '$c', 1));"),
            (1, "raise(SIGUSR1);"),
            (2, "{\nsigset_t set, old;\nsigemptyset(&set);\nsigaddset(&set, SIGUSR1);\npthread_sigmask(SIG_BLOCK, &set, &old);\n"
                "...\npthread_sigmask(SIG_SETMASK, &old, NULL);\n}"),
        ],
    ),
    "resets": Feature(
        objects="""
static pthread_t @rem;
static void @first(int number_of_signal)
{
    atomic_fetch_add(&@x[0].value, number_of_signal == SIGURG ? 1 : 2);
    if (number_of_signal == SIGURG)
        atomic_fetch_add(&@x[1].value, 1);
}
""",
        by_main="""
struct sigaction reset = {.sa_handler = @first, .sa_flags = SA_RESETHAND | $b * SA_NODEFER};
sigaction(SIGURG, &reset, NULL);
reset.sa_flags = 0;
sigaddset(&reset.sa_mask, SIGURG);
sigaction(SIGWINCH, &reset, NULL);
@rem = pthread_self();
""",
        blocks=[
            (3, "SEE(error(pthread_kill(handle(&@rem), SIGURG)));", "o"),
            (2, "SEE(error(pthread_kill(handle(&@rem), SIGWINCH)));", "o"),
            (3, "SEE(error(pthread_kill(@T[$t], SIGURG)));", "m"),
            (1, "SEE(error(pthread_kill(@T[$t], SIGWINCH)));", "m"),
            (1, "raise(SIGURG);"),
            (1, "{ struct sigaction now; sigaction(SIGURG, NULL, &now); SEE(now.sa_handler == @first); }"),
            (2, "SEE(atomic_load(&@x[$b].value));"),
        ],
    ),
    "jumps": Feature(
        objects="""
static sigjmp_buf @jb;
static pthread_t @jm;
static int @jp[2], @jr;
static void @leap(int number_of_signal)
{
    (void)number_of_signal;
    siglongjmp(@jb, 1);
}
""",
        by_main="signal(SIGIO, @leap);\nblock_signal(SIGIO);\nMUST(pipe(@jp) == 0);\n@jm = pthread_self();",
        blocks=[
            (3, "SEE(error(pthread_kill(handle(&@jm), SIGIO)));", "o"),
            (1, "SEE(put(number(&@jp[1]), '$c', 1));", "o"),
            (2, "if (sigsetjmp(@jb, 1) == 0) {\nallow_signal(SIGIO);\n@jr = get(number(&@jp[0]), 1);\nblock_signal(SIGIO);\n} else\n@jr = 8;\nSEE(@jr);", "m"),
            (2, "if (sigsetjmp(@jb, 1) == 0) {\nallow_signal(SIGIO);\natomic_fetch_add(&@x[0].value, $n);\nblock_signal(SIGIO);\n@jr = 7;\n"
                "} else\n@jr = 8;\nSEE(@jr);", "m"),
            (1, "SEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "unwinds": Feature(
        objects=LEFT + """
static pthread_key_t @uk;
static void @freed(void *value)
{
    atomic_fetch_add(&@x[0].value, (int)(intptr_t)value);
}
static void *@idle(void *arg)
{
    atomic_fetch_add(&@x[0].value, 1);
    return arg;
}
static int @up[2];
static sem_t @us;
static pthread_cond_t @uc = PTHREAD_COND_INITIALIZER;
static void @give_back(void *arg)
{
    pthread_mutex_unlock(arg);
}
""",
        setup="MUST(pthread_key_create(&@uk, @freed) == 0 && pipe(@up) == 0);\nsem_init(&@us, 0, $b);",
        wrap=WRAP, cancels=True,
        blocks=[
            (5, "SEE(error(pthread_cancel(@T[$t])));", "m"),
            (2, "pthread_setspecific(key(&@uk), (void *)$n);"),
            (1, "SEE(put(number(&@up[1]), '$c', 1));"),
            (1, "SEE(ready(number(&@up[0]), -1));"),
            (1, "SEE(get(number(&@up[0]), 1));"),
            (1, "{\npthread_t d;\nMUST(pthread_create(&d, NULL, @idle, NULL) == 0);\npthread_join(d, NULL);\n}", "1"),
            (2, "pthread_mutex_lock(&@m);\npthread_cleanup_push(@give_back, &@m);\nSEE(error(pthread_cond_wait(&@uc, &@m)));\npthread_cleanup_pop(1);"),
            (1, "pthread_cond_broadcast(&@uc);"),
            (1, "sem_post(&@us);"),
            (1, "pthread_exit(PTHREAD_CANCELED);", "oz"),
            (1, "{\nint old;\npthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);\nSEE(old);\npthread_testcancel();\npthread_setcanceltype(old, &old);\n}"),
            (2, "SEE(cxx_wait(&@us, &@x[$b].value));"),
        ],
        plusplus=True,
    ),
    "leaving": Feature(
        objects="""
static void @farewell(void)
{
    uint64_t seen = 1;
    SEE(atomic_load(&@x[0].value));
    D;
    SEE(atomic_load(&@x[1].value));
    print_outcome(&seen, 1);
}
static void @adds(void)
{
    atomic_fetch_add(&@x[0].value, 1);
}
""",
        by_main="atexit(@farewell);",
        blocks=[
            (3, "pthread_exit(NULL);", "mz"),
            (2, "exit(0);", "1oz"),
            (2, "atexit(@adds);"),
            (3, "SEE(atomic_fetch_add(&@x[$b].value, $n));"),
        ],
    ),
    "kinds": Feature(
        objects="static pthread_mutex_t @ka, @kb;",
        setup="make_kind(&@ka, $n);\nmake_kind(&@kb, $n + $n);",
        blocks=[
            (3, "pthread_mutex_lock(&@ka);\n...\npthread_mutex_unlock(&@ka);"),
            (2, "if (pthread_mutex_trylock(&@ka) == 0) {\nSEE(1);\n...\npthread_mutex_unlock(&@ka);\n} else\nSEE(0);"),
            (3, "pthread_mutex_lock(&@kb);\n...\npthread_mutex_unlock(&@kb);"),
            (2, "if (pthread_mutex_timedlock(&@kb, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_mutex_unlock(&@kb);\n} else\nSEE(0);"),
        ],
    ),
    "readers": Feature(
        objects="static pthread_rwlock_t @rdl;",
        setup="make_rwlock(&@rdl, $n);",
        blocks=[
            (2, "read_twice(&@rdl);\n...\npthread_rwlock_unlock(&@rdl);\npthread_rwlock_unlock(&@rdl);"),
            (3, "pthread_rwlock_wrlock(&@rdl);\n...\npthread_rwlock_unlock(&@rdl);"),
            (1, "if (pthread_rwlock_timedwrlock(&@rdl, SOON(REALTIME)) == 0) {\nSEE(1);\n...\npthread_rwlock_unlock(&@rdl);\n} else\nSEE(0);"),
            (1, "if (pthread_rwlock_clockrdlock(&@rdl, CLOCK_MONOTONIC, SOON(MONOTONIC)) == 0) {\nSEE(1);\n"
                "...\npthread_rwlock_unlock(&@rdl);\n} else\nSEE(0);"),
            (1, "pthread_rwlock_rdlock(&@rdl);\nSEE(error(pthread_rwlock_tryrdlock(&@rdl)) ? 9 : (pthread_rwlock_unlock(&@rdl), 1));\n"
                "...\npthread_rwlock_unlock(&@rdl);"),
        ],
    ),
    "barriers": Feature(
        objects="static pthread_barrier_t @bas;",
        setup="pthread_barrier_init(&@bas, NULL, 2);",
        blocks=[
            (3, "SEE(pthread_barrier_wait(&@bas) != 0);"),
            (2, "SEE(atomic_fetch_add(&@x[$b].value, 1));"),
        ],
    ),
    "twenty": Feature(
        blocks=[
            (2, "SEE(cxx_latch(&@x[$b].value));"),
            (1, "SEE(cxx_latch_open());"),
            (2, "SEE(cxx_take_token());"),
            (1, "SEE(cxx_try_token());"),
            (2, "cxx_give_token();"),
            (2, "SEE(cxx_wait_for_change(&@x[$b].value));"),
            (2, "cxx_change(&@x[$b].value, $n);"),
            (2, "SEE(cxx_stoppable(&@x[$b].value));"),
            (1, "SEE(cxx_read_shared(&@x[$b].value));"),
            (1, "SEE(cxx_write_shared(&@x[$b].value));"),
            (2, "SEE(cxx_wait_any($b));"),
            (2, "cxx_tell_any();"),
            (1, "SEE(cxx_swap_shared($n));"),
        ],
        plusplus=True, large=True,
    ),
    "families": Feature(
        objects="""
static void @prepared(void)
{
    atomic_fetch_add(&@x[0].value, 1);
}
static void @mourn(int number_of_signal)
{
    (void)number_of_signal;
    atomic_fetch_add(&@x[1].value, 1);
}
""",
        by_main="pthread_atfork(@prepared, NULL, NULL);\nsignal(SIGCHLD, $b ? @mourn : SIG_DFL);",
        blocks=[
            (3, "SEE(status_of(child_with($n)));"),
            (1, "{\npid_t child = child_with($n);\n...\nSEE(status_of(child));\n}"),
            (1, "{\npid_t child = child_with($n);\nsiginfo_t info;\nSEE(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));\n...\nSEE(status_of(child));\n}"),
            (1, "SEE(waitpid(-1, NULL, WNOHANG) > 0 ? 1 : error(errno));"),
            (2, "SEE(atomic_load(&@x[$b].value));"),
        ],
        large=True,
    ),
    "records": Feature(
        objects="static char @rcd[16], @rca[32], @rcb[32];",
        setup="make_folder(@rcd, @rca, @rcb); touch(@rca, O_CREAT | O_RDWR);",
        final="remove_folder(@rcd, @rca, @rcb);",
        blocks=[
            (2, "{\nint fd = open(PATH(@rca), O_RDWR);\nSEE(code(lockf(fd, F_TLOCK, 1)));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = open(PATH(@rca), O_RDWR);\nSEE(code(flock(fd, LOCK_SH | LOCK_NB)));\n...\nSEE(code(flock(fd, LOCK_EX | LOCK_NB)));\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@rca), O_RDWR);\nSEE(code(flock(fd, LOCK_EX | LOCK_NB)));\n...\nflock(fd, LOCK_UN);\nclose(fd);\n}"),
            (2, "{\nint fd = open(PATH(@rca), O_RDWR);\nSEE(record_lock(fd, F_OFD_SETLK, F_RDLCK, $b));\n...\nSEE(record_lock(fd, F_OFD_SETLK, F_WRLCK, $b));\nclose(fd);\n}"),
            (1, "{\nint fd = open(PATH(@rca), O_RDWR);\nSEE(record_lock(fd, F_OFD_GETLK, F_WRLCK, $b));\nclose(fd);\n}"),
        ],
    ),
    "addresses": Feature(
        objects="static int @adl;",
        setup="@adl = make_listener();",
        supply=(r"accept4\(()", r"connected\(()", "for (int i = 0; i < $s; i++) connected(@adl);"),
        blocks=[
            (3, "{\nint fd = socket(AF_UNIX, SOCK_DGRAM, 0);\nSEE(bind_name(fd, '$c'));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = socket(AF_UNIX, SOCK_DGRAM, 0);\nSEE(send_to_name(fd, '$c'));\nclose(fd);\n}"),
            (2, "{\nint fd = socket(AF_UNIX, SOCK_DGRAM, 0);\nSEE(bind_name(fd, 'a'));\n...\nSEE(receive(fd, MSG_DONTWAIT));\nclose(fd);\n}"),
            (1, "{\nint fd = connected(number(&@adl));\n...\nclose(fd);\n}"),
            (2, "{\nint fd = accept4(number(&@adl), NULL, NULL, SOCK_NONBLOCK);\nSEE(fd < 0);\nclose(fd);\n}", "m"),
        ],
        large=True,
    ),
    "delays": Feature(
        objects="static int @dep[2];",
        setup="MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, @dep) == 0);\nlimit_wait(@dep[1]);",
        blocks=[
            (3, "SEE(transmit(number(&@dep[0]), '$c'));"),
            (3, "SEE(receive(number(&@dep[1]), 0));"),
            (1, "SEE(get(number(&@dep[1]), $n));"),
            (1, "SEE(code(shutdown(number(&@dep[1]), SHUT_RD)));", "1"),
            (1, "SEE(code(shutdown(number(&@dep[0]), SHUT_RDWR)));", "1"),
            (1, "SEE(receive(number(&@dep[0]), MSG_DONTWAIT));"),
            (1, "SEE(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, SOON(MONOTONIC), NULL));"),
        ],
    ),
    "seals": Feature(
        objects="static int @sea;",
        setup='MUST((@sea = memfd_create("s", MFD_ALLOW_SEALING)) >= 0 && write(@sea, "ab", 2) == 2);',
        final="SEE(fcntl(@sea, F_GET_SEALS)); SEE(get_at(@sea, 0)); SEE(lseek(@sea, 0, SEEK_END));",
        blocks=[
            (2, "SEE(code(fcntl(number(&@sea), F_ADD_SEALS, F_SEAL_WRITE)));"),
            (1, "SEE(code(fcntl(number(&@sea), F_ADD_SEALS, F_SEAL_GROW)));"),
            (1, "SEE(fcntl(number(&@sea), F_GET_SEALS));"),
            (2, "SEE(put_at(number(&@sea), '$c', 0));"),
            (2, "SEE(code(ftruncate(number(&@sea), $n)));"),
            (1, "SEE(get_at(number(&@sea), $b));"),
        ],
    ),
    "schedules": Feature(
        objects="static pthread_t @shm;",
        by_main="@shm = pthread_self();\nset_policy(@shm, SCHED_OTHER);",
        final="SEE(policy_of(@shm));",
        blocks=[
            (2, "SEE(set_policy(handle(&@shm), SCHED_BATCH));"),
            (1, "SEE(set_policy(handle(&@shm), SCHED_OTHER));"),
            (2, "SEE(policy_of(handle(&@shm)));"),
            (1, 'SEE(code(prctl(PR_SET_NAME, "$n")));'),
            (1, "SEE(title_of(pthread_self()));"),
            (1, "SEE(sched_yield());"),
        ],
    ),
    "zones": Feature(
        setup='MUST(setenv("TZ", "AAA0", 1) == 0);\ntzset();',
        blocks=[
            (3, 'SEE(code(setenv("TZ", "AAA-$n", 1)));'),
            (2, "tzset();"),
            (3, "{ struct tm t; localtime_r(&(time_t){0}, &t); SEE(t.tm_hour); }"),
            (1, 'SEE(code(putenv((char *)"TZ=AAA-$n")));'),
        ],
    ),
    "phrases": Feature(
        objects="static char @pha[24] = \"1 2\", @phb[8] = \"b\";\nstatic int @phn[4] = {3, 2, 1, 0};",
        final="SEE(strlen(@pha)); SEE(@pha[0]); SEE(@phn[0]); SEE(@phn[3]);",
        blocks=[
            (2, "@pha[$n - 1] = '$n';"),
            (2, "@phb[$b] = '$c';"),
            (2, "@phn[$n] = $n;"),
            (1, "pthread_mutex_lock(&@m);\nstrncpy(@pha, \"2\", 3);\npthread_mutex_unlock(&@m);"),
            (1, "pthread_mutex_lock(&@m);\nif (strlen(@pha) < 9)\nstrcat(@pha, \"$n\");\npthread_mutex_unlock(&@m);"),
            (2, "{ int a = 0, b = 0; SEE(sscanf(@pha, \"%d %d\", &a, &b)); SEE(a + b); }"),
            (1, "SEE(strtol(@pha, NULL, 10));"),
            (1, "SEE(strstr(@pha, \"2\") != NULL);"),
            (1, "SEE(strspn(@pha, \"12\"));"),
            (1, "SEE(strcasecmp(@phb, \"B\") != 0);"),
            (1, "SEE(memmem(@pha, 3, \"2\", 1) != NULL);"),
            (1, "qsort(@phn, 3, sizeof(int), rising);"),
            (1, "SEE(bsearch(&(int){$n}, @phn, 4, sizeof(int), rising) != NULL);"),
        ],
        racy=True,
    ),
    "floats": Feature(
        objects="static _Atomic double @fld;\nstatic atomic_flag @fll = ATOMIC_FLAG_INIT;\nstatic _Atomic(struct three) @flt;\nstatic atomic_bool @flb;",
        final="SEE(atomic_load(&@fld)); struct three end = atomic_load(&@flt); SEE(end.a + end.c);",
        blocks=[
            (2, "@fld += $n;"),
            (1, "SEE(atomic_load(&@fld));"),
            (2, "SEE(atomic_flag_test_and_set(&@fll));"),
            (1, "atomic_flag_clear(&@fll);"),
            (2, "atomic_store(&@flt, ((struct three){$n, 0, $n}));"),
            (2, "{ struct three t = atomic_load(&@flt); SEE(t.a); SEE(t.c); }"),
            (1, "SEE(atomic_exchange(&@flb, $b));"),
            (1, "{ bool e = $b; SEE(atomic_compare_exchange_strong(&@flb, &e, true)); SEE(e); }"),
        ],
    ),
    "listings": Feature(
        objects="static char @lid[16], @lia[32], @lib[32];\nstatic DIR *@lis;",
        setup="make_folder(@lid, @lia, @lib); touch(@lia, O_CREAT | O_RDWR);\nMUST((@lis = opendir(@lid)) != NULL);",
        final="closedir(@lis); remove_folder(@lid, @lia, @lib);",
        blocks=[
            (3, "SEE(readdir(folder(&@lis)) != NULL);"),
            (1, "rewinddir(folder(&@lis));"),
            (2, "SEE(touch(PATH(@lib), O_CREAT | O_RDWR));"),
            (1, "SEE(code(unlink(PATH(@lia))));"),
            (2, "SEE(entries_in(PATH(@lid)));"),
        ],
    ),
    "buffers": Feature(
        objects="static FILE *@bum, *@bur;\nstatic char *@but, @bus[8] = \"abc\";\nstatic size_t @bun;",
        setup='MUST((@bum = open_memstream(&@but, &@bun)) && (@bur = fmemopen(@bus, 4, "r")));',
        final="fflush(@bum); SEE(@bun); for (unsigned i = 0; i < 3 && i < @bun; i++) SEE(@but[i]);",
        blocks=[
            (3, "SEE(fputc('$c', file(&@bum)));"),
            (1, "SEE(fprintf(file(&@bum), \"%d\", $n));"),
            (1, "SEE(ftell(file(&@bum)));"),
            (3, "SEE(fgetc(file(&@bur)));"),
            (1, "rewind(file(&@bur));"),
            (1, "SEE(feof(file(&@bur)) != 0);"),
            (1, "flockfile(file(&@bum));\nSEE(fputs(\"$c\", file(&@bum)));\n...\nfunlockfile(file(&@bum));"),
        ],
    ),
}
