/* SPDX-License-Identifier: MIT */
/*
 * The words of functions.def, for whoever announces what a function of libc does to the program's
 * memory.  They expect `who`, the call at hand.  Accesses are announced before libc's function is
 * called, and nothing may switch threads between the last of them and the call.  What the words do
 * is in words.c; functions.c makes the rows into functions.
 */
#ifndef PL_RUNTIME_SYSTEM_FUNCTIONS_H
#define PL_RUNTIME_SYSTEM_FUNCTIONS_H

#include "runtime/access/access.h"
#include "runtime/ground/entry.h"
#include "runtime/sync/thread.h"

#include <stdarg.h>
#include <stddef.h>
#include <sys/uio.h>
#include <wchar.h>

/* A call of a library function: from where, and the registers there, or NULL. */
struct pl_call {
    uint64_t pc;
    const uint64_t *entry;
    bool waits;   /* it is a cancellation point, and may wait */
    uint8_t unit; /* it fills a buffer by characters of so many bytes, one after the other; or 0 */
};

/* At its end. */
static inline void pl_call_over(const struct pl_call *who)
{
    if (who->waits)
        pl_cancel_wait_end();
}
#define PL_CALL_LASTS struct pl_call __attribute__((cleanup(pl_call_over)))

/* At the very beginning of a function that PL_INTERPOSE, or PL_EXPOSE, defines. */
#define PL_CALL_ENTERED                          \
    (struct pl_call)                             \
    {                                            \
        .pc = pl_entry()[6], .entry = pl_entry() \
    }
#define PL_CALL_EXPOSED                \
    (struct pl_call)                   \
    {                                  \
        .pc = PL_CALLER, .entry = NULL \
    }

/* Whether anything is announced for it. */
static inline bool pl_call_wanted(struct pl_call who)
{
    return pl_access_wanted(who.pc);
}

/* Nothing happens where there is no memory. */
void pl_call_touches(const void *p, uint64_t size, bool write, struct pl_call who);
/* What a call reads, at its point and as a whole: the kernel reads it in steps.  Where another
 * thread may come between two of them the search is complete but for that. */
void pl_call_sends(const void *p, uint64_t size, const char *call, struct pl_call who);
void pl_call_sends_pieces(const struct iovec *v, int64_t n, const char *call, struct pl_call who);

/*
 * What begins at p is changed in steps that are not seen: one for plait.  A thread that is about to
 * come there would find it between two of them, so that the search is not about that.
 */
void pl_call_be_alone(const char *name, const void *p, uint64_t size, bool write, uint64_t pc);

/* The time zone, which is held, is looked up again: the function looks at TZ, and sets `timezone`
 * and its kin by that. */
void pl_call_zone(struct pl_call who);

/* What it does depends on the locale, or on a variable of the environment. */
void pl_call_locale(struct pl_call who);
void pl_call_environment(struct pl_call who);

/* With the end of the text; 0 for NULL. */
uint64_t pl_call_text_size(const char *s);
uint64_t pl_call_text_size_of(const char *s, uint64_t most);
uint64_t pl_call_size_until(const void *s, int c, uint64_t most); /* c belongs to it */
uint64_t pl_call_wide_size(const wchar_t *s);
uint64_t pl_call_wide_size_of(const wchar_t *s, uint64_t most);
/* Each piece, and the list itself; of what is written no more than `most` bytes. */
void pl_call_pieces(const struct iovec *v, int64_t n, uint64_t most, bool write,
                    struct pl_call who);

/*
 * What a function fills by a length that only it knows: `at` is where it is to write, which is
 * not `to` when other threads might look at that meanwhile.
 */
struct pl_fill {
    void *to, *at;
    uint64_t room;
};
struct pl_fill pl_fill_begin(void *to, uint64_t room, struct pl_call who);
/* It has written so many bytes, or says what there would have been; errno stays. */
void pl_fill_end(struct pl_fill *fill, uint64_t used, struct pl_call who);
/* The same for pieces; `at` begins what belongs to all of them together, or is NULL. */
struct pl_fill pl_fill_begin_pieces(const struct iovec *v, int64_t n, struct pl_call who);
void pl_fill_end_pieces(struct pl_fill *fill, const struct iovec *v, int64_t n, uint64_t used,
                        struct pl_call who);

/*
 * libc's own function, of the file's struct `libc`.  A constructor of another library may come
 * before the start of this one.
 */
#define PL_LIBC_OWN(name)                \
    (libc.name##_ != NULL ? libc.name##_ \
                          : (*(void **)&libc.name##_ = pl_real_find(#name), libc.name##_))

/* A function that announces its accesses; then `call` does the work, and its value is returned. */
#define PL_ANNOUNCED(ret, name, params, accesses, call) \
    PL_INTERPOSE(ret, name, params)                     \
    {                                                   \
        PL_CALL_LASTS who = PL_CALL_ENTERED;            \
        if (pl_call_wanted(who)) {                      \
            accesses                                    \
        }                                               \
        return call;                                    \
    }
/* The same without an entry: for more than six parameters, or floating-point results. */
#define PL_ANNOUNCED_SIMPLE(ret, name, params, accesses, call) \
    PL_EXPOSE(ret, name, params)                               \
    {                                                          \
        struct pl_call who = PL_CALL_EXPOSED;                  \
        if (pl_call_wanted(who)) {                             \
            accesses                                           \
        }                                                      \
        return call;                                           \
    }

/* Whether what threads are handed in the kernel is recorded, or was, since they are free; make such
 * a call there, as an operation: its result as libc has it. */
struct pl_syscall;
bool pl_functions_recorded(void);
long pl_functions_operate(struct pl_syscall c, uint64_t pc);

/* libc's own functions are looked up. */
void pl_words_init(void);
void pl_functions_init(void);
void pl_formats_init(void);
void pl_statics_init(void);
void pl_tokens_init(void);
void pl_converted_init(void);
void pl_answers_init(void);
void pl_libstdcxx_init(void);

#endif /* PL_RUNTIME_SYSTEM_FUNCTIONS_H */
