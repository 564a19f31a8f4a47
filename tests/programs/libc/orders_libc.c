/* SPDX-License-Identifier: MIT */
/*
 * Rows of functions.def that no other program here shows: the first thread calls the function, the
 * second changes what it reads or looks at what it writes.
 *
 * RUN    -DIN_MEMORY=1 plait test -s dfs --outputs
 * EXPECT clean complete orders=87
 *
 * RUN    -DIN_MEMORY=1 plait test -s dpor --outputs
 * EXPECT clean complete orders=87
 *
 * RUN    -DIN_MEMORY=1 native
 * EXPECT exit=0
 *
 * RUN    [gcc] -DIN_MEMORY=0 plait test -s pcb:1 --outputs
 * EXPECT clean incomplete orders=63
 *
 * RUN    -DIN_MEMORY=0 plait test -s dpor --outputs
 * EXPECT clean complete orders=63
 *
 * RUN    -DIN_MEMORY=0 native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <mqueue.h>
#include <pwd.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <wchar.h>

static union {
    char text[1024];
    wchar_t wide[256];
    int number;
    float real;
    double twice;
    long double most;
    struct timespec time;
    struct stat status;
    struct statx extended;
    struct rlimit limit;
    struct iovec piece;
    struct sockaddr_un name;
    struct tm date;
    mbstate_t state;
    sigset_t set;
    pthread_attr_t attributes;
    pthread_mutexattr_t attribute;
    struct random_data random;
    struct drand48_data random_48;
    struct hsearch_data table;
    struct passwd user;
    struct itimerval timer;
    struct statvfs space;
    unsigned short seed[3];
} shared;
static int fd, other, ends[2];
static char own[256];
static locale_t plain;

/* ---- what is read ---- */

static void number_text(void)
{
    strcpy(shared.text, "12 ab");
}

static void number_wide(void)
{
    wcscpy(shared.wide, L"12 ab");
}

static long change(void)
{
    *(volatile char *)shared.text = '7';
    return 0;
}

static long change_wide(void)
{
    *(volatile wchar_t *)shared.wide = L'7';
    return 0;
}

static long end_it(void)
{
    *(volatile char *)shared.text = '\0';
    return 0;
}

static void look_at_first(void)
{
    seen = shared.text[0];
}

static int compare(const void *a, const void *b, void *arg)
{
    (void)arg;
    return *(const char *)a - *(const char *)b;
}

#define READS(function, ...) ORDER(function, number_text(), __VA_ARGS__, return change())
#define READS_WIDE(function, ...) ORDER(function, number_wide(), __VA_ARGS__, return change_wide())
#define ENDS(function, ...) ORDER(function, number_text(), __VA_ARGS__, return end_it())
#define T shared.text
#define V shared.wide

ORDER(strcoll_l, number_text(); plain = newlocale(LC_ALL_MASK, "C", 0),
                                return strcoll_l(T, "12 ab", plain) == 0, return change())
READS(index, return index(T, '1') != NULL)
READS(rindex, return rindex(T, '1') != NULL)
READS(strtoumax, return (long)strtoumax(T, NULL, 10))
READS(inet_addr, return (long)inet_addr(T))
READS(memmove, memmove(own, T, 4); return own[0])
READS(bcopy, bcopy(T, own, 4); return own[0])
READS(memcmp, return memcmp(T, "12", 2) == 0)
READS(bcmp, return bcmp(T, "12", 2) == 0)
READS(memchr, return memchr(T, '1', 4) != NULL)
ENDS(strlen, return (long)strlen(T))
ENDS(strnlen, return (long)strnlen(T, 9))
READS(strcmp, return strcmp(T, "12 ab") == 0)
READS(strncmp, return strncmp(T, "12", 2) == 0)
READS(strcasecmp, return strcasecmp(T, "12 AB") == 0)
READS(strchr, return strchr(T, '1') != NULL)
READS(strrchr, return strrchr(T, '1') != NULL)
READS(strstr, return strstr(T, "12") != NULL)
READS(strdup, return strdup(T)[0])
READS(strndup, return strndup(T, 2)[0])
READS(stpcpy, stpcpy(own, T); return own[0])
READS(strncpy, strncpy(own, T, 9); return own[0])
ORDER(strcat, number_text(); own[0] = '\0', strcat(own, T); return own[0], return change())
ORDER(strncat, number_text(); own[0] = '\0', strncat(own, T, 9); return own[0], return change())
ORDER(qsort_r, number_text(); after = look_at_first, qsort_r(T, 5, 1, compare, NULL);
      return 0, return change())
READS_WIDE(wcpcpy, wchar_t to[9]; wcpcpy(to, V); return to[0])
READS_WIDE(wcscasecmp, return wcscasecmp(V, L"12 AB") == 0)
READS_WIDE(wcscspn, return (long)wcscspn(V, L"1"))
READS_WIDE(wcspbrk, return wcspbrk(V, L"1") != NULL)
READS_WIDE(wmempcpy, wchar_t to[9]; wmempcpy(to, V, 2); return to[0])
READS_WIDE(wcstoll, return wcstoll(V, NULL, 10))
READS_WIDE(wcstoul, return (long)wcstoul(V, NULL, 10))
READS_WIDE(wcstoull, return (long)wcstoull(V, NULL, 10))
READS_WIDE(wcstof, return (long)wcstof(V, NULL))
READS_WIDE(swscanf, int n = 0; MUST(swscanf(V, L"%d", &n) == 1); return n)
ORDER(secure_getenv, setenv("ORDER", "1", 1), return secure_getenv("ORDER") != NULL,
      return unsetenv("ORDER"))

static long scan_wide(const wchar_t *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = vswscanf(V, format, list);

    va_end(list);
    return n;
}

static long print(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = vsprintf(T, format, list);

    va_end(list);
    return n;
}

static long print_wide(const wchar_t *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = vswprintf(V, 9, format, list);

    va_end(list);
    return n;
}

static long print_new(const char *format, ...)
{
    va_list list;
    char *to;

    va_start(list, format);
    MUST(vasprintf(&to, format, list) > 0);
    va_end(list);
    return to[0];
}

READS_WIDE(vswscanf, int n = 0; scan_wide(L"%d", &n); return n)
READS(vasprintf, return print_new("%s", T))

/* ---- what is written ---- */

static void clear(void)
{
    memset(&shared, 0, sizeof(shared));
}

static long look(void)
{
    return *(volatile long *)&shared;
}

#define WRITES(function, ...) ORDER(function, clear(), __VA_ARGS__, return look())
/* What it was is as good as any: all of it is set. */
#define FILLS(function, ...) \
    ORDER(function, memset(&shared, 0x55, sizeof(shared)), __VA_ARGS__, return look())

ORDER(strfry, strcpy(T, "abcdefghijklmnop"), strfry(T); return 0, return *(volatile char *)T == 'a')
FILLS(bzero, bzero(&shared, 16); return 0)
WRITES(vsprintf, return print("%d", 7))
WRITES(vswprintf, return print_wide(L"%d", 7))
WRITES(frexpf, return (long)frexpf(8, &shared.number))
WRITES(frexpl, return (long)frexpl(8, &shared.number))
WRITES(modff, return (long)modff(2.5F, &shared.real))
/* The function, not the instruction of ten bytes that a compiler makes of it. */
WRITES(modfl, long double (*volatile function)(long double, long double *) = modfl;
       return (long)function(2.5L, &shared.most))
WRITES(jrand48, jrand48(shared.seed); return 0)
WRITES(fcvt_r, int a; int b; return fcvt_r(2.5, 1, &a, &b, T, 9))
WRITES(wcsftime, struct tm date = {.tm_mday = 1}; return (long)wcsftime(V, 9, L"%d", &date))
ORDER(timelocal, clear(); shared.date.tm_mday = 40, return timelocal(&shared.date) != 0,
                          return *(volatile int *)&shared.date.tm_mday)
WRITES(fstat64, return fstat64(0, (struct stat64 *)&shared))
WRITES(fstatat, return fstatat(AT_FDCWD, "/", &shared.status, 0))
WRITES(fstatat64, return fstatat64(AT_FDCWD, "/", (struct stat64 *)&shared, 0))
WRITES(statx, return statx(AT_FDCWD, "/", 0, STATX_BASIC_STATS, &shared.extended))
WRITES(statvfs, return statvfs("/", &shared.space))
WRITES(pipe2, return pipe2((int *)&shared, 0))
WRITES(readlinkat, return readlinkat(AT_FDCWD, "/proc/self/exe", T, 9))
WRITES(getrlimit64, return getrlimit64(RLIMIT_NOFILE, (struct rlimit64 *)&shared))
WRITES(prlimit, return prlimit(0, RLIMIT_NOFILE, NULL, &shared.limit))
WRITES(prlimit64, return prlimit64(0, RLIMIT_NOFILE, NULL, (struct rlimit64 *)&shared))
ORDER(setrlimit64, getrlimit(RLIMIT_CPU, &shared.limit);
      shared.limit.rlim_cur = 90, MUST(setrlimit64(RLIMIT_CPU, (struct rlimit64 *)&shared) == 0);
      struct rlimit now; getrlimit(RLIMIT_CPU, &now);
      return (long)now.rlim_cur, shared.limit.rlim_cur = 80; return 0)
WRITES(pthread_getaffinity_np,
       return pthread_getaffinity_np(pthread_self(), sizeof(long), (cpu_set_t *)&shared))
ORDER(pthread_setaffinity_np, memset(&shared, 0xff, sizeof(long)),
      return pthread_setaffinity_np(pthread_self(), sizeof(long), (cpu_set_t *)&shared),
      *(volatile long *)&shared = 0;
      return 0)
ORDER(pthread_setschedparam, clear(),
      return pthread_setschedparam(pthread_self(), SCHED_OTHER, (struct sched_param *)&shared),
      *(volatile int *)&shared = 5;
      return 0)
WRITES(getpwnam_r, struct passwd *found; return getpwnam_r("root", &shared.user, own, 256, &found))
WRITES(sigfillset, return sigfillset(&shared.set))
FILLS(sigdelset, return sigdelset(&shared.set, 1))
ORDER(sigismember, clear(), return sigismember(&shared.set, 1), ((volatile char *)&shared)[0] = 1;
      return 0)
ORDER(pthread_attr_setstacksize, pthread_attr_init(&shared.attributes), size_t n;
      pthread_attr_setstacksize(&shared.attributes, 1 << 20);
      pthread_attr_getstacksize(&shared.attributes, &n); return 0, size_t n = 0;
      pthread_attr_getstacksize(&shared.attributes, &n); return n == 1 << 20)
ORDER(pthread_attr_getdetachstate, pthread_attr_init(&shared.attributes), int n = -1;
      pthread_attr_getdetachstate(&shared.attributes, &n);
      return n, return pthread_attr_setdetachstate(&shared.attributes, 1))
ORDER(pthread_attr_setdetachstate, pthread_attr_init(&shared.attributes),
      return pthread_attr_setdetachstate(&shared.attributes, 1), int n = -1;
      pthread_attr_getdetachstate(&shared.attributes, &n); return n)
ORDER(pthread_mutexattr_settype, pthread_mutexattr_init(&shared.attribute),
      return pthread_mutexattr_settype(&shared.attribute, PTHREAD_MUTEX_RECURSIVE), int n = -1;
      pthread_mutexattr_gettype(&shared.attribute, &n); return n)
ORDER(pthread_setcanceltype, memset(&shared, 0x55, sizeof(shared)),
      return pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &shared.number), return look())
ORDER(setitimer, memset(&shared, 0x55, sizeof(shared)), struct itimerval no = {0};
      return setitimer(ITIMER_REAL, &no, &shared.timer), return look())
ORDER(mbsinit, clear(), return mbsinit(&shared.state) != 0, shared.text[0] = 1; return 0)
ORDER(setrlimit, getrlimit(RLIMIT_NOFILE, &shared.limit);
      shared.limit.rlim_cur = 90, MUST(setrlimit(RLIMIT_NOFILE, &shared.limit) == 0);
      struct rlimit now; getrlimit(RLIMIT_NOFILE, &now);
      return (long)now.rlim_cur, shared.limit.rlim_cur = 80; return 0)
ORDER(thrd_sleep, clear();
      shared.time.tv_nsec = 1, return thrd_sleep(&shared.time, NULL), shared.time.tv_nsec = -1;
      return 0)

/* ---- numbers at random, the environment ---- */

static void seed(void)
{
    srandom(1);
    srand48(1);
    clear();
    srand48_r(1, &shared.random_48);
}

static void seed_own(void)
{
    clear();
    MUST(initstate_r(1, own, sizeof(own), &shared.random) == 0);
}

ORDER(random, seed(), return random(), return random())
ORDER(srandom, seed(), srandom(7); return 0, return random())
ORDER(lrand48, seed(), return lrand48(), return lrand48())
ORDER(mrand48, seed(), return mrand48(), return mrand48())
ORDER(lrand48_r, seed(), long n; lrand48_r(&shared.random_48, &n); return n, long n;
      lrand48_r(&shared.random_48, &n); return n)
ORDER(mrand48_r, seed(), long n; mrand48_r(&shared.random_48, &n); return n, long n;
      mrand48_r(&shared.random_48, &n); return n)
ORDER(srandom_r, seed_own(), return srandom_r(9, &shared.random), int n;
      random_r(&shared.random, &n); return n)
ORDER(hdestroy_r, clear(); MUST(hcreate_r(5, &shared.table) != 0), hdestroy_r(&shared.table);
      return 0, return look() != 0)
ORDER(unsetenv, setenv("ORDER", "1", 1), return unsetenv("ORDER"), return getenv("ORDER") != NULL)
ORDER(putenv, unsetenv("ORDER"), return putenv("ORDER=1"), return getenv("ORDER") != NULL)
ORDER(clearenv, setenv("ORDER", "1", 1), return clearenv(), return getenv("ORDER") != NULL)

/* ---- paths: of the first nothing is there ---- */

static void two_paths(void)
{
    unlink("1");
    unlink("7");
    unlink("new");
    rmdir("7");
    rmdir("1");
    rmdir("new");
    strcpy(shared.text, "1");
    close(creat("7", 0600));
}

static void two_folders(void)
{
    two_paths();
    unlink("7");
    MUST(mkdir("7", 0700) == 0);
}

static long got(long result)
{
    return result < 0 ? -errno : 0;
}

#define NAMED(function, ...) ORDER(function, two_paths(), return got(__VA_ARGS__), return change())
#define FOLDER(function, ...) \
    ORDER(function, two_folders(), return got(__VA_ARGS__), return change())

FOLDER(chdir, chdir(T))
NAMED(chmod, chmod(T, 0600))
NAMED(truncate, truncate(T, 1))
NAMED(link, link(T, "new"))
ORDER(symlink, two_paths(), return got(symlink("x", T)), return change())
NAMED(faccessat, faccessat(AT_FDCWD, T, R_OK, AT_EACCESS))
NAMED(euidaccess, euidaccess(T, R_OK))
NAMED(eaccess, eaccess(T, R_OK))
NAMED(fchmodat, fchmodat(AT_FDCWD, T, 0600, 0))
NAMED(mkdirat, mkdirat(AT_FDCWD, T, 0700))
NAMED(unlinkat, unlinkat(AT_FDCWD, T, 0))
NAMED(renameat, renameat(AT_FDCWD, T, AT_FDCWD, "new"))
NAMED(linkat, linkat(AT_FDCWD, T, AT_FDCWD, "new", 0))
NAMED(symlinkat, symlinkat("x", AT_FDCWD, T))
FOLDER(opendir, opendir(T) == NULL ? -1 : 0)
NAMED(openat, openat(AT_FDCWD, T, O_RDONLY))
ORDER(creat, two_folders(), return got(creat(T, 0600)), return change())
NAMED(unlink, unlink(T))
NAMED(remove, remove(T))
FOLDER(rmdir, rmdir(T))
NAMED(mkdir, mkdir(T, 0700))
NAMED(mkfifo, mkfifo(T, 0600))
NAMED(mkfifoat, mkfifoat(AT_FDCWD, T, 0600))
NAMED(rename, rename(T, "new"))
ORDER(mkstemp, strcpy(T, "onXXXXXX"), return mkstemp(T) >= 0, return T[2] == 'X')
ORDER(mkstemp64, strcpy(T, "onXXXXXX"), return mkstemp64(T) >= 0, return T[2] == 'X')
ORDER(mkdtemp, strcpy(T, "onXXXXXX"), return mkdtemp(T) != NULL, return T[2] == 'X')
ORDER(system, strcpy(T, "exit 1"), return system(T) >> 8, T[5] = '3'; return 0)

/* ---- a folder that two threads read ---- */

static DIR *folder;

static void open_folder(void)
{
    two_folders();
    folder = opendir("7");
    MUST(folder != NULL);
}

static long next_entry(void)
{
    struct dirent *e = readdir(folder);

    return e != NULL ? (long)strlen(e->d_name) : 0;
}

ORDER(readdir, open_folder(), return next_entry(), return next_entry())
ORDER(readdir64, open_folder(), return (long)strlen(readdir64(folder)->d_name), return next_entry())

/* The name is another one than that which was read before, unless somebody goes back to it. */
static long begin_of_folder;

static void read_folder(void)
{
    open_folder();
    begin_of_folder = telldir(folder);
    next_entry();
}

ORDER(rewinddir, read_folder(), rewinddir(folder); return 0, return next_entry())
ORDER(seekdir, read_folder(), seekdir(folder, begin_of_folder); return 0, return next_entry())
ORDER(telldir, open_folder(), return telldir(folder) == 0, return next_entry() > 0)

/* ---- descriptors ---- */

static void have_file(void)
{
    clear();
    unlink("file");
    fd = open("file", O_RDWR | O_CREAT, 0600);
    MUST(fd >= 0 && pwrite(fd, "ab", 2, 0) == 2 && pipe(ends) == 0);
}

static void have_sockets(int listening)
{
    struct stat st;
    int on = -1;

    clear();
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    other = socket(AF_UNIX, SOCK_STREAM, 0);
    MUST(fd >= 0 && other >= 0 && fstat(fd, &st) == 0);
    shared.name.sun_family = AF_UNIX;
    snprintf(shared.name.sun_path + 1, 20, "a%lu", (unsigned long)st.st_ino);
    on = bind(fd, (struct sockaddr *)&shared, 30);
    MUST(on == 0 && listen(fd, 4) == 0);
    if (listening) {
        MUST(connect(other, (struct sockaddr *)&shared, 30) == 0);
        clear();
        shared.name.sun_family = 9;
    }
}

static long written(void)
{
    char c = 0;

    MUST(pread(fd, &c, 1, 0) == 1);
    return c;
}

ORDER(pread64, have_file(), return pread64(fd, T, 1, 0), return look())
ORDER(preadv64, have_file(), struct iovec v = {.iov_base = T}; v.iov_len = 1;
      return preadv64(fd, &v, 1, 0), return look())
ORDER(pwrite64, have_file(); number_text(), pwrite64(fd, T, 1, 0);
      return written(), return change())
ORDER(pwritev, have_file(); number_text(), struct iovec v = {.iov_base = T}; v.iov_len = 1;
      pwritev(fd, &v, 1, 0); return written(), return change())
ORDER(pwritev64, have_file(); number_text(), struct iovec v = {.iov_base = T}; v.iov_len = 1;
      pwritev64(fd, &v, 1, 0); return written(), return change())
ORDER(lockf, have_file(), return said(lockf(fd, F_LOCK, 1)), return close(fd))
ORDER(lockf64, have_file(), return said(lockf64(fd, F_LOCK, 1)), return close(fd))
ORDER(accept, have_sockets(1), socklen_t n = 20; accept(fd, (struct sockaddr *)&shared, &n);
      return 0, return look())
ORDER(accept4, have_sockets(1), socklen_t n = 20; accept4(fd, (struct sockaddr *)&shared, &n, 0);
      return 0, return look())
ORDER(connect, have_sockets(0), return got(connect(other, (struct sockaddr *)&shared, 30)),
      ((volatile char *)&shared)[0] = 77;
      return 0)
ORDER(bind, have_sockets(0);
      shared.name.sun_path[1] = 'b', return got(bind(other, (struct sockaddr *)&shared, 30)),
      ((volatile char *)&shared)[0] = 77;
      return 0)

/* ---- queues, children ---- */

static void have_queue(void)
{
    struct mq_attr size = {.mq_maxmsg = 2, .mq_msgsize = 1};
    char name[40];

    number_text();
    snprintf(name, sizeof(name), "/plait-libc-%d", (int)getppid());
    mq_unlink(name);
    fd = mq_open(name, O_RDWR | O_CREAT, 0600, &size);
    MUST(fd >= 0 && mq_unlink(name) == 0);
}

static void have_letter(void)
{
    have_queue();
    MUST(mq_send(fd, "5", 1, 0) == 0);
    clear();
}

static long receive(void)
{
    char c = 0;

    MUST(mq_receive(fd, &c, 1, NULL) == 1);
    return c;
}

static void remove_messages(void)
{
    msgctl(fd, IPC_RMID, NULL);
}

static void have_messages(void)
{
    clear();
    fd = msgget(IPC_PRIVATE, 0600);
    after = remove_messages;
    *(long *)shared.text = 1;
    MUST(fd >= 0 && msgsnd(fd, &shared, 1, 0) == 0);
}

static void have_child(void)
{
    memset(&shared, 0x55, sizeof(shared));
    fd = fork();
    if (fd == 0)
        _exit(3);
    siginfo_t info;

    MUST(fd > 0 && waitid(P_PID, (id_t)fd, &info, WEXITED | WNOWAIT) == 0);
}

ORDER(mq_send, have_queue(), mq_send(fd, T, 1, 0); return receive(), return change())
ORDER(mq_timedsend, have_queue(), struct timespec t = {0}; mq_timedsend(fd, T, 1, 0, &t);
      return receive(), return change())
ORDER(mq_getattr, have_letter(); clear(), return mq_getattr(fd, (struct mq_attr *)T),
                                 return ((volatile struct mq_attr *)T)->mq_maxmsg)
ORDER(mq_setattr, have_letter(); clear(),
                                 return mq_setattr(fd, &(struct mq_attr){0}, (struct mq_attr *)T),
                                 return ((volatile struct mq_attr *)T)->mq_maxmsg)
ORDER(msgctl, have_messages(); clear(), return msgctl(fd, IPC_STAT, (struct msqid_ds *)T),
                               return ((volatile struct msqid_ds *)T)->msg_qnum)
ORDER(mq_receive, have_letter(), return mq_receive(fd, T, 1, NULL), return look())
ORDER(mq_timedreceive, have_letter(), struct timespec t = {0};
      return mq_timedreceive(fd, T, 1, NULL, &t), return look())
ORDER(msgsnd, have_messages(); T[8] = '1', char m[16]; MUST(msgsnd(fd, &shared, 1, 0) == 0);
      msgrcv(fd, m, 1, 0, 0); msgrcv(fd, m, 1, 0, 0); return m[8], ((volatile char *)T)[8] = '2';
      return 0)
ORDER(msgrcv, have_messages(); clear(), return msgrcv(fd, &shared, 1, 0, 0), return look())
ORDER(wait, have_child(), return wait(&shared.number) > 0, return look())
ORDER(waitpid, have_child(), return waitpid(fd, &shared.number, 0) > 0, return look())
ORDER(wait3, have_child(), return wait3(&shared.number, 0, NULL) > 0, return look())
ORDER(wait4, have_child(), return wait4(fd, &shared.number, 0, NULL) > 0, return look())
ORDER(waitid, have_child(), return waitid(P_ALL, 0, (siginfo_t *)&shared, WEXITED), return look())

static void remove_set(void)
{
    semctl(fd, 0, IPC_RMID);
}

/* Eight, of which the last one is at the end of what is set. */
static void have_set(void)
{
    fd = semget(IPC_PRIVATE, 8, 0600);
    MUST(fd >= 0);
    clear();
    after = remove_set;
}

static void remove_memory(void)
{
    shmctl(fd, IPC_RMID, NULL);
}

static void have_memory(void)
{
    fd = shmget(IPC_PRIVATE, 4096, 0600);
    MUST(fd >= 0);
    clear();
    after = remove_memory;
}

#define VALUES ((volatile unsigned short *)T)
ORDER(semop, have_set(); VALUES[1] = 1, MUST(semop(fd, (struct sembuf *)T, 1) == 0);
      return semctl(fd, 0, GETVAL), return VALUES[1] = 2)
ORDER(semtimedop, have_set(); VALUES[1] = 1, MUST(semtimedop(fd, (struct sembuf *)T, 1, NULL) == 0);
      return semctl(fd, 0, GETVAL), return VALUES[1] = 2)
ORDER(semctl, have_set(); VALUES[7] = 1, MUST(semctl(fd, 0, SETALL, T) == 0);
      return semctl(fd, 7, GETVAL), return VALUES[7] = 2)
ORDER(shmctl, have_memory(), return shmctl(fd, IPC_STAT, (struct shmid_ds *)T),
      return (long)((volatile struct shmid_ds *)T)->shm_segsz)

#if IN_MEMORY
ORDERS(&order_strcoll_l, &order_index, &order_rindex, &order_strtoumax, &order_inet_addr,
       &order_memmove, &order_bcopy, &order_memcmp, &order_bcmp, &order_memchr, &order_strlen,
       &order_strnlen, &order_strcmp, &order_strncmp, &order_strcasecmp, &order_strchr,
       &order_strrchr, &order_strstr, &order_strdup, &order_strndup, &order_stpcpy, &order_strncpy,
       &order_strcat, &order_strncat, &order_qsort_r, &order_wcpcpy, &order_wcscasecmp,
       &order_wcscspn, &order_wcspbrk, &order_wmempcpy, &order_wcstoll, &order_wcstoul,
       &order_wcstoull, &order_wcstof, &order_swscanf, &order_secure_getenv, &order_vswscanf,
       &order_vasprintf, &order_strfry, &order_bzero, &order_vsprintf, &order_vswprintf,
       &order_frexpf, &order_frexpl, &order_modff, &order_modfl, &order_jrand48, &order_fcvt_r,
       &order_wcsftime, &order_timelocal, &order_fstat64, &order_fstatat, &order_fstatat64,
       &order_statx, &order_statvfs, &order_pipe2, &order_readlinkat, &order_getrlimit64,
       &order_prlimit, &order_prlimit64, &order_setrlimit64, &order_pthread_getaffinity_np,
       &order_pthread_setaffinity_np, &order_pthread_setschedparam, &order_getpwnam_r,
       &order_sigfillset, &order_sigdelset, &order_sigismember, &order_pthread_attr_setstacksize,
       &order_pthread_attr_getdetachstate, &order_pthread_attr_setdetachstate,
       &order_pthread_mutexattr_settype, &order_pthread_setcanceltype, &order_setitimer,
       &order_mbsinit, &order_thrd_sleep, &order_random, &order_srandom, &order_lrand48,
       &order_mrand48, &order_lrand48_r, &order_mrand48_r, &order_srandom_r, &order_hdestroy_r,
       &order_unsetenv, &order_putenv, &order_clearenv)
#else
ORDERS(&order_setrlimit, &order_chdir, &order_chmod, &order_truncate, &order_link, &order_symlink,
       &order_faccessat, &order_euidaccess, &order_eaccess, &order_fchmodat, &order_mkdirat,
       &order_unlinkat, &order_renameat, &order_linkat, &order_symlinkat, &order_opendir,
       &order_readdir, &order_readdir64, &order_rewinddir, &order_seekdir, &order_telldir,
       &order_openat, &order_creat, &order_unlink, &order_remove, &order_rmdir, &order_mkdir,
       &order_mkfifo, &order_mkfifoat, &order_rename, &order_mkstemp, &order_mkstemp64,
       &order_mkdtemp, &order_system, &order_pread64, &order_preadv64, &order_pwrite64,
       &order_pwritev, &order_pwritev64, &order_lockf, &order_lockf64, &order_accept,
       &order_accept4, &order_connect, &order_bind, &order_mq_send, &order_mq_timedsend,
       &order_mq_receive, &order_mq_getattr, &order_mq_setattr, &order_msgctl,
       &order_mq_timedreceive, &order_msgsnd, &order_msgrcv, &order_wait, &order_waitpid,
       &order_wait3, &order_wait4, &order_waitid, &order_semop, &order_semtimedop, &order_semctl,
       &order_shmctl)
#endif
