# SPDX-License-Identifier: MIT
"""More features of random programs (call_blocks.py): the rest of the objects of pthreads and C11, futexes with masks
and owners, calls with vectors, messages, links, sets of descriptors, state of libc, queued signals."""

from call_blocks import Feature

FEATURES = {
    "conditions": Feature(
        objects="static pthread_cond_t @cnw = PTHREAD_COND_INITIALIZER;\nstatic int @cng;",
        supply=(r"while \(@cng == 0\)()", r"@cng\+\+()", "@cng = $s;"),
        blocks=[
            (3, "pthread_mutex_lock(&@m);\n@cng++;\npthread_cond_signal(&@cnw);\npthread_mutex_unlock(&@m);"),
            (2, "pthread_mutex_lock(&@m);\n@cng++;\npthread_mutex_unlock(&@m);\npthread_cond_broadcast(&@cnw);"),
            (3, "pthread_mutex_lock(&@m);\nwhile (@cng == 0)\npthread_cond_wait(&@cnw, &@m);\n@cng--;\n"
                "pthread_mutex_unlock(&@m);\nSEE(1);"),
            (2, "pthread_mutex_lock(&@m);\nif (@cng == 0)\nSEE(error(pthread_cond_clockwait(&@cnw, &@m, CLOCK_MONOTONIC, "
                "SOON(MONOTONIC))));\nSEE(@cng);\npthread_mutex_unlock(&@m);"),
            (1, "pthread_mutex_lock(&@m);\nSEE(error(pthread_cond_wait(&@cnw, &@m)));\nSEE(@cng);\npthread_mutex_unlock(&@m);"),
            (1, "pthread_cond_signal(&@cnw);"),
        ],
    ),
    "spins": Feature(
        objects="static pthread_spinlock_t @spl;",
        setup="pthread_spin_init(&@spl, PTHREAD_PROCESS_PRIVATE);",
        blocks=[
            (3, "pthread_spin_lock(&@spl);\n...\npthread_spin_unlock(&@spl);"),
            (2, "if (pthread_spin_trylock(&@spl) == 0) {\nSEE(1);\n...\npthread_spin_unlock(&@spl);\n} else\nSEE(0);"),
        ],
    ),
    "threads": Feature(
        objects="""
static mtx_t @mtx;
static cnd_t @cnd;
static int @cgo;
static tss_t @tss;
static int @begun(void *arg)
{
    tss_set(@tss, arg);
    atomic_fetch_add(&@x[0].value, (int)(intptr_t)arg);
    thrd_exit((int)(intptr_t)tss_get(@tss));
}
static void @lost(void *value)
{
    atomic_fetch_add(&@x[1].value, (int)(intptr_t)value);
}
""",
        setup="mtx_init(&@mtx, mtx_timed);\ncnd_init(&@cnd);\ntss_create(&@tss, @lost);",
        blocks=[
            (2, "mtx_lock(&@mtx);\n...\nmtx_unlock(&@mtx);"),
            (2, "if (mtx_trylock(&@mtx) == thrd_success) {\nSEE(1);\n...\nmtx_unlock(&@mtx);\n} else\nSEE(0);"),
            (2, "if (mtx_timedlock(&@mtx, SOON(REALTIME)) == thrd_success) {\nSEE(1);\n...\nmtx_unlock(&@mtx);\n} else\nSEE(0);"),
            (2, "mtx_lock(&@mtx);\n@cgo++;\ncnd_signal(&@cnd);\nmtx_unlock(&@mtx);"),
            (1, "mtx_lock(&@mtx);\n@cgo++;\ncnd_broadcast(&@cnd);\nmtx_unlock(&@mtx);"),
            (1, "mtx_lock(&@mtx);\nwhile (@cgo == 0)\ncnd_wait(&@cnd, &@mtx);\n@cgo--;\nmtx_unlock(&@mtx);"),
            (1, "mtx_lock(&@mtx);\nif (@cgo == 0)\nSEE(cnd_timedwait(&@cnd, &@mtx, SOON(REALTIME)));\nSEE(@cgo);\nmtx_unlock(&@mtx);"),
            (2, "{\nthrd_t d;\nint r;\nMUST(thrd_create(&d, @begun, (void *)$n) == thrd_success);\n...\nthrd_join(d, &r);\nSEE(r);\n}", "1"),
            (1, "SEE(atomic_load(&@x[$b].value));"),
        ],
        large=True,
    ),
    "joins": Feature(
        objects="""
static void *@brief(void *arg)
{
    atomic_fetch_add(&@x[0].value, (int)(intptr_t)arg);
    pthread_exit(arg);
}
""",
        blocks=[
            (2, "{\npthread_t d;\nvoid *r = NULL;\nint e;\nMUST(pthread_create(&d, NULL, @brief, (void *)$n) == 0);\n...\n"
                "SEE(error(e = pthread_tryjoin_np(d, &r)));\nif (e)\npthread_join(d, &r);\nSEE((intptr_t)r);\n}"),
            (2, "{\npthread_t d;\nvoid *r = NULL;\nint e;\nMUST(pthread_create(&d, NULL, @brief, (void *)$n) == 0);\n...\n"
                "SEE(error(e = pthread_timedjoin_np(d, &r, SOON(REALTIME))));\nif (e)\npthread_join(d, &r);\nSEE((intptr_t)r);\n}"),
            (1, "{\npthread_t d;\nint e;\nMUST(pthread_create(&d, NULL, @brief, (void *)$n) == 0);\n...\n"
                "SEE(error(e = pthread_clockjoin_np(d, NULL, CLOCK_MONOTONIC, SOON(MONOTONIC))));\nif (e)\npthread_join(d, NULL);\n}", "1"),
            (2, "SEE(atomic_load(&@x[0].value));"),
            (1, "SEE(error(pthread_kill(@T[$t], 0)));", "m"),
        ],
        large=True,
    ),
    "tokens": Feature(
        objects="static sem_t @tok;\nstatic char @ton[48];",
        setup="sem_init(&@tok, 0, $b);\nname_semaphore(@ton);",
        final="sem_unlink(@ton);",
        blocks=[
            (2, "sem_post(&@tok);"),
            (2, "{ int v = 0; sem_getvalue(&@tok, &v); SEE(v); }"),
            (2, "SEE(code(sem_trywait(&@tok)));"),
            (1, "SEE(code(sem_wait(&@tok)));"),
            (2, "SEE(open_semaphore(PATH(@ton), O_CREAT | O_EXCL));"),
            (1, "SEE(open_semaphore(PATH(@ton), O_CREAT));"),
            (1, "SEE(open_semaphore(PATH(@ton), 0));"),
            (1, "SEE(code(sem_unlink(PATH(@ton))));"),
        ],
    ),
    "masks": Feature(
        objects="static struct cell @fua, @fub;",
        blocks=[
            (2, "SEE(futex_masked(&@fua.value, FUTEX_WAIT_BITSET_PRIVATE, $b, NULL, $n));"),
            (2, "SEE(futex_masked(&@fua.value, FUTEX_WAIT_BITSET_PRIVATE, $b, SOON(MONOTONIC), $n));"),
            (2, "atomic_store(&@fua.value, $n);\nSEE(futex_masked(&@fua.value, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, $n));"),
            (2, "SEE(futex_masked(&@fua.value, FUTEX_WAKE_BITSET_PRIVATE, 2, NULL, $n));"),
            (1, "SEE(futex(&@fua.value, FUTEX_WAKE_PRIVATE, $n, NULL));"),
            (2, "SEE(wake_and_add(&@fua.value, &@fub.value, $n));"),
            (1, "SEE(futex(&@fub.value, FUTEX_WAIT_PRIVATE, 0, SOON_AFTER));"),
            (1, "SEE(wait_for_two(&@fua.value, $b, &@fub.value, $b));"),
            (1, "SEE(atomic_load(&@fub.value));"),
        ],
    ),
    "owners": Feature(
        objects="static struct cell @owe;",
        blocks=[
            (4, "MUST(owner_lock(&@owe.value));\n...\nowner_unlock(&@owe.value);"),
            (2, "if (owner_trylock(&@owe.value)) {\nSEE(1);\n...\nowner_unlock(&@owe.value);\n} else\nSEE(0);"),
        ],
    ),
    "vectors": Feature(
        objects="static int @vea, @veb;",
        setup="""
MUST((@vea = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0 && (@veb = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0);
MUST(write(@vea, "abcabc", 6) == 6 && lseek(@vea, 0, SEEK_SET) == 0);
""",
        final="SEE(lseek(@vea, 0, SEEK_CUR)); SEE(lseek(@veb, 0, SEEK_CUR)); for (int i = 0; i < 4; i++) { SEE(get_at(@vea, i)); SEE(get_at(@veb, i)); }",
        blocks=[
            (3, "SEE(get_two(number(&@vea), -1));"),
            (3, "SEE(put_two(number(&@vea), '$c', -1));"),
            (1, "SEE(get_two(number(&@vea), $n));"),
            (1, "SEE(put_two(number(&@vea), '$c', $n));"),
            (1, "SEE(put_at_end(number(&@vea), '$c'));"),
            (2, "SEE(code(copy_file_range(number(&@vea), NULL, number(&@veb), NULL, $n, 0)));"),
            (2, "SEE(code(sendfile(number(&@veb), number(&@vea), NULL, $n)));"),
            (1, "SEE(code(fallocate(number(&@veb), 0, 0, $n)));"),
            (1, "SEE(code(ioctl(number(&@vea), FIONREAD, &(int){0})));"),
        ],
    ),
    "splices": Feature(
        objects="static int @spa[2], @spb[2];",
        setup="MUST(pipe2(@spa, $b * O_NONBLOCK) == 0 && pipe2(@spb, O_NONBLOCK) == 0);",
        supply=(r"splice\(number\(&@spa\[0\]\), NULL, number\(&@spb\[1\]\), NULL, (\d), 0\)|get\(number\(&@spa\[0\]\), (\d)",
                r"put\(number\(&@spa\[1\]\), '.', (\d)", 'MUST(write(@spa[1], "aaaaaaaaaaaa", $s) == $s);'),
        final="fcntl(@spa[0], F_SETFL, O_NONBLOCK); SEE(get(@spa[0], 1)); SEE(get(@spb[0], 1)); SEE(get(@spb[0], 2));",
        blocks=[
            (3, "SEE(put(number(&@spa[1]), '$c', $n));"),
            (2, "SEE(code(splice(number(&@spa[0]), NULL, number(&@spb[1]), NULL, $n, SPLICE_F_NONBLOCK)));"),
            (1, "SEE(code(splice(number(&@spa[0]), NULL, number(&@spb[1]), NULL, $n, 0)));"),
            (2, "SEE(code(tee(number(&@spa[0]), number(&@spb[1]), $n, SPLICE_F_NONBLOCK)));"),
            (1, "SEE(get(number(&@spa[0]), $n));"),
            (2, "SEE(get(number(&@spb[0]), $n));"),
            (2, "SEE(waiting_in(number(&@spb[0])));"),
        ],
    ),
    "messages": Feature(
        objects="static int @msg[2];",
        setup="MUST(socketpair(AF_UNIX, $b ? SOCK_STREAM : SOCK_SEQPACKET, 0, @msg) == 0);",
        final="SEE(receive(@msg[1], MSG_DONTWAIT));",
        blocks=[
            (3, "SEE(send_two(number(&@msg[0]), '$c'));"),
            (2, "SEE(transmit(number(&@msg[0]), '$c'));"),
            (3, "SEE(receive_two(number(&@msg[1]), MSG_DONTWAIT));"),
            (1, "SEE(receive_two(number(&@msg[1]), MSG_PEEK | MSG_DONTWAIT));"),
            (1, "SEE(send_both(number(&@msg[0]), '$c'));"),
            (1, "SEE(receive_both(number(&@msg[1])));"),
            (1, "SEE(waiting_in(number(&@msg[1])));"),
            (1, "SEE(code(shutdown(number(&@msg[0]), SHUT_WR)));", "1"),
            (1, "{ char b; SEE(recvfrom(number(&@msg[1]), &b, 1, MSG_DONTWAIT, NULL, NULL) < 0 ? error(errno) : b & 3); }"),
            (1, "SEE(code(sendto(number(&@msg[0]), \"$c\", 1, MSG_NOSIGNAL, NULL, 0)));"),
        ],
    ),
    "wholes": Feature(
        objects="static int @who[2];",
        setup="MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, @who) == 0);",
        supply=(r"receive_whole\(number\(&@who\[1\]\), (\d)", r"put\(number\(&@who\[0\]\), '.', (\d)",
                'MUST(write(@who[0], "aaaaaaaaaaaa", $s) == $s);'),
        blocks=[
            (3, "SEE(put(number(&@who[0]), '$c', 1));"),
            (1, "SEE(put(number(&@who[0]), '$c', 2));"),
            (3, "SEE(receive_whole(number(&@who[1]), 2));"),
            (1, "SEE(receive_whole(number(&@who[1]), 3));"),
            (1, "SEE(receive(number(&@who[1]), MSG_DONTWAIT));"),
        ],
    ),
    "links": Feature(
        objects="static char @lin[16], @lna[32], @lnb[32];\nstatic int @lnf;",
        setup="make_folder(@lin, @lna, @lnb);\nMUST((@lnf = open(@lin, O_RDONLY | O_DIRECTORY)) >= 0);",
        final="SEE(kind_of(@lna)); SEE(kind_of(@lnb)); remove_folder(@lin, @lna, @lnb);",
        blocks=[
            (3, 'SEE(code(symlink("$c", PATH(@lna))));'),
            (2, 'SEE(code(symlink("a", PATH(@lnb))));'),
            (2, "SEE(kind_of(PATH(@lna)));"),
            (1, "SEE(first_of_link(PATH(@lnb)));"),
            (2, "SEE(touch_in(number(&@lnf), \"$c\"));"),
            (1, "SEE(code(unlinkat(number(&@lnf), \"a\", 0)));"),
            (1, "SEE(code(mkdirat(number(&@lnf), \"$c\", 0700)));"),
            (1, "SEE(code(renameat2(number(&@lnf), \"a\", number(&@lnf), \"b\", RENAME_NOREPLACE)));"),
            (1, "SEE(code(renameat2(number(&@lnf), \"a\", number(&@lnf), \"b\", RENAME_EXCHANGE)));"),
            (1, "SEE(code(linkat(number(&@lnf), \"b\", number(&@lnf), \"a\", 0)));"),
            (1, "SEE(code(chmod(PATH(@lna), $n * 0100)));"),
            (1, "SEE(mode_of(PATH(@lna)));"),
            (1, "SEE(code(truncate(PATH(@lna), $n)));"),
            (1, "SEE(size_of(PATH(@lna)));"),
            (1, "SEE(code(remove(PATH(@lna))));"),
            (1, "SEE(entries_in(PATH(@lin)));"),
        ],
    ),
    "sets": Feature(
        objects="static int @sta[2], @stb[2], @ste;",
        setup="""
MUST(pipe(@sta) == 0 && pipe(@stb) == 0 && (@ste = epoll_create1(0)) >= 0);
MUST(epoll_ctl(@ste, EPOLL_CTL_ADD, @sta[0], &(struct epoll_event){.events = EPOLLIN | $b * EPOLLONESHOT, .data.u32 = 1}) == 0);
""",
        blocks=[
            (3, "SEE(put(number(&@sta[1]), '$c', 1));"),
            (3, "SEE(put(number(&@stb[1]), '$c', 1));"),
            (2, "SEE(either(number(&@sta[0]), number(&@stb[0]), 0));"),
            (1, "SEE(either(number(&@sta[0]), number(&@stb[0]), -1));"),
            (2, "SEE(selected(number(&@sta[0]), number(&@stb[0]), 0));"),
            (1, "SEE(selected(number(&@sta[0]), number(&@stb[0]), -1));"),
            (2, "SEE(which_in(number(&@ste), 0));"),
            (1, "SEE(which_in(number(&@ste), -1));"),
            (2, "SEE(change_set(number(&@ste), EPOLL_CTL_ADD, number(&@stb[0]), 2));", "1"),
            (1, "SEE(change_set(number(&@ste), EPOLL_CTL_DEL, number(&@sta[0]), 1));", "1"),
            (1, "SEE(change_set(number(&@ste), EPOLL_CTL_MOD, number(&@sta[0]), 3));"),
        ],
    ),
    "watches": Feature(
        objects="static char @wad[16], @waa[32], @wab[32];\nstatic int @wai;",
        setup="make_folder(@wad, @waa, @wab);\nMUST((@wai = inotify_init1(IN_NONBLOCK)) >= 0);\n"
              "MUST(inotify_add_watch(@wai, @wad, IN_CREATE | IN_DELETE) == 1);",
        final="remove_folder(@wad, @waa, @wab);",
        blocks=[
            (3, "SEE(touch(PATH(@waa), O_CREAT | O_WRONLY));"),
            (2, "SEE(code(unlink(PATH(@waa))));"),
            (3, "SEE(events_in(number(&@wai)));"),
            (1, "SEE(ready(number(&@wai), 0));"),
            (1, "SEE(code(inotify_rm_watch(number(&@wai), 1)));"),
        ],
    ),
    "statics": Feature(
        objects='static struct tm *@tim;\nstatic char @tex[8] = "a b c";\nstatic const char *@ctl;',
        setup='@tim = gmtime(&(time_t){0});\nstrtok(@tex, " ");\n@ctl = strerror(0);',
        blocks=[
            (2, "pthread_mutex_lock(&@m);\nSEE(gmtime(&(time_t){86400 * $n})->tm_mday);\npthread_mutex_unlock(&@m);"),
            (2, "pthread_mutex_lock(&@m);\nSEE(@tim->tm_mday);\npthread_mutex_unlock(&@m);"),
            (2, 'pthread_mutex_lock(&@m);\n{ char *t = strtok(NULL, " "); SEE(t ? *t : 0); }\npthread_mutex_unlock(&@m);'),
            (1, "SEE(drand48() * 16);"),
            (1, "SEE(mrand48());"),
            (1, "{ unsigned short s[3] = {$n}; SEE(nrand48(s)); }"),
            (1, "{ unsigned short s[3] = {$n}; pthread_mutex_lock(&@m);\nseed48(s);\npthread_mutex_unlock(&@m); }"),
            (1, "pthread_mutex_lock(&@m);\nSEE(lgamma(-$n - 0.5) < 0);\nSEE(signgam);\npthread_mutex_unlock(&@m);"),
        ],
    ),
    "places": Feature(
        objects="static FILE *@plf;",
        setup='MUST((@plf = tmpfile()) != NULL && fputs("abc\\nca\\n", @plf) >= 0); rewind(@plf);',
        final="SEE(ftell(@plf)); rewind(@plf); for (int i = 0; i < 6; i++) SEE(fgetc(@plf));",
        blocks=[
            (2, "SEE(fseek(file(&@plf), $n, SEEK_SET));"),
            (1, "SEE(fseek(file(&@plf), 0, SEEK_END));"),
            (2, "SEE(line_of(file(&@plf)));"),
            (1, "SEE(getc(file(&@plf)));"),
            (2, "{ fpos_t at; SEE(fgetpos(file(&@plf), &at));\nSEE(fgetc(file(&@plf)));\n...\nSEE(fsetpos(file(&@plf), &at)); }"),
            (1, "SEE(feof(file(&@plf)) != 0);"),
            (1, "clearerr(file(&@plf));"),
            (1, "{ char word[4] = \"\"; SEE(fscanf(file(&@plf), \"%3s\", word)); SEE(word[0]); }"),
        ],
    ),
    "queued": Feature(
        objects="""
static atomic_int @qun;
static void @told(int number_of_signal, siginfo_t *info, void *context)
{
    (void)number_of_signal;
    (void)context;
    atomic_fetch_add(&@x[0].value, info->si_value.sival_int);
}
static pthread_t @qum;
""",
        by_main="""
struct sigaction tell = {.sa_sigaction = @told, .sa_flags = SA_SIGINFO};
sigaction(SIGRTMIN + 1, &tell, NULL);
block_signal(SIGRTMIN);
@qum = pthread_self();
""",
        blocks=[
            (3, "SEE(error(pthread_sigqueue(handle(&@qum), SIGRTMIN, (union sigval){.sival_int = $n})));", "o"),
            (2, "SEE(error(pthread_sigqueue(handle(&@qum), SIGRTMIN + 1, (union sigval){.sival_int = $n})));", "o"),
            (2, "SEE(error(pthread_sigqueue(@T[$t], SIGRTMIN, (union sigval){.sival_int = $n})));", "m"),
            (2, "SEE(error(pthread_sigqueue(@T[$t], SIGRTMIN + 1, (union sigval){.sival_int = $n})));", "m"),
            (1, "SEE(code(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = $n})));"),
            (2, "SEE(wait_for_timer(SIGRTMIN));"),
            (2, "SEE(take_signal(SIGRTMIN));"),
            (2, "SEE(atomic_load(&@x[0].value));"),
        ],
    ),
    "requests": Feature(
        objects="static int @rqf;",
        setup='MUST((@rqf = open(".", O_TMPFILE | O_RDWR, 0600)) >= 0 && write(@rqf, "abc", 3) == 3);',
        final="for (int i = 0; i < 4; i++) SEE(get_at(@rqf, i));",
        blocks=[
            (2, "{\nchar b = '$c';\nstruct aiocb r = request(number(&@rqf), &b, $n);\nMUST(aio_write(&r) == 0);\n...\nSEE(answer_to(&r));\n}", "1"),
            (2, "{\nchar b = 0;\nstruct aiocb r = request(number(&@rqf), &b, $n);\nMUST(aio_read(&r) == 0);\n...\nSEE(answer_to(&r));\nSEE(b);\n}", "1"),
            (1, "SEE(get_at(number(&@rqf), $n));"),
            (1, "SEE(put_at(number(&@rqf), '$c', $n));"),
        ],
        large=True,
    ),
    "full": Feature(
        objects="static int @ful, @fup[2];",
        setup="@ful = make_short_queue();\nfill_pipe(@fup);",
        blocks=[
            (2, "SEE(send_message(number(&@ful), '$c', $b));"),
            (2, "SEE(send_timed(number(&@ful), '$c'));"),
            (2, "SEE(take_message(number(&@ful), true));"),
            (1, "SEE(take_message(number(&@ful), false));"),
            (2, "SEE(put(number(&@fup[1]), '$c', 1));"),
            (2, "SEE(take_page(number(&@fup[0])));"),
        ],
    ),
    "objects": Feature(
        objects="""
static pthread_mutex_t @obm;
static pthread_cond_t @obc;
static pthread_barrier_t @obb;
static sem_t @obs;
static struct cell @obf;
""",
        setup="pthread_mutex_init(&@obm, NULL);\npthread_cond_init(&@obc, NULL);\nsem_init(&@obs, 0, 0);",
        blocks=[
            (3, "pthread_mutex_lock(&@obm);\nSEE(++@obf.value);\npthread_mutex_unlock(&@obm);", "o"),
            (2, "sem_post(&@obs);", "o"),
            (2, "SEE(code(sem_trywait(&@obs)));"),
            (2, "pthread_mutex_lock(&@obm);\nSEE(@obf.value);\npthread_mutex_unlock(&@obm);"),
            (1, "{\npthread_mutex_t own;\npthread_mutex_init(&own, NULL);\npthread_mutex_lock(&own);\n...\npthread_mutex_unlock(&own);\n"
                "pthread_mutex_destroy(&own);\n}"),
            (1, "{\nsem_t own;\nsem_init(&own, 0, 1);\nsem_wait(&own);\n...\nsem_destroy(&own);\n}"),
        ],
    ),
    "clauses": Feature(
        objects="static pthread_mutex_t @rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, @chk = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;",
        blocks=[
            (3, "pthread_mutex_lock(&@rec);\n...\npthread_mutex_unlock(&@rec);", "r"),
            (2, "if (pthread_mutex_trylock(&@rec) == 0) {\nSEE(1);\n...\npthread_mutex_unlock(&@rec);\n} else\nSEE(0);", "r"),
            (2, "if (pthread_mutex_lock(&@chk) == 0) {\n...\nSEE(error(pthread_mutex_lock(&@chk)));\npthread_mutex_unlock(&@chk);\n}"),
            (1, "SEE(error(pthread_mutex_trylock(&@chk)) ? 1 : (pthread_mutex_unlock(&@chk), 0));"),
        ],
    ),
}
