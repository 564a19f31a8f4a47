/* SPDX-License-Identifier: MIT */
/* Seals: the hash is SipHash's, a key is made once, and each word counts. */
#include "engine/shared/own.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_hash_is_that_of_its_authors(void)
{
    static const unsigned char empty[16] = {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
                                            0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93};
    static const unsigned char one[16] = {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44,
                                          0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45};
    unsigned char key[16], out[16];

    for (unsigned i = 0; i < 16; i++)
        key[i] = (unsigned char)i;
    pl_own_hash(key, "", 0, out);
    CHECK(memcmp(out, empty, 16) == 0);
    pl_own_hash(key, "", 1, out);
    CHECK(memcmp(out, one, 16) == 0);
}

static bool seals(const char *program, const char *argument, const char *check, const char *inputs,
                  char seal[PL_OWN_SEAL])
{
    const char *const arguments[] = {argument, NULL};
    struct pl_own_words words = {.program = program,
                                 .arguments = arguments,
                                 .check = check,
                                 .inputs = inputs,
                                 .n_inputs = inputs != NULL ? strlen(inputs) : 0};

    return pl_own_seal(&words, seal);
}

static void each_word_counts(void)
{
    char base[] = "/tmp/plait-unit-XXXXXX", command[200], path[100];
    char first[PL_OWN_SEAL], other[PL_OWN_SEAL];
    struct stat st;

    CHECK(mkdtemp(base) != NULL);
    setenv("XDG_STATE_HOME", base, 1);
    CHECK(seals("/bin/sh", "a", NULL, NULL, first) && strlen(first) == 32);
    CHECK(seals("/bin/../bin/sh", "a", NULL, NULL, other) && strcmp(first, other) == 0);
    CHECK(seals("/bin/sh", "b", NULL, NULL, other) && strcmp(first, other) != 0);
    CHECK(seals("/bin/cat", "a", NULL, NULL, other) && strcmp(first, other) != 0);
    CHECK(seals("/bin/sh", "a", "", NULL, other) && strcmp(first, other) != 0);
    CHECK(seals("/bin/sh", "a", NULL, "x", other) && strcmp(first, other) != 0);
    CHECK(!seals("/no/such/program", "a", NULL, NULL, other));
    snprintf(path, sizeof(path), "%s/plait/key", base);
    CHECK(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);

    /* A key that others could read is none. */
    CHECK(chmod(path, 0644) == 0 && !seals("/bin/sh", "a", NULL, NULL, other));
    CHECK(chmod(path, 0600) == 0 && seals("/bin/sh", "a", NULL, NULL, other));
    CHECK_STR(first, other);
    snprintf(command, sizeof(command), "rm -r %s", base);
    CHECK(system(command) == 0);
}

int main(void)
{
    the_hash_is_that_of_its_authors();
    each_word_counts();
    return unit_result();
}
