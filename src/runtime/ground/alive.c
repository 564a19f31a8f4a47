/* SPDX-License-Identifier: MIT */
#include "runtime/ground/alive.h"

#include "base/sys.h"
#include "base/text.h"

#include <fcntl.h>

enum { STATE = 2, THREADS = 17 }; /* characters behind the name, and fields behind the state */

/* "Z 1 ... 20 0 2 ...": the first thread has ended, and is counted with those that have not. */
static bool has_others(const char *state)
{
    for (unsigned fields = 0; *state != '\0'; state++) {
        fields += *state == ' ';
        if (fields == THREADS)
            return !pl_text_starts(state, " 1 ");
    }
    return false;
}

/*
 * "123 (name) R ...".  A process whose first thread is over may go on with others, and has none for
 * a moment when another of its threads makes it another program.
 */
bool pl_alive(int32_t pid)
{
    char path[64], text[512];
    long at = 0;

    pl_text_format(path, sizeof(path), "/proc/%d/stat", pid);
    long fd = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    long n = fd >= 0 ? pl_sys(SYS_read, fd, text, sizeof(text) - 1) : 0;

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    text[n > 0 ? n : 0] = '\0';
    for (long i = 0; i < n; i++)
        at = text[i] == ')' ? i : at;
    if (at == 0 || at + STATE >= n || text[at + STATE] == 'X')
        return false;
    return text[at + STATE] != 'Z' || has_others(text + at + STATE);
}
