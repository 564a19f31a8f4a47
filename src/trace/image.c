/* SPDX-License-Identifier: MIT */
/* See image.h. */
#include "trace/image.h"

#include "base/assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

struct pl_image pl_image_open(const void *data)
{
    struct pl_image image = {.head = data};

    PL_ASSERT(data != NULL);
    image.threads = (const struct pl_input_thread *)(image.head + 1);
    image.area = (const unsigned char *)(image.threads + image.head->n_threads);
    return image;
}

const struct pl_input_record *pl_image_record(const struct pl_image *image, uint64_t offset)
{
    return offset == 0 ? NULL : (const struct pl_input_record *)(image->area + offset);
}

static bool is_inside(const struct pl_image *image, uint64_t offset, uint64_t size)
{
    return offset >= PL_INPUTS_FIRST && offset <= image->head->used &&
           size <= image->head->used - offset;
}

static const char *check_record(const struct pl_image *image, const struct pl_input_record *r)
{
    if (r->kind >= PL_INPUT_KINDS)
        return "a record is of a kind that this plait does not know";
    if ((r->aux & 0xff) >= PL_INPUT_SOURCES &&
        (r->kind == PL_INPUT_OPEN || r->kind == PL_INPUT_INHERITED))
        return "a file comes from nowhere";
    if ((r->bytes != 0 || r->size != 0) && !is_inside(image, r->bytes, r->size))
        return "the bytes of a record are outside of it";
    /* A variable is a text with an end. */
    if (r->kind == PL_INPUT_ENVIRONMENT &&
        (r->size == 0 || image->area[r->bytes + r->size - 1] != '\0'))
        return "an environment variable has no end";
    return NULL;
}

/* Each record lies behind the one before it, so this comes to an end. */
static const char *check_chain(const struct pl_image *image, uint64_t first)
{
    uint64_t before = 0;

    for (uint64_t at = first; at != 0;) {
        if (at <= before || at % 8 != 0 || !is_inside(image, at, sizeof(struct pl_input_record)))
            return "a record is outside of it";
        const struct pl_input_record *r = pl_image_record(image, at);
        const char *wrong = check_record(image, r);

        if (wrong != NULL)
            return wrong;
        before = at;
        at = r->next;
    }
    return NULL;
}

const char *pl_image_check(const void *data, size_t size)
{
    const struct pl_inputs_head *head = data;

    if (size < sizeof(*head) || head->magic != PL_INPUTS_MAGIC)
        return "it is something else";
    if (head->version != PL_INPUTS_VERSION)
        return "it was written by another version of plait";
    if (head->n_threads > PL_THREADS_MAX || head->used < PL_INPUTS_FIRST ||
        head->used > PL_INPUTS_AREA ||
        size != sizeof(*head) + head->n_threads * sizeof(struct pl_input_thread) + head->used)
        return "its size is not what it says";
    struct pl_image image = pl_image_open(data);

    for (uint32_t i = 0; i < head->n_threads; i++) {
        const char *wrong = check_chain(&image, image.threads[i].first);

        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

/* FNV-1a over words, then over the bytes that are left. */
uint64_t pl_image_hash(const void *data, size_t size)
{
    const unsigned char *p = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;

    for (; size >= sizeof(word); size -= sizeof(word), p += sizeof(word)) {
        memcpy(&word, p, sizeof(word));
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    for (; size > 0; size--, p++)
        hash = (hash ^ *p) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- in words ---- */

struct count {
    uint64_t n, bytes;
};

static struct count count_kind(const struct pl_image *image, unsigned kind)
{
    struct count c = {0, 0};

    for (uint32_t i = 0; i < image->head->n_threads; i++) {
        const struct pl_input_record *r = pl_image_record(image, image->threads[i].first);

        for (; r != NULL; r = pl_image_record(image, r->next)) {
            c.n += r->kind != kind ? 0 : kind == PL_INPUT_CLOCK ? r->aux : 1;
            c.bytes += r->kind == kind ? r->size : 0;
        }
    }
    return c;
}

static void add(char *to, size_t size, const char *text)
{
    size_t n = strlen(to);

    PL_ASSERT(n < size);
    snprintf(to + n, size - n, "%s%s", n > 0 ? ", " : "", text);
}

void pl_image_describe(const void *data, char *to, size_t size)
{
    static const struct {
        unsigned kind;
        bool bytes;
        const char *one, *many;
    } words[] = {
        {PL_INPUT_STDIN, true, "standard input", "standard input"},
        {PL_INPUT_INHERITED, false, "inherited descriptor", "inherited descriptors"},
        {PL_INPUT_ENVIRONMENT, false, "environment variable", "environment variables"},
        {PL_INPUT_OPEN, true, "opened file", "opened files"},
        {PL_INPUT_READ, true, "read", "reads"},
        {PL_INPUT_WRITE, false, "write", "writes"},
        {PL_INPUT_SOCKET, false, "socket", "sockets"},
        {PL_INPUT_ACCEPT, false, "connection", "connections"},
        {PL_INPUT_LOOKUP, false, "host name", "host names"},
        {PL_INPUT_CLOCK, false, "time", "times"},
        {PL_INPUT_RANDOM, true, "random number", "random numbers"},
    };
    struct pl_image image = pl_image_open(data);
    char text[120];

    to[0] = '\0';
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct count c = count_kind(&image, words[i].kind);
        const char *word = c.n == 1 ? words[i].one : words[i].many;
        int n = words[i].kind == PL_INPUT_STDIN
                    ? snprintf(text, sizeof(text), "%s", word)
                    : snprintf(text, sizeof(text), "%" PRIu64 " %s", c.n, word);

        if (words[i].bytes)
            snprintf(text + n, sizeof(text) - (size_t)n, " (%" PRIu64 " byte%s)", c.bytes,
                     c.bytes == 1 ? "" : "s");
        if (c.n > 0)
            add(to, size, text);
    }
    if (to[0] == '\0')
        add(to, size, "nothing");
    if ((image.head->flags & PL_INPUTS_INCOMPLETE) != 0)
        add(to, size, "and more that did not fit");
}

/* ---- base64 ---- */

size_t pl_image_encode(char *to, const unsigned char *from, size_t n)
{
    char *start = to;

    for (size_t i = 0; i < n; i += 3) {
        size_t left = n - i;
        uint32_t bits = (uint32_t)from[i] << 16 | (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                        (left > 2 ? from[i + 2] : 0);

        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[bits & 63] : '=';
    }
    PL_ASSERT((size_t)(to - start) == (n + 2) / 3 * 4);
    *to = '\0';
    return (size_t)(to - start);
}

long pl_image_decode(unsigned char *to, size_t room, const char *from)
{
    size_t n = strlen(from), done = 0;

    if (n % 4 != 0)
        return -1;
    for (size_t i = 0; i < n; i += 4) {
        uint32_t bits = 0;
        unsigned padding =
            i + 4 == n ? (from[n - 1] == '=') + (from[n - 2] == '=' && from[n - 1] == '=') : 0;

        for (unsigned k = 0; k < 4; k++) {
            const char *digit =
                k < 4 - padding && from[i + k] != '\0' ? strchr(digits, from[i + k]) : digits;

            if (digit == NULL)
                return -1;
            bits = bits << 6 | (uint32_t)(digit - digits);
        }
        for (unsigned k = 0; k < 3 - padding; k++) {
            if (done == room)
                return -1;
            to[done++] = (unsigned char)(bits >> (16 - 8 * k));
        }
    }
    PL_ASSERT(done <= room);
    return (long)done;
}
