/* SPDX-License-Identifier: MIT */
/* See plain.h. */
#include "cli/plain.h"

#include "base/assert.h"
#include "trace/utf8.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int put(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);

        if (n < 0 && errno != EINTR)
            return -1;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* How long the character would be that begins with this byte; 1 when none does. */
static size_t length_of(unsigned char c)
{
    return c >= 0xf0 && c <= 0xf4 ? 4 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xc2 && c < 0xe0 ? 2 : 1;
}

/* Whether what is there could become one character with more. */
static bool is_begun(const char *at, size_t left)
{
    if (length_of((unsigned char)at[0]) <= left)
        return false;
    for (size_t i = 1; i < left; i++) {
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return false;
    }
    return true;
}

int pl_plain_write(struct pl_plain *plain, const char *bytes, size_t size)
{
    size_t total = plain->n + size, used = 0;
    char *all = malloc(total + 8), *to = malloc(4 * total + 8);

    if (all == NULL || to == NULL)
        abort();
    memcpy(all, plain->begun, plain->n);
    memcpy(all + plain->n, bytes, size);
    memset(all + total, 0, 8);
    plain->n = 0;
    for (size_t i = 0; i < total;) {
        uint32_t code = 0;
        size_t n = pl_utf8_decode(all + i, &code);

        if (n == 0 && is_begun(all + i, total - i)) {
            plain->n = total - i;
            memcpy(plain->begun, all + i, plain->n);
            break;
        }
        if (n > 0 && (!pl_utf8_is_control(code) || code == '\n' || code == '\t')) {
            memcpy(to + used, all + i, n);
            used += n;
        } else {
            for (size_t k = 0; k < (n ? n : 1); k++)
                used += (size_t)sprintf(to + used, "\\x%02x", (unsigned char)all[i + k]);
        }
        i += n ? n : 1;
    }
    PL_ASSERT(used <= 4 * total && plain->n < sizeof(plain->begun));
    int rc = put(plain->fd, to, used);

    if (rc != 0 && plain->error == 0)
        plain->error = errno;
    free(all);
    free(to);
    return rc;
}

static ssize_t on_write(void *cookie, const char *bytes, size_t size)
{
    return pl_plain_write(cookie, bytes, size) == 0 ? (ssize_t)size : 0;
}

static FILE *stream(struct pl_plain *plain, int mode)
{
    FILE *f = fopencookie(plain, "w", (cookie_io_functions_t){.write = on_write});

    if (f == NULL)
        abort();
    setvbuf(f, NULL, mode, BUFSIZ);
    return f;
}

static struct pl_plain to_out = {.fd = STDOUT_FILENO}, to_err = {.fd = STDERR_FILENO};

void pl_plain_install(bool out)
{
    fflush(NULL);
    if (out)
        stdout = stream(&to_out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    stderr = stream(&to_err, _IONBF);
}

bool pl_plain_arrived(void)
{
    errno = 0;
    bool fine = fflush(stdout) == 0 && !ferror(stdout);

    if (to_out.error != 0)
        errno = to_out.error;
    return fine || errno == EPIPE;
}
