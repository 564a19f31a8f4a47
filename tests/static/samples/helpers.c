/* SPDX-License-Identifier: MIT */
/*
 * Functions that allocate, lock and create threads for others are told apart by who calls them: the
 * two boxes are two, what is locked is known, and each kind of thread runs its own function.
 *
 * OPT 0
 * PAIR RW common
 * NONE first
 * NONE second
 * NONE guarded
 * WHY 74 83 never aliased
 * WHY 76 85 common lock: both hold
 */
#include <pthread.h>
#include <stdlib.h>

struct lock {
    pthread_mutex_t mutex;
};
struct task {
    void (*run)(int *);
    int *with;
};

static void *(*allocate)(size_t) = malloc;
static struct lock *one_lock, *other_lock;
static int first, second, guarded, common, *one_box, *other_box;

static void *get(size_t size)
{
    void *p = allocate(size);

    if (p == NULL)
        abort();
    return p;
}

static struct lock *new_lock(void)
{
    struct lock *l = get(sizeof *l);

    pthread_mutex_init(&l->mutex, NULL);
    return l;
}

static void take(struct lock *l)
{
    pthread_mutex_lock(&l->mutex);
}

static void give(struct lock *l)
{
    pthread_mutex_unlock(&l->mutex);
}

static void *begin(void *arg)
{
    struct task *t = arg;

    t->run(t->with);
    return arg;
}

static void launch(pthread_t *to, void (*run)(int *), int *with)
{
    struct task *t = get(sizeof *t);

    *t = (struct task){run, with};
    pthread_create(to, NULL, begin, t);
}

static void a(int *mine)
{
    *one_box = 1;
    take(one_lock);
    guarded++;
    give(one_lock);
    *mine += common++;
}

static void b(int *mine)
{
    *other_box = 2;
    take(one_lock);
    guarded--;
    give(one_lock);
    take(other_lock);
    *mine += common--;
    give(other_lock);
}

int main(void)
{
    pthread_t x, y;

    one_lock = new_lock();
    other_lock = new_lock();
    one_box = get(sizeof *one_box);
    other_box = get(sizeof *other_box);
    launch(&x, a, &first);
    launch(&y, b, &second);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
