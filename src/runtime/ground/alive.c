/* SPDX-License-Identifier: MIT */
#include "runtime/ground/alive.h"

#include "base/sys.h"
#include "base/text.h"

#include <fcntl.h>

/* "123 (name) R ..." */
bool pl_alive(int32_t pid)
{
    char path[64], text[128];
    long at = 0;

    pl_text_format(path, sizeof(path), "/proc/%d/stat", pid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    long n = fd >= 0 ? pl_sys(SYS_read, fd, text, sizeof(text)) : 0;

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    for (long i = 0; i < n; i++)
        at = text[i] == ')' ? i : at;
    return n > 0 && at + 2 < n && text[at + 2] != 'Z' && text[at + 2] != 'X';
}
