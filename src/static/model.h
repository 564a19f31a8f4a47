/* SPDX-License-Identifier: MIT */
/*
 * What functions without bitcode do: hooks, pthreads, C11 threads, semaphores, libc, libstdc++.  A
 * function that has no row is unknown: it may do anything to what it can get hold of.
 */
#ifndef PL_STATIC_MODEL_H
#define PL_STATIC_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* What becomes of its result. */
enum pl_model_result {
    PL_MODEL_NOTHING,  /* no pointer, or one to memory that nobody else has */
    PL_MODEL_HEAP,     /* a new block */
    PL_MODEL_ARGUMENT, /* a pointer into what its first argument points to */
    PL_MODEL_SAME,     /* its first argument */
    PL_MODEL_SECOND,   /* the same of its second one */
    PL_MODEL_WORLD,    /* a pointer to anything that unknown code has */
    PL_MODEL_LIBRARY,  /* one to memory of the library's own, with nothing of the program's in it */
    PL_MODEL_LOADED,   /* what its first argument points to, by value: an atomic load */
    PL_MODEL_INNER,    /* its first argument, or what is found there */
};

/* What is special about it. */
enum pl_model_does {
    PL_MODEL_PLAIN,
    PL_MODEL_HOOK,     /* before an access: the access itself follows */
    PL_MODEL_ATOMIC,   /* performs an atomic operation, */
    PL_MODEL_EXCHANGE, /* which stores its second argument, */
    PL_MODEL_COMPARE,  /* or its third, and writes what was there to where the second points */
    PL_MODEL_MIXES,    /* one of as many bytes as the first argument says, as 'r', 'w', 'u' say */
    PL_MODEL_COPIES,   /* all of it from the memory of the argument 'r' to that of 'w' */
    PL_MODEL_CREATES,  /* a thread: its function, its argument, where its name is left */
    PL_MODEL_JOINS,
    PL_MODEL_CALLS_BACK, /* calls the function that an argument is, now or later */
    PL_MODEL_ONCE,       /* calls it before it returns */
    PL_MODEL_LOCKS,
    PL_MODEL_UNLOCKS,
    PL_MODEL_WAITS,
    PL_MODEL_KEEPS,    /* a value, for another function of its kind */
    PL_MODEL_SPECIFIC, /* gives it back */
    PL_MODEL_EXPORTS,  /* puts its argument into the environment */
    PL_MODEL_ENDS,     /* does not return */
    PL_MODEL_JUMPS,    /* goes on where setjmp() was called */
    PL_MODEL_LANDS,    /* setjmp() */
    PL_MODEL_THROWS,
    PL_MODEL_CATCHES, /* gives back what was thrown */
    PL_MODEL_FRAMES,  /* entry and exit hooks */
};

/*
 * args: a letter for each: '-' is no pointer or not followed; 'r' its memory is read, 'w' written,
 * 'u' both; 'o' it is the object of the operation; 'm' the mutex of a wait; 'f' a function; 'a'
 * what that is called with; 'F' one that is also handed a library's window; 't' where a thread's
 * name is left; 'R', 'U' the same as small ones, and so is what is found there; 's' a stream:
 * pointers in it are moved on within what they point to; 'g' an object whose memory is also read
 * and written; 'i', 'y' as 'w', 'r': from and to files, and so are the pointers in it; 'z' as 'u':
 * its elements change places; 'j' what the thread returns; 'b' a string of libstdc++ that is looked
 * at, 'B' one that is changed; 'l', 'L' a node of a list, a tree, that is linked with the others,
 * 'n' one of a tree that leads to others.
 * '*' at the end: the letter before it holds for all arguments that follow.  Behind '~' stands what
 * the function uses of the library's own: 'A' changes what is done on signals, 'e' reads the
 * environment, 'E' changes it, 'N' draws random numbers, 'S' changes the names of semaphores, 'M'
 * changes files, which may be mapped, 'k' looks at which keys there are, 'K' changes that, 'f' and
 * 'F' the same for what is called around a fork, 'p' and 'P' for how threads are treated and what
 * they are called.  flow.c knows some more that few functions have.
 */
struct pl_model {
    const char *name;
    const char *args;
    uint8_t result; /* enum pl_model_result */
    uint8_t does;   /* enum pl_model_does */
    uint8_t op;     /* enum pl_op_kind that is announced; PL_OP_NONE: none */
    uint8_t size;   /* bytes of the access, of a hook; 0: what the second argument says, or all */
};

/* The row of a function; NULL: it is unknown. */
const struct pl_model *pl_model_find(const char *name);

/* Whether a variable that is defined elsewhere is one of libc's, which leads to memory of its own.
 */
bool pl_model_is_of_library(const char *variable);

/*
 * announced.c: what the runtime's own tables say about a function that it announces accesses of, in
 * their words, or ""; NULL: it announces none.
 */
const char *pl_model_announced(const char *name);

/* What letter argument i has; '-' beyond the last. */
char pl_model_letter(const struct pl_model *m, unsigned i);

#endif /* PL_STATIC_MODEL_H */
