/* SPDX-License-Identifier: MIT */
/*
 * Calls that go by a path, against calls that go by another, or by a descriptor of the same file.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=40
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=40
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "orders.h"

#include <sys/time.h>
#include <utime.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

static int file;

static void begin(void)
{
    unlink("file");
    unlink("other");
    rmdir("folder/in");
    rmdir("folder");
    file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    MUST(file >= 0 && pwrite(file, "ab", 2, 0) == 2 && fchmod(file, 04755) == 0);
}

static void link_it(void)
{
    begin();
    MUST(symlink("file", "other") == 0);
}

static void make_folder(void)
{
    begin();
    MUST(mkdir("folder", 0700) == 0);
}

static struct stat status(void)
{
    struct stat st = {0};

    MUST(fstat(file, &st) == 0);
    return st;
}

static long is_there(const char *path)
{
    return said(access(path, F_OK));
}

static long cut(void)
{
    return truncate("file", 1);
}

ORDER(access, begin(), return said(access("file", F_OK)), return unlink("file"))
ORDER(faccessat, begin(), return said(syscall(SYS_faccessat, AT_FDCWD, "file", X_OK)),
      return fchmod(file, 0))
ORDER(faccessat2, begin(), return said(syscall(SYS_faccessat2, AT_FDCWD, "file", X_OK, AT_EACCESS)),
      return chmod("file", 0))
ORDER(stat, begin(), struct stat st; MUST(stat("file", &st) == 0); return st.st_size, return cut())
ORDER(lstat, begin(), struct stat st; MUST(lstat("file", &st) == 0);
      return st.st_size, return ftruncate(file, 1))
ORDER(newfstatat, begin(), struct stat st; MUST(fstatat(AT_FDCWD, "file", &st, 0) == 0);
      return st.st_size, return cut())
ORDER(statx, begin(), struct statx st; MUST(statx(AT_FDCWD, "file", 0, STATX_SIZE, &st) == 0);
      return (long)st.stx_size, return cut())
ORDER(readlink, link_it(), char to[8];
      return said(readlink("other", to, 8)), return unlink("other"))
ORDER(readlinkat, link_it(), char to[8];
      return said(readlinkat(AT_FDCWD, "other", to, 8)), return unlink("other"))
ORDER(truncate, begin(), return truncate("file", 1), return status().st_size)
ORDER(chmod, begin(), return chmod("file", 0600), return status().st_mode)
ORDER(chown, begin(), return chown("file", getuid(), getgid()), return status().st_mode)
ORDER(fchmodat, begin(), return fchmodat(AT_FDCWD, "file", 0600, 0), return status().st_mode)
ORDER(fchownat, begin(), return fchownat(AT_FDCWD, "file", getuid(), getgid(), 0),
      return status().st_mode)
ORDER(utimensat, begin(), return utimensat(AT_FDCWD, "file", (struct timespec[2]){0}, 0),
      return status().st_mtime == 0)
ORDER(utime, begin(), return syscall(SYS_utime, "file", &(struct utimbuf){0}),
      return status().st_mtime == 0)
ORDER(utimes, begin(), return syscall(SYS_utimes, "file", (struct timeval[2]){0}),
      return status().st_mtime == 0)
ORDER(futimesat, begin(), return syscall(SYS_futimesat, AT_FDCWD, "file", (struct timeval[2]){0}),
      return status().st_mtime == 0)
ORDER(futimens, begin(), return futimens(file, (struct timespec[2]){0}), struct stat st;
      MUST(stat("file", &st) == 0); return st.st_mtime == 0)
ORDER(lchown, begin(), return lchown("file", getuid(), getgid()), return status().st_mode)
ORDER(mkdir, begin(), return said(mkdir("folder", 0700)), return said(mkdir("folder", 0700)))
ORDER(mkdirat, begin(), return said(mkdirat(AT_FDCWD, "folder", 0700)), return is_there("folder"))
ORDER(rmdir, make_folder(), return rmdir("folder"), return is_there("folder"))
ORDER(unlink, begin(), return unlink("file"), return (long)status().st_nlink)
ORDER(unlinkat, make_folder(), return unlinkat(AT_FDCWD, "folder", AT_REMOVEDIR),
      return is_there("folder"))
ORDER(rename, begin(), return rename("file", "other"), return is_there("file"))
ORDER(renameat, begin(), return syscall(SYS_renameat, AT_FDCWD, "file", AT_FDCWD, "other"),
      return is_there("other"))
ORDER(renameat2, begin(),
      return said(syscall(SYS_renameat2, AT_FDCWD, "file", AT_FDCWD, "other", RENAME_NOREPLACE)),
      return said(symlink("x", "other")))
ORDER(rename_over, begin(); close(open("other", O_CREAT | O_RDWR, 0600)),
                            return rename("other", "file"), return (long)status().st_nlink)
ORDER(folder_grows, make_folder(); file = open("folder", O_RDONLY | O_DIRECTORY),
                                   return said(mkdir("folder/in", 0700)),
                                   return (long)status().st_nlink)
ORDER(link, begin(), return link("file", "other"), return (long)status().st_nlink)
ORDER(linkat, begin(), return linkat(AT_FDCWD, "file", AT_FDCWD, "other", 0),
      return (long)status().st_nlink)
ORDER(symlink, begin(), return symlink("file", "other"), return is_there("other"))
ORDER(symlinkat, begin(), return symlinkat("file", AT_FDCWD, "other"), char to[8];
      return said(readlink("other", to, 8)))
ORDER(mknod, begin(), return mknod("other", S_IFREG | 0600, 0), return is_there("other"))
ORDER(mknodat, begin(), return mknodat(AT_FDCWD, "other", S_IFIFO | 0600, 0),
      return is_there("other"))
ORDER(getcwd, make_folder(), char at[4096]; MUST(getcwd(at, sizeof(at)) != NULL);
      return strcmp(strrchr(at, '/'), "/folder") == 0, return chdir("folder"))
ORDER(chdir, make_folder(), return chdir("folder"), return is_there("file"))
ORDER(fchdir, make_folder();
      file = open("folder", O_RDONLY | O_DIRECTORY), return fchdir(file), return is_there("folder"))
ORDER(umask, begin(); umask(022), return umask(077), int fd = open("other", O_CREAT | O_RDWR, 0666);
      struct stat st; MUST(fstat(fd, &st) == 0); return st.st_mode & 0777)

ORDERS(&order_access, &order_faccessat, &order_faccessat2, &order_stat, &order_lstat,
       &order_newfstatat, &order_statx, &order_readlink, &order_readlinkat, &order_truncate,
       &order_chmod, &order_chown, &order_fchmodat, &order_fchownat, &order_utimensat, &order_utime,
       &order_utimes, &order_futimesat, &order_futimens, &order_lchown, &order_mkdir,
       &order_mkdirat, &order_rmdir, &order_unlink, &order_unlinkat, &order_rename, &order_renameat,
       &order_renameat2, &order_rename_over, &order_folder_grows, &order_link, &order_linkat,
       &order_symlink, &order_symlinkat, &order_mknod, &order_mknodat, &order_umask, &order_getcwd,
       &order_chdir, &order_fchdir)
