/* SPDX-License-Identifier: MIT */
/*
 * What plait prints may have words of a program, of a file from somebody else, or of a path in it.
 * Here they pass on their way to a terminal: characters that would control it are shown as text.
 */
#ifndef PL_CLI_PLAIN_H
#define PL_CLI_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* From now on stderr, and with `out` stdout too, are streams that let no control character pass. */
void pl_plain_install(bool out);

/*
 * Whether all that went to standard output has got there; else false, with errno, once it has been
 * flushed.  Output that nobody reads any more is nothing to complain of.
 */
bool pl_plain_arrived(void);

struct pl_plain {
    int fd;
    int error; /* of the first write that failed */
    size_t n;  /* bytes that may be the beginning of a character */
    char begun[4];
};

/* Write through such a stream; exposed for its test.  -1 with errno when it cannot be written. */
int pl_plain_write(struct pl_plain *plain, const char *bytes, size_t size);

#endif /* PL_CLI_PLAIN_H */
