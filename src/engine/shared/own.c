/* SPDX-License-Identifier: MIT */
/* See own.h. */
#include "engine/shared/own.h"

#include "base/assert.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 16 };

/* ---- SipHash-2-4, J.-P. Aumasson and D. J. Bernstein, 2012; the form with 128 bits ---- */

static uint64_t turn(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void rounds(uint64_t v[4], unsigned n)
{
    while (n-- > 0) {
        v[0] += v[1];
        v[1] = turn(v[1], 13) ^ v[0];
        v[0] = turn(v[0], 32);
        v[2] += v[3];
        v[3] = turn(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = turn(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = turn(v[1], 17) ^ v[2];
        v[2] = turn(v[2], 32);
    }
}

static uint64_t word_at(const unsigned char *p, size_t n)
{
    uint64_t word = 0;

    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)p[i] << (8 * i);
    return word;
}

void pl_own_hash(const unsigned char key[16], const void *data, size_t size, unsigned char out[16])
{
    const unsigned char *p = data;
    uint64_t a = word_at(key, 8), b = word_at(key + 8, 8);
    uint64_t v[4] = {a ^ 0x736f6d6570736575, b ^ 0x646f72616e646f6d ^ 0xee, a ^ 0x6c7967656e657261,
                     b ^ 0x7465646279746573};

    for (size_t left = size;; p += 8, left -= 8) {
        bool last = left < 8;
        uint64_t word = word_at(p, last ? left : 8) | (last ? (uint64_t)size << 56 : 0);

        v[3] ^= word;
        rounds(v, 2);
        v[0] ^= word;
        if (last)
            break;
    }
    for (unsigned half = 0; half < 2; half++) {
        if (half == 0)
            v[2] ^= 0xee;
        else
            v[1] ^= 0xdd;
        rounds(v, 4);
        uint64_t word = v[0] ^ v[1] ^ v[2] ^ v[3];

        for (unsigned i = 0; i < 8; i++)
            out[8 * half + i] = (unsigned char)(word >> (8 * i));
    }
}

/* ---- the key ---- */

/* The user's state folder; false when there is none. */
static bool state_folder(char to[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct passwd *user = home == NULL || home[0] != '/' ? getpwuid(geteuid()) : NULL;

    if (state != NULL && state[0] == '/')
        return snprintf(to, PATH_MAX, "%s/plait", state) < PATH_MAX - 32;
    if (user != NULL)
        home = user->pw_dir;
    return home != NULL && home[0] == '/' &&
           snprintf(to, PATH_MAX, "%s/.local/state/plait", home) < PATH_MAX - 32;
}

static bool make_folders(char *path)
{
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* A key counts only where nobody else can read or change it. */
static bool read_key(const char *path, unsigned char key[KEY])
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    bool fine = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                (st.st_mode & 077) == 0 && read(fd, key, KEY) == KEY;

    if (fd >= 0)
        close(fd);
    return fine;
}

/* Complete before it has its name, so that others see all of it or nothing. */
static void make_key(const char *folder, const char *path)
{
    unsigned char key[KEY];
    char draft[PATH_MAX + 32];

    snprintf(draft, sizeof(draft), "%s/.key-%ld", folder, (long)getpid());
    int fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (fd < 0)
        return;
    if (getrandom(key, sizeof(key), 0) == KEY && write(fd, key, KEY) == KEY && fsync(fd) == 0)
        (void)!link(draft, path); /* somebody else may have been first, whose key is as good */
    close(fd);
    unlink(draft);
}

static bool find_key(unsigned char key[KEY])
{
    char folder[PATH_MAX], path[PATH_MAX + 16];

    if (!state_folder(folder))
        return false;
    snprintf(path, sizeof(path), "%s/key", folder);
    if (read_key(path, key))
        return true;
    if (!make_folders(folder))
        return false;
    make_key(folder, path);
    return read_key(path, key);
}

bool pl_own_is_known(void)
{
    unsigned char key[KEY];

    return find_key(key);
}

/* ---- what is sealed ---- */

static void put(FILE *to, const void *bytes, size_t size)
{
    uint64_t n = size;

    fwrite(&n, sizeof(n), 1, to); /* so that no two lists look the same */
    fwrite(bytes, 1, size, to);
}

static void put_text(FILE *to, const char *text)
{
    put(to, text, strlen(text));
}

/* A home may be the same on several machines. */
static void put_machine(FILE *to)
{
    char id[64];
    int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, id, sizeof(id)) : 0;

    if (fd >= 0)
        close(fd);
    put(to, id, n > 0 ? (size_t)n : 0);
}

bool pl_own_seal(const struct pl_own_words *words, char seal[PL_OWN_SEAL])
{
    unsigned char key[KEY], hash[16];
    char *text = NULL, *whole = realpath(words->program, NULL);
    size_t size = 0;

    PL_ASSERT(words->arguments != NULL);
    seal[0] = '\0';
    if (whole == NULL || !find_key(key)) {
        free(whole);
        return false;
    }
    FILE *to = open_memstream(&text, &size);

    if (to == NULL)
        abort();
    put_text(to, "plait seal 1");
    put_machine(to);
    put_text(to, whole);
    for (size_t i = 0; words->arguments[i] != NULL; i++)
        put_text(to, words->arguments[i]);
    put_text(to, words->check != NULL ? "check" : "no check");
    put_text(to, words->check != NULL ? words->check : "");
    if (words->client != NULL) {
        put_text(to, "client");
        put_text(to, words->client);
    }
    put(to, words->inputs, words->inputs != NULL ? words->n_inputs : 0);
    fclose(to);
    pl_own_hash(key, text, size, hash);
    for (unsigned i = 0; i < sizeof(hash); i++)
        sprintf(seal + 2 * (size_t)i, "%02x", hash[i]);
    free(text);
    free(whole);
    return true;
}
