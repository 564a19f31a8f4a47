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
#include "block_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void clear_result(void)
{
    byte_set_clear(&model.result.schedules);
    byte_set_clear(&model.result.failures);
    byte_set_clear(&model.result.outcomes);
    memset(&model.result, 0, sizeof(model.result));
}

static void search(void)
{
    struct blocks_state s;

    clear_result();
    model.learned = model.blocks.crossed;
    blocks_start(&model.blocks, &s);
    if (model.option.brute)
        paths_enumerate(s);
    else
        block_search(&s);
}

static void print_set(const struct byte_set *s, const char *word)
{
    for (size_t i = 0; i < s->capacity; i++) {
        if (s->slots[i] != NULL)
            printf("%s %.*s", word, (int)s->slots[i]->size, s->slots[i]->bytes);
    }
}

static void print_result(void)
{
    printf("crossed %d\n", model.blocks.crossed != 0);
    printf("paths %" PRIu64 "\nfinished %" PRIu64 "\ncut %" PRIu64 "\nstuck %" PRIu64 "\n",
           model.result.paths, model.result.finished, model.result.cut, model.result.stuck);
    printf("aborts %" PRIu64 "\nended %" PRIu64 "\nreports %" PRIu64 "\n", model.result.aborts,
           model.result.ended_by_abort, model.result.reports);
    printf("returns %" PRIu64 "\n", model.result.paths - 1 + model.result.aborts);
    if (!model.option.sets)
        return;
    printf("deadlock %d\nschedules %zu\nhash %" PRIu64 "\n", model.result.deadlock,
           model.result.schedules.n, model.result.hash);
    print_set(&model.result.failures, "failure");
    print_set(&model.result.outcomes, "outcome");
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
    model.option.order = strcmp(word, "oldest") == 0   ? OLDEST
                         : strcmp(word, "newest") == 0 ? NEWEST
                                                       : RANDOM;
    model.option.seed = strtoull(word, NULL, 10);
}

static bool set_flag(const char *word)
{
    static const struct {
        const char *word;
        bool *flag;
    } flags[] = {
        {"--rw", &model.option.rw},
        {"--dd", &model.option.dd},
        {"--coarse", &model.option.coarse},
        {"--sets", &model.option.sets},
        {"--list", &model.option.list},
        {"--schedules", &model.option.brute},
        {"--main", &model.blocks.has_main},
        {"--java", &model.blocks.death_exit},
        {"--wait-keeps", &model.blocks.wait_keeps},
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
                model.option.without[(unsigned char)*c] = true;
        } else if (strcmp(word, "--order") == 0) {
            set_order(value);
        } else if (strcmp(word, "--limit") == 0) {
            model.option.limit = strtoull(value, NULL, 10);
        } else {
            refuse(word);
        }
        i++;
    }
    if (path == NULL)
        refuse("no file");
    model.blocks.has_main |= model.blocks.death_exit;
    model.option.sets |= model.option.brute;
    program_read(&model.blocks.program, path);
    if (model.blocks.has_main)
        add_main(&model.blocks.program);
    do {
        model.blocks.crossed = model.learned;
        search();
    } while (model.learned != model.blocks.crossed);
    print_result();
    return 0;
}
