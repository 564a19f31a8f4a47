/* SPDX-License-Identifier: MIT */
/*
 * Records of users, hosts, files, terminals and the like: what is stored in them, or read from
 * them.
 *
 * RUN    -Wl,--no-as-needed -lm plait test -s dpor
 * EXPECT clean complete classes=282 exit=0
 *
 * RUN    -Wl,--no-as-needed -lm native
 * EXPECT exit=0
 */
#include "cases.h"

#include <argz.h>
#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <ifaddrs.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <mntent.h>
#include <monetary.h>
#include <net/if.h>
#include <netdb.h>
#include <printf.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <setjmp.h>
#include <shadow.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <utime.h>
#include <wchar.h>
#include <wordexp.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* of readdir_r() */

static __thread char own[2048];
static __thread void *found;
static __thread int number;
static int file;
static DIR *folder;

static void begin_all(void)
{
    memset(&shared, 0, sizeof(shared));
}

static void begin_text(const char *text)
{
    begin_all();
    strcpy(shared.text, text);
}

static void begin_file(void)
{
    begin_all();
    if (file == 0)
        file = memfd_create("file", 0);
}

static void begin_folder(void)
{
    begin_all();
    if (folder == NULL)
        folder = opendir("/");
    rewinddir(folder);
}

#define OUT(name, call) CASE(name, begin_all(), call, LOOK)
/* What is stored there, or changed, is not at the beginning. */
#define LATER(name, at, call) \
    CASE(name, begin_all(), call, (void)(result = ((volatile char *)shared.text)[at]))
#define TEXT(name, text, call) CASE(name, begin_text(text), call, TOUCH)
#define IN(name, call) CASE(name, begin_all(), call, TOUCH)
#define AT(type) ((type *)(void *)shared.text)
#define REST own, sizeof(own), (void *)&found

OUT(getgrgid_r_, result = getgrgid_r(0, AT(struct group), REST))
OUT(getgrnam_r_, result = getgrnam_r("root", AT(struct group), REST))
OUT(getgrent_r_, result = getgrent_r(AT(struct group), REST))
OUT(getpwent_r_, result = getpwent_r(AT(struct passwd), REST))
OUT(getspnam_r_, result = getspnam_r("root", AT(struct spwd), REST))
OUT(getspent_r_, result = getspent_r(AT(struct spwd), REST))
OUT(sgetspent_r_, result = sgetspent_r("root:*:1:1:1:1:::", AT(struct spwd), REST))
OUT(getservbyname_r_, result = getservbyname_r("ssh", "tcp", AT(struct servent), REST))
OUT(getservbyport_r_, result = getservbyport_r(htons(22), "tcp", AT(struct servent), REST))
OUT(getservent_r_, result = getservent_r(AT(struct servent), REST))
OUT(getprotobyname_r_, result = getprotobyname_r("tcp", AT(struct protoent), REST))
OUT(getprotobynumber_r_, result = getprotobynumber_r(6, AT(struct protoent), REST))
OUT(getprotoent_r_, result = getprotoent_r(AT(struct protoent), REST))
OUT(gethostbyname_r_, result = gethostbyname_r("127.0.0.1", AT(struct hostent), REST, &number))
OUT(gethostbyname2_r_,
    result = gethostbyname2_r("127.0.0.1", AF_INET, AT(struct hostent), REST, &number))
OUT(getmntent_r_, FILE *f = setmntent("/proc/mounts", "r");
    result = getmntent_r(f, AT(struct mntent), own, sizeof(own)) != NULL; endmntent(f))
TEXT(getgrnam_text, "root",
     result = getgrnam_r(shared.text, (struct group *)own, own + 512, 1024, (void *)&found))

OUT(getlogin_r_, result = getlogin_r(shared.text, 0))
OUT(ttyname_r_, result = ttyname_r(-1, shared.text, 64))
OUT(ptsname_r_, int fd = posix_openpt(O_RDWR); result = ptsname_r(fd, shared.text, 64); close(fd))
OUT(getdomainname_, result = getdomainname(shared.text, 128))
OUT(confstr_, result = confstr(_CS_PATH, shared.text, 64))
OUT(getresuid_, uid_t e; uid_t s; result = getresuid(AT(uid_t), &e, &s))
OUT(getresgid_, gid_t e; gid_t s; result = getresgid(AT(gid_t), &e, &s))
OUT(getgroups_, result = getgroups(0, AT(gid_t)))
OUT(getgrouplist_, int n = 8; result = getgrouplist("root", 0, AT(gid_t), &n))
OUT(getloadavg_, result = getloadavg(AT(double), 3))
OUT(getcpu_, unsigned node; result = getcpu(AT(unsigned), &node))
OUT(getifaddrs_, result = getifaddrs(AT(struct ifaddrs *)))
TEXT(if_nametoindex_, "lo", result = if_nametoindex(shared.text))
OUT(if_indextoname_, result = if_indextoname(1, shared.text) != NULL)

OUT(tcgetattr_, int fd = posix_openpt(O_RDWR); result = tcgetattr(fd, AT(struct termios));
    close(fd))
IN(tcsetattr_, result = tcsetattr(-1, TCSANOW, AT(struct termios)))
LATER(cfsetispeed_, 52, result = cfsetispeed(AT(struct termios), B9600))
LATER(cfsetospeed_, 56, result = cfsetospeed(AT(struct termios), B9600))
LATER(cfsetspeed_, 52, result = cfsetspeed(AT(struct termios), B9600))
LATER(cfmakeraw_, 8, cfmakeraw(AT(struct termios)))
IN(cfgetispeed_, result = cfgetispeed(AT(struct termios)))
IN(cfgetospeed_, result = cfgetospeed(AT(struct termios)))

static char *tokens[] = {(char *)"ro", NULL};
TEXT(getsubopt_, "ro", char *at = shared.text; char *value; result = getsubopt(&at, tokens, &value))
OUT(clock_getcpuclockid_, result = clock_getcpuclockid(0, AT(clockid_t)))

#define SPAWN            \
    posix_spawnattr_t a; \
    posix_spawnattr_init(&a);
OUT(spawnattr_init, result = posix_spawnattr_init(AT(posix_spawnattr_t)))
OUT(spawnattr_destroy, result = posix_spawnattr_destroy(AT(posix_spawnattr_t)))
OUT(spawnattr_getflags, SPAWN result = posix_spawnattr_getflags(&a, AT(short)))
OUT(spawnattr_getpgroup, SPAWN result = posix_spawnattr_getpgroup(&a, AT(pid_t)))
OUT(spawnattr_getpolicy, SPAWN result = posix_spawnattr_getschedpolicy(&a, AT(int)))
OUT(spawnattr_getparam, SPAWN result = posix_spawnattr_getschedparam(&a, AT(struct sched_param)))
OUT(spawnattr_getdefault, SPAWN result = posix_spawnattr_getsigdefault(&a, AT(sigset_t)))
OUT(spawnattr_getmask, SPAWN result = posix_spawnattr_getsigmask(&a, AT(sigset_t)))
OUT(spawnattr_setflags, result = posix_spawnattr_setflags(AT(posix_spawnattr_t), 0))
OUT(spawnattr_setpgroup, result = posix_spawnattr_setpgroup(AT(posix_spawnattr_t), 0))
OUT(spawnattr_setpolicy, result = posix_spawnattr_setschedpolicy(AT(posix_spawnattr_t), 0))
IN(spawnattr_setparam, SPAWN result = posix_spawnattr_setschedparam(&a, AT(struct sched_param)))
IN(spawnattr_setdefault, SPAWN result = posix_spawnattr_setsigdefault(&a, AT(sigset_t)))
IN(spawnattr_setmask, SPAWN result = posix_spawnattr_setsigmask(&a, AT(sigset_t)))

#define NOWHERE "/nowhere/at"
TEXT(chown_, NOWHERE, result = chown(shared.text, 0, 0))
TEXT(lchown_, NOWHERE, result = lchown(shared.text, 0, 0))
TEXT(fchownat_, NOWHERE, result = fchownat(AT_FDCWD, shared.text, 0, 0, 0))
TEXT(utime_, NOWHERE, result = utime(shared.text, NULL))
TEXT(utimes_, NOWHERE, result = utimes(shared.text, NULL))
TEXT(lutimes_, NOWHERE, result = lutimes(shared.text, NULL))
TEXT(futimesat_, NOWHERE, result = futimesat(AT_FDCWD, shared.text, NULL))
TEXT(utimensat_, NOWHERE, result = utimensat(AT_FDCWD, shared.text, NULL, 0))
IN(futimes_, result = futimes(-1, AT(struct timeval)))
IN(futimens_, result = futimens(-1, AT(struct timespec)))
TEXT(renameat2_, NOWHERE, result = renameat2(AT_FDCWD, shared.text, AT_FDCWD, "/nowhere/else", 0))
TEXT(memfd_create_, NOWHERE, int fd = memfd_create(shared.text, 0); close(fd))
TEXT(inotify_add_watch_, NOWHERE, result = inotify_add_watch(-1, shared.text, IN_ACCESS))
TEXT(scandir_, NOWHERE, struct dirent **list; result = scandir(shared.text, &list, NULL, NULL))
TEXT(mkostemp_, "/nowhere/XXXXXX", result = mkostemp(shared.text, 0))
TEXT(mkostemp64_, "/nowhere/XXXXXX", result = mkostemp64(shared.text, 0))
OUT(fstatfs_, result = fstatfs(0, AT(struct statfs)))
OUT(fstatfs64_, result = fstatfs64(0, AT(struct statfs64)))
OUT(fstatvfs_, result = fstatvfs(0, AT(struct statvfs)))
OUT(fstatvfs64_, result = fstatvfs64(0, AT(struct statvfs64)))
OUT(statfs64_, result = statfs64("/", AT(struct statfs64)))
OUT(statvfs64_, result = statvfs64("/", AT(struct statvfs64)))
CASE(readdir_r_, begin_folder(), result = readdir_r(folder, AT(struct dirent), (void *)&found),
     LOOK)
CASE(readdir64_r_, begin_folder(),
     result = readdir64_r(folder, AT(struct dirent64), (void *)&found), LOOK)
OUT(getdents64_, int fd = open("/", O_RDONLY); result = getdents64(fd, shared.text, 1024);
    close(fd))

static const struct iovec piece = {&shared, 1};
CASE(pwritev2_, begin_file(), result = pwritev2(file, &piece, 1, 0, 0), TOUCH)
CASE(preadv2_, begin_file();
     result = pwrite(file, "text", 4, 0), result = preadv2(file, &piece, 1, 0, 0), LOOK)
CASE(pwritev64v2_, begin_file(), result = pwritev64v2(file, &piece, 1, 0, 0), TOUCH)
CASE(preadv64v2_, begin_file();
     result = pwrite(file, "text", 4, 0), result = preadv64v2(file, &piece, 1, 0, 0), LOOK)
OUT(eventfd_read_, int fd = eventfd(1, 0); result = eventfd_read(fd, AT(eventfd_t)); close(fd))

static const sigset_t none;
OUT(sigandset_, result = sigandset(AT(sigset_t), &none, &none))
OUT(sigorset_, result = sigorset(AT(sigset_t), &none, &none))
IN(sigisemptyset_, result = sigisemptyset(AT(sigset_t)))

static struct drand48_data drawn;
OUT(erand48_r_, struct drand48_data d = drawn; double x;
    result = erand48_r(AT(unsigned short), &d, &x))
OUT(nrand48_r_, struct drand48_data d = drawn; long x;
    result = nrand48_r(AT(unsigned short), &d, &x))
OUT(jrand48_r_, struct drand48_data d = drawn; long x;
    result = jrand48_r(AT(unsigned short), &d, &x))
IN(seed48_r_, struct drand48_data d = drawn; result = seed48_r(AT(unsigned short), &d))
IN(lcong48_r_, struct drand48_data d = drawn; result = lcong48_r(AT(unsigned short), &d))
OUT(setstate_r_, static char table[64]; struct random_data *d = AT(struct random_data);
    result = initstate_r(1, table, sizeof(table), d) + setstate_r(table, d))

OUT(sincos_, double x; sincos(1.0, AT(double), &x))
OUT(sincosf_, float x; sincosf(1.0F, AT(float), &x))
OUT(remquo_, result = (long)remquo(7.0, 2.0, AT(int)))
OUT(remquof_, result = (long)remquof(7.0F, 2.0F, AT(int)))
OUT(lgamma_r_, result = (long)lgamma_r(7.5, AT(int)))
OUT(lgammaf_r_, result = (long)lgammaf_r(7.5F, AT(int)))

TEXT(argz_add_, "a", char *argz = NULL; size_t n = 0; result = argz_add(&argz, &n, shared.text);
     free(argz))
TEXT(argz_create_sep_, "a", char *argz; size_t n;
     result = argz_create_sep(shared.text, ',', &argz, &n); free(argz))
#define C newlocale(LC_ALL_MASK, "C", NULL)
OUT(wcpncpy_, result = wcpncpy(shared.wide, L"a", 2) != NULL)
OUT(wcsxfrm_, result = (long)wcsxfrm(shared.wide, L"a", 2))
OUT(strfromd_, result = strfromd(shared.text, 8, "%g", 1.0))
OUT(strftime_l_, struct tm tm = {0}; result = (long)strftime_l(shared.text, 8, "%d", &tm, C))
TEXT(strtol_l_, "1", result = strtol_l(shared.text, NULL, 10, C))
TEXT(strtoll_l_, "1", result = strtoll_l(shared.text, NULL, 10, C))
TEXT(strtoul_l_, "1", result = (long)strtoul_l(shared.text, NULL, 10, C))
TEXT(strtoull_l_, "1", result = (long)strtoull_l(shared.text, NULL, 10, C))
TEXT(strtod_l_, "1", result = (long)strtod_l(shared.text, NULL, C))
OUT(regerror_, regex_t r; regcomp(&r, "a", 0); result = (long)regerror(1, &r, shared.text, 64))

/* Functions that return twice, and what is kept beyond a record's first word. */
OUT(setjmp_, result = _setjmp(AT(struct __jmp_buf_tag)))
OUT(sigsetjmp_, result = sigsetjmp(AT(struct __jmp_buf_tag), 1))
OUT(getcontext_, result = getcontext(AT(ucontext_t)))
OUT(fegetenv_, result = fegetenv(AT(fenv_t)))

static char *words[] = {(char *)"x", (char *)"--a", NULL};
static struct option names[] = {{"a", 0, &shared.number, 7}, {NULL, 0, NULL, 0}};
OUT(getopt_flag, result = getopt_long(2, words, "", names, &number))
OUT(getopt_index, result = getopt_long_only(2, words, "", names, &shared.number))

/* What is reached through what they are given, and what is not in the first word of it. */
struct link {
    struct link *next, *previous;
};

static struct link last;
static wchar_t *rest;
static int messages[2];
static timer_t timer;

OUT(insque_, insque(&last, AT(struct link)))
CASE(remque_, begin_all(); AT(struct link)->next = NULL;
     last.previous = AT(struct link), remque(&last), LOOK)
TEXT(dirname_, "a/b", result = dirname(shared.text) != NULL)
TEXT(basename_, "a/b", result = __xpg_basename(shared.text) != NULL)
TEXT(argz_stringify_, "a", argz_stringify(shared.text, 3, ','))
TEXT(argz_count_, "a", result = (long)argz_count(shared.text, 2))
CASE(wcstok_, begin_all();
     shared.wide[0] = L'a', result = wcstok(shared.wide, L" ", &rest) != NULL, TOUCH)
OUT(mbsrtowcs_, const char *from = "ab"; mbstate_t s = {0};
    result = (long)mbsrtowcs(shared.wide, &from, 8, &s))
OUT(wcsrtombs_, const wchar_t *from = L"ab"; mbstate_t s = {0};
    result = (long)wcsrtombs(shared.text, &from, 8, &s))
OUT(regfree_, regfree(AT(regex_t)))
CASE(globfree_, begin_all(); glob("/", 0, NULL, AT(glob_t)), globfree(AT(glob_t)),
                             (void)(result = ((volatile glob_t *)AT(glob_t))->gl_pathv != NULL))
CASE(wordfree_, begin_all();
     wordexp("a", AT(wordexp_t), 0), wordfree(AT(wordexp_t)),
     (void)(result = ((volatile wordexp_t *)AT(wordexp_t))->we_wordv != NULL))
OUT(gcvt_, result = gcvt(1.5, 3, shared.text) != NULL)
OUT(backtrace_, result = backtrace(AT(void *), 8))
OUT(strfmon_, result = strfmon(shared.text, 16, "%n", 1.5))
LATER(parse_printf_format_, 8, result = (long)parse_printf_format("%d%d%d", 3, AT(int)))
OUT(prctl_, result = prctl(PR_GET_PDEATHSIG, shared.text))

static void begin_messages(void)
{
    begin_all();
    if (messages[0] == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, messages) != 0)
        abort();
    while (recv(messages[0], own, 1, MSG_DONTWAIT) > 0) {
    }
    result = send(messages[1], "a", 1, 0) + send(messages[1], "b", 1, 0);
}

static __thread struct iovec buffer;
static __thread struct mmsghdr headers[2];
static struct timespec limit;

static struct mmsghdr *two_messages(void)
{
    buffer = (struct iovec){&shared, 1};
    for (unsigned i = 0; i < 2; i++)
        headers[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &buffer, .msg_iovlen = 1}};
    return headers;
}

/* Of one each, which the second thread sees between the two. */
CASE(recvmmsg_, begin_messages(), result = recvmmsg(messages[0], two_messages(), 2, 0, NULL), LOOK)
CASE(recvmmsg_limited, begin_messages();
     limit.tv_sec = 1, result = recvmmsg(messages[0], two_messages(), 2, 0, &limit), LOOK)
CASE(sendmmsg_, begin_messages(), result = sendmmsg(messages[1], two_messages(), 2, 0), TOUCH)

static void begin_timer(void)
{
    struct sigevent none_of_it = {.sigev_notify = SIGEV_NONE};

    begin_all();
    if (timer_create(CLOCK_MONOTONIC, &none_of_it, &timer) != 0)
        abort();
}

static const struct itimerspec five = {.it_value = {.tv_sec = 5}};
CASE(timer_settime_, begin_timer(), result = timer_settime(timer, 0, &five, NULL),
     struct itimerspec now;
     result = timer_gettime(timer, &now))

int main(void)
{
    RUN(getgrgid_r_);
    RUN(getgrnam_r_);
    RUN(getgrent_r_);
    RUN(getpwent_r_);
    RUN(getspnam_r_);
    RUN(getspent_r_);
    RUN(sgetspent_r_);
    RUN(getservbyname_r_);
    RUN(getservbyport_r_);
    RUN(getservent_r_);
    RUN(getprotobyname_r_);
    RUN(getprotobynumber_r_);
    RUN(getprotoent_r_);
    RUN(gethostbyname_r_);
    RUN(gethostbyname2_r_);
    RUN(getmntent_r_);
    RUN(getgrnam_text);
    RUN(getlogin_r_);
    RUN(ttyname_r_);
    RUN(ptsname_r_);
    RUN(getdomainname_);
    RUN(confstr_);
    RUN(getresuid_);
    RUN(getresgid_);
    RUN(getgroups_);
    RUN(getgrouplist_);
    RUN(getloadavg_);
    RUN(getcpu_);
    RUN(getifaddrs_);
    RUN(if_nametoindex_);
    RUN(if_indextoname_);
    RUN(tcgetattr_);
    RUN(tcsetattr_);
    RUN(cfsetispeed_);
    RUN(cfsetospeed_);
    RUN(cfsetspeed_);
    RUN(cfmakeraw_);
    RUN(cfgetispeed_);
    RUN(cfgetospeed_);
    RUN(getsubopt_);
    RUN(clock_getcpuclockid_);
    RUN(spawnattr_init);
    RUN(spawnattr_destroy);
    RUN(spawnattr_getflags);
    RUN(spawnattr_getpgroup);
    RUN(spawnattr_getpolicy);
    RUN(spawnattr_getparam);
    RUN(spawnattr_getdefault);
    RUN(spawnattr_getmask);
    RUN(spawnattr_setflags);
    RUN(spawnattr_setpgroup);
    RUN(spawnattr_setpolicy);
    RUN(spawnattr_setparam);
    RUN(spawnattr_setdefault);
    RUN(spawnattr_setmask);
    RUN(chown_);
    RUN(lchown_);
    RUN(fchownat_);
    RUN(utime_);
    RUN(utimes_);
    RUN(lutimes_);
    RUN(futimesat_);
    RUN(utimensat_);
    RUN(futimes_);
    RUN(futimens_);
    RUN(renameat2_);
    RUN(memfd_create_);
    RUN(inotify_add_watch_);
    RUN(scandir_);
    RUN(mkostemp_);
    RUN(mkostemp64_);
    RUN(fstatfs_);
    RUN(fstatfs64_);
    RUN(fstatvfs_);
    RUN(fstatvfs64_);
    RUN(statfs64_);
    RUN(statvfs64_);
    RUN(readdir_r_);
    RUN(readdir64_r_);
    RUN(getdents64_);
    RUN(pwritev2_);
    RUN(preadv2_);
    RUN(pwritev64v2_);
    RUN(preadv64v2_);
    RUN(eventfd_read_);
    RUN(sigandset_);
    RUN(sigorset_);
    RUN(sigisemptyset_);
    RUN(erand48_r_);
    RUN(nrand48_r_);
    RUN(jrand48_r_);
    RUN(seed48_r_);
    RUN(lcong48_r_);
    RUN(setstate_r_);
    RUN(sincos_);
    RUN(sincosf_);
    RUN(remquo_);
    RUN(remquof_);
    RUN(lgamma_r_);
    RUN(lgammaf_r_);
    RUN(argz_add_);
    RUN(argz_create_sep_);
    RUN(wcpncpy_);
    RUN(wcsxfrm_);
    RUN(strfromd_);
    RUN(strftime_l_);
    RUN(strtod_l_);
    RUN(regerror_);
    RUN(setjmp_);
    RUN(sigsetjmp_);
    RUN(getcontext_);
    RUN(fegetenv_);
    RUN(getopt_flag);
    RUN(getopt_index);
    RUN(strtol_l_);
    RUN(strtoll_l_);
    RUN(strtoul_l_);
    RUN(strtoull_l_);
    RUN(insque_);
    RUN(remque_);
    RUN(dirname_);
    RUN(basename_);
    RUN(argz_stringify_);
    RUN(argz_count_);
    RUN(wcstok_);
    RUN(mbsrtowcs_);
    RUN(wcsrtombs_);
    RUN(regfree_);
    RUN(globfree_);
    RUN(wordfree_);
    RUN(gcvt_);
    RUN(backtrace_);
    RUN(strfmon_);
    RUN(parse_printf_format_);
    RUN(prctl_);
    RUN(recvmmsg_);
    RUN(recvmmsg_limited);
    RUN(sendmmsg_);
    RUN(timer_settime_);
    return 0;
}
