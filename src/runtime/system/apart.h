/* SPDX-License-Identifier: MIT */
/*
 * A library function works on copies of what it is given, so that each of its reads and writes is a
 * step of its own.
 *
 * libc's code runs without a switch of threads.  If it worked on the program's memory, all that it
 * reads and writes would happen at once, behind the last of its points: nobody could see the first
 * of two results without the second, and nobody could change one of two texts after the other was
 * read.  So what is read is copied at its own point; what is written goes to a copy and is stored
 * when the function is over, one result after the other, each behind its own point and in pieces
 * where others look at the same bytes (access/pieces.h).
 *
 * Pointers into a copy, in results and in what is stored, become pointers to the program's memory.
 * A function that keeps an address, or that passes it to a function of the program, must not be
 * given a copy.
 *
 * With one thread, on free threads and in replays of them, and for what is too large, there are no
 * copies: what is touched is announced, and libc does the work.  That depends on nothing but the
 * execution, so a replay has the same events.
 */
#ifndef PL_RUNTIME_SYSTEM_APART_H
#define PL_RUNTIME_SYSTEM_APART_H

#include "runtime/system/texts.h"

enum { PL_APART_PARTS = 16, PL_APART_NEAR = 384 };

/*
 * Read; written; written as numbers of four bytes, one after the other; as characters, or wide
 * ones, one after the other; read, then written; read, then written as far as it has changed.
 */
enum pl_apart_kind {
    PL_APART_IN,
    PL_APART_OUT,
    PL_APART_NUMBERS,
    PL_APART_CHARACTERS,
    PL_APART_WIDE,
    PL_APART_UPDATE,
    PL_APART_CHANGE,
};

struct pl_apart {
    struct pl_call who;
    bool operates; /* also where threads are free: the call is made inside of the monitor */
    bool fails;    /* what is only written was not */
    bool held_as_point;
    bool passes; /* what libc calls meanwhile belongs to the function's last point */
    const void
        *held; /* an object of libc that the thread has until the function is over, or NULL */
    uint32_t n, used;
    struct pl_apart_part {
        void *real, *copy;
        uint32_t size;
        uint8_t kind; /* enum pl_apart_kind */
    } parts[PL_APART_PARTS];
    char near[PL_APART_NEAR] __attribute__((aligned(16)));
};

/* Nothing is apart yet. */
void pl_apart_begin(struct pl_apart *a, struct pl_call who);
/* Memory that it touches: what the function is to be given. */
void *pl_apart(struct pl_apart *a, const void *p, uint64_t size, enum pl_apart_kind kind);
/* The function has the lock of an object of libc until it is over; it takes one at most. */
void pl_apart_hold(struct pl_apart *a, const void *object);
/* It looks at one that others may have, when they do not, in one step. */
void pl_apart_look_when_free(const struct pl_apart *a, const void *object);
/*
 * The function is one step: the calls that libc makes in it belong to the point before.  For what
 * libc keeps, which changes between them where no point is.
 */
void pl_apart_pass(struct pl_apart *a);
/* A text is read, as far as it reaches. */
void *pl_apart_text(struct pl_apart *a, const void *s, struct pl_text t);
/* How much of a part that is written really was: it is stored no further. */
void pl_apart_shorten(struct pl_apart *a, const void *copy, uint64_t size);
/* Where something is that the function says is in a copy. */
void *pl_apart_back(const struct pl_apart *a, const void *p);
/* The function is over: results are stored, in their order.  Errno stays.  Once is enough. */
void pl_apart_end(struct pl_apart *a);

/* A result is stored that is there already; nothing happens where there is no memory. */
void pl_apart_store(void *to, const void *from, uint64_t size, struct pl_call who);
/* The same for characters of `unit` bytes that libc stores one after the other; 0: as it copies. */
void pl_apart_print(void *to, const void *from, uint64_t size, uint32_t unit, struct pl_call who);

/* One that ends with its block, which begins behind it. */
#define PL_APART(name, who)                                      \
    struct pl_apart name __attribute__((cleanup(pl_apart_end))); \
    pl_apart_begin(&(name), who)

/*
 * Of a function that prints by a format: what it reads, which libc finds in the place of the
 * arguments until it is over.
 */
struct pl_formatted {
    struct pl_apart apart;
    unsigned n;
    struct {
        uint64_t *at, was, most; /* `most` units of a text */
    } slots[PL_APART_PARTS];
};

/* The format and the texts that it names are read, then what its %n write is announced; the format
 * that libc is to be given. */
const char *pl_format_prints(struct pl_formatted *p, const char *format, va_list args);
const wchar_t *pl_format_prints_wide(struct pl_formatted *p, const wchar_t *format, va_list args);
void pl_format_printed(struct pl_formatted *p);

#define PL_FORMAT_PRINTED(name, who)                                      \
    struct pl_formatted name __attribute__((cleanup(pl_format_printed))); \
    (name).n = 0;                                                         \
    pl_apart_begin(&(name).apart, who)

#endif /* PL_RUNTIME_SYSTEM_APART_H */
