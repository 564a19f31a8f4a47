/* SPDX-License-Identifier: MIT */
/*
 * The ExitBlock family as an executable model: what plait's strategy of that name is compared
 * with.  It knows nothing of plait.
 *
 *     exitblock [--rw] [--dd] [--without LETTERS] [--coarse] [--order oldest|newest|SEED]
 *               [--main] [--java] [--wait-keeps] [--sets] [--list] [--limit PATHS] FILE
 *     exitblock --schedules [--limit PATHS] FILE
 *
 * The first searches a description (program.h) and prints how many paths there are: `finished`
 * when the program ended, `cut` when a thread that was put off could have gone on, `stuck` when
 * nobody could.  `aborts` are blocks that were undone because a lock was not to be had, `ended`
 * the paths that ended with one, and `reports` deadlocks.  --sets adds the failing assertions,
 * the outcomes, and the number and a hash of the schedules of paths that were not cut; --list
 * prints the threads of each path, one letter for each block up to a lock exit.
 *
 * The second goes through all orders of blocks, without any cleverness, and says the same of them.
 *
 * All threads exist from the beginning.  With --main there is one more, called A, which creates
 * them; --java also makes the end of each of them a lock exit, as it is in that language.
 *
 * The corrections to the algorithms in their first description, each of which can be left out:
 *
 *  A  Threads are put off as a set, not one at a time.
 *  B  Whoever could not get a lock tries again when a block conflicts with what was tried, not
 *     only when the lock is released.
 *  C  With --rw, locks and conditions are part of what a block reads and writes: a lock that is
 *     taken and released in the block is read, one that is held at its beginning or end is
 *     written.  --coarse: every lock that is taken is written.
 *  D  Whom a signal wakes is part of the choice of a block, and the others go first only once.
 *  E  A lock exit ends the block whoever is enabled.
 *  F  The chain of locks goes only through locks that were held when the next one was taken.
 *  G  A branch with nobody to go on is not followed.
 *  H  Taking a lock ends the block, too, if the lock is ever released before one that was taken
 *     under it: whoever holds both again at the end of the block hides that there was a moment
 *     with only the first.  The search learns that by the way, and begins again.  Since threads
 *     now hold a lock without having released one, the chain also follows what they could not get.
 *  I  A circle is not reported if one of its threads knows, by what it read, of something that
 *     another did after it had passed the place where it is imagined to be.
 */
#include "block_machine.h"
#include "byte_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULE_MAX = 1 << 16 };

/* A thread that was put off, or that could not get a lock, with what its block touched. */
struct entry_of_thread {
    uint8_t thread;
    bool awaits;    /* has been woken, and needs a mutex: there was no attempt */
    bool shared;    /* for reading */
    objects needed; /* the lock that was not to be had */
    objects read, written;
};

struct node {
    struct blocks_state s;
    unsigned n_enabled, n_delayed, n_blocked;
    uint8_t enabled[THREADS_MAX]; /* the oldest first */
    struct entry_of_thread delayed[THREADS_MAX], blocked[THREADS_MAX];
    uint8_t current;
    bool after_abort;
    bool lost; /* a thread that was put off has been forgotten */
    uint32_t spared;
};

static struct {
    bool rw, dd, coarse, sets, list, brute;
    bool without[256];
    enum { OLDEST, NEWEST, RANDOM } order;
    uint64_t seed, limit;
} option = {.limit = UINT64_MAX};

static struct {
    uint64_t paths, finished, cut, stuck, aborts, ended_by_abort, reports;
    bool deadlock;
    struct byte_set schedules, failures, outcomes;
    uint64_t hash;
} result;

static struct blocks blocks;
static objects learned; /* locks to be among the crossed ones next time */

/* The blocks of the path up to here, each with its choices. */
static struct {
    size_t n;
    unsigned char bytes[SCHEDULE_MAX];
} schedule;

static uint64_t next_random(void)
{
    uint64_t z = option.seed += 0x9E3779B97F4A7C15u;

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void append(unsigned t, const struct block *k)
{
    if (schedule.n + 1 + k->n_choices > SCHEDULE_MAX)
        abort();
    schedule.bytes[schedule.n++] = (unsigned char)('A' + t);
    for (unsigned i = 0; i < k->n_choices; i++)
        schedule.bytes[schedule.n++] = (unsigned char)('0' + k->choice[i]);
}

static void note_schedule(void)
{
    uint64_t hash = 14695981039346656037u;
    bool is_new;

    for (size_t i = 0; i < schedule.n; i++)
        hash = (hash ^ schedule.bytes[i]) * 1099511628211u;
    byte_set_add(&result.schedules, schedule.bytes, schedule.n, &is_new);
    result.hash += is_new ? hash : 0;
}

static void note_outcome(const struct blocks_state *s)
{
    uint8_t registers[THREADS_MAX][REGISTERS];
    char text[2 * OUTCOME_MAX];
    bool is_new;

    for (unsigned t = 0; t < blocks.program.n_threads; t++)
        memcpy(registers[t], s->l[t].registers, REGISTERS);
    int n = program_outcome(&blocks.program, s->value, registers, text);

    byte_set_add(&result.outcomes, text, (size_t)n, &is_new);
}

static void note_failure(const struct blocks_state *s, unsigned t)
{
    char text[64];
    bool is_new;
    int n = snprintf(text, sizeof(text), "thread %u step %d\n", t, s->l[t].at);

    byte_set_add(&result.failures, text, (size_t)n, &is_new);
}

static bool all_dead(const struct blocks_state *s)
{
    for (unsigned t = 0; t < blocks.program.n_threads; t++) {
        if (t >= s->born || s->phase[t] != DEAD)
            return false;
    }
    return true;
}

static void count_path(uint64_t *kind)
{
    if (++result.paths > option.limit) {
        puts("large");
        exit(0);
    }
    ++*kind;
    if (option.list)
        printf("path %.*s\n", (int)schedule.n, schedule.bytes);
    if (option.sets && kind != &result.cut)
        note_schedule();
}

/* After a block was run: the next way to choose whom its signals wake; false after the last. */
static bool choose_next(struct block *k)
{
    struct block next = {.as_printed = k->as_printed};

    for (unsigned i = k->n_choices; i-- > 0;) {
        if (k->choice[i] + 1 < k->choices[i]) {
            memcpy(next.choice, k->choice, sizeof(next.choice));
            next.choice[i]++;
            next.n_given = i + 1;
            *k = next;
            return true;
        }
    }
    return false;
}

static void learn(const struct block *k)
{
    if (!option.without['H'])
        learned |= k->crossed;
}

/* ---- All orders of blocks ---- */

static void enumerate(struct blocks_state s);

/* One block of a thread, in every way that it can choose; false if it cannot be made. */
static bool enumerate_block(const struct blocks_state *s, unsigned t)
{
    struct block k = {0};

    do {
        struct blocks_state next = *s;
        size_t length = schedule.n;

        blocks_run(&blocks, &next, t, &k);
        learn(&k);
        if (k.end == BLOCK_REFUSED)
            return false;
        append(t, &k);
        if (k.end == BLOCK_FAILED) {
            note_failure(&next, t);
            count_path(&result.finished);
        } else {
            enumerate(next);
        }
        schedule.n = length;
    } while (choose_next(&k));
    return true;
}

static bool may_run(const struct blocks_state *s, unsigned t)
{
    return t < s->born && (s->phase[t] == READY || s->phase[t] == WOKEN);
}

/* What a thread does after its last lock exit concerns nobody else: it is done at once. */
static void finish_threads(struct blocks_state *s)
{
    for (unsigned t = 0; t < s->born; t++) {
        struct blocks_state next = *s;
        struct block k = {0};

        if (!may_run(s, t))
            continue;
        blocks_run(&blocks, &next, t, &k);
        if (k.end == BLOCK_DEATH)
            *s = next;
    }
}

static void enumerate(struct blocks_state s)
{
    bool any = false;

    finish_threads(&s);
    for (unsigned t = 0; t < s.born; t++)
        any |= may_run(&s, t) && enumerate_block(&s, t);
    if (any)
        return;
    bool finished = all_dead(&s);

    count_path(finished ? &result.finished : &result.stuck);
    result.deadlock |= !finished;
    if (option.sets && finished)
        note_outcome(&s);
}

/* ---- The search ---- */

static void drop(uint8_t *list, unsigned *n, unsigned t)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < *n; i++) {
        if (list[i] != t)
            list[kept++] = list[i];
    }
    *n = kept;
}

static void drop_entry(struct entry_of_thread *list, unsigned *n, unsigned at)
{
    memmove(&list[at], &list[at + 1], (--*n - at) * sizeof(list[0]));
}

static bool is_enabled(const struct node *n, unsigned t)
{
    return memchr(n->enabled, (int)t, n->n_enabled) != NULL;
}

static void enable(struct node *n, unsigned t)
{
    n->enabled[n->n_enabled++] = (uint8_t)t;
}

/* Who goes on: the current thread, or another when it cannot. */
static unsigned choose_thread(const struct node *n)
{
    if (is_enabled(n, n->current))
        return n->current;
    unsigned at = option.order == OLDEST   ? 0
                  : option.order == NEWEST ? n->n_enabled - 1
                                           : (unsigned)(next_random() % n->n_enabled);

    return n->enabled[at];
}

/* What a block reads and writes.  `locks`: locks and conditions, too. */
static void accesses(const struct block *k, bool locks, objects *read, objects *written)
{
    *read = k->data_read;
    *written = k->data_written;
    if (!locks)
        return;
    *read |= k->looked_at;
    *written |= k->used | k->refused;
    if (option.coarse) {
        *written |= k->entered | (k->released & blocks.tried);
    } else {
        *written |= k->ends;
        *read |= k->entered & ~k->ends;
    }
}

static bool conflicts(const struct entry_of_thread *e, objects read, objects written)
{
    return ((e->read | e->written) & written) != 0 || (e->written & read) != 0;
}

/* After a block: those who were put off go on, with --rw only if that makes a difference. */
static void wake_delayed(struct node *n, const struct block *k)
{
    objects read, written;

    accesses(k, !option.without['C'], &read, &written);
    for (unsigned i = 0; i < n->n_delayed;) {
        if (option.rw && !conflicts(&n->delayed[i], read, written)) {
            i++;
            continue;
        }
        enable(n, n->delayed[i].thread);
        drop_entry(n->delayed, &n->n_delayed, i);
    }
}

/* And those who could not get a lock, when it may be there or another lock be wanted. */
static void wake_blocked(struct node *n, const struct block *k)
{
    objects read, written;

    accesses(k, true, &read, &written);
    for (unsigned i = 0; i < n->n_blocked;) {
        const struct entry_of_thread *e = &n->blocked[i];
        bool released = (e->needed & k->released) != 0;
        bool free = e->awaits && blocks_is_free(&n->s, e->needed);
        bool differs = !option.without['B'] && !e->awaits && conflicts(e, read, written);

        if (!released && !free && !differs) {
            i++;
            continue;
        }
        enable(n, e->thread);
        drop_entry(n->blocked, &n->n_blocked, i);
    }
}

static void after_exit(struct node *n, unsigned t, const struct block *k)
{
    for (unsigned i = 0; i < k->n_born; i++)
        enable(n, n->s.born - k->n_born + i);
    if (n->s.phase[t] == PARKED)
        drop(n->enabled, &n->n_enabled, t);
    for (unsigned i = 0; i < k->n_woken; i++) {
        n->blocked[n->n_blocked++] = (struct entry_of_thread){
            .thread = k->woken[i],
            .awaits = true,
            .needed = blocks_needed(&blocks, &n->s, k->woken[i]),
        };
    }
    wake_delayed(n, k);
    wake_blocked(n, k);
}

/* Threads that might wait for each other in a circle. */
struct chain {
    const struct node *n;
    const struct blocks_state *s; /* with what the last of them has tried */
    unsigned seeker;              /* that one */
    unsigned length;
    uint8_t threads[THREADS_MAX + 1];
    uint16_t since[THREADS_MAX + 1]; /* what these threads did from then on is thought away */
};

/* Whether nobody in the circle knows of anything that is thought away. */
static bool is_consistent(const struct chain *c)
{
    for (unsigned i = 0; i < c->length && !option.without['I']; i++) {
        for (unsigned j = 0; j < c->length; j++) {
            unsigned t = c->threads[i];

            if (i != j && c->s->knows[c->threads[j]].of[t] >= c->since[i])
                return false;
        }
    }
    return true;
}

static bool is_in_chain(const struct chain *c, unsigned t)
{
    return memchr(c->threads, (int)t, c->length) != NULL;
}

static bool leads_back(struct chain *c, unsigned t, objects via);

/* The same for whoever has a lock that thread t wants, or wanted at that time. */
static bool owner_leads_back(struct chain *c, unsigned t, unsigned lock, bool shared,
                             unsigned since)
{
    bool found = false;

    c->threads[c->length] = (uint8_t)t;
    c->since[c->length++] = (uint16_t)since;
    for (unsigned o = 0; o < c->s->born && !found; o++) {
        if (o == t || !blocks_excludes(c->s, o, lock, shared))
            continue;
        if (o == c->seeker && c->length > 1)
            found = is_consistent(c);
        else if (!is_in_chain(c, o))
            found = leads_back(c, o, (objects)1 << lock);
    }
    c->length--;
    return found;
}

/*
 * Whether thread t, which holds `via`, is part of a circle with the seeker: it had `via` when it
 * took the lock that it released last, or it has it and could not get another; and whoever has
 * that one now leads to the seeker.
 */
static bool leads_back(struct chain *c, unsigned t, objects via)
{
    const struct released *last = &c->s->last[t];
    bool nested = option.without['F'] || (last->taken.held & via) != 0;

    if (last->lock != NO_OBJECT && nested && !last->taken.tried &&
        owner_leads_back(c, t, last->lock, last->shared, last->taken.since))
        return true;
    for (unsigned i = 0; i < c->n->n_blocked && !option.without['H']; i++) {
        const struct entry_of_thread *e = &c->n->blocked[i];

        if (e->thread == t && e->needed != 0 &&
            owner_leads_back(c, t, (unsigned)__builtin_ctzll(e->needed), e->shared, UINT16_MAX))
            return true;
    }
    return false;
}

/* Whether thread t, which could not get a lock, would wait in a circle. */
static bool finds_circle(const struct node *n, const struct blocks_state *tried, unsigned t,
                         const struct block *k)
{
    struct chain c = {.n = n, .s = tried, .seeker = t};

    return owner_leads_back(&c, t, (unsigned)__builtin_ctzll(k->refused), k->refused_shared,
                            UINT16_MAX);
}

static void report(void)
{
    result.reports++;
    result.deadlock = true;
}

/* Nobody is enabled. */
static void end_path(const struct node *n)
{
    result.ended_by_abort += n->after_abort;
    if (n->n_delayed > 0 || n->lost) {
        count_path(&result.cut);
        return;
    }
    bool finished = all_dead(&n->s);

    count_path(finished ? &result.finished : &result.stuck);
    if (!finished && option.dd)
        report();
    if (finished && option.sets)
        note_outcome(&n->s);
}

/* A lock was not to be had: `tried` is the state up to there, which is undone. */
static void park(struct node *n, const struct blocks_state *tried, unsigned t,
                 const struct block *k)
{
    struct entry_of_thread *e = &n->blocked[n->n_blocked];

    result.aborts++;
    if (option.dd && finds_circle(n, tried, t, k))
        report();
    *e = (struct entry_of_thread){
        .thread = (uint8_t)t, .shared = k->refused_shared, .needed = k->refused};
    n->n_blocked++;
    accesses(k, true, &e->read, &e->written);
    drop(n->enabled, &n->n_enabled, t);
    n->after_abort = true;
}

/* The branch in which others go first; false if there is nobody. */
static bool others_first(struct node *n, unsigned t, const struct block *k)
{
    struct entry_of_thread e = {.thread = (uint8_t)t};

    accesses(k, !option.without['C'], &e.read, &e.written);
    drop(n->enabled, &n->n_enabled, t);
    if (option.without['A'] && n->n_delayed > 0 && !option.rw) {
        n->n_delayed = 0;
        n->lost = true;
    }
    n->delayed[n->n_delayed++] = e;
    n->current = NOBODY;
    n->after_abort = false;
    n->spared = 0;
    return n->n_enabled > 0 || option.without['G'];
}

static void explore(struct node *n);

/* Run a block; without E it goes on beyond lock exits while nobody else is enabled. */
static void run_block(struct node *child, unsigned t, struct block *k)
{
    blocks_run(&blocks, &child->s, t, k);
    while (option.without['E'] && k->end == BLOCK_EXIT && child->n_enabled == 1 && k->n_born == 0 &&
           child->s.phase[t] == READY)
        blocks_run(&blocks, &child->s, t, k);
    learn(k);
}

/* A block of thread t that has come to its end, and what follows it. */
static void follow(struct node *child, unsigned t, const struct block *k)
{
    size_t length = schedule.n;

    append(t, k);
    if (k->end == BLOCK_FAILED) {
        note_failure(&child->s, t);
        count_path(&result.finished);
    } else {
        child->current = (uint8_t)t;
        child->after_abort = false;
        child->spared = 0;
        after_exit(child, t, k);
        explore(child);
    }
    schedule.n = length;
}

/* The thesis's branches at signals: others may come first, and the signal is sent again. */
static void follow_as_printed(const struct node *n, const struct block *k, struct node *child)
{
    for (unsigned i = 0; i < k->n_again; i++) {
        *child = *n;
        child->spared = k->spared_again[i];
        child->current = NOBODY;
        explore(child);
    }
}

/* One block; true when the search goes on in the same node, changed. */
static bool explore_block(struct node *n, struct node *child)
{
    unsigned t = choose_thread(n);
    struct block k = {.as_printed = option.without['D'], .spared = n->spared};

    *child = *n;
    run_block(child, t, &k);
    if (k.end == BLOCK_REFUSED) {
        park(n, &child->s, t, &k);
        return true;
    }
    if (k.end == BLOCK_DEATH) {
        n->s = child->s;
        drop(n->enabled, &n->n_enabled, t);
        n->after_abort = false;
        return true;
    }
    struct block first = k;

    follow(child, t, &k);
    while (choose_next(&k)) {
        *child = *n;
        run_block(child, t, &k);
        follow(child, t, &k);
    }
    follow_as_printed(n, &first, child);
    return others_first(n, t, &first);
}

/* Changes the node. */
static void explore(struct node *n)
{
    struct node *child = malloc(sizeof(*child));
    bool goes_on = true;

    if (child == NULL)
        abort();
    while (goes_on && n->n_enabled > 0)
        goes_on = explore_block(n, child);
    if (goes_on)
        end_path(n);
    free(child);
}

static void clear_result(void)
{
    byte_set_clear(&result.schedules);
    byte_set_clear(&result.failures);
    byte_set_clear(&result.outcomes);
    memset(&result, 0, sizeof(result));
}

static void search(void)
{
    clear_result();
    learned = blocks.crossed;
    struct node *root = calloc(1, sizeof(*root));

    if (root == NULL)
        abort();
    blocks_start(&blocks, &root->s);
    root->current = 0;
    for (unsigned t = 0; t < root->s.born; t++)
        enable(root, t);
    if (option.brute)
        enumerate(root->s);
    else
        explore(root);
    free(root);
}

/* ---- What was asked for, and the answer ---- */

static void print_set(const struct byte_set *s, const char *word)
{
    for (size_t i = 0; i < s->capacity; i++) {
        if (s->slots[i] != NULL)
            printf("%s %.*s", word, (int)s->slots[i]->size, s->slots[i]->bytes);
    }
}

static void print_result(void)
{
    printf("crossed %d\n", blocks.crossed != 0);
    printf("paths %" PRIu64 "\nfinished %" PRIu64 "\ncut %" PRIu64 "\nstuck %" PRIu64 "\n",
           result.paths, result.finished, result.cut, result.stuck);
    printf("aborts %" PRIu64 "\nended %" PRIu64 "\nreports %" PRIu64 "\n", result.aborts,
           result.ended_by_abort, result.reports);
    printf("returns %" PRIu64 "\n", result.paths - 1 + result.aborts);
    if (!option.sets)
        return;
    printf("deadlock %d\nschedules %zu\nhash %" PRIu64 "\n", result.deadlock, result.schedules.n,
           result.hash);
    print_set(&result.failures, "failure");
    print_set(&result.outcomes, "outcome");
}

_Noreturn static void refuse(const char *word)
{
    fprintf(stderr, "not understood: %s; see the comment in exitblock.c\n", word);
    exit(2);
}

/* A thread before the others, which creates them and has no steps. */
static void add_main(struct program *p)
{
    if (p->n_threads == THREADS_MAX)
        refuse("--main with so many threads");
    memmove(&p->threads[1], &p->threads[0], p->n_threads * sizeof(p->threads[0]));
    p->threads[0].n = 0;
    p->n_threads++;
}

static void set_order(const char *word)
{
    option.order = strcmp(word, "oldest") == 0   ? OLDEST
                   : strcmp(word, "newest") == 0 ? NEWEST
                                                 : RANDOM;
    option.seed = strtoull(word, NULL, 10);
}

static bool set_flag(const char *word)
{
    static const struct {
        const char *word;
        bool *flag;
    } flags[] = {
        {"--rw", &option.rw},
        {"--dd", &option.dd},
        {"--coarse", &option.coarse},
        {"--sets", &option.sets},
        {"--list", &option.list},
        {"--schedules", &option.brute},
        {"--main", &blocks.has_main},
        {"--java", &blocks.death_exit},
        {"--wait-keeps", &blocks.wait_keeps},
    };

    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(word, flags[i].word) == 0)
            return *flags[i].flag = true;
    }
    return false;
}

int main(int argc, char **argv)
{
    const char *path = NULL;

    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";

        if (set_flag(word))
            continue;
        if (strncmp(word, "--", 2) != 0) {
            path = word;
            continue;
        }
        if (strcmp(word, "--without") == 0) {
            for (const char *c = value; *c != '\0'; c++)
                option.without[(unsigned char)*c] = true;
        } else if (strcmp(word, "--order") == 0) {
            set_order(value);
        } else if (strcmp(word, "--limit") == 0) {
            option.limit = strtoull(value, NULL, 10);
        } else {
            refuse(word);
        }
        i++;
    }
    if (path == NULL)
        refuse("no file");
    blocks.has_main |= blocks.death_exit;
    option.sets |= option.brute;
    program_read(&blocks.program, path);
    if (blocks.has_main)
        add_main(&blocks.program);
    do {
        blocks.crossed = learned;
        search();
    } while (learned != blocks.crossed);
    print_result();
    return 0;
}
