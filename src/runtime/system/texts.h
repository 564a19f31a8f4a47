/* SPDX-License-Identifier: MIT */
/*
 * Texts: how far one reaches is known only when it is read.
 *
 * It is read up to the end that is found at its point, or in parts where others have been seen to
 * come in the middle (core/reach.h).
 */
#ifndef PL_RUNTIME_SYSTEM_TEXTS_H
#define PL_RUNTIME_SYSTEM_TEXTS_H

#include "runtime/system/functions.h"

/* What ends it: a unit that is `end`, which belongs to it, or that there are `most` units. */
struct pl_text {
    uint64_t most;
    int32_t end;
    uint32_t unit; /* 1, or sizeof(wchar_t), where `end` is 0 */
};

#define PL_TEXT_UNTIL(c, n) ((struct pl_text){.most = (n), .end = (unsigned char)(c), .unit = 1})
#define PL_TEXT_OF(n) PL_TEXT_UNTIL(0, n)
#define PL_TEXT_WHOLE PL_TEXT_OF(UINT64_MAX)
#define PL_TEXT_WIDE_OF(n) ((struct pl_text){.most = (n), .unit = sizeof(wchar_t)})
#define PL_TEXT_WIDE PL_TEXT_WIDE_OF(UINT64_MAX)

/* How many bytes of it there are now; 0 for NULL. */
uint64_t pl_text_size(const void *s, struct pl_text t);

/* A text that was read: where it is, until the next point, or a copy on the heap. */
struct pl_text_view {
    const void *at;
    char *copy; /* NULL: none */
    uint64_t size;
    bool broken; /* its memory ends before it does */
};
struct pl_text_view pl_text_read(const void *s, struct pl_text t, struct pl_call who);
/*
 * For a function that reads it where it is, right behind this: all that it reads then has been
 * announced at the last point.
 */
void pl_text_announce(const void *s, struct pl_text t, struct pl_call who);
void pl_text_close(const struct pl_text_view *v, struct pl_call who);

#endif /* PL_RUNTIME_SYSTEM_TEXTS_H */
