/* SPDX-License-Identifier: MIT */
/*
 * What a description (program.h) does, one atomic block at a time: a block is all that a thread
 * does up to its next lock exit or its end.  exitblock.c searches the orders of blocks.
 *
 * A lock exit is an unlock, the release in a wait, the release of a rwlock, or an `up`.  More
 * kinds of steps end a block, because others can see them without a lock: a try or timed step in
 * vain, taking an object for which there is such a step, and a signal without the condition's
 * mutex.
 */
#ifndef PL_TESTS_GENERATED_BLOCK_MACHINE_H
#define PL_TESTS_GENERATED_BLOCK_MACHINE_H

#include "program.h"

enum { VARIABLE, MUTEX, CONDITION, RWLOCK, SEMAPHORE, BARRIER, BIRTH, OBJECT_KINDS };
enum { NOBODY = 255, NO_OBJECT = 255, CHOICES_MAX = 8, LOCKS_MAX = 2 * OBJECTS_MAX };

/* Of threads.  PARKED: after a wait or in a barrier, until somebody wakes it. */
enum phase { READY, PARKED, WOKEN, DEAD };

/* A bit per object. */
typedef uint64_t objects;

static inline objects object_bit(unsigned kind, unsigned object)
{
    return (objects)1 << (kind * OBJECTS_MAX + object);
}

/* Up to which time of each thread somebody knows, by reading what it wrote or being woken, what it
 * did. */
struct knowledge {
    uint16_t of[THREADS_MAX];
};

/* A thread has taken a lock. */
struct taken {
    objects held;          /* which others it had, and has not released since */
    uint16_t since;        /* its own time then */
    bool tried;            /* by a step that would not have waited */
    struct knowledge knew; /* before */
};

/* And released it again. */
struct released {
    uint8_t lock; /* its number as an object */
    bool shared;  /* it was taken for reading */
    struct taken taken;
};

/* All that the future depends on. */
struct blocks_state {
    int32_t value[OBJECTS_MAX];
    struct locals l[THREADS_MAX];
    uint8_t phase[THREADS_MAX];
    uint8_t born;                                    /* threads, from the first on */
    uint8_t owner[OBJECTS_MAX], writer[OBJECTS_MAX]; /* thread plus 1 */
    uint8_t reads[OBJECTS_MAX][THREADS_MAX];
    uint8_t semaphore[OBJECTS_MAX], arrived[OBJECTS_MAX];
    objects held[THREADS_MAX];
    struct taken taken[THREADS_MAX][LOCKS_MAX];
    struct released last[THREADS_MAX];
    struct knowledge knows[THREADS_MAX], tells[OBJECTS_MAX]; /* threads, and variables */
};

enum block_end {
    BLOCK_EXIT,    /* a lock exit: others may go on */
    BLOCK_DEATH,   /* the thread has ended, or main waits for the others to do so */
    BLOCK_REFUSED, /* a lock is not to be had: the block must be undone */
    BLOCK_FAILED,  /* an assertion failed */
};

/* What a block has done. */
struct block {
    enum block_end end;
    objects data_read, data_written;
    objects entered;   /* locks that were taken */
    objects ends;      /* locks held at the beginning or at the end */
    objects looked_at; /* by a try step in vain */
    objects used;      /* conditions, semaphores, barriers */
    objects released;
    objects crossed; /* locks that were released before one that was taken under them */
    objects refused; /* the lock that was not to be had */
    bool refused_shared;
    unsigned n_woken, n_born;
    uint8_t woken[THREADS_MAX]; /* by signals, broadcasts and barriers */
    unsigned n_given;           /* choices that were made before the block runs */
    unsigned n_choices;         /* signals that had more than one waiter */
    uint8_t choice[CHOICES_MAX], choices[CHOICES_MAX];
    bool as_printed;  /* instead of choices: who is not to be woken, */
    uint32_t spared;  /* a bit per thread, */
    unsigned n_again; /* and with whom spared the block is to be run again */
    uint32_t spared_again[CHOICES_MAX];
};

struct blocks {
    struct program program;
    bool has_main;   /* the first thread is main, which creates the others in order */
    bool death_exit; /* the end of a thread but main is a lock exit before it */
    bool wait_keeps; /* the release in a wait is not the last lock that a thread released */
    objects tried;   /* objects that some thread asks for by a try or timed step */
    objects crossed; /* locks whose acquisition is to end a block, too */
    uint8_t mutex_of[OBJECTS_MAX]; /* of conditions */
};

/* Fill in what follows from the program.  The state is the one in which the second thread is born.
 */
void blocks_start(struct blocks *b, struct blocks_state *s);

/*
 * Run one block of a thread.  `choice` says whom each signal with several waiters wakes, as a
 * position among them; after n_given of them, it is the first.
 */
void blocks_run(const struct blocks *b, struct blocks_state *s, unsigned t, struct block *k);

/* What a woken thread needs before it can go on: a mutex, or nothing. */
objects blocks_needed(const struct blocks *b, const struct blocks_state *s, unsigned t);
bool blocks_is_free(const struct blocks_state *s, objects mutex);

/* Whether the thread holds the lock so that another cannot have it. */
bool blocks_excludes(const struct blocks_state *s, unsigned t, unsigned lock, bool shared);

#endif /* PL_TESTS_GENERATED_BLOCK_MACHINE_H */
